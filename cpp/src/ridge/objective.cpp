#include "kernelect/ridge/objective.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/strips.hpp"
#include "kernelect/ridge/dense.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

constexpr double kLogTwoPi = 1.83787706640934548356;

// P in the lower triangle of a matrix, with what all goals want of it.
class ResidualMaker {
  public:
    ResidualMaker(const linalg::ColMatrixRef& p, ColMatrix py, const Vector& weights,
                  const Team& team)
        : alpha(std::move(py)),
          inverse_diagonal(p.diagonal().cwiseInverse()),
          residuals(inverse_diagonal.asDiagonal() * alpha),
          shares(weights.size() > 0 ? weights : Vector::Ones(p.rows())),
          p_(p),
          team_(team) {
        shares /= shares.sum() * static_cast<double>(alpha.cols());
    }

    ColMatrix times(const ColMatrix& vectors) const {
        ColMatrix product(vectors.rows(), vectors.cols());
        strips::symm(p_, blas::Triangle::lower, vectors, product, team_);
        return product;
    }
    ColMatrix block(const Fold& fold) const {
        const Index m = static_cast<Index>(fold.size());
        ColMatrix lower = ColMatrix::Zero(m, m);
        for (Index j = 0; j < m; ++j)
            for (Index i = j; i < m; ++i) lower(i, j) = p_(fold[place(i)], fold[place(j)]);
        return lower;
    }
    const Team& team() const { return team_; }

    ColMatrix alpha;          // a
    Vector inverse_diagonal;  // 1 / P_ii
    ColMatrix residuals;      // e, leave-one-out
    Vector shares;            // of every point and column in a mean loss

  private:
    const linalg::ColMatrixRef& p_;
    const Team& team_;
};

// A goal's value, and its G = P diag(v) P + c P + sum_k sym(l_k r_k').
struct Sketch {
    double value = 0.0;
    Vector v = {};  // empty for none
    double c = 0.0;
    ColMatrix left = {}, right = {};
};

Sketch leave_one_out(const ResidualMaker& p) {
    const ColMatrix u =
        (2.0 * p.shares.cwiseProduct(p.inverse_diagonal)).asDiagonal() * p.residuals;
    return {p.shares.dot(p.residuals.cwiseAbs2().rowwise().sum()),
            u.cwiseProduct(p.residuals).rowwise().sum(), 0.0, p.alpha, -p.times(u)};
}

// The mean over points and columns of log(2 pi s / P_ii) / 2 + e_i^2 P_ii / (2 s), where s of each
// column is the mean of e_i^2 P_ii.
Sketch surprise(const ResidualMaker& p) {
    const double columns = static_cast<double>(p.alpha.cols());
    const Vector scales = columns * p.alpha.cwiseProduct(p.residuals).transpose() * p.shares;
    const ColMatrix u = p.shares.asDiagonal() * p.residuals * scales.cwiseInverse().asDiagonal();
    const double value = 0.5 * (kLogTwoPi + 1.0 + scales.array().log().mean() +
                                columns * p.shares.dot(p.inverse_diagonal.array().log().matrix()));
    const Vector v = 0.5 * columns * p.shares.cwiseProduct(p.inverse_diagonal) +
                     0.5 * u.cwiseProduct(p.residuals).rowwise().sum();
    return {value, v, 0.0, p.alpha, -p.times(u)};
}

Sketch cross_validation(const ResidualMaker& p, const Folds& folds) {
    const Index n = p.alpha.rows(), columns = p.alpha.cols();
    const Index pairs = static_cast<Index>(folds.size()) * columns;
    double share = 0.0, value = 0.0;
    for (const Fold& fold : folds) share += p.shares(fold).sum() * static_cast<double>(columns);
    ColMatrix r = ColMatrix::Zero(n, pairs), s = r, all = ColMatrix::Zero(n, columns);
    for (std::size_t f = 0; f < folds.size(); ++f) {
        const Fold& fold = folds[f];
        const auto place_of = Eigen::seqN(static_cast<Index>(f) * columns, columns);
        ColMatrix block = p.block(fold);
        const ColMatrix residuals = fold_residuals(block, p.alpha, fold, p.team());
        r(fold, place_of) = residuals;
        const ColMatrix weighted = (2.0 / share * p.shares(fold)).asDiagonal() * residuals;
        value += 0.5 * weighted.cwiseProduct(residuals).sum();
        all(fold, Eigen::all) = weighted;
        block = p.block(fold);
        s(fold, place_of) = fold_residuals(block, all, fold, p.team());
        all(fold, Eigen::all) = s(fold, place_of);
    }
    Sketch sketch{value};
    sketch.left.resize(n, pairs + columns);
    sketch.right.resize(n, pairs + columns);
    sketch.left << p.times(r), p.alpha;
    sketch.right << p.times(s), -p.times(all);
    return sketch;
}

