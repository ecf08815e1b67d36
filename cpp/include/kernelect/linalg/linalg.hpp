#pragma once

#include <Eigen/Core>
#include <stdexcept>

// The dense factorisations of the core. A table of LAPACK entry points is handed in once; without
// it Eigen does the work. Matrices here are column-major, as LAPACK wants them; for symmetric ones
// the order does not matter.
namespace kernelect::linalg {

using ColMatrix = Eigen::MatrixXd;
using ColMatrixRef = Eigen::Ref<ColMatrix, 0, Eigen::OuterStride<>>;
using ConstColMatrixRef = Eigen::Ref<const ColMatrix, 0, Eigen::OuterStride<>>;

struct Lapack {
    using Potrf = void (*)(char* uplo, int* n, double* a, int* lda, int* info);
    using Trtri = void (*)(char* uplo, char* diag, int* n, double* a, int* lda, int* info);
    using Syevd = void (*)(char* jobz, char* uplo, int* n, double* a, int* lda, double* w,
                           double* work, int* lwork, int* iwork, int* liwork, int* info);

    Potrf potrf = nullptr;
    Trtri trtri = nullptr;
    Syevd syevd = nullptr;
};

void use(const Lapack& lapack);
bool has_lapack();

// Whether all entries are finite, many at a time: Eigen's own looks at one after the other.
bool all_finite(const ConstColMatrixRef& a);

// Replaces the lower triangle of a by its Cholesky factor. False if a is not positive definite; the
// triangle is then spoiled. The strict upper triangle is neither read nor written.
bool cholesky(ColMatrixRef a);

// As cholesky, for a matrix that may be singular to working precision: returns the order of the
// leading block that was factored.
Eigen::Index leading_cholesky(ColMatrixRef a);

// Replaces the lower triangular factor by its inverse; the strict upper triangle stays as it is.
void invert_lower(ColMatrixRef l);

// Eigenvalues of the symmetric matrix in the lower triangle, ascending; with `vectors` the columns
// of a become the eigenvectors, else a is spoiled. Throws NoConvergence, as it does for a matrix
// whose eigenvalues leave the range of doubles.
struct NoConvergence : std::domain_error {
    NoConvergence() : std::domain_error("the eigenvalue iteration did not converge") {}
};
Eigen::VectorXd eigh(ColMatrixRef a, bool vectors);

}  // namespace kernelect::linalg
