#pragma once

#include <memory>

#include "kernelect/spectrum/symmetric_operator.hpp"
#include "kernelect/tiles/kernels.hpp"
#include "kernelect/tiles/sample.hpp"

namespace kernelect {

class KernelSet;

// The kernel matrix of a sample, never formed: every product streams over the tiles once, with
// vectors in the order of the sample.
class KernelOperator final : public SymmetricOperator {
  public:
    KernelOperator(const Sample& sample, const Program& program);
    ~KernelOperator() override;

    Index order() const override;
    double trace() const override { return trace_; }
    void apply(const linalg::ColMatrix& in, linalg::ColMatrixRef out,
               Control& control) const override;
    Index preferred_block() const override;

  private:
    std::unique_ptr<const KernelSet> set_;
    double trace_;
};

}  // namespace kernelect
