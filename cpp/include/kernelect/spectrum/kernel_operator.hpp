#pragma once

#include "kernelect/spectrum/symmetric_operator.hpp"
#include "kernelect/tiles/kernel_set.hpp"

namespace kernelect {

// The kernel matrix of a sample, never formed: every product streams over the tiles once, with
// vectors in the order of the sample.
class KernelOperator final : public SymmetricOperator {
  public:
    KernelOperator(const Sample& sample, const Program& program);

    Index order() const override;
    double trace() const override { return trace_; }
    void apply(const linalg::ColMatrix& in, linalg::ColMatrixRef out,
               Control& control) const override;
    // Making an entry costs more than using it.
    Index preferred_block() const override { return 16; }

  private:
    KernelSet set_;
    double trace_;
};

}  // namespace kernelect
