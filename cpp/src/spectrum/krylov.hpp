#pragma once

#include <cmath>
#include <limits>

#include "kernelect/base/types.hpp"

// What the Krylov methods of this room have in common.
namespace kernelect::krylov {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

// A vector that is shorter than this part of itself after a pass of orthogonalisation has lost so
// many digits that it needs another pass.
inline constexpr double kLost = 0.5;

// What the product of a unit vector with a matrix of this norm is uncertain by.
inline double rounding(Index n, double norm) {
    return 4.0 * kEps * std::sqrt(static_cast<double>(n)) * norm;
}

}  // namespace kernelect::krylov
