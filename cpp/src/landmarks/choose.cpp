#include "kernelect/landmarks/choose.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernelect/base/philox.hpp"
#include "kernelect/linalg/strips.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

// What is left of a row below this share of the mean diagonal entry is rounding.
constexpr double kNegligible = 1e-12;
constexpr Index kLeastBlock = 10, kBlockShare = 10;  // a block is a tenth of the limit
// Blocks in a row of which nothing was accepted: what is left is not worth more.
constexpr int kMisses = 20;

class Chooser {
  public:
    Chooser(const PoolKernel& pool, Index limit, std::uint64_t seed, const Team& team)
        : pool_(pool),
          limit_(std::min(limit, pool.size())),
          block_(std::max(kLeastBlock, limit / kBlockShare)),
          random_(seed),
          team_(team),
          left_(pool.diagonal()),
          factor_(limit_, pool.size()) {
        check();
        chosen_.mean_diagonal = left_.mean();
        floor_ = kNegligible * chosen_.mean_diagonal;
        if (!(chosen_.mean_diagonal > 0.0))
            throw std::domain_error("the kernel is zero on all rows");
        left_ = left_.cwiseMax(0.0);
    }

    ChosenLandmarks run(double tolerance) {
        int misses = 0;
        for (std::uint64_t round = 0; rank() < limit_ && misses < kMisses; ++round) {
            const Drawn drawn = accepted(proposals(round), round);
            if (drawn.rows.empty() && left_.maxCoeff() <= 0.0) break;
            misses = drawn.rows.empty() ? misses + 1 : 0;
            if (!drawn.rows.empty() && take(drawn, tolerance)) break;
            team_.pause();
        }
        keep_independent();
        chosen_.origin = factor_.topRows(rank()).rowwise().mean();
        chosen_.left = Eigen::Map<const Vector>(means_.data(), rank());
        return chosen_;
    }

  private:
    struct Drawn {
        std::vector<Index> rows;
        ColMatrix factor;  // of what is left of their own block, lower triangular
    };

    Index rank() const { return static_cast<Index>(chosen_.rows.size()); }

    void check() const {
        if (!left_.allFinite()) throw std::domain_error("the kernel is not finite on all rows");
    }

    // Rows with probability proportional to what is left of them, in the order of the pool.
    std::vector<Index> proposals(std::uint64_t round) {
        left_ = (left_.array() < floor_).select(0.0, left_);
        std::vector<double> below(place(pool_.size()));
        double total = 0.0;
        for (Index i = 0; i < pool_.size(); ++i) below[place(i)] = total += left_(i);
        std::vector<Index> rows;
        if (!(total > 0.0)) return rows;
        for (Index j = 0; j < block_; ++j) {
            const double at = total * random(2 * round, j);
            const auto found = std::upper_bound(below.begin(), below.end(), at);
            Index row = std::min<Index>(found - below.begin(), pool_.size() - 1);
            while (left_(row) <= 0.0) --row;  // the sum rounds at its end
            rows.push_back(row);
        }
        return rows;
    }

    double random(std::uint64_t line, Index j) const {
        return random_.uniform(line * static_cast<std::uint64_t>(block_) +
                               static_cast<std::uint64_t>(j));
    }

    ColMatrix of_rows(const std::vector<Index>& rows) const {
        return factor_.topRows(rank())(Eigen::all, rows);
    }

    // Of the proposed rows those that stand the test against the ones before them.
    Drawn accepted(const std::vector<Index>& rows, std::uint64_t round) const {
        const Index count = static_cast<Index>(rows.size());
        Matrix values(count, count);
        if (count > 0) pool_.block(rows, values);
        ColMatrix rest = values;
        blas::syrk(-1.0, of_rows(rows), blas::Transpose::yes, 1.0, rest);
        const Vector before = rest.diagonal();
        ColMatrix factor = ColMatrix::Zero(count, count);
        std::vector<Index> kept;
        for (Index j = 0; j < count && rank() + static_cast<Index>(kept.size()) < limit_; ++j) {
            const double pivot = rest(j, j);
            if (!(pivot > floor_ && random(2 * round + 1, j) * before(j) < pivot)) continue;
            kept.push_back(j);
            auto column = factor.col(j).tail(count - j);
            column = rest.col(j).tail(count - j) / std::sqrt(pivot);
            for (Index k = j + 1; k < count; ++k)
                rest.col(k).tail(count - k) -= column(k - j) * factor.col(j).tail(count - k);
        }
        Drawn drawn{{}, factor(kept, kept)};
        for (const Index j : kept) drawn.rows.push_back(rows[place(j)]);
        return drawn;
    }

    // Adds landmarks; true if what they leave is little enough, without those after that.
    bool take(const Drawn& drawn, double tolerance) {
        const Index count = static_cast<Index>(drawn.rows.size()), n = pool_.size();
        const ColMatrix before = of_rows(drawn.rows);
        pool_.columns(drawn.rows,
                      Eigen::Map<Matrix, 0, Eigen::OuterStride<>>(factor_.data() + rank(), n, count,
                                                                  Eigen::OuterStride<>(limit_)),
                      team_);
        auto fresh = factor_.middleRows(rank(), count);
        strips::gemm(-1.0, before, blas::Transpose::yes, factor_.topRows(rank()), 1.0, fresh,
                     team_);
        strips::trsm_left(drawn.factor, fresh, team_);
        Vector sums = Vector::Zero(count);
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < count; ++j) {
                left_(i) = std::max(left_(i) - fresh(j, i) * fresh(j, i), 0.0);
                sums(j) += left_(i);
            }
        if (!fresh.allFinite()) throw std::domain_error("the kernel is not finite on all rows");
        for (Index j = 0; j < count; ++j) {
            chosen_.rows.push_back(drawn.rows[place(j)]);
            means_.push_back(sums(j) / static_cast<double>(n));
            left_(drawn.rows[place(j)]) = 0.0;
            if (means_.back() <= tolerance) return true;
        }
        return false;
    }

    // The first landmarks whose own matrix has a factor to working precision: nearly always all.
    void keep_independent() {
        Matrix values(rank(), rank());
        if (rank() > 0) pool_.block(chosen_.rows, values);
        ColMatrix k = values;
        chosen_.rows.resize(place(linalg::leading_cholesky(k)));
    }

    const PoolKernel& pool_;
    Index limit_, block_;
    Philox random_;
    Team team_;
    Vector left_;       // k(x, x) - |g|^2 of every row
    ColMatrix factor_;  // column i: g of row i, as far as there are landmarks
    double floor_ = 0.0;
    std::vector<double> means_;
    ChosenLandmarks chosen_;
};

}  // namespace

ChosenLandmarks choose_landmarks(const PoolKernel& pool, Index limit, double tolerance,
                                 std::uint64_t seed, const Team& team) {
    if (limit < 1 || pool.size() < 1)
        throw std::invalid_argument("landmarks need a pool of rows and a limit of at least one");
    return Chooser(pool, limit, seed, team).run(tolerance);
}

}  // namespace kernelect
