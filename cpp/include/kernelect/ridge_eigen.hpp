#pragma once

#include "kernelect/gram_buffer.hpp"
#include "kernelect/ridge.hpp"

namespace kernelect {

// One eigendecomposition V diag(lambda) V' of the kernel, or of the centred kernel HKH for models
// with a bias, from which every ridge rho > 0 on unweighted losses follows at once:
//     P = V diag(1/(lambda + rho)) V'     or     P = V diag(1/(lambda + rho)) V' - 11'/(n rho).
// It costs about as much as 15 dense systems and gives diag(P) in n^2 operations a ridge.
class EigenKernel {
  public:
    // The eigenvectors replace the kernel in the buffer.
    EigenKernel(linalg::ColMatrixRef gram, bool bias);

  private:
    friend class EigenRidge;
    linalg::ColMatrixRef vectors_;
    Vector values_;
    bool bias_;
    Vector row_means_;  // of K, before centring
    double mean_diagonal_;
};

class EigenRidge final : public RidgeSystem {
  public:
    EigenRidge(const EigenKernel& kernel, double rho);

    RidgeSolution solve(const linalg::ColMatrix& targets, const Folds& folds) const override;
    Vector diagonal() const override;

  private:
    linalg::ColMatrix fold_block(const Fold& fold) const;  // P_FF, lower triangle

    const EigenKernel& kernel_;
    Vector shrunk_;          // 1 / (lambda + rho)
    double constant_ = 0.0;  // 1 / (n rho) with a bias
};

}  // namespace kernelect
