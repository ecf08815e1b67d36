#include <doctest/doctest.h>

#include "explicit_kernels.hpp"
#include "kernelect/linalg/serial.hpp"

using namespace kernelect;
using explicit_kernels::noise;
using linalg::ColMatrix;

namespace {

double entry(const ColMatrix& a, const ColMatrix& b, Index i, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
    return sum;
}

}  // namespace

TEST_CASE("products of matrices, of their blocks, and with a single column") {
    const ColMatrix a = noise(30, 40), b = noise(40, 25);
    const ColMatrix all = serial::product(a, b);
    const ColMatrix part = serial::product(a.block(2, 3, 20, 30), b.block(3, 1, 30, 4));
    const ColMatrix column = serial::product(a, b.col(7));
    REQUIRE(all.rows() == 30);
    REQUIRE(part.cols() == 4);
    REQUIRE(column.cols() == 1);
    for (Index i = 0; i < 20; ++i)
        for (Index j = 0; j < 4; ++j) {
            CHECK(all(i, j) == doctest::Approx(entry(a, b, i, j)).epsilon(1e-12));
            const double want = entry(a.block(2, 3, 20, 30), b.block(3, 1, 30, 4), i, j);
            CHECK(part(i, j) == doctest::Approx(want).epsilon(1e-12));
        }
    CHECK(column(3, 0) == doctest::Approx(all(3, 7)).epsilon(1e-12));
}

TEST_CASE("triangular solves read the lower triangle only") {
    ColMatrix l = noise(20, 20);
    l.diagonal().array() += 20.0;
    const ColMatrix right = noise(20, 3);
    ColMatrix lower = l;
    for (Index j = 1; j < 20; ++j) lower.col(j).head(j).setZero();
    ColMatrix once = right, twice = right;
    serial::solve_lower(l, once);
    serial::solve_factored(l, twice);
    CHECK((serial::product(lower, once) - right).cwiseAbs().maxCoeff() < 1e-12);
    const ColMatrix upper = lower.transpose();
    const ColMatrix back = serial::product(lower, serial::product(upper, twice));
    CHECK((back - right).cwiseAbs().maxCoeff() < 1e-11);
}

TEST_CASE("small symmetric matrices are decomposed, larger ones are handed on") {
    for (const Index n : {1, 12, 230}) {
        CAPTURE(n);
        const ColMatrix a = noise(n, n), upper = a.transpose();
        const ColMatrix k = a + upper;
        ColMatrix vectors = k;
        const Vector values = serial::small_eigh(vectors);
        REQUIRE(values.size() == n);
        for (Index i = 1; i < n; ++i) CHECK(values(i - 1) <= values(i));
        const ColMatrix scaled = vectors * values.asDiagonal();
        CHECK((serial::product(k, vectors) - scaled).norm() <
              1e-12 * static_cast<double>(n) * k.norm());
    }
}
