#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "kernelect/ridge/scan.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

const std::vector<double> kTaus{1e-3, 0.3, 2.0, 1e5};

std::vector<RidgeResult> scan(const Problem& problem, const RidgeRequest& request, int threads) {
    Control control(threads);
    const MadeKernels kernels(static_cast<Index>(kTaus.size()),
                              [&](Index c) { return gaussian(problem.points, kTaus[place(c)]); });
    return ridge_scan(kernels, request, control);
}

RidgeRequest request_for(const Problem& problem) {
    RidgeRequest request;
    request.targets = problem.targets;
    request.lambdas = {0.02, 1.5};
    request.fit = request.gcv = request.loo = request.outputs = true;
    request.fold_sets = {{{0, 1, 2, 3}, {9, 8}, {20, 30, 40}}, {{5}, {7}}};
    return request;
}

}  // namespace

TEST_CASE("a scan answers with retraining, in both conventions, shortcuts or not") {
    const Problem problem = random_problem(90, 3, 11);
    for (const bool shortcuts : {true, false})
        for (const auto convention : {LambdaConvention::sum, LambdaConvention::mean}) {
            RidgeRequest request = request_for(problem);
            request.convention = convention;
            request.shortcuts = shortcuts;
            const auto results = scan(problem, request, 1);
            REQUIRE(results.size() == 8);
            for (std::size_t c = 0; c < kTaus.size(); ++c)
                for (std::size_t l = 0; l < 2; ++l) {
                    const RidgeResult& result = results[2 * c + l];
                    const ColMatrix k = gaussian(problem.points, kTaus[c]);
                    const auto ridge = [&](std::size_t held_out) {
                        const double m = 90.0 - static_cast<double>(held_out);
                        const bool mean = convention == LambdaConvention::mean;
                        return Vector::Constant(90, (mean ? m : 1.0) * request.lambdas[l]).eval();
                    };
                    CHECK(result.error.empty());
                    CHECK((shortcuts || result.path == RidgePath::dense));
                    for (std::size_t s = 0; s < request.fold_sets.size(); ++s)
                        for (const Fold& fold : request.fold_sets[s]) {
                            const ColMatrix expected =
                                problem.targets(fold, Eigen::all) -
                                retrained_residuals(k, problem.targets, ridge(fold.size()), true,
                                                    fold);
                            const ColMatrix got = result.cv[s].outputs(fold, Eigen::all);
                            CHECK(largest_difference(got, expected) < 1e-9);
                        }
                    CHECK(std::isnan(result.cv[0].outputs(60, 0)));
                    const ColMatrix loo =
                        problem.targets.row(60) -
                        retrained_residuals(k, problem.targets, ridge(1), true, {60});
                    CHECK(largest_difference(result.loo.outputs.row(60), loo) < 1e-9);
                    const RidgeFit fit = bordered_fit(k, problem.targets, ridge(0), true);
                    CHECK(largest_difference(result.alpha, fit.alpha) < 1e-8);
                    CHECK(result.leverages.sum() ==
                          doctest::Approx(90.0 - ridge(0)[0] * result.trace).epsilon(1e-10));
                }
        }
}

TEST_CASE("a few folds alone are trained again, to the same answer as by the closed form") {
    const Problem problem = random_problem(90, 3, 14);
    RidgeRequest request;
    request.targets = problem.targets;
    request.lambdas = {1e-13, 0.02, 1.5};  // the first is left to the closed form with wide kernels
    request.outputs = true;
    request.loo = request.shortcuts = request.eigen = false;
    request.fold_sets.resize(1);
    request.fold_sets[0].resize(3);
    for (Index i = 0; i < 90; ++i) request.fold_sets[0][place(i % 3)].push_back(i);
    for (const bool bias : {true, false})
        for (const bool weighted : {false, true}) {
            request.bias = bias;
            request.weights = weighted ? Vector::LinSpaced(90, 0.5, 2.0).eval() : Vector();
            const auto results = scan(problem, request, 1);
            RidgeRequest closed = request;
            closed.loo = true;
            const auto expected = scan(problem, closed, 1);
            CHECK(scan(problem, request, 3)[4].cv[0].outputs == results[4].cv[0].outputs);
            for (std::size_t r = 0; r < results.size(); ++r) {
                REQUIRE(results[r].error.empty());
                CHECK(results[r].path == RidgePath::dense);
                CHECK(results[r].jitter == expected[r].jitter);
                // the smallest lambda loses digits in the closed form itself, with or without loo
                CHECK(largest_difference(results[r].cv[0].outputs, expected[r].cv[0].outputs) <
                      (r % 3 == 0 ? 1e-6 : 1e-9));
            }
        }
}

TEST_CASE("results do not depend on the number of threads") {
    const Problem problem = random_problem(90, 3, 12);
    const auto one = scan(problem, request_for(problem), 1);
    const auto three = scan(problem, request_for(problem), 3);
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].alpha == three[i].alpha);
        CHECK(one[i].loo.outputs == three[i].loo.outputs);
        CHECK(one[i].gcv == three[i].gcv);
    }
}

