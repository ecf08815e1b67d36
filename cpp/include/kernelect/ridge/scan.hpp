#pragma once

#include <string>
#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/ridge/kernel_source.hpp"
#include "kernelect/ridge/losses.hpp"
#include "kernelect/ridge/request.hpp"
#include "kernelect/ridge/system.hpp"

namespace kernelect {

struct HeldOut {
    HeldOutLosses losses;
    Matrix
        outputs;  // f^(-F)(x_i), n x columns, NaN for points never held out; empty if not asked for
};

// The answers for one candidate and one lambda; empty where nothing was asked.
struct RidgeResult {
    std::string error =
        {};  // why there are none (a singular kernel, for instance); empty if all is well
    RidgePath path = RidgePath::identity;  // the most expensive that was needed
    double jitter = 0.0;                   // the largest
    Matrix alpha;                          // n x columns
    Vector bias;
    double fit_jitter = 0.0;       // that of alpha: y - f = (rho / w + fit_jitter) alpha
    double trace = 0.0;            // tr P
    Vector leverages;              // 1 - (rho / w_i + jitter) P_ii
    Vector gcv;                    // of every column
    double log_determinant = 0.0;  // as RidgeSystem has it
    Vector energies;               // y'Py of every column
    HeldOut loo;
    Vector loo_variances;          // 1 / P_ii: of y_i given the others, in units of the kernel
    std::vector<HeldOut> cv, bif;  // by fold set
};

// Answers for every candidate and lambda, candidate by candidate. Candidates run in parallel, one
// thread each and, from the first path that asks for the matrix on, at most three n x n buffers;
// LAPACK should therefore be single-threaded meanwhile. A kernel for which there is no answer has a
// result with an error; std::invalid_argument is thrown for requests that make no sense.
std::vector<RidgeResult> ridge_scan(const KernelSource& kernels, RidgeRequest request,
                                    Control& control);

}  // namespace kernelect
