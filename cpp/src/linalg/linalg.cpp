#include "kernelect/linalg/linalg.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kernelect/linalg/serial.hpp"

namespace kernelect::linalg {
namespace {

Lapack table;

int checked_order(const ColMatrixRef& a) {
    if (a.rows() != a.cols()) throw std::invalid_argument("a square matrix is needed");
    if (a.rows() > std::numeric_limits<int>::max())
        throw std::length_error("the matrix order exceeds LAPACK's 32-bit integer");
    return static_cast<int>(a.rows());
}

}  // namespace

void use(const Lapack& lapack) { table = lapack; }
bool has_lapack() { return table.potrf != nullptr; }

// Zero times a number is no number where that is infinite or none itself.
bool all_finite(const ConstColMatrixRef& a) { return (0.0 * a.array()).sum() == 0.0; }

bool cholesky(ColMatrixRef a) {
    int n = checked_order(a);
    if (n == 0) return true;
    if (table.potrf == nullptr) {
        const Eigen::LLT<ColMatrixRef, Eigen::Lower> llt(a);
        return llt.info() == Eigen::Success;
    }
    char uplo = 'L';
    int lda = static_cast<int>(a.outerStride()), info = 0;
    table.potrf(&uplo, &n, a.data(), &lda, &info);
    return info == 0;
}

Eigen::Index leading_cholesky(ColMatrixRef a) {
    int n = checked_order(a);
    if (n == 0) return 0;
    if (table.potrf != nullptr) {
        char uplo = 'L';
        int lda = static_cast<int>(a.outerStride()), info = 0;
        table.potrf(&uplo, &n, a.data(), &lda, &info);
        return info == 0 ? n : info - 1;
    }
    for (Eigen::Index j = 0; j < n; ++j) {
        const double pivot = a(j, j) - a.row(j).head(j).squaredNorm();
        if (!(pivot > 0.0)) return j;
        a(j, j) = std::sqrt(pivot);
        for (Eigen::Index i = j + 1; i < n; ++i)
            a(i, j) = (a(i, j) - a.row(i).head(j).dot(a.row(j).head(j))) / a(j, j);
    }
    return n;
}

void invert_lower(ColMatrixRef l) {
    int n = checked_order(l);
    if (n == 0) return;
    if (table.trtri == nullptr) {
        ColMatrix inverse = ColMatrix::Identity(n, n);
        serial::solve_lower(l, inverse);
        l.triangularView<Eigen::Lower>() = inverse;
        return;
    }
    char uplo = 'L', diag = 'N';
    int lda = static_cast<int>(l.outerStride()), info = 0;
    table.trtri(&uplo, &diag, &n, l.data(), &lda, &info);
    if (info != 0) throw std::domain_error("the triangular factor is singular");
}

Eigen::VectorXd eigh(ColMatrixRef a, bool vectors) {
    int n = checked_order(a);
    if (n == 0) return {};
    if (table.syevd == nullptr) return serial::eigh(a, vectors);
    char job = vectors ? 'V' : 'N', uplo = 'L';
    Eigen::VectorXd w(n);
    int lda = static_cast<int>(a.outerStride()), lwork = -1, liwork = -1, info = 0, isize = 0;
    double size = 0.0;
    table.syevd(&job, &uplo, &n, a.data(), &lda, w.data(), &size, &lwork, &isize, &liwork, &info);
    lwork = static_cast<int>(size);
    liwork = isize;
    std::vector<double> work(static_cast<std::size_t>(lwork));
    std::vector<int> iwork(static_cast<std::size_t>(liwork));
    table.syevd(&job, &uplo, &n, a.data(), &lda, w.data(), work.data(), &lwork, iwork.data(),
                &liwork, &info);
    if (info != 0 || !w.allFinite()) throw NoConvergence();
    return w;
}

}  // namespace kernelect::linalg