TEST_CASE("many lambdas go through one eigendecomposition") {
    const Problem problem = random_problem(60, 2, 13);
    RidgeRequest request = request_for(problem);
    request.lambdas.clear();
    for (int i = -15; i < 15; ++i) request.lambdas.push_back(std::pow(2.0, i));
    request.shortcuts = false;
    const auto path = scan(problem, request, 1);
    request.eigen = false;
    const auto each = scan(problem, request, 1);
    for (std::size_t i = 0; i < path.size(); ++i) {
        CHECK(path[i].path == RidgePath::eigen);
        CHECK(each[i].path == RidgePath::dense);
        CHECK(largest_difference(path[i].loo.outputs, each[i].loo.outputs) < 1e-9);
        CHECK(largest_difference(path[i].cv[1].outputs.row(5), each[i].cv[1].outputs.row(5)) <
              1e-9);
    }
}

TEST_CASE("a kernel without an answer says why and the others have theirs") {
    const Problem problem = random_problem(20, 2, 14);
    RidgeRequest request;
    request.targets = problem.targets;
    request.lambdas = {0.0, 0.5};
    request.loo = true;
    Control control(1);
    const MadeKernels kernels(2, [&](Index c) {
        return c == 0 ? ColMatrix(ColMatrix::Ones(20, 20)) : gaussian(problem.points, 0.1);
    });
    const auto results = ridge_scan(kernels, request, control);
    CHECK(!results[0].error.empty());
    CHECK(results[0].loo.losses.squared.size() == 0);
    for (const std::size_t i : {1, 2, 3}) {
        CHECK(results[i].error.empty());
        CHECK(results[i].loo.losses.squared.allFinite());
    }
}

TEST_CASE("requests that make no sense are refused") {
    const Problem problem = random_problem(90, 3, 15);
    const auto refused = [&](auto change) {
        RidgeRequest request = request_for(problem);
        change(request);
        CHECK_THROWS_AS(scan(problem, request, 1), std::invalid_argument);
    };
    refused([](RidgeRequest& r) { r.fold_sets = {{{0, 1}, {1}}}; });
    refused([](RidgeRequest& r) { r.fold_sets = {{{}}}; });
    refused([](RidgeRequest& r) { r.fold_sets.assign(1, Folds()); });
    refused([](RidgeRequest& r) { r.weights = Vector::Ones(3); });
    refused([](RidgeRequest& r) { r.lambdas = {std::nan("")}; });
    refused([](RidgeRequest& r) { r.targets(0, 0) = std::nan(""); });
    refused([](RidgeRequest& r) { r.zero_one = true; });  // a column is not +-1
    refused([](RidgeRequest& r) { r.bif_order = 2; });    // sum convention
    refused([](RidgeRequest& r) { r.targets.resize(1, 1); });
}

TEST_CASE("a scan can be stopped") {
    const Problem problem = random_problem(90, 3, 16);
    Control control(1, [](double) { return false; });
    const MadeKernels kernels(50, [&](Index) {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        return gaussian(problem.points, 1.0);
    });
    CHECK_THROWS_AS(ridge_scan(kernels, request_for(problem), control), Cancelled);
    CHECK(kernels.made() < 50);
}

TEST_CASE("matrices are made when a path asks for them, and no oftener than need be") {
    const Problem problem = random_problem(60, 3, 17);
    const MadeKernels wide(3, [&](Index) { return gaussian(problem.points, 2.0); });
    RidgeRequest request = request_for(problem);
    Control control(1);
    ridge_scan(wide, request, control);
    CHECK(wide.made() == 3);  // shortcuts tried, then factored in the same buffer

    // The eigenvectors take the place of the matrix; a ridge that they cannot serve needs it again.
    const MadeKernels again(1, [&](Index) { return ColMatrix(-ColMatrix::Identity(60, 60)); });
    request.shortcuts = false;
    request.lambdas.clear();
    for (int l = 1; l <= 40; ++l) request.lambdas.push_back(0.01 * l);
    const auto refused = ridge_scan(again, request, control);
    CHECK(again.made() == 2);
    for (const RidgeResult& result : refused) CHECK(!result.error.empty());

    // Nothing is asked, so nothing is made: no matrix and no room for one.
    const MadeKernels unused(2, [](Index) -> ColMatrix { throw std::logic_error("not needed"); });
    RidgeRequest nothing;
    nothing.targets = ColMatrix::Ones(1 << 20, 1);  // its matrix would have eight terabytes
    nothing.lambdas = {1.0};
    const auto empty = ridge_scan(unused, nothing, control);
    CHECK(unused.made() == 0);
    REQUIRE(empty.size() == 2);
    for (const RidgeResult& result : empty) CHECK(result.error.empty());
}
