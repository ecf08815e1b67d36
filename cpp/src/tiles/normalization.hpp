#pragma once

#include <functional>

#include "kernelect/base/types.hpp"
#include "kernelect/tiles/kernels.hpp"

namespace kernelect {

// The program, with every `normalize` over a diagonal that leaves the range of doubles moved to
// where it does not: a normalised product is the product of normalised factors, a normalised power
// the power of what is normalised, and a positive factor cancels. `diagonal` gives k(x, x) of a
// part of the program for all rows. A sum is left as it is.
Program in_range(const Program& program, const std::function<Vector(const Program&)>& diagonal);

}  // namespace kernelect
