#pragma once

#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect {

// What a kernel matrix is multiplied by before a learner of fixed regularisation sees it: nothing,
// n / tr(K), or n / tr(HKH), so that the (centred) variance is one.
enum class KernelScaling { none, trace, centered };

// The factor for a stored kernel matrix; 1 where the trace vanishes.
double scaling_factor(const linalg::ColMatrixRef& k, KernelScaling scaling);

}  // namespace kernelect
