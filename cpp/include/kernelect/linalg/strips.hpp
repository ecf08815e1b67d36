#pragma once

#include "kernelect/base/team.hpp"
#include "kernelect/linalg/blas.hpp"

// Products of matrices in strips of a fixed size. A strip takes a fraction of a second, so that the
// caller is heard in between, and goes to any thread; since the strips are the same for every
// number of threads, and BLAS itself runs on one, so are the bits of the result.
namespace kernelect::strips {

// A size rounded up such that what comes after it begins where packs are aligned.
inline Index aligned(Index size) { return (size + 7) / 8 * 8; }

// b <- alpha op(t) b with t lower triangular
void trmm_left(double alpha, blas::ConstColMatrixRef t, blas::Transpose op, blas::ColMatrixRef b,
               const Team& team);

// b <- alpha b op(t) with t lower triangular
void trmm_right(double alpha, blas::ConstColMatrixRef t, blas::Transpose op, blas::ColMatrixRef b,
                const Team& team);

// b <- t^-1 b with t lower triangular
void trsm_left(blas::ConstColMatrixRef t, blas::ColMatrixRef b, const Team& team);

// c <- alpha op(a) b + beta c
void gemm(double alpha, blas::ConstColMatrixRef a, blas::Transpose op_a, blas::ConstColMatrixRef b,
          double beta, blas::ColMatrixRef c, const Team& team);

// c <- s b with s symmetric
void symm(blas::ConstColMatrixRef s, blas::Triangle triangle, blas::ConstColMatrixRef b,
          blas::ColMatrixRef c, const Team& team);

// lower triangle of c <- c + alpha a a', or c + alpha a'a with Transpose::yes
void add_gram(double alpha, blas::ConstColMatrixRef a, blas::Transpose op, blas::ColMatrixRef c,
              const Team& team);

}  // namespace kernelect::strips
