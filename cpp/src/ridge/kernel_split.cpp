#include "kernelect/ridge/kernel_split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "kernelect/linalg/strips.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

// Limits are shares of n, at which a split costs about as much as a factorisation of the whole.
constexpr Index kClosePointsShare = 12;  // pivots among close points: n / 12
constexpr Index kFirstOrderShare = 8;    // leading columns where the series ends at first order
constexpr Index kSecondOrderShare = 14;  // and where it needs the second, which costs more
// Rows that are looked at first: with a close neighbour for more than half of them, all have one.
constexpr Index kLookedAt = 16, kTooMany = kLookedAt / 2;
// Leading columns: rows that are never pivots and say what is left, and how often they are asked.
constexpr Index kProbes = 24, kStep = 8;
// A kernel that still has this share of its trace at this rank needs more columns than are allowed.
constexpr Index kHopelessRank = 32;
constexpr double kHopelessShare = 0.3;
// Rows that are not looked at may be larger than the probes; they are given this factor.
constexpr double kUnseen = 4.0;
// Pivots below this share of the largest diagonal entry are rounding: of a block of the matrix, and
// of what the running diagonal has come to.
constexpr double kNegligibleClose = 1e-10, kNegligibleLeading = 1e-14;

// Columns of a pivoted Cholesky factor of a small matrix, taken one at a time: the next pivot is
// the largest diagonal entry of what is left. Only the diagonal of the rest is kept up to date, so
// k columns of m rows cost m k^2 operations.
class PivotedCholesky {
  public:
    PivotedCholesky(const ColMatrix& matrix, Index candidates, Index limit)
        : matrix_(matrix),
          candidates_(candidates),
          rest_(matrix.diagonal()),
          factor_(matrix.rows(), limit) {}

    Index rank() const { return static_cast<Index>(pivots_.size()); }
    const std::vector<Index>& pivots() const { return pivots_; }
    const Vector& rest_diagonal() const { return rest_; }
    double largest_rest() const { return rest_.head(candidates_).maxCoeff(); }
    auto last_column() const { return factor_.col(rank() - 1); }

    void add_column() {
        const Index k = rank();
        Index p = 0;
        const double pivot = rest_.head(candidates_).maxCoeff(&p);
        auto column = factor_.col(k);
        column = matrix_.col(p);
        column.noalias() -= factor_.leftCols(k) * factor_.row(p).head(k).transpose();
        column /= std::sqrt(pivot);
        rest_ -= column.cwiseAbs2();
        rest_[p] = 0.0;
        pivots_.push_back(p);
    }

    // The factor of the pivots' own block, lower triangular in the order they were taken.
    ColMatrix pivot_factor() const {
        ColMatrix factor(rank(), rank());
        for (Index i = 0; i < rank(); ++i)
            factor.row(i) = factor_.row(pivots_[place(i)]).head(rank());
        return factor;
    }

  private:
    const ColMatrix& matrix_;
    Index candidates_;  // pivots come from this many rows, the first
    Vector rest_;
    ColMatrix factor_;
    std::vector<Index> pivots_;
};

