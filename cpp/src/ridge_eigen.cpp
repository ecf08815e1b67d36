#include "kernelect/ridge_eigen.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernelect/blas.hpp"

namespace kernelect {

using linalg::ColMatrix;

EigenKernel::EigenKernel(linalg::ColMatrixRef gram, bool bias)
    : vectors_(gram), bias_(bias), mean_diagonal_(gram.diagonal().mean()) {
    if (bias) {
        row_means_ = gram.colwise().mean();
        const double mean = row_means_.mean();
        for (Index j = 0; j < gram.cols(); ++j)
            gram.col(j).array() += mean - row_means_[j] - row_means_.array();
    }
    values_ = linalg::eigh(vectors_, true);
}

EigenRidge::EigenRidge(const EigenKernel& kernel, double rho)
    : RidgeSystem(RidgePath::eigen, Vector::Constant(kernel.values_.size(), rho), kernel.bias_),
      kernel_(kernel) {
    if (!(rho > 0.0)) throw std::invalid_argument("a path of ridges needs rho > 0");
    const double largest = std::max(kernel.values_.maxCoeff(), 0.0) + rho;
    const double floor =
        static_cast<double>(size()) * std::numeric_limits<double>::epsilon() * largest;
    while (!(kernel.values_.minCoeff() + rho + jitter_ > floor)) {
        const auto next = next_jitter(jitter_, kernel.mean_diagonal_);
        if (!next) throw SingularFoldBlock();
        jitter_ = *next;
    }
    shrunk_ = (kernel.values_.array() + rho + jitter_).inverse();
    if (bias_) constant_ = 1.0 / (static_cast<double>(size()) * (rho + jitter_));
}

RidgeSolution EigenRidge::solve(const ColMatrix& targets, const Folds& folds) const {
    ColMatrix coefficients(size(), targets.cols());
    blas::gemm(1.0, kernel_.vectors_, blas::Op::transpose, targets, blas::Op::none, 0.0,
               coefficients);
    coefficients = shrunk_.asDiagonal() * coefficients;
    RidgeSolution solution{{targets, Vector::Zero(targets.cols())}, {}};
    ColMatrix& alpha = solution.fit.alpha;
    blas::gemm(1.0, kernel_.vectors_, blas::Op::none, coefficients, blas::Op::none, 0.0, alpha);
    if (bias_) {
        const Vector means = targets.colwise().mean();
        alpha.rowwise() -= static_cast<double>(size()) * constant_ * means.transpose();
        // 1'alpha = 0, so the mean of the equations K alpha + rho alpha + b = y is b.
        solution.fit.bias = means - alpha.transpose() * kernel_.row_means_;
    }
    for (const Fold& fold : folds) {
        ColMatrix block = fold_block(fold);
        solution.held_out.push_back(fold_residuals(block, alpha, fold));
    }
    return solution;
}

Vector EigenRidge::diagonal() const {
    Vector p = Vector::Constant(size(), -constant_);
    for (Index k = 0; k < size(); ++k) p += shrunk_[k] * kernel_.vectors_.col(k).cwiseAbs2();
    return p;
}

ColMatrix EigenRidge::fold_block(const Fold& fold) const {
    const Index m = static_cast<Index>(fold.size());
    ColMatrix rows(m, size()), block = ColMatrix::Constant(m, m, -constant_);
    for (Index k = 0; k < size(); ++k)
        rows.col(k) = std::sqrt(shrunk_[k]) * kernel_.vectors_.col(k)(fold);
    blas::syrk(1.0, rows, blas::Op::none, 1.0, block);
    return block;
}

}  // namespace kernelect
