#include <doctest/doctest.h>

#include <memory>

#include "kernelect/ridge/dense.hpp"
#include "kernelect/ridge/near_low_rank.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

const Folds kFolds{{0, 3, 50, 51, 52, 100}, {1, 2, 4, 119}, {10, 11, 12, 13, 14, 15, 16}};

// The system by a shortcut, checked against retraining; null where there is none.
struct Shortcut {
    Shortcut(const ColMatrix& k, const Ridge& ridge)
        : buffer(k),
          gram(buffer),
          split(KernelSplit::find(gram, ridge.diagonal(k.rows()))),
          system(split ? NearLowRankRidge::make(*split, ridge) : nullptr),
          bias(ridge.bias) {}
    ColMatrix buffer;
    GramBuffer gram;
    std::optional<KernelSplit> split;
    std::unique_ptr<NearLowRankRidge> system;
    bool bias;
};

void check_exact(const Shortcut& shortcut, const ColMatrix& k, const ColMatrix& targets) {
    REQUIRE(shortcut.system != nullptr);
    const Disagreement d = disagreement(*shortcut.system, shortcut.bias, k, targets, kFolds);
    CHECK(d.fit < 1e-10);
    CHECK(d.loo < 1e-10);
    CHECK(d.folds < 1e-10);
}

}  // namespace

TEST_CASE("the split is exact and leaves K in the upper triangle") {
    const ColMatrix k = gaussian(random_problem(160, 2, 2).points, 4096.0);
    ColMatrix buffer = k;
    GramBuffer gram(buffer);
    const auto split = KernelSplit::find(gram, Vector::Ones(160));
    REQUIRE(split.has_value());
    CHECK(split->rank() > 0);
    ColMatrix rebuilt = split->columns() * split->columns().transpose();
    const ColMatrix rest = split->rest().selfadjointView<Eigen::Lower>();
    rebuilt += rest;
    rebuilt.diagonal() += split->rest_diagonal();
    CHECK(largest_difference(rebuilt, k) < 1e-14);
    CHECK(rest.diagonal().isZero(0.0));
    gram.restore();
    CHECK(buffer == k);
}

TEST_CASE("narrow kernels are a diagonal and a series") {
    const Problem problem = random_problem(120, 6, 3);
    Vector weights = Vector::Random(120).array().abs() + 0.5;
    for (const double tau : {1e-4, 0.01, 0.02})
        for (const bool bias : {true, false})
            for (const bool weighted : {true, false}) {
                const ColMatrix k = gaussian(problem.points, tau);
                const Ridge ridge{0.3, bias, weighted ? weights : Vector()};
                const Shortcut shortcut(k, ridge);
                check_exact(shortcut, k, problem.targets);
                CHECK(
                    (shortcut.system->path() == RidgePath::identity || shortcut.split->rank() > 0));
            }
}

TEST_CASE("a few duplicates of narrow kernels become columns") {
    Problem problem = random_problem(120, 6, 4);
    problem.points.row(7) = problem.points.row(3);
    problem.points.row(8) = problem.points.row(3);
    problem.points.row(20) = problem.points.row(21) * 1.0001;
    const ColMatrix k = gaussian(problem.points, 1e-3);
    for (const bool bias : {true, false}) {
        const Shortcut shortcut(k, {1.0, bias});
        check_exact(shortcut, k, problem.targets);
        CHECK(shortcut.system->path() == RidgePath::low_rank);
        CHECK(shortcut.split->rank() == 3);  // one for the triple, two for the pair
    }
}

TEST_CASE("wide kernels are low rank") {
    const Problem problem = random_problem(300, 2, 5);
    for (const double tau : {2048.0, 32768.0})
        for (const bool bias : {true, false}) {
            const ColMatrix k = gaussian(problem.points, tau);
            const Shortcut shortcut(k, {1.0, bias});
            check_exact(shortcut, k, problem.targets);
            CHECK(shortcut.system->path() == RidgePath::low_rank);
            CHECK(shortcut.split->rank() < 20);
        }
    const ColMatrix ones = ColMatrix::Ones(300, 300);
    check_exact(Shortcut(ones, {1.0, true}), ones, problem.targets);
}

TEST_CASE("kernels of neither kind, and ridges too small for a series, are refused") {
    const Problem problem = random_problem(120, 6, 6);
    CHECK(Shortcut(gaussian(problem.points, 2.0), {1.0, true}).system == nullptr);
    CHECK(Shortcut(gaussian(problem.points, 0.5), {1.0, true}).system == nullptr);
    const ColMatrix wide = gaussian(random_problem(300, 2, 5).points, 2048.0);
    CHECK(Shortcut(wide, {1e-9, true}).system == nullptr);
    CHECK(!Shortcut(wide, {0.0, true}).split.has_value());

    // Indefinite: nothing in the shortcut takes K for positive semidefinite.
    ColMatrix indefinite = gaussian(problem.points, 1e-3);
    indefinite.diagonal().head(60).setConstant(-0.9);
    const Shortcut shortcut(indefinite, {1.0, true});
    if (shortcut.system) check_exact(shortcut, indefinite, problem.targets);

    ColMatrix nan = ColMatrix::Identity(120, 120);
    nan(3, 4) = nan(4, 3) = std::nan("");
    CHECK(Shortcut(nan, {1.0, true}).system == nullptr);
}
