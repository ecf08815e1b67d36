#include "kernelect/spectrum/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernelect/base/simd.hpp"
#include "kernelect/linalg/patient_eigh.hpp"
#include "kernelect/linalg/serial.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

// Where the full decomposition of a stored matrix is faster, or not much slower than giving up on
// the iteration after n / 2 products.
constexpr Index kSmall = 160, kFewPerCount = 10;

constexpr Index kCopied = 256;  // rows that are copied between two looks at the caller

// The largest sum of off-diagonal magnitudes in a row, or infinity as soon as one exceeds the
// limit: most kernel matrices show that in their first rows. Reads the lower triangle.
double gershgorin_radius(const ConstMatrixRef& k, double limit) {
    const Index n = k.rows();
    std::vector<double> radii(place(n), 0.0);
    const simd::FlushDenormals flush;
    for (Index i = 0; i < n; ++i) {
        const double* const row = k.data() + i * k.outerStride();
        simd::Pack sums = simd::set(0.0);
        Index j = 0;
        for (; j + simd::kWidth <= i; j += simd::kWidth) {
            const simd::Pack entry = simd::load(row + j);
            const simd::Pack magnitude = simd::max(entry, -entry);
            sums += magnitude;
            simd::store(radii.data() + j, simd::load(radii.data() + j) + magnitude);
        }
        double sum = simd::sum(sums);
        for (; j < i; ++j) {
            sum += std::abs(row[j]);
            radii[place(j)] += std::abs(row[j]);
        }
        if (!(sum <= limit)) return std::numeric_limits<double>::infinity();
        radii[place(i)] += sum;
    }
    const double radius = *std::max_element(radii.begin(), radii.end());
    return radius <= limit ? radius : std::numeric_limits<double>::infinity();
}

// The last of the count + 1 largest diagonal entries. A radius that is small against it is small
// against every leading sum, term by term.
double leading_diagonal(const ConstMatrixRef& k, Index count) {
    std::vector<double> diagonal(place(k.rows()));
    for (Index i = 0; i < k.rows(); ++i) diagonal[place(i)] = k(i, i);
    const auto at = diagonal.begin() + count;
    std::nth_element(diagonal.begin(), at, diagonal.end(), std::greater<>());
    return *at;
}

// Eigenvalues differ from the sorted diagonal by at most the radius (Weyl).
LeadingSpectrum from_diagonal(const ConstMatrixRef& k, const SpectrumOptions& options,
                              double radius) {
    const Index n = k.rows(), values = options.count + 1;
    std::vector<Index> order(place(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return k(a, a) > k(b, b); });
    LeadingSpectrum result;
    result.values.resize(values);
    for (Index i = 0; i < values; ++i) {
        const Index at = order[place(i)];
        result.values(i) = k(at, at);
    }
    if (options.vectors) {
        result.vectors = ColMatrix::Zero(n, options.count);
        for (Index i = 0; i < options.count; ++i) result.vectors(order[place(i)], i) = 1.0;
    }
    result.residuals = Vector::Constant(values, radius);
    result.sum_error = radius * static_cast<double>(values);
    result.smallest = k(order.back(), order.back());
    result.converged = true;
    result.method = SpectrumMethod::diagonal;
    return result;
}

LeadingSpectrum from_full(const ConstMatrixRef& k, const SpectrumOptions& options,
                          Control& control) {
    FullSpectrum full = full_spectrum(k, options.vectors, Team(control, 1, true));
    LeadingSpectrum result;
    result.values = full.values.head(options.count + 1);
    if (options.vectors) result.vectors = full.vectors.leftCols(options.count);
    // The backward error of the decomposition.
    const double error = std::numeric_limits<double>::epsilon() *
                         std::sqrt(static_cast<double>(k.rows())) *
                         full.values.cwiseAbs().maxCoeff();
    result.residuals = Vector::Constant(options.count + 1, error);
    result.sum_error = error * static_cast<double>(options.count + 1);
    result.smallest = full.values(k.rows() - 1);
    result.converged = true;
    result.method = SpectrumMethod::full;
    return result;
}

}  // namespace

