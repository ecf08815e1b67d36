#pragma once

#include "kernelect/ridge/objective.hpp"
#include "kernelect/ridge/scan.hpp"
#include "kernelect/tiles/kernel_gradient.hpp"
#include "kernelect/tiles/kernel_scaling.hpp"
#include "kernelect/tiles/kernels.hpp"
#include "kernelect/tiles/sample.hpp"

// Where the candidates of a scan come from. The only part of this room that knows what a kernel or
// a sample is: the others see matrices.
namespace kernelect {

struct ScaledRidge {
    std::vector<RidgeResult> results;  // as ridge_scan returns them
    Vector scale;                      // what each kernel matrix was multiplied by
};

// Kernels on a sample without classes, each matrix made by the thread that works on it.
ScaledRidge ridge_kernels(const Sample& sample, const std::vector<Program>& programs,
                          const RidgeRequest& request, KernelScaling scaling, Control& control);

// Stored matrices. Throws std::invalid_argument unless each is square with a row for every target.
std::vector<RidgeResult> ridge_matrices(const std::vector<ConstMatrixRef>& matrices,
                                        const RidgeRequest& request, Control& control);

// A goal of one ridge system, with derivatives in rho, in the numbers of the kernel and in weights
// of its columns.
struct KernelSlopes {
    double value = 0.0, by_rho = 0.0, jitter = 0.0;
    KernelGradient kernel;
};
KernelSlopes differentiate(const RidgeObjective& objective, const Program& program,
                           const Sample& sample, const std::vector<WeightedLeaf>& leaves,
                           Control& control);

}  // namespace kernelect
