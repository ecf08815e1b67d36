#include "kernelect/ridge/near_low_rank.hpp"

#include <algorithm>
#include <cmath>

#include "kernelect/linalg/serial.hpp"
#include "kernelect/linalg/strips.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

constexpr double kLargestRest = 0.05;  // q beyond which the series takes too many steps
constexpr double kSolved = 1e-14;      // relative error of coefficients that ends the iteration
constexpr double kDigitsLost = 1e4;    // D_i / Q_ii beyond which Q_ii has lost too many digits
constexpr double kCondition = 1e5;     // of G G' on top of the ridge, beyond which rounding shows

Vector row_dots(const ColMatrix& a, const ColMatrix& b) {
    return a.cwiseProduct(b).rowwise().sum();
}

ColMatrix basis_of(const KernelSplit& split, bool bias) {
    ColMatrix basis(split.size(), split.rank() + (bias ? 1 : 0));
    basis.leftCols(split.rank()) = split.columns();
    if (bias) basis.rightCols(1).setOnes();
    return basis;
}

}  // namespace

NearLowRankRidge::NearLowRankRidge(const KernelSplit& split, const Ridge& ridge)
    : RidgeSystem(split.rank() == 0 ? RidgePath::identity : RidgePath::low_rank,
                  ridge.diagonal(split.size()), ridge.bias),
      split_(split),
      basis_(basis_of(split, ridge.bias)),
      d_((ridge_ + split.rest_diagonal()).cwiseInverse()),
      q_(1.0) {}

std::unique_ptr<NearLowRankRidge> NearLowRankRidge::make(const KernelSplit& split,
                                                         const Ridge& ridge) {
    std::unique_ptr<NearLowRankRidge> system(new NearLowRankRidge(split, ridge));
    // A kernel that is not positive semidefinite may leave a diagonal that eats up the ridge.
    if (!((0.5 * system->ridge_ + split.rest_diagonal()).minCoeff() > 0.0)) return nullptr;
    if (!(split.columns().squaredNorm() * system->d_.maxCoeff() <= kCondition)) return nullptr;
    const RestNorms norms = rest_norms(split.rest(), system->d_);
    system->q_ = norms.bound;
    system->squares_ = system->d_.dot(norms.squared);
    if (!(norms.bound <= kLargestRest) || !system->make_diagonal(norms)) return nullptr;
    return system;
}

Index NearLowRankRidge::passes() const {
    if (q_ <= kSolved) return 0;
    return std::max<Index>(1, static_cast<Index>(std::ceil(std::log(kSolved) / std::log(q_))));
}

bool NearLowRankRidge::make_diagonal(const RestNorms& norms) {
    const Index r = basis_.cols();
    const Team& team = split_.gram().team();
    system_ = ColMatrix::Zero(r, r);
    system_.diagonal().head(split_.rank()).setOnes();
    strips::gemm(1.0, basis_, blas::Transpose::yes, ColMatrix(d_.asDiagonal() * basis_), 1.0,
                 system_, team);
    factor_ = system_;
    if (!linalg::cholesky(factor_)) return false;

    const ColMatrix u = half();
    diagonal_ = d_ - u.rowwise().squaredNorm();
    if (!((kDigitsLost * diagonal_ - d_).minCoeff() >= 0.0)) return false;

    const auto within = [&](const Vector& error) {
        return (kSeriesTolerance * diagonal_ - error / (1.0 - q_)).minCoeff() >= 0.0;
    };
    if (within(q_ * d_)) return true;  // |Q E P| <= q/(1-q) D

    // (Q E Q)_ii = -2 D_i x_i'u_i + u_i'N u_i with X = E U, N = U'X
    ColMatrix x(size(), r), n(r, r), m(r, r);
    strips::symm(split_.rest(), blas::Triangle::lower, u, x, team);
    strips::gemm(1.0, u, blas::Transpose::yes, x, 0.0, n, team);
    const ColMatrix un = serial::product(u, n);
    const Vector first = row_dots(un, u) - 2.0 * d_.cwiseProduct(row_dots(x, u));

    // t_i = D_i E e_i - X u_i, in the norm of D at most D_i sqrt(a_i) + sqrt(u_i'M u_i), M = X'D X
    const ColMatrix dx = d_.asDiagonal() * x;
    strips::gemm(1.0, x, blas::Transpose::yes, dx, 0.0, m, team);
    const Vector umu = row_dots(serial::product(u, m), u).cwiseMax(0.0);
    const Vector tau_bound =
        (d_.cwiseProduct(norms.squared.cwiseSqrt()) + umu.cwiseSqrt()).cwiseAbs2();
    diagonal_ -= first;
    if (within(tau_bound)) return true;
    if (!within(q_ * tau_bound)) return false;

    // (Q E Q E Q)_ii = t_i'Q t_i = tau_i - |U't_i|^2 with U't_i = D_i x_i - N u_i
    ColMatrix y(size(), r);
    strips::symm(split_.rest(), blas::Triangle::lower, dx, y, team);
    const Vector tau =
        d_.cwiseAbs2().cwiseProduct(norms.squared) - 2.0 * d_.cwiseProduct(row_dots(y, u)) + umu;
    diagonal_ += tau - (dx - un).rowwise().squaredNorm();
    return true;
}

ColMatrix NearLowRankRidge::half() const {
    ColMatrix u = d_.asDiagonal() * basis_, inverse = factor_;
    linalg::invert_lower(inverse);
    strips::trmm_right(1.0, inverse, blas::Transpose::yes, u, split_.gram().team());
    return u;
}

