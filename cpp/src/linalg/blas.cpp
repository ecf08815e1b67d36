#include "kernelect/linalg/blas.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernelect/linalg/serial.hpp"
#include "kernelect/linalg/triangles.hpp"

namespace kernelect::blas {
namespace {

Table table;

int to_int(Eigen::Index size) {
    if (size > std::numeric_limits<int>::max())
        throw std::length_error("the matrix order exceeds the 32-bit integer of BLAS");
    return static_cast<int>(size);
}

// BLAS reads its inputs through non-const pointers.
double* input(const ConstColMatrixRef& a) { return const_cast<double*>(a.data()); }

template <class Matrix>
int stride(const Matrix& a) {
    return std::max(1, to_int(a.outerStride()));
}

void scale(double beta, ColMatrixRef c) {
    if (beta == 0.0)
        c.setZero();
    else if (beta != 1.0)
        c *= beta;
}

// A product with a lower triangle, or with its inverse.
void triangular(Table::Trmm routine, char side, double alpha, const ConstColMatrixRef& t,
                Transpose op, ColMatrixRef b) {
    char uplo = 'L', trans = static_cast<char>(op), diag = 'N';
    int m = to_int(b.rows()), n = to_int(b.cols()), ldt = stride(t), ldb = stride(b);
    routine(&side, &uplo, &trans, &diag, &m, &n, &alpha, input(t), &ldt, b.data(), &ldb);
}

// What Eigen multiplies where there is no BLAS. Copies cost n^2 beside products of n^3, and keep
// the kinds of products, each of which takes a second to compile, few.
ColMatrix as_asked(const ConstColMatrixRef& a, Transpose op) {
    if (op == Transpose::no) return a;
    return a.transpose();
}

Transpose flipped(Transpose op) { return op == Transpose::no ? Transpose::yes : Transpose::no; }

ColMatrix both_triangles(const ConstColMatrixRef& s, Triangle triangle) {
    ColMatrix full = s;
    for (Eigen::Index j = 0; j < full.cols(); ++j)
        for (Eigen::Index i = 0; i < j; ++i)
            (triangle == Triangle::lower ? full(i, j) : full(j, i)) =
                triangle == Triangle::lower ? full(j, i) : full(i, j);
    return full;
}

}  // namespace

void use(const Table& entries) { table = entries; }

void take_work_spaces(int threads) {
    constexpr Eigen::Index kOrder = 256;  // large enough to be multiplied in blocks, some 2 ms
    constexpr int kRounds = 3;            // in which all threads are likely to meet
    constexpr int kMost = 64;             // as many as libraries have work spaces for
    threads = std::min(threads, kMost);
    std::atomic<int> arrived{0};
    const auto multiply = [&] {
        const ColMatrix a = ColMatrix::Ones(kOrder, kOrder);
        ColMatrix c(kOrder, kOrder);
        for (int round = 1; round <= kRounds; ++round) {
            ++arrived;
            while (arrived < round * threads) std::this_thread::yield();
            gemm(1.0, a, Transpose::no, a, Transpose::no, 0.0, c);
        }
    };
    std::vector<std::thread> others;
    for (int k = 1; k < threads; ++k) others.emplace_back(multiply);
    multiply();
    for (std::thread& other : others) other.join();
}

void gemm(double alpha, ConstColMatrixRef a, Transpose op_a, ConstColMatrixRef b, Transpose op_b,
          double beta, ColMatrixRef c) {
    const Eigen::Index inner = op_a == Transpose::no ? a.cols() : a.rows();
    if (c.size() == 0 || inner == 0) return scale(beta, c);
    if (table.gemm != nullptr) {
        char trans_a = static_cast<char>(op_a), trans_b = static_cast<char>(op_b);
        int m = to_int(c.rows()), n = to_int(c.cols()), k = to_int(inner);
        int lda = stride(a), ldb = stride(b), ldc = stride(c);
        table.gemm(&trans_a, &trans_b, &m, &n, &k, &alpha, input(a), &lda, input(b), &ldb, &beta,
                   c.data(), &ldc);
        return;
    }
    scale(beta, c);
    c += alpha * serial::product(as_asked(a, op_a), as_asked(b, op_b));
}

void syrk(double alpha, ConstColMatrixRef a, Transpose op, double beta, ColMatrixRef c) {
    const Eigen::Index inner = op == Transpose::no ? a.cols() : a.rows();
    if (c.size() == 0) return;
    if (table.syrk != nullptr && inner > 0) {
        char uplo = 'L', trans = static_cast<char>(op);
        int n = to_int(c.rows()), k = to_int(inner), lda = stride(a), ldc = stride(c);
        table.syrk(&uplo, &trans, &n, &k, &alpha, input(a), &lda, &beta, c.data(), &ldc);
        return;
    }
    auto lower = c.triangularView<Eigen::Lower>();
    if (beta == 0.0)
        lower.setZero();
    else if (beta != 1.0)
        lower *= beta;
    if (inner > 0) serial::add_gram(alpha, as_asked(a, flipped(op)), c);
}

void symm(double alpha, ConstColMatrixRef s, Triangle triangle, ConstColMatrixRef b, double beta,
          ColMatrixRef c) {
    if (c.size() == 0) return;
    if (c.cols() <= 2) {
        scale(beta, c);
        triangles::add_symmetric_product(alpha, s, triangle, b, c);
    } else if (table.symm != nullptr) {
        char side = 'L', uplo = static_cast<char>(triangle);
        int m = to_int(c.rows()), n = to_int(c.cols());
        int lds = stride(s), ldb = stride(b), ldc = stride(c);
        table.symm(&side, &uplo, &m, &n, &alpha, input(s), &lds, input(b), &ldb, &beta, c.data(),
                   &ldc);
    } else {
        scale(beta, c);
        c += alpha * serial::product(both_triangles(s, triangle), b);
    }
}

void trmm_left(double alpha, ConstColMatrixRef t, Transpose op, ColMatrixRef b) {
    if (b.size() == 0) return;
    if (table.trmm != nullptr) return triangular(table.trmm, 'L', alpha, t, op, b);
    const ColMatrix scaled = alpha * b;
    if (op == Transpose::no)
        b.noalias() = t.triangularView<Eigen::Lower>() * scaled;
    else
        b.noalias() = t.transpose().triangularView<Eigen::Upper>() * scaled;
}

void trmm_right(double alpha, ConstColMatrixRef t, Transpose op, ColMatrixRef b) {
    if (b.size() == 0) return;
    if (table.trmm != nullptr) return triangular(table.trmm, 'R', alpha, t, op, b);
    ColMatrix transposed = b.transpose();
    trmm_left(alpha, t, flipped(op), transposed);
    b = transposed.transpose();
}

void trsm_left(ConstColMatrixRef t, Transpose op, ColMatrixRef b) {
    if (b.size() == 0) return;
    if (table.trsm != nullptr) return triangular(table.trsm, 'L', 1.0, t, op, b);
    if (op == Transpose::no)
        serial::solve_lower(t, b);
    else
        serial::solve_lower_transposed(t, b);
}

}  // namespace kernelect::blas
