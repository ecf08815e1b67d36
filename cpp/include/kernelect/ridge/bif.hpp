#pragma once

#include "kernelect/ridge/system.hpp"

namespace kernelect {

// Approximate k-fold cross-validation by the Bouligand influence function of order t, for squared
// loss. The expansion of the fit without a fold F of M points, in eps = -M/(n-M) around the fit on
// all n, has the terms (eps^s / s!) b_s; with A the smoother of the full fit (fitted values from
// targets, bias included), g = y - f - b its residuals and D = 1 on F, eps off F they are
//     term_1 = -A (D g),     term_{s+1} = A (D term_s),     f^(-F) ~ f + b + sum_s term_s.
// The system must be that of the full fit in the mean convention, rho = n lambda; the sum then
// tends to retraining with rho = (n-M) lambda. Returns y - f^(-F) at the points of the folds, NaN
// elsewhere.
linalg::ColMatrix bif_residuals(const RidgeSystem& system, const Folds& folds,
                                const linalg::ColMatrix& targets, const RidgeFit& fit, int order);

}  // namespace kernelect
