#pragma once

#include "kernelect/ridge/gram_buffer.hpp"
#include "kernelect/ridge/system.hpp"

namespace kernelect {

// Any kernel: K + rho I = L L' and W = L^-1 in the lower triangle of the buffer, so R = W'W.
// 2/3 n^3 operations; diag(R) and fold blocks are products of columns of W, so no inverse is ever
// completed. The system lives as long as nothing else writes into the buffer.
class DenseRidge final : public RidgeSystem {
  public:
    // Starts with `least_jitter` on the diagonal and takes the next one where the factorisation
    // fails or meets a pivot at rounding level. Throws std::domain_error for a singular kernel with
    // rho <= 0, and for one that no jitter makes positive definite.
    DenseRidge(GramBuffer& gram, const Ridge& ridge, double least_jitter = 0.0);

    RidgeSolution solve(const linalg::ColMatrix& targets, const Folds& folds) const override;
    Vector diagonal() const override;
    std::optional<double> log_determinant() const override;
    // Completes P in the lower triangle of the buffer, after which the system is spent.
    void complete(GramBuffer& gram) const;

  private:
    bool factor(GramBuffer& gram, double jitter);
    linalg::ColMatrix fold_block(const Fold& fold) const;  // P_FF, lower triangle

    const linalg::ColMatrixRef& w_;
    Team team_;
    Vector r1_;           // R1, empty without bias
    double total_ = 1.0;  // 1'R1
};

}  // namespace kernelect
