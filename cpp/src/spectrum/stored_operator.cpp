#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "kernelect/base/parallel.hpp"
#include "kernelect/base/simd.hpp"
#include "kernelect/spectrum/symmetric_operator.hpp"

namespace kernelect {
namespace {

constexpr Index kGroup = simd::kWidth;
constexpr Index kColumns = 2048;    // columns of a tile: its share of in and out stays in cache
constexpr Index kMaxStripes = 16;   // stripes of rows, the units of parallel work
constexpr Index kStripeRows = 256;  // below that a stripe is not worth a task

// Vectors are taken in groups of kGroup, interleaved: row i of a group is one pack. An entry K_ij
// is then used twice, for row i and, by symmetry, for row j, so half of the matrix is read once.
class Stripes {
  public:
    Stripes(Index rows, Index groups)
        : rows_(rows), groups_(groups), data_(place(rows * groups * kGroup)) {}

    double* group(Index g) { return data_.data() + g * rows_ * kGroup; }
    const double* group(Index g) const { return data_.data() + g * rows_ * kGroup; }
    Index rows() const { return rows_; }
    Index groups() const { return groups_; }

  private:
    Index rows_, groups_;
    std::vector<double> data_;
};

Stripes interleave(const linalg::ColMatrix& in) {
    Stripes x(in.rows(), (in.cols() + kGroup - 1) / kGroup);
    for (Index c = 0; c < in.cols(); ++c) {
        double* const to = x.group(c / kGroup) + c % kGroup;
        for (Index i = 0; i < in.rows(); ++i) to[i * kGroup] = in(i, c);
    }
    return x;
}

// Rows i..i+3 of K against columns [begin, end), all left of the diagonal.
KERNELECT_INLINE void four_rows(const double* k, Index stride, Index begin, Index end,
                                const double* x, double* y, const double* x_rows, double* y_rows) {
    using simd::Pack;
    const double *k0 = k, *k1 = k + stride, *k2 = k + 2 * stride, *k3 = k + 3 * stride;
    const Pack x0 = simd::load(x_rows), x1 = simd::load(x_rows + kGroup),
               x2 = simd::load(x_rows + 2 * kGroup), x3 = simd::load(x_rows + 3 * kGroup);
    Pack s0 = simd::load(y_rows), s1 = simd::load(y_rows + kGroup),
         s2 = simd::load(y_rows + 2 * kGroup), s3 = simd::load(y_rows + 3 * kGroup);
    for (Index j = begin; j < end; ++j) {
        const Pack a0 = simd::set(k0[j]), a1 = simd::set(k1[j]), a2 = simd::set(k2[j]),
                   a3 = simd::set(k3[j]);
        const Pack xj = simd::load(x + j * kGroup);
        Pack yj = simd::load(y + j * kGroup);
        s0 += a0 * xj;
        s1 += a1 * xj;
        s2 += a2 * xj;
        s3 += a3 * xj;
        yj += a0 * x0;
        yj += a1 * x1;
        yj += a2 * x2;
        yj += a3 * x3;
        simd::store(y + j * kGroup, yj);
    }
    simd::store(y_rows, s0);
    simd::store(y_rows + kGroup, s1);
    simd::store(y_rows + 2 * kGroup, s2);
    simd::store(y_rows + 3 * kGroup, s3);
}

// One row against columns [begin, end) left of the diagonal.
KERNELECT_INLINE void one_row(const double* k, Index begin, Index end, const double* x, double* y,
                              const double* x_row, double* y_row) {
    const simd::Pack xi = simd::load(x_row);
    simd::Pack sum = simd::load(y_row);
    for (Index j = begin; j < end; ++j) {
        const simd::Pack a = simd::set(k[j]);
        sum += a * simd::load(x + j * kGroup);
        simd::store(y + j * kGroup, simd::load(y + j * kGroup) + a * xi);
    }
    simd::store(y_row, sum);
}

// Adds to y the part of K x that rows [first, last) of the lower triangle make.
void stripe_product(const ConstMatrixRef& k, Index first, Index last, const Stripes& x,
                    Stripes& y) {
    const simd::FlushDenormals flush;  // narrow kernels are full of them
    const Index stride = k.outerStride();
    for (Index column = 0; column < last; column += kColumns) {
        Index i = std::max(first, column);
        while (i < last) {
            const double* const row = k.data() + i * stride;
            const bool four = i + 4 <= last;
            const Index end = std::min(column + kColumns, i);
            for (Index g = 0; g < x.groups(); ++g) {
                const double* const xg = x.group(g);
                double* const yg = y.group(g);
                if (four)
                    four_rows(row, stride, column, end, xg, yg, xg + i * kGroup, yg + i * kGroup);
                else
                    one_row(row, column, end, xg, yg, xg + i * kGroup, yg + i * kGroup);
            }
            i += four ? 4 : 1;
        }
    }
    // What the tiles left out: the diagonal, and the entries between the four rows taken together.
    for (Index i = first; i < last; ++i) {
        const Index in_four = i - first < (last - first) / 4 * 4 ? (i - first) % 4 : 0;
        for (Index g = 0; g < x.groups(); ++g) {
            const double* const xg = x.group(g);
            double* const yg = y.group(g);
            one_row(k.data() + i * stride, i - in_four, i, xg, yg, xg + i * kGroup,
                    yg + i * kGroup);
            const simd::Pack diagonal = simd::set(k(i, i)) * simd::load(xg + i * kGroup);
            simd::store(yg + i * kGroup, simd::load(yg + i * kGroup) + diagonal);
        }
    }
}

// Stripe borders of equal area; a function of n alone, so that sums do not depend on the threads.
std::vector<Index> stripe_borders(Index n) {
    const Index stripes = std::clamp<Index>(n / kStripeRows, 1, kMaxStripes);
    std::vector<Index> borders;
    for (Index s = 0; s < stripes; ++s) {
        const double share = std::sqrt(static_cast<double>(s) / static_cast<double>(stripes));
        borders.push_back(static_cast<Index>(share * static_cast<double>(n)) / 4 * 4);
    }
    borders.push_back(n);
    return borders;
}

}  // namespace

StoredOperator::StoredOperator(ConstMatrixRef k) : k_(k) {
    if (k.rows() != k.cols()) throw std::invalid_argument("a square matrix is needed");
}

double StoredOperator::trace() const {
    double sum = 0.0;
    for (Index i = 0; i < k_.rows(); ++i) sum += k_(i, i);
    return sum;
}

void StoredOperator::apply(const linalg::ColMatrix& in, linalg::ColMatrixRef out,
                           Control& control) const {
    const Index n = order();
    if (in.rows() != n || out.rows() != n || in.cols() != out.cols())
        throw std::invalid_argument("the block to multiply has the wrong shape");
    const Stripes x = interleave(in);
    const std::vector<Index> borders = stripe_borders(n);
    const Index stripes = static_cast<Index>(borders.size()) - 1;
    std::vector<Stripes> parts;
    parts.reserve(place(stripes));
    for (Index s = 0; s < stripes; ++s) parts.emplace_back(borders[place(s) + 1], x.groups());

    parallel_tasks(stripes, control, [&](Index s, int worker) {
        const auto at = place(s);
        stripe_product(k_, borders[at], borders[at + 1], x, parts[at]);
        control.advance(0.0, worker == 0);
    });

    for (Index c = 0; c < out.cols(); ++c) {
        out.col(c).setZero();
        for (const Stripes& part : parts) {
            const double* const from = part.group(c / kGroup) + c % kGroup;
            for (Index i = 0; i < part.rows(); ++i) out(i, c) += from[i * kGroup];
        }
    }
}

}  // namespace kernelect
