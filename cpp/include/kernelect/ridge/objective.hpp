#pragma once

#include "kernelect/ridge/folds.hpp"
#include "kernelect/ridge/gram_buffer.hpp"
#include "kernelect/ridge/system.hpp"

namespace kernelect {

// What may be asked of one ridge system with its derivatives.
enum class RidgeGoal {
    loo,              // mean square of the leave-one-out residuals over points and columns, with
                      // the weights of the training losses
    log_probability,  // minus the mean log density of left-out targets, at its best scale
    cv,               // mean square of the residuals of held-out folds
    evidence,         // log marginal likelihood, under a flat prior of the bias
};

struct RidgeObjective {
    RidgeGoal goal = RidgeGoal::loo;
    linalg::ColMatrix targets;
    Ridge ridge;
    Folds folds = {};       // of cv
    double variance = 0.0;  // of evidence, its scale; 0: that of greatest likelihood
};

// A value with its derivatives in rho and in the entries of the kernel matrix, dJ = sum G_ij dK_ij,
//     G = S + sum_k sym(l_k r_k').
struct MatrixSlopes {
    double value = 0.0;
    double by_rho = 0.0;
    double jitter = 0.0;
    linalg::ColMatrix left, right;  // l_k and r_k as columns
    bool matrix = false;            // whether there is an S, in the lower triangle of the buffer
};

// The value and, with P the residual maker, a = P y, e = a / diag P and u = e / diag P, its
// derivatives. By dP = -P dK P all have the form G = P diag(v) P + c P + sum_k sym(l_k r_k'):
//     loo       (2/N) [P diag(u e) P - sym(a (P u)')]
//     cv        (2/N) [sum_F sym(P_F r_F (P_F s_F)') - sym(a (P s)')], r_F = P_FF^-1 a_F the
//               residuals and s_F = P_FF^-1 r_F; folds of one point are leave-one-out
//     evidence  sum over columns of a a' / (2 s) - P / 2
// The kernel in the buffer is lost: its lower triangle becomes S. One more
// n x n matrix is made meanwhile where v is not zero. Throws std::domain_error for a singular
// system.
MatrixSlopes differentiate(const RidgeObjective& objective, GramBuffer& gram);

}  // namespace kernelect
