#include "kernelect/landmarks/ridge.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kernelect/base/parallel.hpp"
#include "kernelect/base/simd.hpp"
#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/patient_eigh.hpp"

namespace kernelect {
namespace {

using blas::Transpose;
using linalg::ColMatrix;

constexpr Index kRowsAtOnce = 1024;

// A group of RowSums around origins that are moved by some vectors.
struct MovedSums {
    MovedSums(const ColMatrix& sums, Index landmarks, const Vector& by, const Vector& target_by) {
        const Index last = sums.rows() - 1, order = by.size(), width = target_by.size();
        weight = sums(last, last);
        const Vector g = sums.row(last).head(order), y = sums.row(last).segment(landmarks, width);
        of_g = g - weight * by;
        of_y = y - weight * target_by;
        squares = sums.topLeftCorner(order, order);
        for (Index j = 0; j < order; ++j) squares.col(j) -= by(j) * g + of_g(j) * by;
        products = sums.block(landmarks, 0, width, order).transpose();
        products -= g * target_by.transpose() + by * of_y.transpose();
        total = sums.diagonal().segment(landmarks, width);
        total -= target_by.cwiseProduct(y + of_y);
    }

    double weight;       // sum w
    Vector of_g, of_y;   // sum w g, sum w y
    ColMatrix squares;   // sum w g g', its lower triangle
    ColMatrix products;  // sum w g y'
    Vector total;        // sum w y^2
};

}  // namespace

LandmarkRidge::LandmarkRidge(const LandmarkBasis& basis, const ColMatrix& sums,
                             const Vector& target_origin, bool bias, Index order, const Team& team)
    : basis_(basis), bias_(bias) {
    const Index m = basis.size(), last = sums.rows() - 1, width = target_origin.size();
    if (order < 1 || order > m || sums.cols() != sums.rows() || last != m + width || width < 1)
        throw std::invalid_argument("sums and basis differ in their landmarks");
    if (!sums.allFinite()) throw std::domain_error("the kernel is not finite on all rows");
    weight_ = sums(last, last);
    if (!(weight_ > 0.0)) throw std::domain_error("there is no row to train on");
    const Vector origin = basis.origin().head(order);
    if (bias) {
        moved_ = sums.row(last).head(order) / weight_;
        target_moved_ = sums.row(last).segment(m, width) / weight_;
        centre_ = origin + moved_;
        target_centre_ = target_origin + target_moved_;
    } else {  // back to sums around 0
        moved_ = -origin;
        target_moved_ = -target_origin;
        centre_ = Vector::Zero(order);
        target_centre_ = Vector::Zero(width);
    }
    MovedSums own(sums, m, moved_, target_moved_);
    vectors_ = std::move(own.squares);
    total_ = own.total;
    values_ = linalg::patient_eigh(vectors_, true, team).cwiseMax(0.0);
    moments_.resize(order, width);
    blas::gemm(1.0, vectors_, Transpose::yes, own.products, Transpose::no, 0.0, moments_);
}

LandmarkFit LandmarkRidge::fit(double rho) const {
    const ColMatrix shrunk = (values_.array() + rho).inverse().matrix().asDiagonal() * moments_;
    LandmarkFit fit{ColMatrix(order(), shrunk.cols()), target_centre_};
    blas::gemm(1.0, vectors_, Transpose::no, shrunk, Transpose::no, 0.0, fit.coefficients);
    fit.bias -= fit.coefficients.transpose() * centre_;
    basis_.to_kernels(fit.coefficients);
    return fit;
}

Vector LandmarkRidge::squared_residuals(double rho) const {
    const Eigen::ArrayXd d = (values_.array() + rho).inverse();
    const Vector explained = (values_.array() + 2.0 * rho) * d * d;
    return total_ - moments_.cwiseAbs2().transpose() * explained;
}

double LandmarkRidge::degrees_of_freedom(double rho) const {
    return (bias_ ? 1.0 : 0.0) + (values_.array() / (values_.array() + rho)).sum();
}

// What all rows share: D of each ridge, D c of each ridge and column, t of each landmark.
struct LandmarkRidge::Scoring {
    Scoring(const LandmarkRidge& model, const LandmarkColumns& from, const ScoredRows& wanted,
            const std::vector<double>& ridges, bool held_out)
        : columns(from),
          rows(wanted),
          rho(ridges),
          left_out(held_out),
          shrink(model.order(), static_cast<Index>(ridges.size())),
          shrunk(model.order(), static_cast<Index>(ridges.size()) * wanted.targets.cols()) {
        const Index n = from.rows(), width = wanted.targets.cols();
        if (from.landmarks() != model.basis_.size() || wanted.targets.rows() != n ||
            width != model.target_centre_.size() ||
            (wanted.weights.size() != 0 && wanted.weights.size() != n) ||
            (!wanted.landmark.empty() && wanted.landmark.size() != place(n)))
            throw std::invalid_argument("scored rows and landmark model differ in their shape");
        for (Index l = 0; l < shrink.cols(); ++l) {
            shrink.col(l) = (model.values_.array() + ridges[place(l)]).inverse();
            shrunk.middleCols(l * width, width) = shrink.col(l).asDiagonal() * model.moments_;
        }
        if (left_out && !rows.landmark.empty()) {
            landmarks = model.vectors_;
            model.basis_.to_kernels(landmarks);
        }
    }

