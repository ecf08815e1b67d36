#pragma once

#include <optional>
#include <vector>

#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"
#include "kernelect/ridge/folds.hpp"

namespace kernelect {

// Which mathematics answered, cheapest first.
enum class RidgePath {
    identity,  // K is a diagonal and a tiny rest: a series
    low_rank,  // K is a few columns' outer product, a diagonal and a tiny rest: Woodbury and a
               // series
    eigen,     // one eigendecomposition for many ridges
    dense,     // Cholesky factor and its inverse
};
const char* path_name(RidgePath path);

// What is added to K, and whether the model has a bias.
struct Ridge {
    double rho = 1.0;
    bool bias = true;
    Vector weights = {};  // of the squared losses, positive; empty: all 1

    Vector diagonal(Index n) const;  // rho / w_i
};

// What to add to the diagonal of K after `jitter` did not make K + rho I positive definite: a
// trillionth of the mean diagonal, then ten times more each time; nothing beyond a millionth.
std::optional<double> next_jitter(double jitter, double mean_diagonal);

// One model a column of the target: f(x) = sum_i alpha_i k(x_i, x) + bias.
struct RidgeFit {
    linalg::ColMatrix alpha;
    Vector bias;  // zeros for models without one
};

struct RidgeSolution {
    RidgeFit fit;
    std::vector<linalg::ColMatrix> held_out;  // y_F - f^(-F)(x_F) of every fold, |F| x columns
};

// Kernel ridge regression (no bias) or the least-squares SVM (bias) on one kernel with one ridge,
//     alpha = (K + rho I)^-1 y     or     [K + rho I, 1; 1', 0] [alpha; b] = [y; 0],
// rho I being diag(rho / w_i) for weighted losses. Everything is said by the residual maker P:
// alpha = P y, y - f = rho alpha / w, and with R = (K + rho I)^-1
//     P = R     or     P = R - (R1)(R1)' / (1'R1).
class RidgeSystem {
  public:
    virtual ~RidgeSystem() = default;

    // The models on all points and, for every fold, those trained without it with the same rho.
    // Folds may overlap here. Throws SingularFoldBlock where the ridge is too small for a fold.
    virtual RidgeSolution solve(const linalg::ColMatrix& targets, const Folds& folds) const = 0;

    virtual Vector diagonal() const = 0;  // of P
    // log |K + rho I|, and + log 1'R1 with a bias: up to its sign and constants the part of a
    // Gaussian process's log marginal likelihood that the targets are not in, under a flat prior
    // of the bias. Nothing where this way of solving cannot say.
    virtual std::optional<double> log_determinant() const = 0;

    RidgeFit fit(const linalg::ColMatrix& targets) const { return solve(targets, {}).fit; }

    Index size() const { return ridge_.size(); }
    const Vector& ridge() const { return ridge_; }  // rho / w_i
    RidgePath path() const { return path_; }
    double jitter() const { return jitter_; }  // added to the diagonal of K on top of the ridge
    // rho / w_i + jitter, all that was added to the diagonal of K: y - f = penalty alpha.
    Vector penalty() const { return ridge_.array() + jitter_; }

    // y_i - f^(-i)(x_i) = alpha_i / P_ii, for every column.
    linalg::ColMatrix loo_residuals(const RidgeFit& fit) const;

    // The fitted values of a model trained on v: v - penalty P v.
    linalg::ColMatrix smooth(const linalg::ColMatrix& v) const;

  protected:
    RidgeSystem(RidgePath path, Vector ridge, bool bias)
        : path_(path), bias_(bias), ridge_(std::move(ridge)) {}

    RidgePath path_;
    bool bias_;
    double jitter_ = 0.0;
    Vector ridge_;
};

}  // namespace kernelect