void check_count(Index count, Index n) {
    if (count < 1 || count > n - 1)
        throw std::invalid_argument("t = " + std::to_string(count) +
                                    " eigenvalues were asked for, but t must be between 1 and " +
                                    std::to_string(n - 1) + ", one less than the order");
}

LeadingSpectrum leading_spectrum(const SymmetricOperator& k, const SpectrumOptions& options,
                                 Control& control, const ColMatrix& warm) {
    const Index n = k.order();
    check_count(options.count, n);
    LanczosOptions lanczos;
    lanczos.count = options.count + 1;
    lanczos.block = options.block > 0 ? options.block : k.preferred_block();
    lanczos.max_basis = options.max_basis;
    lanczos.max_products = options.max_products;
    lanczos.tolerance = options.tolerance;
    lanczos.vector_tolerance = options.vectors ? options.vector_tolerance : 0.0;

    LeadingSpectrum result;
    result.trace = k.trace();
    BlockLanczos solver(n, result.trace, lanczos, warm);
    ColMatrix product;
    while (!solver.done()) {
        product.resize(n, solver.block().cols());
        k.apply(solver.block(), product, control);
        solver.advance(product);
    }
    result.values = solver.values();
    result.residuals = solver.residuals();
    if (options.vectors) result.vectors = solver.vectors(options.count);
    result.sum_error = solver.sum_error();
    result.smallest = solver.smallest();
    result.products = solver.products();
    result.converged = solver.converged();
    return result;
}

LeadingSpectrum leading_spectrum(ConstMatrixRef k, const SpectrumOptions& options, Control& control,
                                 const ColMatrix& warm) {
    const StoredOperator stored(k);
    const Index n = stored.order();
    check_count(options.count, n);
    if (!k.allFinite()) throw std::domain_error("the kernel matrix has non-finite entries");
    const double trace = stored.trace();

    LeadingSpectrum result;
    const double radius =
        gershgorin_radius(k, options.tolerance * leading_diagonal(k, options.count));
    if (std::isfinite(radius)) {
        result = from_diagonal(k, options, radius);
    } else if (n <= kSmall || kFewPerCount * options.count > n) {
        result = from_full(k, options, control);
    } else {
        SpectrumOptions bounded = options;
        if (bounded.max_products == 0) bounded.max_products = n / 2;
        result = leading_spectrum(stored, bounded, control, warm);
        if (!result.converged && options.max_products == 0) result = from_full(k, options, control);
    }
    result.trace = trace;
    return result;
}

FullSpectrum full_spectrum(ConstMatrixRef k, bool vectors, const Team& team) {
    if (k.rows() != k.cols()) throw std::invalid_argument("a square matrix is needed");
    // Rows become columns, which are the same of a symmetric matrix: nothing is transposed.
    ColMatrix a(k.cols(), k.rows());
    for (Index first = 0; first < k.rows(); first += kCopied) {
        const Index count = std::min(kCopied, k.rows() - first);
        const auto strip = k.middleRows(first, count);
        if (!strip.allFinite()) throw std::domain_error("the kernel matrix has non-finite entries");
        a.middleCols(first, count) = strip.transpose();
        team.pause();
    }
    FullSpectrum result;
    result.values = linalg::patient_eigh(a, vectors, team).reverse();
    if (vectors) result.vectors = a.rowwise().reverse();
    return result;
}

Matrix label_energies(ConstMatrixRef vectors, ConstMatrixRef y) {
    if (vectors.rows() != y.rows())
        throw std::invalid_argument("the targets must have as many rows as the eigenvectors");
    // Rows of a row-major matrix are the columns of its transpose.
    const Eigen::Map<const ColMatrix, 0, Eigen::OuterStride<>> transposed(
        vectors.data(), vectors.cols(), vectors.rows(),
        Eigen::OuterStride<>(vectors.outerStride()));
    return serial::product(transposed, ColMatrix(y)).cwiseAbs2();
}

}  // namespace kernelect
