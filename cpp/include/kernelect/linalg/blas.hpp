#pragma once

#include "kernelect/linalg/linalg.hpp"

// The matrix products of the core's O(n^3) work. A table of BLAS entry points is handed in once;
// without it Eigen multiplies. Triangular and symmetric operands are read from one triangle only,
// the lower one unless another is named, so the other is free to hold something else.
namespace kernelect::blas {

using linalg::ColMatrix;
using linalg::ColMatrixRef;
using linalg::ConstColMatrixRef;

struct Table {
    using Gemm = void (*)(char* transa, char* transb, int* m, int* n, int* k, double* alpha,
                          double* a, int* lda, double* b, int* ldb, double* beta, double* c,
                          int* ldc);
    using Syrk = void (*)(char* uplo, char* trans, int* n, int* k, double* alpha, double* a,
                          int* lda, double* beta, double* c, int* ldc);
    using Symm = void (*)(char* side, char* uplo, int* m, int* n, double* alpha, double* a,
                          int* lda, double* b, int* ldb, double* beta, double* c, int* ldc);
    using Trmm = void (*)(char* side, char* uplo, char* transa, char* diag, int* m, int* n,
                          double* alpha, double* a, int* lda, double* b, int* ldb);

    Gemm gemm = nullptr;
    Syrk syrk = nullptr;
    Symm symm = nullptr;
    Trmm trmm = nullptr;
    Trmm trsm = nullptr;  // takes what trmm takes
};

void use(const Table& table);

// Let this many threads multiply at once. BLAS then takes a work space for each, and keeps it: some
// libraries wait for ever, or end the process, when they find no memory for one later.
void take_work_spaces(int threads);

enum class Transpose : char { no = 'N', yes = 'T' };
enum class Triangle : char { lower = 'L', upper = 'U' };

// c <- alpha op(a) op(b) + beta c
void gemm(double alpha, ConstColMatrixRef a, Transpose op_a, ConstColMatrixRef b, Transpose op_b,
          double beta, ColMatrixRef c);

// lower triangle of c <- alpha a a' + beta c, or alpha a'a + beta c with Transpose::yes
void syrk(double alpha, ConstColMatrixRef a, Transpose op, double beta, ColMatrixRef c);

// c <- alpha s b + beta c with s symmetric
void symm(double alpha, ConstColMatrixRef s, Triangle triangle, ConstColMatrixRef b, double beta,
          ColMatrixRef c);

// b <- alpha op(t) b with t lower triangular
void trmm_left(double alpha, ConstColMatrixRef t, Transpose op, ColMatrixRef b);

// b <- alpha b op(t) with t lower triangular
void trmm_right(double alpha, ConstColMatrixRef t, Transpose op, ColMatrixRef b);

// b <- op(t)^-1 b with t lower triangular
void trsm_left(ConstColMatrixRef t, Transpose op, ColMatrixRef b);

}  // namespace kernelect::blas
