#include "kernelect/spectrum/kernel_operator.hpp"

#include "kernelect/tiles/streams.hpp"

namespace kernelect {
namespace {

constexpr Index kBlock = 16;  // making an entry costs more than using it

}  // namespace

KernelOperator::KernelOperator(const Sample& sample, const Program& program)
    : set_(std::make_unique<KernelSet>(sample, std::vector<Program>{program}, false,
                                       Tails::rounded)),
      trace_(diagonal(program, sample.sources(), sample.size()).sum()) {}

KernelOperator::~KernelOperator() = default;

Index KernelOperator::order() const { return set_->sample().size(); }

Index KernelOperator::preferred_block() const { return kBlock; }

void KernelOperator::apply(const linalg::ColMatrix& in, linalg::ColMatrixRef out,
                           Control& control) const {
    const Matrix rows = in.transpose();
    out = stream_products(*set_, {rows}, control).front().transpose();
}

}  // namespace kernelect
