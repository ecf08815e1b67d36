#pragma once

#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/tiles/kernel_set.hpp"

namespace kernelect {

// Sum over the candidates k of K_k(others, sample) V_k, one row per other row: what machines with
// the coefficients V_k say about them together. vectors[k] holds V_k by rows, columns x sample. No
// matrix is stored, and kernels of one chain share their distances and an exponential. The bits do
// not depend on the number of threads.
Matrix cross_products(const KernelSet& set, const std::vector<ConstMatrixRef>& vectors,
                      Control& control);

}  // namespace kernelect
