#pragma once

#include <algorithm>

#include "kernelect/rows.hpp"
#include "kernelect/simd.hpp"

// The inner loops: one walk over a tile that makes the next kernel of a chain and adds up its rows
// and columns on the way. Everything is inlined into one loop per combination.
namespace kernelect::sweep {

using simd::Pack;

// What happens to each entry.
struct Keep {
    static constexpr bool writes = false;
    KERNELECT_INLINE Pack operator()(Pack v) const { return v; }
};
struct Squared {  // used without writing: sums of squares
    static constexpr bool writes = false;
    KERNELECT_INLINE Pack operator()(Pack v) const { return v * v; }
};
struct Square {
    static constexpr bool writes = true;
    KERNELECT_INLINE Pack operator()(Pack v) const { return v * v; }
};
struct DoubleComplement {  // 1 - (1-M)^2
    static constexpr bool writes = true;
    KERNELECT_INLINE Pack operator()(Pack v) const { return (v + v) - v * v; }
};
struct Exponentiate {
    static constexpr bool writes = true;
    Pack rate;
    KERNELECT_INLINE Pack operator()(Pack v) const { return simd::exp_negative(rate * v); }
};
struct ExponentiateComplement {
    static constexpr bool writes = true;
    Pack rate;
    KERNELECT_INLINE Pack operator()(Pack v) const {
        return simd::one_minus_exp_negative(rate * v);
    }
};

// Weights of the sums: all one, or a vector over the rows and one over the columns.
struct Unit {
    static constexpr bool weighted = false;
};
struct Weights {
    static constexpr bool weighted = true;
    const double* rows;     // one per row of the tile
    const double* columns;  // one per padded column
};

// out = entry(in); row_sums(i) = sum_j w_j out(i,j); column_sums(j) = sum_i w_i out(i,j); with
// kSquares also returns sum_ij out(i,j)^2. Padding columns must map to zero.
template <bool kSquares, class Entry, class Weighting>
double run(const double* in, double* out, Index rows, Index width, const Entry& entry,
           const Weighting& weights, double* row_sums, double* column_sums) {
    Pack row_packs[kTile];
    for (Index i = 0; i < rows; ++i) row_packs[i] = simd::set(0.0);
    Pack square0 = simd::set(0.0), square1 = simd::set(0.0);
    for (Index j = 0; j < width; j += kStrip) {
        Pack column0 = simd::set(0.0), column1 = simd::set(0.0);
        Pack w0 = simd::set(0.0), w1 = simd::set(0.0);
        if constexpr (Weighting::weighted) {
            w0 = simd::load(weights.columns + j);
            w1 = simd::load(weights.columns + j + 4);
        }
        for (Index i = 0; i < rows; ++i) {
            const Pack v0 = entry(simd::load(in + i * kTile + j));
            const Pack v1 = entry(simd::load(in + i * kTile + j + 4));
            if constexpr (Entry::writes) {
                simd::store(out + i * kTile + j, v0);
                simd::store(out + i * kTile + j + 4, v1);
            }
            if constexpr (Weighting::weighted) {
                const Pack w = simd::set(weights.rows[i]);
                column0 = w * v0 + column0;
                column1 = w * v1 + column1;
                row_packs[i] = w1 * v1 + (w0 * v0 + row_packs[i]);
            } else {
                column0 += v0;
                column1 += v1;
                row_packs[i] += v0 + v1;
            }
            if constexpr (kSquares) {
                square0 = v0 * v0 + square0;
                square1 = v1 * v1 + square1;
            }
        }
        simd::store(column_sums + j, column0);
        simd::store(column_sums + j + 4, column1);
    }
    for (Index i = 0; i < rows; ++i) row_sums[i] = simd::sum(row_packs[i]);
    return kSquares ? simd::sum(square0 + square1) : 0.0;
}

inline double minimum(const double* tile, Index rows, Index width) {
    Pack least0 = simd::load(tile), least1 = simd::load(tile + 4);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < width; j += kStrip) {
            least0 = simd::min(least0, simd::load(tile + i * kTile + j));
            least1 = simd::min(least1, simd::load(tile + i * kTile + j + 4));
        }
    double values[simd::kWidth];
    simd::store(values, simd::min(least0, least1));
    return *std::min_element(values, values + simd::kWidth);
}

// The same as run without sums, for the steps in between.
template <class Entry>
void step(double* tile, Index rows, Index width, const Entry& entry) {
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < width; j += simd::kWidth)
            simd::store(tile + i * kTile + j, entry(simd::load(tile + i * kTile + j)));
}

}  // namespace kernelect::sweep
