#pragma once

#include <optional>
#include <vector>

#include "kernelect/base/types.hpp"
#include "kernelect/ridge/gram_buffer.hpp"

namespace kernelect {

// K = G G' + diag(s) + E with few columns in G and a small E whose diagonal is 0. Narrow kernels
// are of this kind with no column at all, or one for each of a few close points; wide ones with the
// columns of a pivoted Cholesky factor stopped early. E is what is left of K, computed and not
// estimated: the split is exact for any choice of the columns.
class KernelSplit {
  public:
    // Looks for a split whose E a series can take on top of the given ridge, and makes it; E then
    // stands in the lower triangle of the buffer, with zeros on the diagonal. Nothing where there
    // is no hope (the buffer is then as it was): samples of the kernel are asked first, so that
    // refusing costs little. Whether the series is good enough is for NearLowRankRidge to say.
    static std::optional<KernelSplit> find(GramBuffer& gram, const Vector& ridge);

    Index size() const { return gram_.size(); }
    const GramBuffer& gram() const { return gram_; }
    Index rank() const { return columns_.cols(); }
    const linalg::ColMatrix& columns() const { return columns_; }        // G
    const Vector& rest_diagonal() const { return rest_diagonal_; }       // s
    const linalg::ColMatrixRef& rest() const { return gram_.matrix(); }  // E, lower triangle

  private:
    KernelSplit(GramBuffer& gram, const std::vector<Index>& pivots, linalg::ColMatrix factor);

    const GramBuffer& gram_;
    linalg::ColMatrix columns_;
    Vector rest_diagonal_;
};

// How large E is against the diagonal D = diag(1/d_i), by one pass over its lower triangle.
struct RestNorms {
    Vector squared;  // a_i = sum_j D_j E_ij^2
    double bound;    // q >= || D^1/2 E D^1/2 ||_2, the smaller of two norms that bound it
};
RestNorms rest_norms(const linalg::ColMatrixRef& rest, const Vector& inverse_diagonal);

// Relative error of diag(P) and of what follows from it that the series may leave.
inline constexpr double kSeriesTolerance = 2e-11;

}  // namespace kernelect
