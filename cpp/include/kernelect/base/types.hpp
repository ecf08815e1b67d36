#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace kernelect {

using Eigen::Index;

// The numbers that tiles, packs and buffers hold. Sums over tiles are doubles whatever this is.
using Real = double;

// Samples are rows and NumPy is row-major, so every matrix that crosses the boundary is row-major
// and a Ref maps the caller's memory.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using MatrixRef = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
using ConstMatrixRef = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstVectorRef = Eigen::Ref<const Vector>;

// A number that is known not to be negative, as the standard library counts.
constexpr std::size_t place(Index i) { return static_cast<std::size_t>(i); }

}  // namespace kernelect
