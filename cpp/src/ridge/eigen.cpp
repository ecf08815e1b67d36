#include "kernelect/ridge/eigen.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/patient_eigh.hpp"

namespace kernelect {

using linalg::ColMatrix;

EigenKernel::EigenKernel(linalg::ColMatrix& gram, bool bias, const Team& team)
    : vectors_(gram), bias_(bias), mean_diagonal_(gram.diagonal().mean()) {
    if (bias) {
        row_means_ = gram.colwise().mean();
        const double mean = row_means_.mean();
        for (Index j = 0; j < gram.cols(); ++j)
            gram.col(j).array() += mean - row_means_[j] - row_means_.array();
    }
    if (!gram.allFinite()) throw linalg::NoConvergence();  // row sums overflow before entries do
    values_ = linalg::patient_eigh(vectors_, true, team);
}

EigenRidge::EigenRidge(const EigenKernel& kernel, double rho, double jitter)
    : RidgeSystem(RidgePath::eigen, Vector::Constant(kernel.values_.size(), rho), kernel.bias_),
      kernel_(kernel),
      shrunk_((kernel.values_.array() + (rho + jitter)).inverse()) {
    jitter_ = jitter;
    if (bias_) {
        const Vector sums = kernel.vectors_.colwise().sum();
        border_ = kernel.vectors_ * shrunk_.cwiseProduct(sums) / static_cast<double>(size());
        border_.array() -= 0.5 * border_.mean();
    }
}

std::unique_ptr<EigenRidge> EigenRidge::make(const EigenKernel& kernel, double rho) {
    if (!(rho > 0.0)) return nullptr;
    // What rounding leaves of an eigenvalue 0.
    const double floor = static_cast<double>(kernel.values_.size()) *
                         std::numeric_limits<double>::epsilon() * (kernel.mean_diagonal_ + rho);
    for (std::optional<double> jitter = 0.0; jitter;
         jitter = next_jitter(*jitter, kernel.mean_diagonal_))
        if (kernel.values_.minCoeff() + rho + *jitter > floor)
            return std::unique_ptr<EigenRidge>(new EigenRidge(kernel, rho, *jitter));
    return nullptr;
}

RidgeSolution EigenRidge::solve(const ColMatrix& targets, const Folds& folds) const {
    RidgeSolution solution{{targets, Vector::Zero(targets.cols())}, {}};
    ColMatrix& alpha = solution.fit.alpha;
    const Eigen::RowVectorXd means = targets.colwise().mean();
    if (bias_) alpha.rowwise() -= means;
    ColMatrix coefficients(size(), targets.cols());
    blas::gemm(1.0, kernel_.vectors_, blas::Transpose::yes, alpha, blas::Transpose::no, 0.0,
               coefficients);
    coefficients = shrunk_.asDiagonal() * coefficients;
    blas::gemm(1.0, kernel_.vectors_, blas::Transpose::no, coefficients, blas::Transpose::no, 0.0,
               alpha);
    if (bias_) {
        alpha.rowwise() -= alpha.colwise().mean().eval();
        // 1'alpha = 0, so the mean of the equations K alpha + rho alpha + b = y is b.
        solution.fit.bias = means.transpose() - alpha.transpose() * kernel_.row_means_;
    }
    for (const Fold& fold : folds) {
        ColMatrix block = fold_block(fold);
        solution.held_out.push_back(fold_residuals(block, alpha, fold, {}));
    }
    return solution;
}

Vector EigenRidge::diagonal() const {
    Vector p = Vector::Zero(size());
    for (Index k = 0; k < size(); ++k) p += shrunk_[k] * kernel_.vectors_.col(k).cwiseAbs2();
    if (bias_) p -= 2.0 * border_;
    return p;
}

// The eigenvalue of HKH that belongs to 1 is no part of it: |HAH| over the others is 1'R1 / n |A|.
std::optional<double> EigenRidge::log_determinant() const {
    const double all = -shrunk_.array().log().sum();
    if (!bias_) return all;
    Index one = 0;
    kernel_.vectors_.colwise().sum().cwiseAbs().maxCoeff(&one);
    return all + std::log(shrunk_[one]) + std::log(static_cast<double>(size()));
}

ColMatrix EigenRidge::fold_block(const Fold& fold) const {
    const Index m = static_cast<Index>(fold.size());
    ColMatrix rows(m, size()), block = ColMatrix::Zero(m, m);
    if (bias_) {
        const Vector border = border_(fold);
        block.colwise() -= border;
        block.rowwise() -= border.transpose();
    }
    for (Index k = 0; k < size(); ++k)
        rows.col(k) = std::sqrt(shrunk_[k]) * kernel_.vectors_.col(k)(fold);
    blas::syrk(1.0, rows, blas::Transpose::no, 1.0, block);
    return block;
}

}  // namespace kernelect
