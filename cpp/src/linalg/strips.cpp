#include "kernelect/linalg/strips.hpp"

#include <algorithm>
#include <cmath>

namespace kernelect::strips {
namespace {

using blas::ColMatrixRef;
using blas::ConstColMatrixRef;
using blas::Transpose;

// A strip has about this many multiplications, a fifth of a second, but at least as many rows or
// columns as a product needs to run at nearly full speed: for an order of 20,000 half a second.
constexpr double kStripWork = 4e9;
constexpr Index kLeastStrip = 192, kLeastSquare = 384;
// Products of fewer multiplications take milliseconds, and are done at once.
constexpr double kSmall = 1e8;

double product(Index m, Index n) { return static_cast<double>(m) * static_cast<double>(n); }

bool small(Index m, Index n, Index k) { return product(m, n) * static_cast<double>(k) < kSmall; }

// Strips have a multiple of this many rows or columns.
constexpr Index kStep = 64;

Index rounded(double size) { return static_cast<Index>(size) / kStep * kStep; }

// Calls part(begin, count) for strips of rows or columns that take `each` multiplications apiece.
template <class Part>
void run(Index size, double each, const Team& team, const Part& part) {
    const Index strip = std::max(kLeastStrip, rounded(kStripWork / each));
    team.run((size + strip - 1) / strip,
             [&](Index s) { part(s * strip, std::min(strip, size - s * strip)); });
}

}  // namespace

void trmm_left(double alpha, ConstColMatrixRef t, Transpose op, ColMatrixRef b, const Team& team) {
    if (small(t.rows(), t.rows(), b.cols())) return blas::trmm_left(alpha, t, op, b);
    run(b.cols(), product(t.rows(), t.rows()), team, [&](Index begin, Index count) {
        blas::trmm_left(alpha, t, op, b.middleCols(begin, count));
    });
}

void trmm_right(double alpha, ConstColMatrixRef t, Transpose op, ColMatrixRef b, const Team& team) {
    if (small(t.rows(), t.rows(), b.rows())) return blas::trmm_right(alpha, t, op, b);
    run(b.rows(), product(t.rows(), t.rows()), team, [&](Index begin, Index count) {
        blas::trmm_right(alpha, t, op, b.middleRows(begin, count));
    });
}

void trsm_left(ConstColMatrixRef t, ColMatrixRef b, const Team& team) {
    if (small(t.rows(), t.rows(), b.cols())) return blas::trsm_left(t, Transpose::no, b);
    run(b.cols(), product(t.rows(), t.rows()), team, [&](Index begin, Index count) {
        blas::trsm_left(t, Transpose::no, b.middleCols(begin, count));
    });
}

void gemm(double alpha, ConstColMatrixRef a, Transpose op_a, ConstColMatrixRef b, double beta,
          ColMatrixRef c, const Team& team) {
    const Index inner = b.rows();
    if (small(c.rows(), c.cols(), inner))
        return blas::gemm(alpha, a, op_a, b, Transpose::no, beta, c);
    run(c.cols(), product(c.rows(), inner), team, [&](Index begin, Index count) {
        blas::gemm(alpha, a, op_a, b.middleCols(begin, count), Transpose::no, beta,
                   c.middleCols(begin, count));
    });
}

void symm(ConstColMatrixRef s, blas::Triangle triangle, ConstColMatrixRef b, ColMatrixRef c,
          const Team& team) {
    if (small(s.rows(), s.rows(), c.cols())) return blas::symm(1.0, s, triangle, b, 0.0, c);
    run(c.cols(), product(s.rows(), s.rows()), team, [&](Index begin, Index count) {
        blas::symm(1.0, s, triangle, b.middleCols(begin, count), 0.0, c.middleCols(begin, count));
    });
}

void add_gram(double alpha, ConstColMatrixRef a, Transpose op, ColMatrixRef c, const Team& team) {
    const bool transposed = op == Transpose::yes;
    const Index inner = transposed ? a.rows() : a.cols();
    if (small(c.rows(), c.rows(), inner)) return blas::syrk(alpha, a, op, 1.0, c);
    // All squares alike: a thin rest would be multiplied at half the speed.
    const Index most = std::max(
        kLeastSquare, static_cast<Index>(std::sqrt(0.5 * kStripWork / static_cast<double>(inner))));
    const Index blocks = (c.rows() + most - 1) / most;
    const Index side = aligned((c.rows() + blocks - 1) / blocks);
    const auto size = [&](Index block) { return std::min(side, c.rows() - block * side); };
    const auto part = [&](Index block) -> ConstColMatrixRef {
        if (transposed) return a.middleCols(block * side, size(block));
        return a.middleRows(block * side, size(block));
    };
    team.run(blocks * (blocks + 1) / 2, [&](Index square) {
        Index j = 0, below = blocks;  // columns of squares, each one shorter than the last
        while (square >= below) square -= below--, ++j;
        const Index i = j + square;
        ColMatrixRef out = c.block(i * side, j * side, size(i), size(j));
        if (i == j)
            blas::syrk(alpha, part(i), op, 1.0, out);
        else
            blas::gemm(alpha, part(i), op, part(j), transposed ? Transpose::no : Transpose::yes,
                       1.0, out);
    });
}

}  // namespace kernelect::strips
