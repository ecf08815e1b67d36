#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <random>

#include "kernelect/linalg/linalg.hpp"
#include "kernelect/ridge/scan.hpp"
#include "seven_points.hpp"

// Data, kernels and honest retraining for the tests of ridge systems.
namespace kernelect::testing {

using linalg::ColMatrix;

struct Problem {
    ColMatrix points, targets;
};

inline Problem random_problem(Index n, Index dimension, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Problem problem{ColMatrix(n, dimension), ColMatrix(n, 2)};
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < dimension; ++j) problem.points(i, j) = normal(random);
        const double signal = problem.points(i, 0) + 0.4 * normal(random);
        problem.targets(i, 0) = signal > 0.0 ? 1.0 : -1.0;
        problem.targets(i, 1) = 2.0 * std::sin(signal) + 1.0;
    }
    return problem;
}

// The worked example; the classes are +-1.
inline Problem worked_example() {
    Problem problem{seven_points::points(), ColMatrix(7, 2)};
    for (Index i = 0; i < 7; ++i)
        problem.targets(i, 0) = seven_points::kLabels[place(i)] == 1 ? 1.0 : -1.0;
    problem.targets.col(1) = seven_points::target();
    return problem;
}

// Candidates by a function that writes their matrices.
class MadeKernels final : public KernelSource {
  public:
    using Make = std::function<ColMatrix(Index candidate)>;
    MadeKernels(Index candidates, Make make) : candidates_(candidates), make_(std::move(make)) {}

    Index candidates() const override { return candidates_; }
    bool matrix(Index c, linalg::ColMatrixRef out, const Team&) const override {
        ++made_;
        out = make_(c);
        return out.allFinite();
    }
    int made() const { return made_; }

  private:
    Index candidates_;
    Make make_;
    mutable std::atomic<int> made_{0};
};

inline ColMatrix gaussian(const ColMatrix& points, double tau) {
    ColMatrix k(points.rows(), points.rows());
    for (Index i = 0; i < k.rows(); ++i)
        for (Index j = 0; j < k.cols(); ++j)
            k(i, j) = std::exp(-(points.row(i) - points.row(j)).squaredNorm() / (2.0 * tau));
    return k;
}

// The bordered system, solved as it stands.
inline RidgeFit bordered_fit(const ColMatrix& k, const ColMatrix& targets, const Vector& ridge,
                             bool bias) {
    const Index n = k.rows(), order = n + (bias ? 1 : 0);
    ColMatrix system = ColMatrix::Zero(order, order),
              right = ColMatrix::Zero(order, targets.cols());
    system.topLeftCorner(n, n) = k;
    system.diagonal().head(n) += ridge;
    if (bias) {
        system.row(n).head(n).setOnes();
        system.col(n).head(n).setOnes();
    }
    right.topRows(n) = targets;
    const ColMatrix solution = system.fullPivLu().solve(right);
    RidgeFit fit{solution.topRows(n), Vector::Zero(targets.cols())};
    if (bias) fit.bias = solution.row(n).transpose();
    return fit;
}

// Residuals at the points of a fold of a model that was trained without them.
inline ColMatrix retrained_residuals(const ColMatrix& k, const ColMatrix& targets,
                                     const Vector& ridge, bool bias, const Fold& fold) {
    std::vector<Index> rest;
    for (Index i = 0; i < k.rows(); ++i)
        if (std::find(fold.begin(), fold.end(), i) == fold.end()) rest.push_back(i);
    const RidgeFit fit = bordered_fit(k(rest, rest), targets(rest, Eigen::all), ridge(rest), bias);
    ColMatrix outputs = k(fold, rest) * fit.alpha;
    outputs.rowwise() += fit.bias.transpose();
    return targets(fold, Eigen::all) - outputs;
}

inline double largest_difference(const ColMatrix& a, const ColMatrix& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

// What every kind of system must satisfy: fit, diagonal of P and folds against honest retraining.
struct Disagreement {
    double fit, loo, folds;
};
inline Disagreement disagreement(const RidgeSystem& system, bool bias, const ColMatrix& k,
                                 const ColMatrix& targets, const Folds& folds) {
    const RidgeFit expected = bordered_fit(k, targets, system.ridge(), bias);
    const RidgeSolution got = system.solve(targets, folds);
    Disagreement worst{largest_difference(got.fit.alpha, expected.alpha), 0.0, 0.0};
    worst.fit = std::max(worst.fit, largest_difference(got.fit.bias, expected.bias));
    const ColMatrix loo = system.loo_residuals(got.fit);
    for (Index i = 0; i < k.rows(); i += 7) {
        const ColMatrix one = retrained_residuals(k, targets, system.ridge(), bias, {i});
        worst.loo = std::max(worst.loo, largest_difference(loo.row(i), one));
    }
    for (std::size_t f = 0; f < folds.size(); ++f) {
        const ColMatrix block = retrained_residuals(k, targets, system.ridge(), bias, folds[f]);
        worst.folds = std::max(worst.folds, largest_difference(got.held_out[f], block));
    }
    return worst;
}

}  // namespace kernelect::testing
