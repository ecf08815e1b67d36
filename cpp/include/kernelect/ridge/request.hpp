#pragma once

#include <vector>

#include "kernelect/ridge/folds.hpp"

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
    bool evidence = false;              // what the marginal likelihood is made of
    bool loo = false;                   // leave-one-out
    bool variances = false;             // beside it those of the left-out targets
    std::vector<Folds> fold_sets = {};  // one cross-validation each
    bool cv = true;                     // the exact one on the fold sets
    int bif_order = 0;                  // beside it BIF of this order, mean convention; 0: no

    bool zero_one = false;  // classification losses beside squared ones
    bool outputs = false;   // keep the held-out outputs themselves
    bool shortcuts = true;  // recognise near-diagonal and near-low-rank kernels
    bool eigen = true;      // one eigendecomposition for many ridges where that is cheaper
};

// The request with its folds sorted. Throws std::invalid_argument for one that makes no sense.
RidgeRequest checked_request(RidgeRequest request);

}  // namespace kernelect
