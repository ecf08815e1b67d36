#include "kernelect/linalg/inverse_cholesky.hpp"

#include "kernelect/linalg/strips.hpp"

namespace kernelect::linalg {
namespace {

constexpr Eigen::Index kLeaf = 64;  // below this LAPACK's own routines are as fast

}  // namespace

bool inverse_cholesky(ColMatrixRef a, const Team& team) {
    const Eigen::Index n = a.rows();
    if (n <= kLeaf) {
        // A NaN passes the factorisation's own test of its pivots.
        if (!cholesky(a) || !a.diagonal().allFinite()) return false;
        invert_lower(a);
        return true;
    }
    const Eigen::Index head = strips::aligned(n / 2), tail = n - head;
    ColMatrixRef w11 = a.topLeftCorner(head, head), below = a.bottomLeftCorner(tail, head),
                 w22 = a.bottomRightCorner(tail, tail);
    if (!inverse_cholesky(w11, team)) return false;
    strips::trmm_right(1.0, w11, blas::Transpose::yes, below, team);
    strips::add_gram(-1.0, below, blas::Transpose::no, w22, team);
    if (!inverse_cholesky(w22, team)) return false;
    strips::trmm_right(-1.0, w11, blas::Transpose::no, below, team);
    strips::trmm_left(1.0, w22, blas::Transpose::no, below, team);
    return true;
}

void gram_of_inverse(ColMatrixRef w, const Team& team) {
    const Eigen::Index n = w.rows();
    if (n <= kLeaf) {
        // Entry (i, j) needs column j from row i on alone, and may take its place.
        for (Eigen::Index j = 0; j < n; ++j)
            for (Eigen::Index i = j; i < n; ++i)
                w(i, j) = w.col(i).tail(n - i).dot(w.col(j).tail(n - i));
        return;
    }
    const Eigen::Index head = strips::aligned(n / 2), tail = n - head;
    ColMatrixRef w11 = w.topLeftCorner(head, head), below = w.bottomLeftCorner(tail, head),
                 w22 = w.bottomRightCorner(tail, tail);
    gram_of_inverse(w11, team);
    strips::add_gram(1.0, below, blas::Transpose::yes, w11, team);
    strips::trmm_left(1.0, w22, blas::Transpose::yes, below, team);
    gram_of_inverse(w22, team);
}

}  // namespace kernelect::linalg
