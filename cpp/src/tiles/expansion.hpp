#pragma once

namespace kernelect {

// Below this share of |x|^2 + |x'|^2 the expansion |x|^2 + |x'|^2 - 2 x.x' has lost too many digits
// for a narrow kernel, and the distance is computed again from differences.
inline constexpr double kLostDigits = 1e-3;

// Whether a distance that came out of the expansion is good enough; `both` is |x|^2 + |x'|^2. Where
// the squares have overflowed the distance is not a number, and the answer is no.
inline bool expansion_holds(double distance, double both) { return distance > kLostDigits * both; }

}  // namespace kernelect
