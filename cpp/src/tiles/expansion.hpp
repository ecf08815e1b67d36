#pragma once

#include <algorithm>
#include <cmath>

namespace kernelect {

// Below this share of |x|^2 + |x'|^2 the expansion |x|^2 + |x'|^2 - 2 x.x' has lost too many digits
// for a narrow kernel, and the distance is computed again from differences.
inline constexpr double kLostDigits = 1e-3;

// Whether a distance that came out of the expansion is good enough; `both` is |x|^2 + |x'|^2. Where
// the squares have overflowed the distance is not a number, and the answer is no.
inline bool expansion_holds(double distance, double both) { return distance > kLostDigits * both; }

// The length of a vector whose squares may leave the range of doubles; `each` calls what it is
// given with every coordinate.
template <class Each>
double scaled_norm(Each&& each) {
    double largest = 0.0, sum = 0.0;
    each([&](double d) { largest = std::max(largest, std::abs(d)); });
    if (!(largest > 0.0 && std::isfinite(largest))) return largest;
    each([&](double d) { sum += (d / largest) * (d / largest); });
    return largest * std::sqrt(sum);
}

}  // namespace kernelect
