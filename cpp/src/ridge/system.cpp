#include "kernelect/ridge/system.hpp"

#include <stdexcept>
#include <string>

namespace kernelect {

const char* path_name(RidgePath path) {
    switch (path) {
        case RidgePath::identity:
            return "identity";
        case RidgePath::low_rank:
            return "low_rank";
        case RidgePath::eigen:
            return "eigen";
        case RidgePath::dense:
            return "dense";
    }
    return "";
}

Vector Ridge::diagonal(Index n) const {
    if (weights.size() == 0) return Vector::Constant(n, rho);
    if (weights.size() != n)
        throw std::invalid_argument("there are " + std::to_string(weights.size()) +
                                    " weights for " + std::to_string(n) + " points");
    if (!(weights.minCoeff() > 0.0) || !weights.allFinite())
        throw std::invalid_argument(
            "weights must be positive and finite: leave out points of weight 0");
    return rho * weights.cwiseInverse();
}

std::optional<double> next_jitter(double jitter, double mean_diagonal) {
    // Shares of the mean diagonal; half a step of room, so that rounding does not take the last
    // one.
    constexpr double kFirst = 1e-12, kMore = 10.0, kMost = 5e-6;
    const double next = jitter == 0.0 ? kFirst * mean_diagonal : kMore * jitter;
    if (!(next > 0.0 && next < kMost * mean_diagonal)) return std::nullopt;
    return next;
}

linalg::ColMatrix RidgeSystem::loo_residuals(const RidgeFit& fit) const {
    return diagonal().cwiseInverse().asDiagonal() * fit.alpha;
}

linalg::ColMatrix RidgeSystem::smooth(const linalg::ColMatrix& v) const {
    return v - penalty().asDiagonal() * fit(v).alpha;
}

}  // namespace kernelect
