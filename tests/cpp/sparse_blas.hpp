#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "kernelect/base/types.hpp"
#include "kernelect/linalg/blas.hpp"

namespace kernelect::testing {

// A BLAS of plain loops that skip zeros, which multiplies for the core while it lives: operands as
// large as the core takes apart cost little when hardly anything is in them. It notes its calls.
class SparseBlas {
  public:
    // The matrix that a call wrote to.
    struct Call {
        const double* first;
        Index rows, columns;
    };
    using Hook = std::function<void(std::size_t call)>;

    // `before` is called with the number of every call, on the thread that makes it.
    explicit SparseBlas(Hook before = {}) : before_(std::move(before)) {
        current() = this;
        blas::use({gemm, syrk, symm, trmm, trsm});
    }
    ~SparseBlas() {
        blas::use(blas::Table{});
        current() = nullptr;
    }
    SparseBlas(const SparseBlas&) = delete;
    SparseBlas& operator=(const SparseBlas&) = delete;

    const std::vector<Call>& calls() const { return calls_; }

  private:
    using Out = Eigen::Map<blas::ColMatrix, 0, Eigen::OuterStride<>>;
    using In = Eigen::Map<const blas::ColMatrix, 0, Eigen::OuterStride<>>;

    static SparseBlas*& current() {
        static SparseBlas* one = nullptr;
        return one;
    }

    static Out out(double* data, int rows, int columns, int stride) {
        const Out matrix(data, rows, columns, Eigen::OuterStride<>(stride));
        SparseBlas& blas = *current();
        std::size_t call = 0;
        {
            const std::scoped_lock lock(blas.mutex_);
            call = blas.calls_.size();
            blas.calls_.push_back({data, rows, columns});
        }
        if (blas.before_) blas.before_(call);
        return matrix;
    }

    // An operand as it is stored, or the other way round.
    static In in(const double* data, int rows, int columns, int stride, bool transposed) {
        if (transposed) std::swap(rows, columns);
        return In(data, rows, columns, Eigen::OuterStride<>(stride));
    }

    static bool yes(const char* trans) { return *trans == 'T'; }

    // Calls use(i, k, value) for what is not zero in op(a).
    template <class Use>
    static void entries(const In& a, bool transposed, const Use& use) {
        for (Index q = 0; q < a.cols(); ++q) {
            const double* const column = a.data() + q * a.outerStride();
            for (Index p = 0; p < a.rows(); ++p)
                if (column[p] != 0.0) transposed ? use(q, p, column[p]) : use(p, q, column[p]);
        }
    }

    static void scale(double beta, Out c) {
        if (beta == 0.0)
            c.setZero();
        else if (beta != 1.0)
            c *= beta;
    }

    static void gemm(char* trans_a, char* trans_b, int* m, int* n, int* k, double* alpha, double* a,
                     int* lda, double* b, int* ldb, double* beta, double* c, int* ldc) {
        Out to = out(c, *m, *n, *ldc);
        const In right = in(b, *k, *n, *ldb, yes(trans_b));
        scale(*beta, to);
        entries(in(a, *m, *k, *lda, yes(trans_a)), yes(trans_a), [&](Index i, Index l, double v) {
            for (Index j = 0; j < *n; ++j)
                to(i, j) += *alpha * v * (yes(trans_b) ? right(j, l) : right(l, j));
        });
    }

    static void syrk(char*, char* trans, int* n, int* k, double* alpha, double* a, int* lda,
                     double* beta, double* c, int* ldc) {
        Out to = out(c, *n, *n, *ldc);
        const In left = in(a, *n, *k, *lda, yes(trans));
        for (Index j = 0; j < *n; ++j)
            for (Index i = j; i < *n; ++i) to(i, j) = *beta == 0.0 ? 0.0 : *beta * to(i, j);
        entries(left, yes(trans), [&](Index i, Index l, double v) {
            for (Index j = 0; j <= i; ++j)
                to(i, j) += *alpha * v * (yes(trans) ? left(l, j) : left(j, l));
        });
    }

    static void symm(char*, char* uplo, int* m, int* n, double* alpha, double* s, int* lds,
                     double* b, int* ldb, double* beta, double* c, int* ldc) {
        Out to = out(c, *m, *n, *ldc);
        const In right = in(b, *m, *n, *ldb, false);
        scale(*beta, to);
        entries(in(s, *m, *m, *lds, false), false, [&](Index i, Index j, double v) {
            if (*uplo == 'L' ? i < j : i > j) return;
            to.row(i) += *alpha * v * right.row(j);
            if (i != j) to.row(j) += *alpha * v * right.row(i);
        });
    }

    static void trmm(char* side, char*, char* trans, char*, int* m, int* n, double* alpha,
                     double* t, int* ldt, double* b, int* ldb) {
        Out to = out(b, *m, *n, *ldb);
        const blas::ColMatrix from = to;
        const bool left = *side == 'L', transposed = yes(trans);
        const int order = left ? *m : *n;
        to.setZero();
        entries(in(t, order, order, *ldt, false), false, [&](Index i, Index j, double v) {
            if (i < j) return;
            if (transposed) std::swap(i, j);
            if (left)
                to.row(i) += *alpha * v * from.row(j);
            else
                to.col(j) += *alpha * v * from.col(i);
        });
    }

    // Of the four kinds the one that the core takes apart.
    static void trsm(char* side, char*, char* trans, char*, int* m, int* n, double* alpha,
                     double* t, int* ldt, double* b, int* ldb) {
        if (*side != 'L' || yes(trans) || *alpha != 1.0)
            throw std::logic_error("this BLAS has no such solution");
        Out to = out(b, *m, *n, *ldb);
        entries(in(t, *m, *m, *ldt, false), false, [&](Index i, Index j, double v) {
            if (i == j) to.row(i) /= v;  // columns come in order, and in them the diagonal first
            if (i > j) to.row(i) -= v * to.row(j);
        });
    }

    Hook before_;
    std::mutex mutex_;
    std::vector<Call> calls_;
};

// A lower triangle of this order with a few entries in each column.
inline blas::ColMatrix sparse_triangle(Index order) {
    blas::ColMatrix t = blas::ColMatrix::Zero(order, order);
    for (Index j = 0; j < order; ++j) {
        t(j, j) = 1.5 + 0.25 * static_cast<double>(j % 5);
        if (j + 1 < order) t(j + 1, j) = -0.5;
        const Index far = j + (37 * j) % 400;
        if (far > j && far < order) t(far, j) = 0.125 * static_cast<double>(j % 7);
    }
    return t;
}

// A matrix with a few entries in each row, at places that look random.
inline blas::ColMatrix sparse_matrix(Index rows, Index columns) {
    blas::ColMatrix a = blas::ColMatrix::Zero(rows, columns);
    for (Index i = 0; i < rows; ++i)
        for (Index k = 0; k < 3; ++k)
            a(i, (7919 * i + 104729 * k + i * i) % columns) =
                0.3 + static_cast<double>((i + k) % 9);
    return a;
}

}  // namespace kernelect::testing