// A few points in an order that has nothing to do with that of the data, the same on every machine.
std::vector<Index> sample(Index n, Index count) {
    std::vector<Index> order(place(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::mt19937 random(5489u);
    for (Index i = 0; i < count; ++i) {
        const Index j = i + static_cast<Index>(random() % static_cast<std::uint64_t>(n - i));
        std::swap(order[place(i)], order[place(j)]);
    }
    order.resize(place(count));
    return order;
}

struct Pivots {
    std::vector<Index> points;
    ColMatrix factor;
};

Pivots collect(const PivotedCholesky& cholesky, const std::vector<Index>& points) {
    Pivots result{{}, cholesky.pivot_factor()};
    for (const Index p : cholesky.pivots()) result.points.push_back(points[place(p)]);
    return result;
}

// Narrow kernels: rows of K that are small off the diagonal need nothing; the others, points with a
// close neighbour, become pivots, which leaves nothing of their rows. Nothing if they are too many.
std::optional<Pivots> close_points(const GramBuffer& gram, const Vector& ridge) {
    const Index n = gram.size(), limit = n / kClosePointsShare;
    const linalg::ColMatrixRef& k = gram.matrix();
    const Vector inverse = (gram.diagonal() + ridge).cwiseInverse();
    // With D_i a_i <= small for every row the second-order error is below small * sqrt(n small).
    const double small = std::pow(kSeriesTolerance / std::sqrt(static_cast<double>(n)), 2.0 / 3.0);

    const std::vector<Index> looked_at = sample(n, std::min<Index>(n, kLookedAt));
    const auto is_large = [&](Index i) {
        const double all = k.col(i).cwiseAbs2().dot(inverse);
        return !(inverse[i] * (all - k(i, i) * k(i, i) * inverse[i]) <= small);
    };
    if (std::count_if(looked_at.begin(), looked_at.end(), is_large) > kTooMany) return std::nullopt;

    const RestNorms norms = rest_norms(k, inverse);
    std::vector<Index> close;
    for (Index i = 0; i < n; ++i)
        if (!(inverse[i] * norms.squared[i] <= small)) close.push_back(i);
    if (static_cast<Index>(close.size()) > limit) return std::nullopt;
    if (close.empty()) return Pivots{};

    // Exact duplicates of a pivot have nothing left and are not pivots themselves.
    const ColMatrix block = k(close, close);
    const double negligible = std::max(0.0, kNegligibleClose * block.diagonal().maxCoeff());
    PivotedCholesky cholesky(block, block.rows(), block.rows());
    while (cholesky.rank() < block.rows() && cholesky.largest_rest() > negligible) {
        cholesky.add_column();
        gram.team().pause();
    }
    return collect(cholesky, close);
}

// Wide kernels: pivots among a sample of the points, until the rows of some further points, which
// are never pivots, say that what is left is small enough for the series.
std::optional<Pivots> leading_columns(const GramBuffer& gram, const Vector& ridge) {
    const Index n = gram.size(), first_order_limit = n / kFirstOrderShare,
                second_order_limit = n / kSecondOrderShare;
    const Index count = std::min(n, 2 * first_order_limit + kProbes), candidates = count - kProbes;
    if (candidates <= first_order_limit) return std::nullopt;
    const std::vector<Index> points = sample(n, count);
    const ColMatrix block = gram.matrix()(points, points);
    const Vector ridge_here = ridge(points);
    ColMatrix probes = block.bottomRows(kProbes);
    const double start = block.diagonal().sum(),
                 negligible = std::max(0.0, kNegligibleLeading * block.diagonal().maxCoeff());
    const double weight = static_cast<double>(n) / static_cast<double>(count);

    PivotedCholesky cholesky(block, candidates, first_order_limit);
    while (cholesky.rank() < first_order_limit) {
        // A pivot at rounding level says nothing: all that the sample can tell has been told.
        if (!(cholesky.largest_rest() > negligible)) return collect(cholesky, points);
        cholesky.add_column();
        gram.team().pause();
        const auto column = cholesky.last_column();
        probes.noalias() -= column.tail(kProbes) * column.transpose();
        const Index rank = cholesky.rank();
        if (rank % kStep != 0 && rank >= kStep) continue;
        if (rank == kHopelessRank && cholesky.rest_diagonal().sum() > kHopelessShare * start)
            return std::nullopt;

        const Vector inverse = (ridge_here + cholesky.rest_diagonal().cwiseMax(0.0)).cwiseInverse();
        double worst = 0.0, total = 0.0;
        for (Index i = 0; i < kProbes; ++i) {
            const Index self = candidates + i;
            probes(i, self) = 0.0;
            const double row =
                weight * inverse[self] * probes.row(i).cwiseAbs2().dot(inverse.transpose());
            worst = std::max(worst, row);
            total += row;
        }
        const double norm = std::sqrt(total / kProbes * static_cast<double>(n));
        const double allowed = kSeriesTolerance / kUnseen;
        if (worst <= allowed || (worst * norm <= allowed && rank <= second_order_limit))
            return collect(cholesky, points);
    }
    return std::nullopt;
}

}  // namespace

RestNorms rest_norms(const linalg::ColMatrixRef& rest, const Vector& inverse_diagonal) {
    const Index n = rest.rows();
    const Vector& d = inverse_diagonal;
    RestNorms norms{Vector::Zero(n), 0.0};
    Vector absolute = Vector::Zero(n), column(n);
    for (Index j = 0; j + 1 < n; ++j) {
        const Index below = n - j - 1;
        auto entries = column.head(below);
        entries = rest.col(j).tail(below).cwiseAbs();
        absolute.tail(below) += entries;
        absolute[j] += entries.sum();
        entries = entries.cwiseAbs2();
        norms.squared.tail(below) += d[j] * entries;
        norms.squared[j] += entries.dot(d.tail(below));
    }
    // Frobenius norm of D^1/2 E D^1/2, and largest absolute row sum of the similar matrix D E.
    norms.bound = std::min(std::sqrt(norms.squared.dot(d)), absolute.cwiseProduct(d).maxCoeff());
    return norms;
}

KernelSplit::KernelSplit(GramBuffer& gram, const std::vector<Index>& pivots, ColMatrix factor)
    : gram_(gram), columns_(gram.matrix()(Eigen::all, pivots)) {
    // G = K_I L^-T with L L' = K_II, whatever rounding does to L: the rest is computed from this G.
    linalg::invert_lower(factor);
    strips::trmm_right(1.0, factor, blas::Transpose::yes, columns_, gram.team());
    linalg::ColMatrixRef& rest = gram.scratch();
    strips::add_gram(-1.0, columns_, blas::Transpose::no, rest, gram.team());
    rest_diagonal_ = rest.diagonal();
    rest.diagonal().setZero();
}

std::optional<KernelSplit> KernelSplit::find(GramBuffer& gram, const Vector& ridge) {
    if (!(ridge.minCoeff() > 0.0)) return std::nullopt;
    gram.restore();
    std::optional<Pivots> pivots = close_points(gram, ridge);
    if (!pivots) pivots = leading_columns(gram, ridge);
    if (!pivots) return std::nullopt;
    // Pivots are chosen by a running diagonal; computed anew at rounding level one may be nothing.
    if (!(pivots->factor.diagonal().array().abs() > 0.0).all()) return std::nullopt;
    return KernelSplit(gram, pivots->points, std::move(pivots->factor));
}

}  // namespace kernelect
