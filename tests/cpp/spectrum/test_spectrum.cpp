#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernelect/spectrum/spectrum.hpp"

using namespace kernelect;
using linalg::ColMatrix;

namespace {

Matrix normal(Index rows, Index cols, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> draw;
    Matrix m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = draw(engine);
    return m;
}

Matrix gaussian(const Matrix& x, double tau) {
    Matrix k(x.rows(), x.rows());
    for (Index i = 0; i < k.rows(); ++i)
        for (Index j = 0; j < k.cols(); ++j)
            k(i, j) = std::exp((x.row(i) - x.row(j)).squaredNorm() / (-2.0 * tau));
    return k;
}

// A matrix with the given eigenvalues in a random orthogonal basis.
Matrix with_spectrum(const Vector& values, unsigned seed) {
    const Index n = values.size();
    ColMatrix q = normal(n, n, seed);
    for (Index c = 0; c < n; ++c) {
        for (int pass = 0; pass < 2; ++pass)
            q.col(c) -= q.leftCols(c) * (q.leftCols(c).transpose() * q.col(c)).eval();
        q.col(c).normalize();
    }
    const Matrix k = q * values.asDiagonal() * q.transpose();
    return 0.5 * (k + k.transpose());
}

// Every leading sum against the full decomposition, relative to itself.
double worst_sum_error(const Vector& found, const Vector& all) {
    double worst = 0.0, got = 0.0, want = 0.0;
    for (Index i = 0; i < found.size(); ++i) {
        got += found(i);
        want += all(i);
        worst = std::max(worst, std::abs(got - want) / std::abs(want));
    }
    return worst;
}

// The iteration itself, without the short cuts for stored matrices.
LeadingSpectrum iterate(const Matrix& k, Index count, bool vectors = false, Index block = 0) {
    SpectrumOptions options;
    options.count = count;
    options.vectors = vectors;
    options.block = block;
    Control control;
    return leading_spectrum(StoredOperator(k), options, control);
}

LeadingSpectrum decide(const Matrix& k, Index count, int threads = 1) {
    SpectrumOptions options;
    options.count = count;
    options.vectors = true;
    Control control(threads);
    return leading_spectrum(k, options, control);
}

}  // namespace

TEST_CASE("a stored operator multiplies by the symmetric matrix of its lower triangle") {
    for (const Index n : {1, 3, 4, 7, 130, 515}) {
        Matrix k = normal(n, n, 1);
        Matrix symmetric = k;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < i; ++j) symmetric(j, i) = symmetric(i, j);
        for (const Index columns : {1, 4, 6}) {
            CAPTURE(n);
            CAPTURE(columns);
            const ColMatrix in = normal(n, columns, 2);
            ColMatrix out(n, columns), threaded(n, columns);
            Control one(1), three(3);
            StoredOperator(k).apply(in, out, one);
            StoredOperator(k).apply(in, threaded, three);
            CHECK((out - symmetric * in).norm() <= 1e-14 * static_cast<double>(n) * out.norm());
            CHECK(out == threaded);
        }
    }
    CHECK_THROWS_AS(StoredOperator(Matrix::Zero(3, 2)), std::invalid_argument);
}

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

TEST_CASE("a stored matrix takes the cheapest way") {
    Matrix near_identity = Matrix::Identity(300, 300);
    near_identity(7, 3) = near_identity(3, 7) = 1e-13;
    const LeadingSpectrum diagonal = decide(near_identity, 16);
    CHECK(diagonal.method == SpectrumMethod::diagonal);
    CHECK(diagonal.values.sum() == doctest::Approx(17.0).epsilon(1e-11));
    CHECK(diagonal.sum_error <= 17e-13);
    const Matrix k = gaussian(normal(300, 5, 9), 2.0);
    CHECK(decide(k, 4).method == SpectrumMethod::lanczos);
    CHECK(decide(k, 299).method == SpectrumMethod::full);
    CHECK(decide(k, 299).values.sum() == doctest::Approx(300.0));
}

TEST_CASE("a matrix that is not positive semidefinite shows by how much") {
    Vector values = Vector::LinSpaced(250, 5.0, 0.0);
    values(249) = -3.0;
    const LeadingSpectrum found = iterate(with_spectrum(values, 10), 5);
    CHECK(worst_sum_error(found.values, values) < 1e-9);
    CHECK(found.smallest == doctest::Approx(-3.0).epsilon(1e-6));
}

TEST_CASE("the bits do not depend on threads or on where the matrix lies") {
    const Index n = 301;
    const Matrix k = gaussian(normal(n, 4, 11), 1.0);
    const LeadingSpectrum one = decide(k, 6), three = decide(k, 6, 3);
    CHECK(one.values == three.values);
    CHECK(one.vectors == three.vectors);
    std::vector<double> memory(static_cast<std::size_t>(n * n) + 8);
    for (std::size_t offset = 1; offset < 8; ++offset) {
        Eigen::Map<Matrix> moved(memory.data() + offset, n, n);
        moved = k;
        SpectrumOptions options;
        options.count = 6;
        options.vectors = true;
        Control control;
        const LeadingSpectrum found = leading_spectrum(moved, options, control);
        CHECK(found.values == one.values);
        CHECK(found.vectors == one.vectors);
    }
}

TEST_CASE("wrong counts, shapes and entries are refused; a caller can stop the work") {
    Matrix k = gaussian(normal(200, 3, 12), 1.0);
    CHECK_THROWS_AS(decide(k, 0), std::invalid_argument);
    CHECK_THROWS_AS(decide(k, 200), std::invalid_argument);
    CHECK_THROWS_AS(decide(Matrix::Zero(3, 4), 1), std::invalid_argument);
    k(150, 20) = k(20, 150) = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(decide(k, 3), std::domain_error);
    CHECK_THROWS_AS(full_spectrum(k, false), std::domain_error);
    Control stopped;
    stopped.stop();
    const Matrix large = gaussian(normal(400, 3, 13), 1.0);
    CHECK_THROWS_AS(leading_spectrum(large, SpectrumOptions{}, stopped), Cancelled);
}

TEST_CASE("label energies are squared inner products and sum to |y|^2 over a full basis") {
    const Matrix k = gaussian(normal(60, 3, 14), 1.0);
    const Matrix y = normal(60, 2, 15);
    const Matrix vectors = full_spectrum(k, true).vectors;
    const Matrix energies = label_energies(vectors, y);
    CHECK(energies(4, 1) == doctest::Approx(std::pow(vectors.col(4).dot(y.col(1)), 2)));
    CHECK(energies.col(0).sum() == doctest::Approx(y.col(0).squaredNorm()));
}
