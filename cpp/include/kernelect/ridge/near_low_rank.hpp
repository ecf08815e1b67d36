#pragma once

#include <memory>

#include "kernelect/ridge/kernel_split.hpp"
#include "kernelect/ridge/system.hpp"

namespace kernelect {

// The ridge system of a kernel K = G G' + diag(s) + E, exact to 1e-10 without a factorisation of
// order n. With D = diag(1/(rho/w_i + s_i)), B = [G 1] and J = diag(1, .., 1, 0), or B = G and J =
// I for models without a bias, the system without E has the residual maker (Woodbury; the bias is a
// column with no penalty)
//     Q = D - D B H^-1 B'D,     H = J + B'D B,
// and P = Q - Q E P. Because 0 <= Q <= D, all of this converges when q = ||D^1/2 E D^1/2|| < 1.
//
// Coefficients: x <- x + Q (y - A x) shrinks the error by q at least each time, for the whole
// sample and in the same way for every training set that a fold leaves.
//
// Diagonal: P = Q - Q E Q + (Q E) P (E Q) exactly. Writing t = E Q e_i and tau = t'D t, the last
// term lies between 0 and tau/(1-q), and replacing P by Q in it is off by at most tau q/(1-q).
// Which of the two is used, and whether either is good enough, is decided from these numbers.
class NearLowRankRidge final : public RidgeSystem {
  public:
    // Null when the bounds above do not guarantee kSeriesTolerance. The split, and the buffer that
    // holds its E, must outlive the system.
    static std::unique_ptr<NearLowRankRidge> make(const KernelSplit& split, const Ridge& ridge);
    static std::unique_ptr<NearLowRankRidge> make(KernelSplit&& split, const Ridge& r) = delete;

    RidgeSolution solve(const linalg::ColMatrix& targets, const Folds& folds) const override;
    Vector diagonal() const override { return diagonal_; }
    // log |D^-1| + log |H| + log |I + Q E|, the last by the traces of Q E and its square.
    std::optional<double> log_determinant() const override;

    // How often a solution multiplies by E, at most.
    Index passes() const;

  private:
    // Models trained side by side: every group has a training set of its own and the same targets.
    struct Groups {
        linalg::ColMatrix masks;                 // n x groups, 1 for points that are trained on
        std::vector<linalg::ColMatrix> factors;  // Cholesky factor of H for each group
    };

    NearLowRankRidge(const KernelSplit& split, const Ridge& ridge);
    Groups groups(const Folds& folds) const;  // all points first, then all but each fold
    bool make_diagonal(const RestNorms& norms);
    linalg::ColMatrix half() const;  // U, with Q = D - U U'

    // Q r for every group's own Q, where r has the columns of one group after another; the bias of
    // the models that Q r stands for is added to `bias`.
    linalg::ColMatrix correct(const Groups& groups, const linalg::ColMatrix& residuals,
                              Vector& bias) const;
    bool converged(const linalg::ColMatrix& step, const linalg::ColMatrix& alpha) const;
    linalg::ColMatrix residuals(const linalg::ColMatrix& targets, const RidgeFit& fit) const;

    const KernelSplit& split_;
    linalg::ColMatrix basis_;   // B
    Vector d_;                  // of D
    double q_;                  // bound on ||D^1/2 E D^1/2||
    double squares_ = 0.0;      // its squared Frobenius norm
    linalg::ColMatrix system_;  // H, lower triangle
    linalg::ColMatrix factor_;  // its Cholesky factor
    Vector diagonal_;           // of P
};

}  // namespace kernelect