    const LandmarkColumns& columns;
    const ScoredRows& rows;
    const std::vector<double>& rho;
    bool left_out;
    ColMatrix shrink, shrunk, landmarks;
    Vector constants = {};  // beside the shrunk of each ridge and column; empty: 0
};

void LandmarkRidge::score(const Scoring& s, Index first, Index count,
                          LandmarkResiduals& out) const {
    const Index width = target_centre_.size(), ridges = s.shrink.cols();
    ColMatrix values(basis_.size(), count), u(order(), count);
    s.columns.write(first, values);
    auto g = values.topRows(order());
    basis_.whiten(g);
    if (s.left_out)
        out.unseen.segment(first, count) =
            s.columns.own(first, count) - g.colwise().squaredNorm().transpose();
    g.colwise() -= centre_;
    blas::gemm(1.0, vectors_, Transpose::yes, g, Transpose::no, 0.0, u);
    const ColMatrix targets =
        (s.rows.targets.middleRows(first, count).rowwise() - target_centre_.transpose())
            .transpose();
    ColMatrix residuals = targets.replicate(ridges, 1);  // column by column of each ridge
    if (s.constants.size() > 0) residuals.colwise() -= s.constants;
    blas::gemm(-1.0, s.shrunk, Transpose::yes, u, Transpose::no, 1.0, residuals);
    if (s.left_out) {
        const ColMatrix squares = u.cwiseAbs2();
        ColMatrix share(ridges, count);  // 1 - h
        blas::gemm(1.0, s.shrink, Transpose::yes, squares, Transpose::no, 0.0, share);
        for (Index i = 0; i < count; ++i) {
            const double w = s.rows.weights.size() > 0 ? s.rows.weights[first + i] : 1.0;
            const Index landmark = s.rows.landmark.empty() ? -1 : s.rows.landmark[place(first + i)];
            share.col(i) = 1.0 - (bias_ ? w / weight_ : 0.0) - w * share.col(i).array();
            const bool in_basis = landmark >= 0 && landmark < order();
            if (in_basis) out.unseen(first + i) = 1.0 / s.landmarks.row(landmark).squaredNorm();
            for (Index l = 0; l < ridges; ++l) {
                auto e = residuals.col(i).segment(l * width, width);
                if (!in_basis) {
                    e /= share(l, i);
                    continue;
                }
                const auto t = s.landmarks.row(landmark).transpose();
                const Vector td = t.cwiseProduct(s.shrink.col(l));
                const double along = td.dot(u.col(i)), p = td.dot(t);
                const Vector a = moments_.transpose() * td;
                const double rest = p * share(l, i) + w * along * along;
                e = (p * e + along * a) / rest;
                share(l, i) = rest / p;
            }
        }
        out.shares.middleCols(first, count) = share;
    }
    for (Index l = 0; l < ridges; ++l)
        out.of_ridge[place(l)].middleRows(first, count) =
            residuals.middleRows(l * width, width).transpose();
}

void LandmarkRidge::expand(Scoring& s, const FoldSeries& series) const {
    const Index width = target_centre_.size(), ridges = s.shrink.cols();
    if (series.sums.rows() != basis_.size() + width + 1 ||
        series.sums.cols() != series.sums.rows() || series.order < 1 || !(series.ratio > 0.0))
        throw std::invalid_argument("a series and its landmark model differ in their shape");
    const MovedSums fold(series.sums, basis_.size(), moved_, target_moved_);
    // Sums over F of (u, 1) times the function that coefficients and constants are.
    const auto of_fold = [&](const ColMatrix& theta, const Vector& constants) {
        ColMatrix rotated(order(), theta.cols()), sums(order(), theta.cols());
        blas::gemm(1.0, vectors_, Transpose::no, theta, Transpose::no, 0.0, rotated);
        blas::symm(1.0, fold.squares, blas::Triangle::lower, rotated, 0.0, sums);
        sums += fold.of_g * constants.transpose();
        std::pair<ColMatrix, Vector> found(
            ColMatrix(order(), theta.cols()),
            rotated.transpose() * fold.of_g + fold.weight * constants);
        blas::gemm(1.0, vectors_, Transpose::yes, sums, Transpose::no, 0.0, found.first);
        return found;
    };
    // The fit A of a function of which these are the sums over all rows.
    const auto smooth = [&](ColMatrix& theta, Vector& constants) {
        for (Index l = 0; l < ridges; ++l)
            theta.middleCols(l * width, width).array().colwise() *= s.shrink.col(l).array();
        constants *= bias_ ? 1.0 / weight_ : 0.0;
    };
    const double inside = 1.0 + series.ratio;
    // -A (D g), g the residuals: over all rows they have the sums rho theta.
    s.constants = Vector::Zero(s.shrunk.cols());
    auto [theta, constants] = of_fold(s.shrunk, s.constants);
    ColMatrix products(order(), width);
    blas::gemm(1.0, vectors_, Transpose::yes, fold.products, Transpose::no, 0.0, products);
    theta = inside * (theta - products.replicate(1, ridges));
    constants = inside * (constants - fold.of_y.replicate(ridges, 1));
    for (Index l = 0; l < ridges; ++l)
        theta.middleCols(l * width, width) +=
            series.ratio * s.rho[place(l)] * s.shrunk.middleCols(l * width, width);
    smooth(theta, constants);
    for (int term = 1;; ++term) {
        s.shrunk += theta;
        s.constants += constants;
        if (term == series.order) return;
        auto [next, of_ones] = of_fold(theta, constants);
        next = inside * next - series.ratio * (values_.asDiagonal() * theta);
        constants = inside * of_ones - series.ratio * weight_ * constants;
        theta = std::move(next);
        smooth(theta, constants);
    }
}

LandmarkResiduals LandmarkRidge::residuals(const LandmarkColumns& columns, const ScoredRows& rows,
                                           const std::vector<double>& ridges, bool left_out,
                                           Control& control) const {
    return scored({*this, columns, rows, ridges, left_out}, control);
}

LandmarkResiduals LandmarkRidge::expanded(const LandmarkColumns& columns, const ScoredRows& rows,
                                          const std::vector<double>& ridges,
                                          const FoldSeries& series, Control& control) const {
    Scoring scoring(*this, columns, rows, ridges, false);
    expand(scoring, series);
    return scored(scoring, control);
}

LandmarkResiduals LandmarkRidge::scored(const Scoring& scoring, Control& control) const {
    const Index n = scoring.columns.rows(), width = target_centre_.size();
    const Index ridges = scoring.shrink.cols();
    LandmarkResiduals found{std::vector<ColMatrix>(place(ridges), ColMatrix(n, width))};
    if (scoring.left_out) {
        found.shares.resize(ridges, n);
        found.unseen.resize(n);
    }
    const Index parts = (n + kRowsAtOnce - 1) / kRowsAtOnce;
    control.begin(static_cast<double>(parts));
    parallel_tasks(parts, control, [&](Index part, int worker) {
        const simd::FlushDenormals flush;
        const Index first = part * kRowsAtOnce;
        score(scoring, first, std::min(kRowsAtOnce, n - first), found);
        control.advance(1.0, worker == 0);
    });
    return found;
}

}  // namespace kernelect
