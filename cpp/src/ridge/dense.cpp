#include "kernelect/ridge/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/inverse_cholesky.hpp"
#include "kernelect/linalg/triangles.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

[[noreturn]] void refuse(double rho) {
    std::ostringstream text;
    if (rho <= 0.0)
        text << "the kernel matrix is singular and rho = " << rho
             << " does not mend that: give a positive lam";
    else
        text << "the kernel matrix is not positive semidefinite, or not finite: even with rho = "
             << rho
             << " and a millionth of its mean diagonal added it has no Cholesky factor; give a "
                "larger lam or another kernel";
    throw std::domain_error(text.str());
}

}  // namespace

DenseRidge::DenseRidge(GramBuffer& gram, const Ridge& ridge, double least_jitter)
    : RidgeSystem(RidgePath::dense, ridge.diagonal(gram.size()), ridge.bias),
      w_(gram.matrix()),
      team_(gram.team()) {
    jitter_ = least_jitter;
    while (!factor(gram, jitter_)) {
        const auto next = next_jitter(jitter_, gram.mean_diagonal());
        if (ridge.rho <= 0.0 || !next) refuse(ridge.rho);
        jitter_ = *next;
    }
    if (bias_) {
        ColMatrix ones = ColMatrix::Ones(size(), 1);
        blas::trmm_left(1.0, w_, blas::Transpose::no, ones);
        total_ = ones.squaredNorm();
        blas::trmm_left(1.0, w_, blas::Transpose::yes, ones);
        r1_ = ones.col(0);
    }
}

bool DenseRidge::factor(GramBuffer& gram, double jitter) {
    gram.restore();
    linalg::ColMatrixRef& a = gram.scratch();
    a.diagonal() = gram.diagonal() + ridge_ + Vector::Constant(size(), jitter);
    const double largest = a.diagonal().maxCoeff();
    if (!linalg::inverse_cholesky(a, team_)) return false;
    // The pivots are L_ii^2 = 1 / W_ii^2; one at rounding level holds no digit of the kernel.
    const double least_pivot = 1.0 / a.diagonal().cwiseAbs2().maxCoeff();
    return least_pivot >
           static_cast<double>(size()) * std::numeric_limits<double>::epsilon() * largest;
}

RidgeSolution DenseRidge::solve(const ColMatrix& targets, const Folds& folds) const {
    RidgeSolution solution{{targets, Vector::Zero(targets.cols())}, {}};
    ColMatrix& alpha = solution.fit.alpha;
    blas::trmm_left(1.0, w_, blas::Transpose::no, alpha);
    blas::trmm_left(1.0, w_, blas::Transpose::yes, alpha);
    if (bias_) {
        solution.fit.bias = targets.transpose() * r1_ / total_;  // 1'Ry / 1'R1
        alpha.noalias() -= r1_ * solution.fit.bias.transpose();
    }
    for (const Fold& fold : folds) {
        ColMatrix block = fold_block(fold);
        solution.held_out.push_back(fold_residuals(block, alpha, fold, team_));
    }
    return solution;
}

Vector DenseRidge::diagonal() const {
    Vector p = triangles::squared_columns(w_);
    if (bias_) p -= r1_.cwiseAbs2() / total_;
    return p;
}

std::optional<double> DenseRidge::log_determinant() const {
    const double log_a = -2.0 * w_.diagonal().array().log().sum();
    return bias_ ? log_a + std::log(total_) : log_a;
}

void DenseRidge::complete(GramBuffer& gram) const {
    linalg::ColMatrixRef& p = gram.scratch();
    linalg::gram_of_inverse(p, team_);
    if (!bias_) return;
    const Index n = size();
    for (Index j = 0; j < n; ++j) p.col(j).tail(n - j) -= (r1_[j] / total_) * r1_.tail(n - j);
}

// R_FF = W_F'W_F. Column j of W starts at row j, so of the rows in a strip only the columns before
// its end count: for folds spread over all points that saves two thirds of the work.
ColMatrix DenseRidge::fold_block(const Fold& fold) const {
    constexpr Index kRowsAtOnce = 256;
    const Index n = size(), m = static_cast<Index>(fold.size());
    ColMatrix block = ColMatrix::Zero(m, m), strip(std::min(kRowsAtOnce, n), m);
    for (Index top = fold.front() / kRowsAtOnce * kRowsAtOnce; top < n; top += kRowsAtOnce) {
        const Index rows = std::min(kRowsAtOnce, n - top);
        Index cols = 0;
        for (; cols < m && fold[place(cols)] < top + rows; ++cols) {
            const Index j = fold[place(cols)];
            const Index above = std::max<Index>(0, j - top);  // rows of the strip before row j
            strip.col(cols).head(above).setZero();
            strip.col(cols).segment(above, rows - above) =
                w_.col(j).segment(top + above, rows - above);
        }
        blas::syrk(1.0, strip.topLeftCorner(rows, cols), blas::Transpose::yes, 1.0,
                   block.topLeftCorner(cols, cols));
        team_.pause();
    }
    if (bias_) {
        const Vector r1 = r1_(fold);
        block.selfadjointView<Eigen::Lower>().rankUpdate(r1, -1.0 / total_);
    }
    return block;
}

}  // namespace kernelect
