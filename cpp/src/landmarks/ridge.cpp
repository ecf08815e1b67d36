#include "kernelect/landmarks/ridge.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "kernelect/base/parallel.hpp"
#include "kernelect/base/simd.hpp"
#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/patient_eigh.hpp"

namespace kernelect {
namespace {

using blas::Transpose;
using linalg::ColMatrix;

constexpr Index kRowsAtOnce = 1024;

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
    const Vector of_g = sums.row(last).head(order), of_y = sums.row(last).segment(m, width);
    const Vector origin = basis.origin().head(order);
    vectors_ = sums.topLeftCorner(order, order);
    moments_ = sums.block(m, 0, width, order).transpose();
    total_ = sums.diagonal().segment(m, width);
    if (bias) {
        const Vector mean = of_g / weight_, target_mean = of_y / weight_;
        for (Index j = 0; j < order; ++j) vectors_.col(j) -= mean(j) * of_g;
        moments_ -= mean * of_y.transpose();
        total_ -= target_mean.cwiseProduct(of_y);
        centre_ = origin + mean;
        target_centre_ = target_origin + target_mean;
    } else {
        // Back to sums around 0.
        for (Index j = 0; j < order; ++j)
            vectors_.col(j) += (of_g(j) + weight_ * origin(j)) * origin + origin(j) * of_g;
        moments_ += origin * (of_y + weight_ * target_origin).transpose();
        moments_ += of_g * target_origin.transpose();
        total_ += target_origin.cwiseProduct(2.0 * of_y + weight_ * target_origin);
        centre_ = Vector::Zero(order);
        target_centre_ = Vector::Zero(width);
    }
    values_ = linalg::patient_eigh(vectors_, true, team).cwiseMax(0.0);
    ColMatrix rotated(order, width);
    blas::gemm(1.0, vectors_, Transpose::yes, moments_, Transpose::no, 0.0, rotated);
    moments_ = std::move(rotated);
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
          left_out(held_out),
          shrink(model.order(), static_cast<Index>(ridges.size())),
          shrunk(model.order(), static_cast<Index>(ridges.size()) * wanted.targets.cols()) {
        const Index width = wanted.targets.cols();
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
    bool left_out;
    ColMatrix shrink, shrunk, landmarks;
};

Vector LandmarkRidge::score(const Scoring& s, Index first, Index count,
                            std::vector<ColMatrix>& out) const {
    const Index width = target_centre_.size(), ridges = s.shrink.cols();
    Vector least = Vector::Ones(ridges);
    ColMatrix values(basis_.size(), count), u(order(), count);
    s.columns.write(first, values);
    auto g = values.topRows(order());
    basis_.whiten(g);
    g.colwise() -= centre_;
    blas::gemm(1.0, vectors_, Transpose::yes, g, Transpose::no, 0.0, u);
    const ColMatrix targets =
        (s.rows.targets.middleRows(first, count).rowwise() - target_centre_.transpose())
            .transpose();
    ColMatrix residuals = targets.replicate(ridges, 1);  // column by column of each ridge
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
            if (!in_basis) least = least.cwiseMin(share.col(i));
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
                e = (p * e + along * a) / (p * share(l, i) + w * along * along);
            }
        }
    }
    for (Index l = 0; l < ridges; ++l)
        out[place(l)].middleRows(first, count) = residuals.middleRows(l * width, width).transpose();
    return least;
}

LandmarkResiduals LandmarkRidge::residuals(const LandmarkColumns& columns, const ScoredRows& rows,
                                           const std::vector<double>& ridges, bool left_out,
                                           Control& control) const {
    const Index n = columns.rows(), width = target_centre_.size();
    if (columns.landmarks() != basis_.size() || rows.targets.rows() != n ||
        rows.targets.cols() != width || (rows.weights.size() != 0 && rows.weights.size() != n) ||
        (!rows.landmark.empty() && rows.landmark.size() != place(n)))
        throw std::invalid_argument("scored rows and landmark model differ in their shape");
    const Scoring scoring(*this, columns, rows, ridges, left_out);
    LandmarkResiduals found{std::vector<ColMatrix>(ridges.size(), ColMatrix(n, width)),
                            Vector::Ones(static_cast<Index>(ridges.size()))};
    const Index parts = (n + kRowsAtOnce - 1) / kRowsAtOnce;
    std::mutex mutex;
    control.begin(static_cast<double>(parts));
    parallel_tasks(parts, control, [&](Index part, int worker) {
        const simd::FlushDenormals flush;
        const Index first = part * kRowsAtOnce;
        const Vector least =
            score(scoring, first, std::min(kRowsAtOnce, n - first), found.of_ridge);
        {
            const std::scoped_lock lock(mutex);
            found.least_share = found.least_share.cwiseMin(least);
        }
        control.advance(1.0, worker == 0);
    });
    return found;
}

}  // namespace kernelect
