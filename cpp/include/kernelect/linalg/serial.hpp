#pragma once

#include "kernelect/linalg/linalg.hpp"

// Dense algebra by Eigen alone: on the calling thread and with the same bits whatever BLAS is in
// use. Plain functions, because every place that writes such an expression out compiles Eigen's
// kernels again, at seconds each.
namespace kernelect::serial {

using linalg::ColMatrix;
using linalg::ColMatrixRef;
using linalg::ConstColMatrixRef;

// a b
ColMatrix product(ConstColMatrixRef a, ConstColMatrixRef b);

// lower triangle of c <- c + alpha a' a
void add_gram(double alpha, ConstColMatrixRef a, ColMatrixRef c);

// b <- l^-1 b with l lower triangular; the strict upper triangle is not read.
void solve_lower(ConstColMatrixRef l, ColMatrixRef b);
void solve_lower_transposed(ConstColMatrixRef l, ColMatrixRef b);  // b <- l'^-1 b

// b <- (l l')^-1 b with l lower triangular.
void solve_factored(ConstColMatrixRef l, ColMatrixRef b);

// As linalg::eigh.
Eigen::VectorXd eigh(ColMatrixRef a, bool vectors);

// linalg::eigh with vectors for the projected matrices of Krylov methods, which are small and
// solved often. Below the order where a threaded LAPACK gains anything Eigen is as fast, gives the
// same bits whatever LAPACK is in use, and does not wait for threads that other work holds up.
Eigen::VectorXd small_eigh(ColMatrix& a);

}  // namespace kernelect::serial