Sketch evidence(const RidgeObjective& objective, const ResidualMaker& p, double log_determinant) {
    const double columns = static_cast<double>(p.alpha.cols());
    const double freedom = static_cast<double>(p.alpha.rows()) - (objective.ridge.bias ? 1.0 : 0.0);
    const Vector energies = objective.targets.cwiseProduct(p.alpha).colwise().sum();
    const Vector scales = objective.variance > 0.0
                              ? Vector::Constant(energies.size(), objective.variance)
                              : Vector(energies / freedom);
    const double value = -0.5 * (freedom * (columns * kLogTwoPi + scales.array().log().sum()) +
                                 columns * log_determinant + energies.cwiseQuotient(scales).sum());
    return {value, {}, -0.5 * columns, p.alpha, 0.5 * p.alpha * scales.cwiseInverse().asDiagonal()};
}

Sketch sketch_of(const RidgeObjective& objective, const ResidualMaker& p, double log_determinant) {
    switch (objective.goal) {
        case RidgeGoal::loo:
            return leave_one_out(p);
        case RidgeGoal::log_probability:
            return surprise(p);
        case RidgeGoal::cv:
            return cross_validation(p, objective.folds);
        case RidgeGoal::evidence:
            return evidence(objective, p, log_determinant);
    }
    return {};
}

// diag(d) P in full, from the lower triangle of P.
ColMatrix diagonal_times(const Vector& d, const linalg::ColMatrixRef& p) {
    constexpr Index kBlock = 64;  // stays in the first-level cache while it is transposed
    const Index n = p.rows();
    ColMatrix full(n, n);
    for (Index col = 0; col < n; col += kBlock)
        for (Index row = col; row < n; row += kBlock) {
            const Index rows = std::min(kBlock, n - row), cols = std::min(kBlock, n - col);
            if (row == col) {
                full.block(row, col, rows, cols) =
                    d.segment(row, rows).asDiagonal() *
                    ColMatrix(p.block(row, col, rows, cols).selfadjointView<Eigen::Lower>());
                continue;
            }
            const auto block = p.block(row, col, rows, cols);
            full.block(row, col, rows, cols) = d.segment(row, rows).asDiagonal() * block;
            full.block(col, row, cols, rows) =
                d.segment(col, cols).asDiagonal() * block.transpose();
        }
    return full;
}

// The lower triangle of P becomes that of P diag(v) P + c P.
void finish(const Sketch& sketch, GramBuffer& gram) {
    linalg::ColMatrixRef& p = gram.scratch();
    if (sketch.v.size() == 0) {
        p.triangularView<Eigen::Lower>() *= sketch.c;
        return;
    }
    // Columns rather than rows: BLAS packs them faster.
    const ColMatrix columns = diagonal_times(sketch.v.cwiseSqrt(), p);
    p.triangularView<Eigen::Lower>().setZero();
    strips::add_gram(1.0, columns, blas::Transpose::yes, p, gram.team());
}

}  // namespace

MatrixSlopes differentiate(const RidgeObjective& objective, GramBuffer& gram) {
    if (objective.targets.rows() != gram.size() || gram.size() < 2 || objective.targets.cols() < 1)
        throw std::invalid_argument("there must be a row for every target, two at least");
    if (objective.goal == RidgeGoal::cv && objective.folds.empty())
        throw std::invalid_argument("cross-validation needs folds");
    const DenseRidge system(gram, objective.ridge);
    ColMatrix alpha = system.fit(objective.targets).alpha;
    const double log_determinant = system.log_determinant().value();
    gram.team().pause();
    system.complete(gram);
    const ResidualMaker p(gram.matrix(), std::move(alpha), objective.ridge.weights, gram.team());
    Sketch sketch = sketch_of(objective, p, log_determinant);
    if (!std::isfinite(sketch.value))
        throw std::domain_error("the value has left the range of doubles");
    finish(sketch, gram);
    const bool matrix = sketch.v.size() > 0 || sketch.c != 0.0;
    // dJ/drho: rho stands on the diagonal, over the weights of the losses
    Vector diagonal = sketch.left.cwiseProduct(sketch.right).rowwise().sum();
    if (matrix) diagonal += gram.matrix().diagonal();
    const double by_rho = objective.ridge.weights.size() > 0
                              ? diagonal.cwiseQuotient(objective.ridge.weights).sum()
                              : diagonal.sum();
    return {sketch.value, by_rho, system.jitter(), std::move(sketch.left), std::move(sketch.right),
            matrix};
}

}  // namespace kernelect
