#pragma once

#include "kernelect/base/control.hpp"
#include "kernelect/landmarks/basis.hpp"
#include "kernelect/landmarks/kernel_values.hpp"

namespace kernelect {

// g = L^-1 k(x, Z) of every row, as the rows of a matrix: features whose inner products are
// Nystroem's approximation of the kernel. Nothing else of that size is made.
Matrix landmark_coordinates(const LandmarkBasis& basis, const LandmarkColumns& columns,
                            Control& control);

}  // namespace kernelect
