#include "kernelect/ridge/losses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace kernelect {
namespace {

using linalg::ColMatrix;

// Row by row without vectors of its own: memory for one costs more than the loss of a row.
double point_zero_one(const ColMatrix& residuals, const ColMatrix& targets, Index row, double tie) {
    const auto target = targets.row(row);
    const auto output = target - residuals.row(row);
    if (output.size() == 1) {
        if (std::abs(output[0]) <= tie) return 0.5;
        return output[0] * target[0] < 0.0 ? 1.0 : 0.0;
    }
    Index truth = 0;
    target.maxCoeff(&truth);
    const double threshold = output.maxCoeff() - tie;
    if (output[truth] < threshold) return 1.0;
    return 1.0 - 1.0 / static_cast<double>((output.array() >= threshold).count());
}

}  // namespace

HeldOutLosses held_out_losses(const ColMatrix& residuals, const ColMatrix& targets, bool zero_one) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const Index n = targets.rows();
    const double tie = kTie * targets.cwiseAbs().maxCoeff();
    HeldOutLosses losses{Vector::Zero(targets.cols()), zero_one ? 0.0 : nan, Vector(n),
                         Vector::Constant(zero_one ? n : 0, nan)};
    double held_out = 0.0;
    losses.point_squared = residuals.rowwise().squaredNorm() / static_cast<double>(targets.cols());
    for (Index i = 0; i < n; ++i) {
        if (std::isnan(losses.point_squared[i])) continue;
        held_out += 1.0;
        losses.squared += residuals.row(i).cwiseAbs2().transpose();
        if (!zero_one) continue;
        losses.point_zero_one[i] = point_zero_one(residuals, targets, i, tie);
        losses.zero_one += losses.point_zero_one[i];
    }
    losses.squared /= held_out;
    losses.zero_one /= held_out;
    return losses;
}

Vector gcv(const ColMatrix& alpha, const Vector& diagonal, const Vector& penalty,
           const Vector& weights) {
    const double n = static_cast<double>(alpha.rows());
    // Equal penalties of equal weights cancel, also where they are 0.
    if (weights.size() == 0)
        return n * alpha.colwise().squaredNorm().transpose() / std::pow(diagonal.sum(), 2);
    const double trace = diagonal.dot(penalty);
    const Vector squared = penalty.cwiseAbs2().cwiseProduct(weights);
    return n * (alpha.cwiseAbs2().transpose() * squared) / (trace * trace);
}

double bayesian_regularisation(const Vector& loo_squared, Index n, const Vector& eta) {
    const double largest = eta.size() > 0 ? eta.cwiseAbs().maxCoeff() : 0.0;
    if (!(largest > 0.0) || !eta.allFinite())
        throw std::invalid_argument(
            "the kernel coefficients eta must be finite and not all 0: a constant kernel has no "
            "width to regularise");
    // Squares of rates leave the range of doubles long before the rates do.
    const double log_omega =
        2.0 * std::log(largest) + std::log(0.5 * (eta / largest).squaredNorm());
    // A perfect score is floored so that it stays comparable.
    const double half_press = std::max(0.5 * static_cast<double>(n) * loo_squared.sum(),
                                       std::numeric_limits<double>::min());
    return 0.5 * static_cast<double>(n) * std::log(half_press) +
           0.5 * static_cast<double>(eta.size()) * log_omega;
}

}  // namespace kernelect
