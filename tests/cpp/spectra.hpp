#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "kernelect/linalg/serial.hpp"
#include "kernelect/spectrum/spectrum.hpp"

// Matrices with known eigenvalues for the tests of spectra.
namespace kernelect::testing {

using linalg::ColMatrix;

inline Matrix normal(Index rows, Index cols, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> draw;
    Matrix m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = draw(engine);
    return m;
}

inline Matrix gaussian(const Matrix& x, double tau) {
    Matrix k(x.rows(), x.rows());
    for (Index i = 0; i < k.rows(); ++i)
        for (Index j = 0; j < k.cols(); ++j)
            k(i, j) = std::exp((x.row(i) - x.row(j)).squaredNorm() / (-2.0 * tau));
    return k;
}

// A matrix with the given eigenvalues in a random orthogonal basis.
inline Matrix with_spectrum(const Vector& values, unsigned seed) {
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
inline double worst_sum_error(const Vector& found, const Vector& all) {
    double worst = 0.0, got = 0.0, want = 0.0;
    for (Index i = 0; i < found.size(); ++i) {
        got += found(i);
        want += all(i);
        worst = std::max(worst, std::abs(got - want) / std::abs(want));
    }
    return worst;
}

// The iteration itself, without the short cuts for stored matrices.
inline LeadingSpectrum iterate(const Matrix& k, Index count, bool vectors = false,
                               Index block = 0) {
    SpectrumOptions options;
    options.count = count;
    options.vectors = vectors;
    options.block = block;
    Control control;
    return leading_spectrum(StoredOperator(k), options, control);
}

}  // namespace kernelect::testing
