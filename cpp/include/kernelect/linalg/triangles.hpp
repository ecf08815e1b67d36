#pragma once

#include "kernelect/linalg/blas.hpp"

// Loops over one triangle of a matrix, which wide registers make faster: compiled for each level.
namespace kernelect::triangles {

using blas::ColMatrixRef;
using blas::ConstColMatrixRef;

// c <- c + alpha s b with s symmetric, of which one triangle is read. One pass over that: for few
// columns faster than the libraries, which copy it first.
void add_symmetric_product(double alpha, const ConstColMatrixRef& s, blas::Triangle triangle,
                           const ConstColMatrixRef& b, ColMatrixRef c);

// Squared norms of the columns of a lower triangle.
Eigen::VectorXd squared_columns(const ConstColMatrixRef& lower);

}  // namespace kernelect::triangles
