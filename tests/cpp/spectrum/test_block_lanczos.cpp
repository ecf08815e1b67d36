#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernelect/spectrum/block_lanczos.hpp"
#include "spectra.hpp"

using namespace kernelect;
using namespace kernelect::testing;

TEST_CASE("leading eigenvalues of Gaussian kernels match the full decomposition") {
    const Matrix x = normal(240, 6, 3);
    for (const int exponent : {-6, -3, -2, -1, 0, 2, 5, 10, 15}) {
        CAPTURE(exponent);
        const Matrix k = gaussian(x, std::ldexp(1.0, exponent));
        const Vector all = full_spectrum(k, false).values;
        for (const Index count : {1, 2, 16}) {
            CAPTURE(count);
            const LeadingSpectrum found = iterate(k, count);
            CHECK(found.converged);
            CHECK(found.values.size() == count + 1);
            CHECK(worst_sum_error(found.values, all) < 1e-9);
            CHECK(found.trace == doctest::Approx(240.0));
        }
    }
}

TEST_CASE("eigenvectors are orthonormal and have the residuals that are reported") {
    const Matrix k = gaussian(normal(250, 4, 4), 1.0);
    const LeadingSpectrum found = iterate(k, 12, true);
    REQUIRE(found.vectors.cols() == 12);
    const ColMatrix gram = found.vectors.transpose() * found.vectors;
    CHECK((gram - ColMatrix::Identity(12, 12)).cwiseAbs().maxCoeff() < 1e-12);
    for (Index i = 0; i < 12; ++i) {
        const Vector v = found.vectors.col(i);
        const double residual = (k * v - found.values(i) * v).norm();
        CHECK(residual <= 1e-9 * found.values(0));
        CHECK(std::abs(residual - found.residuals(i)) < 1e-12 * found.values(0));
    }
}

TEST_CASE("degenerate kernels: identity, constant, class blocks, repeated rows") {
    const Index n = 200;
    SUBCASE("identity") {
        const LeadingSpectrum found = iterate(Matrix::Identity(n, n), 16);
        CHECK((found.values.array() - 1.0).abs().maxCoeff() < 1e-13);
    }
    SUBCASE("constant") {
        const LeadingSpectrum found = iterate(Matrix::Ones(n, n), 16);
        CHECK(found.values(0) == doctest::Approx(200.0));
        CHECK(found.values.tail(16).cwiseAbs().maxCoeff() < 1e-11);
    }
    SUBCASE("blocks of equal size: one eigenvalue many times over") {
        Matrix k(n, n);
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) k(i, j) = i % 10 == j % 10 ? 1.0 : 0.0;
        const LeadingSpectrum found = iterate(k, 16);
        CHECK((found.values.head(10).array() - 20.0).abs().maxCoeff() < 1e-11);
        CHECK(found.values.tail(7).cwiseAbs().maxCoeff() < 1e-11);
    }
    SUBCASE("repeated rows") {
        const Matrix once = normal(50, 3, 5);
        Matrix x(n, 3);
        for (Index i = 0; i < n; ++i) x.row(i) = once.row(i % 50);
        const Matrix k = gaussian(x, 0.5);
        CHECK(worst_sum_error(iterate(k, 20).values, full_spectrum(k, false).values) < 1e-9);
    }
    SUBCASE("zero") {
        const LeadingSpectrum found = iterate(Matrix::Zero(n, n), 3);
        CHECK(found.converged);
        CHECK(found.values.cwiseAbs().maxCoeff() == 0.0);
    }
}

TEST_CASE("eigenvalues repeated more often than the block is wide are all found") {
    for (const Index copies : {3, 5, 11}) {
        CAPTURE(copies);
        Vector values(220);
        values.head(3) << 10.0, 9.0, 8.5;
        values.segment(3, copies).setConstant(7.0);
        values.tail(217 - copies) = Vector::LinSpaced(217 - copies, 4.0, 0.0);
        const LeadingSpectrum found = iterate(with_spectrum(values, 6), 14);
        CHECK(worst_sum_error(found.values, values) < 1e-9);
    }
}

TEST_CASE("a basis that fills the whole space in the middle of a block has all couplings") {
    for (Index n = 5; n <= 40; ++n)
        for (Index count = 1; count <= 3; ++count) {
            const Matrix k = gaussian(normal(n, 2, static_cast<unsigned>(n)), 0.3);
            const LeadingSpectrum found = iterate(k, count);
            CHECK(found.converged);
            CHECK(worst_sum_error(found.values, full_spectrum(k, false).values) < 1e-9);
            CHECK(found.smallest > -1e-9);
        }
}

