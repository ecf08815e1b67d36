#pragma once

#include "kernelect/base/team.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect {

// A symmetric kernel matrix in one n x n buffer that also serves as the place of work: the strict
// upper triangle keeps K, the lower one may be overwritten by a factor or a residual and be put
// back. One buffer thus lasts through many ridges and through a factorisation tried again.
class GramBuffer {
  public:
    // The buffer must hold all of K, both triangles, and outlive this object. The team does what
    // takes long on it.
    explicit GramBuffer(linalg::ColMatrixRef matrix, const Team& team = {});

    Index size() const { return matrix_.rows(); }
    const Vector& diagonal() const { return diagonal_; }
    double mean_diagonal() const { return diagonal_.mean(); }
    const Team& team() const { return team_; }

    // The buffer, of which the caller may overwrite the lower triangle with the diagonal.
    linalg::ColMatrixRef& scratch() {
        intact_ = false;
        return matrix_;
    }
    const linalg::ColMatrixRef& matrix() const { return matrix_; }

    // Both triangles hold K again.
    void restore();

  private:
    linalg::ColMatrixRef matrix_;
    Vector diagonal_;
    Team team_;
    bool intact_ = true;
};

}  // namespace kernelect