// With S = Q^1/2 E Q^1/2, |S| <= q and |S|_F^2 <= f, what is left of log |I + S| after tr S is at
// most f/2/(1-q), and after tr S - tr S^2 / 2 at most q f/3/(1-q).
std::optional<double> NearLowRankRidge::log_determinant() const {
    double value = 2.0 * factor_.diagonal().array().log().sum() - d_.array().log().sum();
    const double tolerance = kSeriesTolerance * std::max(1.0, std::abs(value));
    if (q_ * squares_ / 3.0 / (1.0 - q_) > tolerance) return std::nullopt;
    const Team& team = split_.gram().team();
    const Index r = basis_.cols();
    const ColMatrix u = half();
    ColMatrix x(size(), r), n(r, r);
    strips::symm(split_.rest(), blas::Triangle::lower, u, x, team);
    strips::gemm(1.0, u, blas::Transpose::yes, x, 0.0, n, team);
    value -= n.trace();  // E has no diagonal, so tr Q E is that of -U'E U
    if (squares_ / 2.0 / (1.0 - q_) > tolerance)
        value -=
            0.5 * (squares_ - 2.0 * (d_.asDiagonal() * x).cwiseProduct(x).sum() + n.squaredNorm());
    return value;
}

ColMatrix NearLowRankRidge::correct(const Groups& groups, const ColMatrix& residuals,
                                    Vector& bias) const {
    const Index count = static_cast<Index>(groups.factors.size()), width = residuals.cols() / count,
                r = basis_.cols();
    ColMatrix step(residuals.rows(), residuals.cols()), z(r, residuals.cols());
    for (Index g = 0; g < count; ++g)
        step.middleCols(g * width, width) = groups.masks.col(g).cwiseProduct(d_).asDiagonal() *
                                            residuals.middleCols(g * width, width);
    blas::gemm(1.0, basis_, blas::Transpose::yes, step, blas::Transpose::no, 0.0, z);
    for (Index g = 0; g < count; ++g) {
        const ColMatrix& factor = groups.factors[place(g)];
        serial::solve_factored(factor, z.middleCols(g * width, width));
    }
    step = residuals;
    blas::gemm(-1.0, basis_, blas::Transpose::no, z, blas::Transpose::no, 1.0, step);
    for (Index g = 0; g < count; ++g) {
        auto columns = step.middleCols(g * width, width);
        columns = groups.masks.col(g).cwiseProduct(d_).asDiagonal() * columns;
    }
    if (bias_) bias += z.bottomRows(1).transpose();
    return step;
}

// After a step, the error left is at most q/(1-q) times as long as the step, in the norm of D^-1.
bool NearLowRankRidge::converged(const ColMatrix& step, const ColMatrix& alpha) const {
    const auto scale = d_.cwiseSqrt().cwiseInverse().asDiagonal();
    const auto left = (scale * step).colwise().norm() * (q_ / (1.0 - q_));
    return (left - kSolved * (scale * alpha).colwise().norm()).maxCoeff() <= 0.0;
}

// y - A x - b with the kernel itself, which the other triangle still holds: what the split lost to
// rounding does not matter then.
ColMatrix NearLowRankRidge::residuals(const ColMatrix& targets, const RidgeFit& fit) const {
    const bool diagonal_kernel = q_ <= kSolved && split_.rank() == 0;
    ColMatrix r = targets.rowwise() - fit.bias.transpose();
    r -= (split_.gram().diagonal() + ridge_).asDiagonal() * fit.alpha;
    if (!diagonal_kernel)
        blas::symm(-1.0, split_.gram().matrix(), blas::Triangle::upper, fit.alpha, 1.0, r);
    return r;
}

NearLowRankRidge::Groups NearLowRankRidge::groups(const Folds& folds) const {
    Groups groups{ColMatrix::Ones(size(), 1 + static_cast<Index>(folds.size())), {factor_}};
    for (const Fold& fold : folds) {
        for (const Index i : fold) groups.masks(i, static_cast<Index>(groups.factors.size())) = 0.0;
        // H without the fold's share: H - B_F'D_F B_F
        const ColMatrix rows =
            d_(fold).cwiseSqrt().asDiagonal() * ColMatrix(basis_(fold, Eigen::all));
        ColMatrix factor = system_;
        blas::syrk(-1.0, rows, blas::Transpose::yes, 1.0, factor);
        if (!linalg::cholesky(factor)) throw SingularFoldBlock();
        groups.factors.push_back(std::move(factor));
    }
    return groups;
}

RidgeSolution NearLowRankRidge::solve(const ColMatrix& targets, const Folds& folds) const {
    const Groups models = groups(folds);
    const Index width = targets.cols();
    const ColMatrix y = targets.replicate(1, models.masks.cols());
    RidgeFit fit{ColMatrix(), Vector::Zero(y.cols())};
    fit.alpha = correct(models, y, fit.bias);
    ColMatrix rest = residuals(y, fit);
    // The first step back also takes out the rounding of H, so it is made even where E is nothing.
    for (Index pass = 0; pass < std::max<Index>(1, passes()); ++pass) {
        const ColMatrix step = correct(models, rest, fit.bias);
        fit.alpha += step;
        split_.gram().team().pause();
        const bool last = converged(step, fit.alpha);
        if (!last || !folds.empty()) rest = residuals(y, fit);
        if (last) break;
    }
    RidgeSolution solution{{fit.alpha.leftCols(width), fit.bias.head(width)}, {}};
    for (std::size_t f = 0; f < folds.size(); ++f)
        solution.held_out.push_back(
            rest.middleCols(static_cast<Index>(f + 1) * width, width)(folds[f], Eigen::all));
    return solution;
}

}  // namespace kernelect
