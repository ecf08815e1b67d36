#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "kernelect/base/pack_functions.hpp"
#include "kernelect/tiles/tile_map.hpp"

// The inner loops: one walk over a tile that makes the next kernels of a chain and adds up their
// rows and columns on the way. Everything is inlined into one loop per combination.
namespace kernelect::sweep {

// Where the sums of one kernel go.
struct Sums {
    Real* rows;       // kLanes per row, added to: the row's sum is sum_of_row(); if wanted
    Real* columns;    // one per padded column, overwritten
    double* squares;  // added to, where squares are asked for
};

inline namespace KERNELECT_PACKS {

using simd::Pack;

// What happens to each entry; `Next` makes the kernel after that one in a chain, and `complement`
// says that both are 1 - K.
struct Keep {
    static constexpr bool writes = false, complement = false;
    using Next = Keep;
    KERNELECT_INLINE Pack operator()(Pack v) const { return v; }
};
struct Squared {  // used without writing: sums of squares
    static constexpr bool writes = false, complement = false;
    using Next = Squared;
    KERNELECT_INLINE Pack operator()(Pack v) const { return v * v; }
};
struct Square {
    static constexpr bool writes = true, complement = false;
    using Next = Square;
    KERNELECT_INLINE Pack operator()(Pack v) const { return v * v; }
};
struct DoubleComplement {  // 1 - (1-M)^2
    static constexpr bool writes = true, complement = true;
    using Next = DoubleComplement;
    // Said in full: a compiler makes one step of a product and a sum, and v + v is a product to it,
    // so that the last bit would depend on which of the two it takes.
    KERNELECT_INLINE Pack operator()(Pack v) const { return simd::less_product(v + v, v, v); }
};
struct SquareOfComplement {  // (1-M)^2
    static constexpr bool writes = true, complement = false;
    using Next = Square;
    KERNELECT_INLINE Pack operator()(Pack v) const {
        const Pack k = simd::set(1.0) - v;
        return k * k;
    }
};
struct Exponentiate {
    static constexpr bool writes = true, complement = false;
    using Next = Square;
    Pack rate;
    KERNELECT_INLINE Pack operator()(Pack v) const { return simd::exp_negative(rate * v); }
};
struct ExponentiateComplement {
    static constexpr bool writes = true, complement = true;
    using Next = DoubleComplement;
    Pack rate;
    KERNELECT_INLINE Pack operator()(Pack v) const {
        return simd::one_minus_exp_negative(rate * v);
    }
};
struct SmallComplement {  // the same where rate * v is at most simd::kSmallArgument
    static constexpr bool writes = true, complement = true;
    using Next = DoubleComplement;
    Pack rate;
    KERNELECT_INLINE Pack operator()(Pack v) const {
        return simd::one_minus_exp_negative_small(rate * v);
    }
};

// Weights of the sums: all one, or a vector over the rows and one over the columns; or the rows are
// weighted and not summed.
struct Unit {
    static constexpr bool weighted = false, sums_rows = true;
};
struct Weights {
    static constexpr bool weighted = true, sums_rows = true;
    const Real* rows;     // one per row of the tile
    const Real* columns;  // one per padded column
};
struct RowWeights {
    static constexpr bool weighted = true, sums_rows = false;
    const Real* rows;
};

// What running sums add up to; those of a second pack, where there is one, are `apart` behind.
KERNELECT_INLINE Real sum_of_lanes(const Real* lanes, Index apart) {
    Pack sum = simd::load(lanes);
    if constexpr (simd::kWidth < kLanes) sum = sum + simd::load(lanes + apart);
    return simd::sum(sum);
}
// The running sums of one pack lie together for all rows, before those of the next.
KERNELECT_INLINE Real sum_of_row(const Real* rows, Index row) {
    return sum_of_lanes(rows + row * simd::kWidth, kTile * simd::kWidth);
}
// The same of that row and the next ones, as many as a pack holds.
KERNELECT_INLINE Pack sums_of_rows(const Real* rows, Index row) {
    Pack lanes[simd::kWidth];
    for (Index r = 0; r < simd::kWidth; ++r) {
        const Real* const from = rows + (row + r) * simd::kWidth;
        lanes[r] = simd::load(from);
        if constexpr (simd::kWidth < kLanes)
            lanes[r] = lanes[r] + simd::load(from + kTile * simd::kWidth);
    }
    return simd::sums(lanes);
}

// The part of run() on rows [from, to), kRows at a time, and on two packs of columns from j on,
// which are those of `lane`; it goes on from the sums there are.
template <Index kRows, bool kSquares, std::size_t kCount, class First, class Weighting>
KERNELECT_INLINE void run_packs(const Real* in, Real* out, Index from, Index to, Index j,
                                Index lane, const First first,
                                const std::array<Weighting, kCount> weights,
                                const std::array<Sums, kCount> sums,
                                Real (&square_lanes)[kCount][kLanes]) {
    // Arguments are copies: a store could not change them, so they stay in registers.
    const typename First::Next next{};
    const Pack one = simd::hidden_one();
    Pack column0[kCount], column1[kCount], squares[kCount];
    for (std::size_t k = 0; k < kCount; ++k) {
        column0[k] = from == 0 ? simd::set(0.0) : simd::load(sums[k].columns + j);
        column1[k] = from == 0 ? simd::set(0.0) : simd::load(sums[k].columns + j + kLanes);
        if constexpr (kSquares) squares[k] = simd::load(square_lanes[k] + lane);
    }
    for (Index i = from; i < to; i += kRows) {
        Pack v0[kRows], v1[kRows];
        for (Index r = 0; r < kRows; ++r) {
            v0[r] = simd::load(in + (i + r) * kTile + j);
            v1[r] = simd::load(in + (i + r) * kTile + j + kLanes);
        }
        KERNELECT_UNROLL
        for (std::size_t k = 0; k < kCount; ++k) {
            for (Index r = 0; r < kRows; ++r) {
                v0[r] = k == 0 ? first(v0[r]) : next(v0[r]);
                v1[r] = k == 0 ? first(v1[r]) : next(v1[r]);
            }
            for (Index r = 0; r < kRows; ++r) {
                if constexpr (Weighting::weighted) {
                    const Pack w = simd::set(weights[k].rows[i + r]);
                    column0[k] = w * v0[r] + column0[k];
                    column1[k] = w * v1[r] + column1[k];
                } else {
                    // A step of 1 - K takes one addition more: of its four operations an
                    // entry half are then left to the units that multiply.
                    if constexpr (First::Next::complement) {
                        column0[k] = simd::add_by_product(v0[r], column0[k], one);
                        column1[k] = simd::add_by_product(v1[r], column1[k], one);
                    } else {
                        column0[k] += v0[r];
                        column1[k] += v1[r];
                    }
                }
                if constexpr (Weighting::sums_rows) {
                    Real* const row = sums[k].rows + lane * kTile + (i + r) * simd::kWidth;
                    if constexpr (Weighting::weighted) {
                        const Pack w0 = simd::load(weights[k].columns + j);
                        const Pack w1 = simd::load(weights[k].columns + j + kLanes);
                        simd::store(row, w1 * v1[r] + (w0 * v0[r] + simd::load(row)));
                    } else {
                        simd::store(row, simd::load(row) + (v0[r] + v1[r]));
                    }
                }
                if constexpr (kSquares) squares[k] = v1[r] * v1[r] + (v0[r] * v0[r] + squares[k]);
            }
        }
        if constexpr (First::writes)
            for (Index r = 0; r < kRows; ++r) {
                simd::store(out + (i + r) * kTile + j, v0[r]);
                simd::store(out + (i + r) * kTile + j + kLanes, v1[r]);
            }
    }
    for (std::size_t k = 0; k < kCount; ++k) {
        simd::store(sums[k].columns + j, column0[k]);
        simd::store(sums[k].columns + j + kLanes, column1[k]);
        if constexpr (kSquares) simd::store(square_lanes[k] + lane, squares[k]);
    }
}

template <Index kRows, bool kSquares, std::size_t kCount, class First, class Weighting>
KERNELECT_INLINE void run_rows(const Real* in, Real* out, Index from, Index to, Index width,
                               const First first, const std::array<Weighting, kCount> weights,
                               const std::array<Sums, kCount> sums) {
    Real square_lanes[kCount][kLanes] = {};
    for (Index lane = 0; lane < kLanes; lane += simd::kWidth)
        for (Index j = 0; j < width; j += kStrip)
            run_packs<kRows, kSquares>(in, out, from, to, j + lane, lane, first, weights, sums,
                                       square_lanes);
    if constexpr (kSquares)
        for (std::size_t k = 0; k < kCount; ++k)
            *sums[k].squares += sum_of_lanes(square_lanes[k], simd::kWidth);
}

// Makes kCount kernels of a chain, the first as first(in), each other from the one before, and
// writes the last to `out`. Of each: row i gets sum_j w_j k(i,j), column j gets sum_i w_i k(i,j),
// and with kSquares also sum_ij k(i,j)^2 is taken. Padding columns must map to zero. The kernels in
// between live in registers only: loads and stores would cost as much as the arithmetic.
template <bool kSquares, std::size_t kCount, class First, class Weighting>
void run(const Real* in, Real* out, Index rows, Index width, const First first,
         const std::array<Weighting, kCount> weights, const std::array<Sums, kCount> sums) {
    static_assert(kCount == 1 || First::writes);
    // A chain of 1 - K waits for two operations at every step. Several rows at a time, as many as
    // registers can hold, keep the processor busy meanwhile; every sum has the order it had.
    constexpr bool kWaits = std::is_same_v<First, DoubleComplement>;
    constexpr Index kRows = !kWaits ? 1 : Weighting::weighted || kSquares ? 2 : 4;
    const Index whole = rows - rows % kRows;
    run_rows<kRows, kSquares>(in, out, 0, whole, width, first, weights, sums);
    if constexpr (kRows > 1)
        if (whole < rows) run_rows<1, kSquares>(in, out, whole, rows, width, first, weights, sums);
}

// Of each kernel only factor * sum_ij w_i k(i,j) w_j, added to the running sums at forms[k]: the
// columns are summed first, which saves a multiplication for each entry.
template <std::size_t kCount, class First>
void quadratic_forms(const Real* in, Real* out, Index rows, Index width, const First first,
                     const std::array<Weights, kCount>& weights, double factor,
                     const std::array<Real*, kCount>& forms) {
    Real columns[kCount][kTile];
    std::array<RowWeights, kCount> row_weights{};
    std::array<Sums, kCount> sums{};
    for (std::size_t k = 0; k < kCount; ++k) {
        row_weights[k] = {weights[k].rows};
        sums[k] = {nullptr, columns[k], nullptr};
    }
    run<false>(in, out, rows, width, first, row_weights, sums);
    for (std::size_t k = 0; k < kCount; ++k)
        for (Index lane = 0; lane < kLanes; lane += simd::kWidth) {
            Pack form = simd::set(0.0);
            for (Index j = lane; j < width; j += kLanes)
                form = simd::load(weights[k].columns + j) * simd::load(columns[k] + j) + form;
            Real* const to = forms[k] + lane * kTile;  // of the first row
            simd::store(to, simd::set(factor) * form + simd::load(to));
        }
}

// Column j gets sum_i w_i k(i,j) of a finished tile for several vectors w at once, added to
// sums[v].
template <std::size_t kVectors>
void weigh_rows(const Real* tile, Index rows, Index width,
                const std::array<const Real*, kVectors>& weights,
                const std::array<Real*, kVectors>& sums) {
    for (Index j = 0; j < width; j += 2 * simd::kWidth) {
        Pack sum0[kVectors], sum1[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) {
            sum0[v] = simd::load(sums[v] + j);
            sum1[v] = simd::load(sums[v] + j + simd::kWidth);
        }
        for (Index i = 0; i < rows; ++i) {
            const Pack k0 = simd::load(tile + i * kTile + j),
                       k1 = simd::load(tile + i * kTile + j + simd::kWidth);
            for (std::size_t v = 0; v < kVectors; ++v) {
                const Pack w = simd::set(weights[v][i]);
                sum0[v] = w * k0 + sum0[v];
                sum1[v] = w * k1 + sum1[v];
            }
        }
        for (std::size_t v = 0; v < kVectors; ++v) {
            simd::store(sums[v] + j, sum0[v]);
            simd::store(sums[v] + j + simd::kWidth, sum1[v]);
        }
    }
}

inline Range range(const Real* tile, Index rows, Index width) {
    Pack least[2], greatest[2];  // two of each hide the latency
    least[0] = least[1] = greatest[0] = greatest[1] = simd::load(tile);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < width; j += 2 * simd::kWidth)
            for (int k = 0; k < 2; ++k) {
                const Pack v = simd::load(tile + i * kTile + j + k * simd::kWidth);
                least[k] = simd::min(least[k], v);
                greatest[k] = simd::max(greatest[k], v);
            }
    return {simd::least(simd::min(least[0], least[1])),
            simd::greatest(simd::max(greatest[0], greatest[1]))};
}

}  // namespace KERNELECT_PACKS
}  // namespace kernelect::sweep