TEST_CASE("restarts in a small basis find the same values") {
    const Matrix k = gaussian(normal(300, 5, 7), 0.5);
    SpectrumOptions options;
    options.count = 8;
    options.vectors = true;
    options.max_basis = 28;
    Control control;
    const LeadingSpectrum found = leading_spectrum(StoredOperator(k), options, control);
    CHECK(found.converged);
    CHECK(found.products > 2 * options.max_basis);
    CHECK(worst_sum_error(found.values, full_spectrum(k, false).values) < 1e-9);
    CHECK((k * found.vectors - found.vectors * found.values.head(8).asDiagonal()).norm() <
          1e-8 * found.values(0));
}

TEST_CASE("any block width gives the eigenvalues; a warm start saves products") {
    const Matrix x = normal(300, 3, 8);
    const Matrix k = gaussian(x, 8.0);
    const Vector all = full_spectrum(k, false).values;
    for (const Index block : {1, 2, 3, 8, 16}) {
        CAPTURE(block);
        CHECK(worst_sum_error(iterate(k, 10, false, block).values, all) < 1e-9);
    }
    SpectrumOptions options;
    options.count = 10;
    options.block = 12;
    Control control;
    const StoredOperator stored(k);
    const ColMatrix near = full_spectrum(gaussian(x, 8.1), true).vectors.leftCols(12);
    const LeadingSpectrum warm = leading_spectrum(stored, options, control, near);
    CHECK(worst_sum_error(warm.values, all) < 1e-9);
    CHECK(warm.products < leading_spectrum(stored, options, control).products);
    // Start vectors that are eigenvectors, but not the leading ones.
    const ColMatrix wrong = full_spectrum(k, true).vectors.middleCols(30, 10);
    CHECK(worst_sum_error(leading_spectrum(stored, options, control, wrong).values, all) < 1e-9);
}

TEST_CASE("a matrix that is not positive semidefinite shows by how much") {
    Vector values = Vector::LinSpaced(250, 5.0, 0.0);
    values(249) = -3.0;
    const LeadingSpectrum found = iterate(with_spectrum(values, 10), 5);
    CHECK(worst_sum_error(found.values, values) < 1e-9);
    CHECK(found.smallest == doctest::Approx(-3.0).epsilon(1e-6));
}

TEST_CASE("the caller makes the products, as many columns at a time as were asked for") {
    const Matrix k = gaussian(normal(200, 3, 16), 1.0);
    LanczosOptions options;
    options.count = 5;
    options.block = 3;
    BlockLanczos solver(200, 200.0, options);
    Index products = 0;
    while (!solver.done()) {
        CHECK(solver.block().rows() == 200);
        products += solver.block().cols();
        solver.advance(serial::product(k, solver.block()));
    }
    CHECK(solver.converged());
    CHECK(solver.products() == products);
    CHECK(solver.sum_error() <= options.tolerance * solver.values()(0));
    CHECK(worst_sum_error(solver.values(), full_spectrum(k, false).values) < 1e-9);
    CHECK(solver.residuals().size() == 5);
    CHECK(solver.vectors(2).cols() == 2);
    CHECK_THROWS_AS(solver.advance(ColMatrix::Zero(200, 3)), std::logic_error);
}

TEST_CASE("a solver out of products says that it has not converged") {
    const Matrix k = gaussian(normal(200, 6, 17), 1.0);
    LanczosOptions options;
    options.count = 10;
    options.max_products = 12;
    BlockLanczos solver(200, 200.0, options);
    while (!solver.done()) solver.advance(serial::product(k, solver.block()));
    CHECK_FALSE(solver.converged());
    CHECK(solver.products() >= 12);
    CHECK(solver.values().size() == 10);
}

TEST_CASE("a solver refuses wrong counts, shapes and products") {
    LanczosOptions options;
    CHECK_THROWS_AS(BlockLanczos(0, 0.0, options), std::invalid_argument);
    options.count = 7;
    CHECK_THROWS_AS(BlockLanczos(6, 6.0, options), std::invalid_argument);
    options.count = 2;
    CHECK_THROWS_AS(BlockLanczos(6, 6.0, options, ColMatrix::Ones(5, 1)), std::invalid_argument);
    BlockLanczos solver(6, 6.0, options);
    CHECK_THROWS_AS(solver.advance(ColMatrix::Zero(5, solver.block().cols())),
                    std::invalid_argument);
    CHECK_THROWS_AS(solver.advance(ColMatrix::Constant(6, solver.block().cols(),
                                                       std::numeric_limits<double>::infinity())),
                    std::domain_error);
    options.block = 0;
    CHECK_THROWS_AS(BlockLanczos(6, 6.0, options), std::invalid_argument);
}
