#include <doctest/doctest.h>

#include <stdexcept>

#include "kernelect/ridge/candidates.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

const std::vector<double> kTaus{0.3, 2.0};

Sample sample_of(const Problem& problem) {
    Sample sample(std::vector<int>(static_cast<std::size_t>(problem.points.rows()), 0), 1);
    sample.add_dense(Matrix(problem.points));
    return sample;
}

std::vector<Program> programs() {
    std::vector<Program> made;
    for (const double tau : kTaus) made.push_back({{Op::gaussian, 0.5 / tau, 0.0, 0, 0}});
    return made;
}

RidgeRequest request_for(const Problem& problem) {
    RidgeRequest request;
    request.targets = problem.targets;
    request.lambdas = {0.5};
    request.fit = true;
    return request;
}

}  // namespace

TEST_CASE("kernels on a sample and their stored matrices have the same fits") {
    const Problem problem = random_problem(60, 3, 1);
    const RidgeRequest request = request_for(problem);
    Control control(2);
    const ScaledRidge made =
        ridge_kernels(sample_of(problem), programs(), request, KernelScaling::none, control);
    std::vector<Matrix> matrices;
    for (const double tau : kTaus) matrices.push_back(gaussian(problem.points, tau));
    const auto stored = ridge_matrices({matrices[0], matrices[1]}, request, control);
    REQUIRE(made.results.size() == 2);
    REQUIRE(stored.size() == 2);
    CHECK(made.scale == Vector::Ones(2));
    const Vector ridge = Vector::Constant(60, 0.5);
    for (std::size_t c = 0; c < 2; ++c) {
        const RidgeFit fit = bordered_fit(matrices[c], problem.targets, ridge, true);
        CHECK(largest_difference(made.results[c].alpha, fit.alpha) < 1e-10);
        CHECK(largest_difference(stored[c].alpha, fit.alpha) < 1e-10);
    }
}

TEST_CASE("a scaled kernel is fitted as the matrix divided by its mean diagonal, centred or not") {
    const Problem problem = random_problem(50, 2, 2);
    Control control;
    for (const auto scaling : {KernelScaling::trace, KernelScaling::centered}) {
        const ScaledRidge made =
            ridge_kernels(sample_of(problem), programs(), request_for(problem), scaling, control);
        for (std::size_t c = 0; c < 2; ++c) {
            const ColMatrix k = gaussian(problem.points, kTaus[c]);
            const double trace = scaling == KernelScaling::trace ? 50.0 : 50.0 - k.sum() / 50.0;
            const double factor = made.scale(static_cast<Index>(c));
            CHECK(factor == doctest::Approx(50.0 / trace).epsilon(1e-12));
            const RidgeFit fit =
                bordered_fit(factor * k, problem.targets, Vector::Constant(50, 0.5), true);
            CHECK(largest_difference(made.results[c].alpha, fit.alpha) < 1e-9);
        }
    }
}

TEST_CASE("matrices and samples must have a row for every target") {
    const Problem problem = random_problem(20, 2, 3);
    const RidgeRequest request = request_for(problem);
    Control control;
    CHECK_THROWS_AS(ridge_matrices({Matrix::Identity(19, 19)}, request, control),
                    std::invalid_argument);
    CHECK_THROWS_AS(ridge_matrices({Matrix::Ones(20, 19)}, request, control),
                    std::invalid_argument);
    CHECK_THROWS_AS(ridge_kernels(sample_of(random_problem(19, 2, 3)), programs(), request,
                                  KernelScaling::none, control),
                    std::invalid_argument);
}
