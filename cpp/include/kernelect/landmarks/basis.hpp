#pragma once

#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect {

// The coordinates in which a landmark model is a ridge regression: with K_mm = L L' a row x has
// g = L^-1 k(x, Z), and g'h is Nystroem's approximation of the kernel of two. Sums are taken of
// g - origin: any vector near the mean of g will do, if it is the same for all rows, and keeps the
// digits of centred sums where a wide kernel makes one coordinate nearly constant.
class LandmarkBasis {
  public:
    // Throws std::domain_error where the landmarks depend on one another to working precision.
    LandmarkBasis(linalg::ColMatrix gram, Vector origin);

    Index size() const { return origin_.size(); }
    const Vector& origin() const { return origin_; }

    // Columns k(x, Z) of the first landmarks, as many as there are rows, become g. Solved with L:
    // a product with an inverse would lose what small pivots leave.
    void whiten(linalg::ColMatrixRef columns) const;
    // b <- L'^-1 b, for the first landmarks: from coefficients of g to those of kernels.
    void to_kernels(linalg::ColMatrixRef b) const;

  private:
    linalg::ColMatrix factor_;  // L, lower triangular
    Vector origin_;
};

}  // namespace kernelect
