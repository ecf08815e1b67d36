#include "kernelect/spectrum/kernel_operator.hpp"

#include "kernelect/tiles/streams.hpp"

namespace kernelect {

KernelOperator::KernelOperator(const Sample& sample, const Program& program)
    : set_(sample, {program}, false, Tails::rounded),
      trace_(diagonal(program, sample.sources(), sample.size()).sum()) {}

Index KernelOperator::order() const { return set_.sample().size(); }

void KernelOperator::apply(const linalg::ColMatrix& in, linalg::ColMatrixRef out,
                           Control& control) const {
    const Matrix rows = in.transpose();
    out = stream_products(set_, {rows}, control).front().transpose();
}

}  // namespace kernelect
