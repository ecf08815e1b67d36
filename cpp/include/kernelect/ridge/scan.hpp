#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/ridge/losses.hpp"
#include "kernelect/ridge/system.hpp"

namespace kernelect {

// How lambda becomes the ridge of a fit on m points: rho = lambda, or rho = m lambda. In the mean
// convention a fit that leaves out points has a smaller m, leave-one-out included.
enum class LambdaConvention { sum, mean };

// What is asked of every candidate kernel.
struct RidgeRequest {
    linalg::ColMatrix targets;  // n x columns; +-1, one column or one-vs-rest, for zero_one
    std::vector<double> lambdas;
    LambdaConvention convention = LambdaConvention::sum;
    bool bias = true;
    Vector weights = {};  // of the training losses; empty: all 1

    bool fit = false;                   // alpha and bias on all points
    bool gcv = false;                   // with tr P and the leverages
    bool loo = false;                   // leave-one-out
    std::vector<Folds> fold_sets = {};  // one cross-validation each
    bool cv = true;                     // the exact one on the fold sets
    int bif_order = 0;                  // beside it BIF of this order, mean convention; 0: no

    bool zero_one = false;  // classification losses beside squared ones
    bool outputs = false;   // keep the held-out outputs themselves
    bool shortcuts = true;  // recognise near-diagonal and near-low-rank kernels
    bool eigen = true;      // one eigendecomposition for many ridges where that is cheaper
};

struct HeldOut {
    HeldOutLosses losses;
    Matrix
        outputs;  // f^(-F)(x_i), n x columns, NaN for points never held out; empty if not asked for
};

// The answers for one candidate and one lambda; empty where nothing was asked.
struct RidgeResult {
    std::string error =
        {};  // why there are none (a singular kernel, for instance); empty if all is well
    RidgePath path = RidgePath::identity;  // the dearest that was needed
    double jitter = 0.0;                   // the largest
    Matrix alpha;                          // n x columns
    Vector bias;
    double trace = 0.0;  // tr P
    Vector leverages;    // 1 - rho P_ii / w_i
    Vector gcv;          // of every column
    HeldOut loo;
    std::vector<HeldOut> cv, bif;  // by fold set
};

// Writes the kernel matrix of a candidate, both triangles; called from several threads at once.
using GramProvider = std::function<void(Index candidate, linalg::ColMatrixRef out)>;

// Answers for every candidate and lambda, candidate by candidate. Candidates run in parallel, one
// thread and at most three n x n buffers each; LAPACK should therefore be single-threaded
// meanwhile. A kernel for which there is no answer has a result with an error;
// std::invalid_argument is thrown for requests that make no sense.
std::vector<RidgeResult> ridge_scan(Index candidates, const GramProvider& gram,
                                    RidgeRequest request, Control& control);

}  // namespace kernelect
