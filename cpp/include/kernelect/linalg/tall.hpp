#pragma once

#include <algorithm>

#include "kernelect/base/simd.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

// Products of tall, thin matrices (thousands of rows, a few columns on one side), on which general
// matrix products spend most of their time packing. Rows are padded with zeros to a whole number
// of packs; sums run in a fixed order.
namespace kernelect::tall {

using linalg::ColMatrix;

inline Index padded(Index rows) { return (rows + simd::kWidth - 1) / simd::kWidth * simd::kWidth; }

inline constexpr Index kChunk = 512;  // rows taken at a time: the thin side stays in cache

// sums[v * W + w] += a_v ' b_w over `rows` rows, V columns of a against W of b.
template <int V, int W>
KERNELECT_INLINE void dots(const double* a, Index lda, const double* b, Index ldb, Index rows,
                           double* sums, Index ld_sums) {
    simd::Pack s[V][W];
    for (int v = 0; v < V; ++v)
        for (int w = 0; w < W; ++w) s[v][w] = simd::set(0.0);
    for (Index i = 0; i < rows; i += simd::kWidth) {
        simd::Pack bw[W];
        for (int w = 0; w < W; ++w) bw[w] = simd::load(b + w * ldb + i);
        for (int v = 0; v < V; ++v) {
            const simd::Pack av = simd::load(a + v * lda + i);
            for (int w = 0; w < W; ++w) s[v][w] += av * bw[w];
        }
    }
    for (int v = 0; v < V; ++v)
        for (int w = 0; w < W; ++w) sums[v + w * ld_sums] += simd::sum(s[v][w]);
}

// b_w -= sum_v a_v coefficient(v, w) over `rows` rows and `columns` columns of a.
template <int W>
KERNELECT_INLINE void subtract(const double* a, Index lda, Index columns,
                               const double* coefficients, Index ld_coefficients, double* b,
                               Index ldb, Index rows) {
    Index i = 0;
    for (; i + 2 * simd::kWidth <= rows; i += 2 * simd::kWidth) {
        simd::Pack lo[W], hi[W];
        for (int w = 0; w < W; ++w) {
            lo[w] = simd::load(b + w * ldb + i);
            hi[w] = simd::load(b + w * ldb + i + simd::kWidth);
        }
        for (Index v = 0; v < columns; ++v) {
            const simd::Pack a_lo = simd::load(a + v * lda + i);
            const simd::Pack a_hi = simd::load(a + v * lda + i + simd::kWidth);
            for (int w = 0; w < W; ++w) {
                const simd::Pack c = simd::set(-coefficients[v + w * ld_coefficients]);
                lo[w] += a_lo * c;
                hi[w] += a_hi * c;
            }
        }
        for (int w = 0; w < W; ++w) {
            simd::store(b + w * ldb + i, lo[w]);
            simd::store(b + w * ldb + i + simd::kWidth, hi[w]);
        }
    }
    for (; i < rows; i += simd::kWidth)
        for (int w = 0; w < W; ++w) {
            simd::Pack sum = simd::load(b + w * ldb + i);
            for (Index v = 0; v < columns; ++v)
                sum +=
                    simd::load(a + v * lda + i) * simd::set(-coefficients[v + w * ld_coefficients]);
            simd::store(b + w * ldb + i, sum);
        }
}

// a' b for the columns [first, first + count) of a.
template <class A, class B>
ColMatrix transposed_product(const A& a, Index first, Index count, const B& b) {
    ColMatrix c = ColMatrix::Zero(count, b.cols());
    const Index lda = a.outerStride(), ldb = b.outerStride();
    for (Index row = 0; row < a.rows(); row += kChunk) {
        const Index rows = std::min(kChunk, a.rows() - row);
        for (Index w = 0; w < b.cols();) {
            const double* const pb = b.data() + w * ldb + row;
            const bool four = w + 4 <= b.cols();
            for (Index v = 0; v < count;) {
                const double* const pa = a.data() + (first + v) * lda + row;
                double* const pc = c.data() + v + w * count;
                const bool two = v + 2 <= count;
                if (four && two)
                    dots<2, 4>(pa, lda, pb, ldb, rows, pc, count);
                else if (four)
                    dots<1, 4>(pa, lda, pb, ldb, rows, pc, count);
                else if (two)
                    dots<2, 1>(pa, lda, pb, ldb, rows, pc, count);
                else
                    dots<1, 1>(pa, lda, pb, ldb, rows, pc, count);
                v += two ? 2 : 1;
            }
            w += four ? 4 : 1;
        }
    }
    return c;
}

// b -= a c for the columns [first, first + c.rows()) of a.
template <class A, class B>
void subtract_product(const A& a, Index first, const ColMatrix& c, B& b) {
    const Index lda = a.outerStride(), ldb = b.outerStride(), count = c.rows();
    if (count == 0) return;
    for (Index row = 0; row < a.rows(); row += kChunk) {
        const Index rows = std::min(kChunk, a.rows() - row);
        const double* const pa = a.data() + first * lda + row;
        for (Index w = 0; w < b.cols();) {
            double* const pb = b.data() + w * ldb + row;
            const bool four = w + 4 <= b.cols();
            if (four)
                subtract<4>(pa, lda, count, c.data() + w * count, count, pb, ldb, rows);
            else
                subtract<1>(pa, lda, count, c.data() + w * count, count, pb, ldb, rows);
            w += four ? 4 : 1;
        }
    }
}

}  // namespace kernelect::tall
