#pragma once

#include "kernelect/base/team.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect::linalg {

// Replaces the lower triangle of a = L L' by W = L^-1, so that a^-1 = W'W. False if a is not
// positive definite; the triangle is then spoiled. The strict upper triangle is neither read nor
// written.
//
// L itself is never needed by the closed forms, so factor and inverse are made in one recursion
//     W11 = L11^-1,  L21 = A21 W11',  A22 <- A22 - L21 L21',  W22 = L22^-1,  W21 = -W22 L21 W11
// of 2/3 n^3 operations, all of them large triangular or symmetric products: these run at the speed
// of a matrix product, which LAPACK's factorisation and triangular inverse only half reach. Large
// ones go in strips, between which the team's caller is heard.
bool inverse_cholesky(ColMatrixRef a, const Team& team = {});

// The second half of an inverse: replaces the lower triangular W by the lower triangle of W'W.
//     W11'W11 + W21'W21,  W22'W21,  W22'W22
void gram_of_inverse(ColMatrixRef w, const Team& team = {});

}  // namespace kernelect::linalg
