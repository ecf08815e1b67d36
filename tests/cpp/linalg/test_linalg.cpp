#include <doctest/doctest.h>

#include <stdexcept>

#include "explicit_kernels.hpp"
#include "kernelect/linalg/linalg.hpp"

using namespace kernelect::linalg;
using kernelect::Index;

// These run on Eigen; the same functions on a LAPACK are compared with these through Python.

namespace {

ColMatrix positive_definite(Index n) {
    const ColMatrix a = explicit_kernels::noise(n, n);
    return a * a.transpose() + 0.1 * ColMatrix::Identity(n, n);
}

// Fills the strict upper triangle with something that must stay.
void mark_upper(ColMatrix& a) {
    for (Index j = 1; j < a.cols(); ++j)
        for (Index i = 0; i < j; ++i) a(i, j) = 7.0;
}
bool upper_is_marked(const ColMatrix& a) {
    for (Index j = 1; j < a.cols(); ++j)
        for (Index i = 0; i < j; ++i)
            if (a(i, j) != 7.0) return false;
    return true;
}

}  // namespace

TEST_CASE("Cholesky factor of the lower triangle") {
    for (const Index n : {1, 2, 5, 60}) {
        const ColMatrix wanted = positive_definite(n);
        ColMatrix a = wanted;
        mark_upper(a);
        REQUIRE(cholesky(a));
        CHECK(upper_is_marked(a));
        const ColMatrix l = a.triangularView<Eigen::Lower>();
        CHECK((l * l.transpose() - wanted).norm() < 1e-12 * wanted.norm());
    }
    ColMatrix none(0, 0);
    CHECK(cholesky(none));
}

TEST_CASE("matrices that are not positive definite") {
    ColMatrix indefinite = positive_definite(6);
    indefinite(3, 3) = -1.0;
    CHECK(!cholesky(indefinite));
    ColMatrix zero = ColMatrix::Zero(4, 4);
    CHECK(!cholesky(zero));
    ColMatrix wide(2, 3);
    CHECK_THROWS_AS(cholesky(wide), std::invalid_argument);
}

TEST_CASE("inverse of a lower triangle") {
    for (const Index n : {1, 3, 40}) {
        ColMatrix a = positive_definite(n);
        REQUIRE(cholesky(a));
        const ColMatrix l = a.triangularView<Eigen::Lower>();
        mark_upper(a);
        invert_lower(a);
        CHECK(upper_is_marked(a));
        const ColMatrix inverse = a.triangularView<Eigen::Lower>();
        CHECK((inverse * l - ColMatrix::Identity(n, n)).norm() < 1e-10);
    }
}

TEST_CASE("eigenvalues ascend and the vectors are theirs") {
    for (const Index n : {1, 2, 30}) {
        const ColMatrix wanted = positive_definite(n);
        ColMatrix a = wanted, b = wanted;
        const Eigen::VectorXd values = eigh(a, true), only = eigh(b, false);
        CHECK((values - only).norm() < 1e-10 * values.norm());
        for (Index k = 1; k < n; ++k) CHECK(values(k) >= values(k - 1));
        CHECK((wanted * a - a * values.asDiagonal()).norm() < 1e-11 * wanted.norm());
        CHECK((a.transpose() * a - ColMatrix::Identity(n, n)).norm() < 1e-11);
    }
    ColMatrix wide(2, 3);
    CHECK_THROWS_AS(eigh(wide, false), std::invalid_argument);
}

TEST_CASE("parts of larger matrices are worked on in place") {
    ColMatrix large = ColMatrix::Constant(9, 9, 5.0);
    const ColMatrix wanted = positive_definite(4);
    large.block(2, 3, 4, 4) = wanted;
    REQUIRE(cholesky(large.block(2, 3, 4, 4)));
    const ColMatrix l = large.block(2, 3, 4, 4).triangularView<Eigen::Lower>();
    CHECK((l * l.transpose() - wanted).norm() < 1e-12);
    CHECK(large(1, 3) == 5.0);
    CHECK(large(6, 6) == 5.0);
    CHECK(large(3, 7) == 5.0);
}

TEST_CASE("the leading block of a singular matrix") {
    const ColMatrix a = explicit_kernels::noise(7, 4);
    ColMatrix gram = a * a.transpose();
    gram.diagonal().head(4).array() += 1.0;
    gram.row(4) = gram.row(3), gram.col(4) = gram.col(3);
    const ColMatrix wanted = gram;
    CHECK(leading_cholesky(gram) == 4);
    const ColMatrix l = gram.topLeftCorner(4, 4).triangularView<Eigen::Lower>();
    CHECK((l * l.transpose() - wanted.topLeftCorner(4, 4)).norm() < 1e-12 * wanted.norm());
    ColMatrix whole = positive_definite(9);
    CHECK(leading_cholesky(whole) == 9);
}
