#include <doctest/doctest.h>

#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/inverse_cholesky.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

TEST_CASE("inverse_cholesky gives W with W A W' = I and leaves the upper triangle alone") {
    for (const Index n : {1, 2, 63, 64, 65, 130, 201}) {
        const ColMatrix k = gaussian(random_problem(n, 3, 1).points, 2.0);
        ColMatrix a = k;
        a.diagonal().array() += 0.1;
        const ColMatrix before = a;
        REQUIRE(linalg::inverse_cholesky(a));
        const ColMatrix w = a.triangularView<Eigen::Lower>();
        CHECK(largest_difference(w * before * w.transpose(), ColMatrix::Identity(n, n)) < 1e-12);
        if (n > 1) {
            const ColMatrix upper = a.triangularView<Eigen::StrictlyUpper>();
            const ColMatrix kept = before.triangularView<Eigen::StrictlyUpper>();
            CHECK(upper == kept);
        }
    }
}

TEST_CASE("inverse_cholesky refuses what is not positive definite or not a number") {
    ColMatrix indefinite = -ColMatrix::Identity(5, 5);
    CHECK(!linalg::inverse_cholesky(indefinite));
    ColMatrix late = ColMatrix::Identity(150, 150);
    late(140, 140) = -1.0;
    CHECK(!linalg::inverse_cholesky(late));
    ColMatrix nan = ColMatrix::Identity(3, 3);
    nan(1, 1) = std::nan("");
    CHECK(!linalg::inverse_cholesky(nan));
}

TEST_CASE("products read one triangle only and accept empty operands") {
    const ColMatrix s = gaussian(random_problem(9, 2, 3).points, 1.0);
    for (const Index columns : {1, 2, 5}) {
        const ColMatrix b = ColMatrix::Random(9, columns);
        ColMatrix c = ColMatrix::Ones(9, columns);
        const ColMatrix expected = 2.0 * s * b - 3.0 * c;
        ColMatrix lower = s, upper = s;
        lower.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
        upper.triangularView<Eigen::StrictlyLower>().setConstant(1e9);
        ColMatrix d = c;
        blas::symm(2.0, lower, blas::Triangle::lower, b, -3.0, c);
        blas::symm(2.0, upper, blas::Triangle::upper, b, -3.0, d);
        CHECK(largest_difference(c, expected) < 1e-14);
        CHECK(largest_difference(d, expected) < 1e-14);
    }
    ColMatrix c = ColMatrix::Ones(4, 3);
    blas::gemm(1.0, ColMatrix(4, 0), blas::Transpose::no, ColMatrix(0, 3), blas::Transpose::no, 0.5,
               c);
    CHECK(c == ColMatrix::Constant(4, 3, 0.5));
    ColMatrix square = ColMatrix::Ones(3, 3);
    blas::syrk(1.0, ColMatrix(3, 0), blas::Transpose::no, 0.0, square);
    CHECK(square(2, 1) == 0.0);
    CHECK(square(1, 2) == 1.0);
}
