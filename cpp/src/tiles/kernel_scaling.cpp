#include "kernelect/tiles/kernel_scaling.hpp"

namespace kernelect {

double scaling_factor(const linalg::ColMatrixRef& k, KernelScaling scaling) {
    if (scaling == KernelScaling::none) return 1.0;
    const double n = static_cast<double>(k.rows()), trace = k.diagonal().sum();
    double spread = trace;
    if (scaling == KernelScaling::centered) {
        // tr(HKH) = (1/n) sum_ij (K_jj - K_ij): differences, which a wide kernel needs
        spread = 0.0;
        for (Index j = 0; j < k.cols(); ++j) spread += (k(j, j) - k.col(j).array()).sum();
        spread /= n;
    }
    // A kernel whose values spread no more than this, or than this share of them, is constant.
    constexpr double kTiny = 1e-300, kConstant = 1e-15;
    return spread > kTiny && spread > kConstant * trace ? n / spread : 1.0;
}

}  // namespace kernelect
