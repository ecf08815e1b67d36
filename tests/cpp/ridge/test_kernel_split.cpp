#include <doctest/doctest.h>

#include <cstdlib>

#include "kernelect/ridge/kernel_split.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

struct Made {
    explicit Made(const ColMatrix& k, double ridge = 1.0)
        : buffer(k),
          gram(buffer),
          split(KernelSplit::find(gram, Vector::Constant(k.rows(), ridge))) {}

    // G G' + diag(s) + E
    ColMatrix rebuilt() const {
        ColMatrix sum = split->columns() * split->columns().transpose();
        const ColMatrix rest = split->rest().selfadjointView<Eigen::Lower>();
        sum += rest;
        sum.diagonal() += split->rest_diagonal();
        return sum;
    }

    ColMatrix buffer;
    GramBuffer gram;
    std::optional<KernelSplit> split;
};

}  // namespace

TEST_CASE("narrow kernels need no column, or one for each of a few close points") {
    Problem problem = random_problem(120, 5, 1);
    const ColMatrix apart = gaussian(problem.points, 1e-3);
    const Made diagonal(apart);
    REQUIRE(diagonal.split.has_value());
    CHECK(diagonal.split->rank() == 0);
    CHECK(largest_difference(diagonal.rebuilt(), apart) < 1e-15);

    problem.points.row(7) = problem.points.row(3);  // a duplicate
    problem.points.row(9) = problem.points.row(4);
    problem.points(9, 0) += 0.01;  // and a near one
    const ColMatrix close = gaussian(problem.points, 1e-3);
    const Made few(close);
    REQUIRE(few.split.has_value());
    CHECK(few.split->rank() >= 2);
    CHECK(few.split->rank() <= 4);
    CHECK(largest_difference(few.rebuilt(), close) < 1e-14);
}

TEST_CASE("wide kernels have a few leading columns") {
    const ColMatrix wide = gaussian(random_problem(160, 2, 2).points, 4096.0);
    const Made made(wide);
    REQUIRE(made.split.has_value());
    CHECK(made.split->rank() > 0);
    CHECK(made.split->rank() <= 20);  // an eighth
    CHECK(largest_difference(made.rebuilt(), wide) < 1e-14);
}

TEST_CASE("kernels in between, and ridges of zero, are refused and left as they were") {
    const Problem problem = random_problem(120, 5, 3);
    for (const double tau : {1.0, 3.0}) {
        const ColMatrix k = gaussian(problem.points, tau);
        const Made made(k);
        CHECK(!made.split.has_value());
        CHECK(made.buffer == k);
    }
    const ColMatrix narrow = gaussian(problem.points, 1e-3);
    for (const double ridge : {0.0, -1.0}) CHECK(!Made(narrow, ridge).split.has_value());
}

TEST_CASE("norms of the rest bound what they say they bound") {
    const Index n = 30;
    std::srand(4);
    ColMatrix e = 0.01 * ColMatrix::Random(n, n);
    e = (e + e.transpose()).eval();
    e.diagonal().setZero();
    const Vector d = (Vector::Random(n).array().abs() + 0.5).matrix();
    ColMatrix lower = e.triangularView<Eigen::StrictlyLower>();
    const RestNorms norms = rest_norms(lower, d);
    const ColMatrix scaled = d.cwiseSqrt().asDiagonal() * e * d.cwiseSqrt().asDiagonal();
    for (Index i = 0; i < n; ++i)
        CHECK(norms.squared(i) ==
              doctest::Approx(e.row(i).cwiseAbs2().dot(d.transpose())).epsilon(1e-13));
    Vector v = Vector::Ones(n);
    for (int k = 0; k < 200; ++k) v = (scaled * v).normalized();
    CHECK(norms.bound >= (scaled * v).norm() * (1 - 1e-12));
    CHECK(norms.bound <= scaled.norm() * (1 + 1e-12));
    ColMatrix nothing = ColMatrix::Zero(n, n);
    CHECK(rest_norms(nothing, d).bound == 0.0);
}
