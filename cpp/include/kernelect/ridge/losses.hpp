#pragma once

#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect {

// Losses of held-out outputs, as means over the points that were held out.
struct HeldOutLosses {
    Vector squared;         // of every column
    double zero_one = 0.0;  // NaN where it was not asked for
    Vector point_squared;   // of every point, mean over columns; NaN for points never held out
    Vector point_zero_one;  // empty where it was not asked for
};

// An output counts as 0, and two outputs as equal, below this times the largest target: it is what
// held-out outputs are exact to.
inline constexpr double kTie = 1e-10;

// From residuals y - f, NaN for points never held out. `zero_one` asks for the classification loss
// of
// +-1 targets: one column errs where y f < 0, with 1/2 for f = 0; several, one-vs-rest, err where
// the largest output is not that of the class, sharing ties evenly. Two columns y, -y equal one.
HeldOutLosses held_out_losses(const linalg::ColMatrix& residuals, const linalg::ColMatrix& targets,
                              bool zero_one);

// Generalised cross-validation n |W^1/2 (y - f)|^2 / (tr (I - S))^2 of every column, f = S y, where
// y - f = penalty P y and 1 - S_ii = penalty_i P_ii. `weights` is empty for weights of 1.
Vector gcv(const linalg::ColMatrix& alpha, const Vector& diagonal, const Vector& penalty,
           const Vector& weights);

// Bayesian regularisation (n/2) log Q + (d/2) log Omega, to be minimised: Q half the sum of squared
// leave-one-out residuals over points and columns, Omega half the squared norm of the d kernel
// coefficients eta_j of exp(-sum_j eta_j (x_j - x'_j)^2). Throws std::invalid_argument when they
// are all 0 or not finite.
double bayesian_regularisation(const Vector& loo_squared, Index n, const Vector& eta);

}  // namespace kernelect
