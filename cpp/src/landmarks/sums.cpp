#include "kernelect/landmarks/sums.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "kernelect/base/parallel.hpp"
#include "kernelect/base/simd.hpp"
#include "kernelect/linalg/blas.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

constexpr int kMostLevel = 40;  // of the tree: more rows than anybody has

void check(const LandmarkBasis& basis, const LandmarkColumns& columns, const LandmarkTargets& t) {
    const Index n = columns.rows();
    if (columns.landmarks() != basis.size())
        throw std::invalid_argument("kernel values and basis differ in their landmarks");
    if (t.targets.rows() != n || t.targets.cols() < 1 || t.origin.size() != t.targets.cols())
        throw std::invalid_argument("targets must have a row for each row and a column at least");
    if (!t.targets.allFinite() || !t.origin.allFinite())
        throw std::invalid_argument("targets hold NaN or infinity");
    if (t.weights.size() != 0 && t.weights.size() != n)
        throw std::invalid_argument("weights must have an entry for each row");
    if (t.weights.size() != 0 && !(t.weights.minCoeff() > 0.0 && t.weights.allFinite()))
        throw std::invalid_argument(
            "weights must be positive and finite: leave out rows of weight 0");
    if (t.fold_count < 0 || t.folds.size() != (t.fold_count > 0 ? place(n) : 0))
        throw std::invalid_argument("folds must have an entry for each row");
    for (const std::int32_t fold : t.folds)
        if (fold < 0 || fold > t.fold_count)
            throw std::invalid_argument("a row is in a fold that is not there");
}

// One thread's place of work.
class LeafWorker {
  public:
    LeafWorker(const LandmarkBasis& basis, const LandmarkColumns& columns, const LandmarkTargets& t,
               Control& control, bool caller)
        : basis_(basis), columns_(columns), targets_(t), control_(control), caller_(caller) {}

    RowSums sums(Index first, Index count, const LandmarkSums& shape) {
        const Index m = basis_.size(), width = targets_.targets.cols();
        rows_.resize(shape.order(), count);
        RowSums sums{{}, Vector(shape.plain_size())};
        auto g = rows_.topRows(m);
        columns_.write(first, g);
        pause();
        basis_.whiten(g);
        pause();
        const Vector own = columns_.own(first, count);
        sums.plain(m + 1) = own.sum() - g.colwise().squaredNorm().sum();
        g.colwise() -= basis_.origin();
        sums.plain.head(m) = g.rowwise().sum();
        sums.plain(m) = g.colwise().squaredNorm().sum();
        sums.plain(m + 2) = static_cast<double>(count);
        rows_.middleRows(m, width) =
            (targets_.targets.middleRows(first, count).rowwise() - targets_.origin.transpose())
                .transpose();
        rows_.row(m + width).setOnes();
        if (targets_.weights.size() > 0)
            for (Index i = 0; i < count; ++i)
                rows_.col(i) *= std::sqrt(targets_.weights[first + i]);
        sums.groups.push_back(gram(rows_));
        pause();
        if (targets_.fold_count > 0) add_folds(first, sums);
        return sums;
    }

  private:
    void pause() { control_.advance(0.0, caller_); }

    static ColMatrix gram(const Eigen::Ref<const ColMatrix, 0, Eigen::OuterStride<>>& rows) {
        ColMatrix out = ColMatrix::Zero(rows.rows(), rows.rows());
        blas::syrk(1.0, rows, blas::Transpose::no, 0.0, out);
        return out;
    }

    void add_folds(Index first, RowSums& sums) {
        sorted_.resize(rows_.rows(), rows_.cols());
        Index end = 0;
        for (int fold = 0; fold <= targets_.fold_count; ++fold) {
            const Index begin = end;
            for (Index i = 0; i < rows_.cols(); ++i)
                if (targets_.folds[place(first + i)] == fold) sorted_.col(end++) = rows_.col(i);
            sums.groups.push_back(gram(sorted_.middleCols(begin, end - begin)));
            pause();
        }
    }

    const LandmarkBasis& basis_;
    const LandmarkColumns& columns_;
    const LandmarkTargets& targets_;
    Control& control_;
    bool caller_;
    ColMatrix rows_, sorted_;
};

}  // namespace

void RowSums::add(const RowSums& other) {
    for (std::size_t k = 0; k < groups.size(); ++k) groups[k] += other.groups[k];
    plain += other.plain;
}

Index LandmarkSums::rows() const {
    double rows = 0.0;
    for (const Part& part : parts_) rows += part.sums.plain(landmarks_ + 2);
    return static_cast<Index>(rows);
}

void LandmarkSums::add(Part part) {
    const auto fits = [&](const ColMatrix& group) {
        return group.rows() == order() && group.cols() == order();
    };
    const RowSums& sums = part.sums;
    if (part.level < 0 || part.level > kMostLevel || part.index < 0 ||
        part.index >> (kMostLevel - part.level) > 0 || sums.groups.size() != groups() ||
        sums.plain.size() != plain_size() ||
        !std::all_of(sums.groups.begin(), sums.groups.end(), fits))
        throw std::invalid_argument("sums of landmark models differ in their shape");
    const double count = sums.plain(landmarks_ + 2);
    if (!(count >= 1.0 && count <= static_cast<double>((part.last() - part.first()) * kLeafRows)))
        throw std::invalid_argument("sums of landmark models have not as many rows as they say");
    for (const Part& known : parts_)
        if (part.first() < known.last() && known.first() < part.last())
            throw std::invalid_argument("some of these rows are in the sums already");
    // Two halves of one group become that group; the first is always added to by the second.
    for (bool joined = true; joined;) {
        joined = false;
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            Part& known = parts_[k];
            if (known.level != part.level || known.index != (part.index ^ 1)) continue;
            Part first = std::move(part.index < known.index ? part : known);
            first.sums.add((part.index < known.index ? known : part).sums);
            parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(k));
            part = {first.level + 1, first.index >> 1, std::move(first.sums)};
            joined = true;
            break;
        }
    }
    const auto before = [](const Part& a, const Part& b) { return a.first() < b.first(); };
    parts_.insert(std::upper_bound(parts_.begin(), parts_.end(), part, before), std::move(part));
}

void LandmarkSums::merge(LandmarkSums other) {
    for (Part& part : other.parts_) add(std::move(part));
}

RowSums LandmarkSums::whole() const {
    Index next = 0;
    for (const Part& part : parts_) {
        if (part.first() != next) throw std::invalid_argument("rows are missing from these sums");
        next = part.last();
    }
    if (next == 0 || rows() <= (next - 1) * kLeafRows)
        throw std::invalid_argument("rows are missing from these sums");
    // Each part is larger than all that follow, which make up the other half of its group.
    RowSums sums = parts_.back().sums;
    for (std::size_t k = parts_.size() - 1; k-- > 0;) {
        RowSums both = parts_[k].sums;
        both.add(sums);
        sums = std::move(both);
    }
    return sums;
}

LandmarkSums landmark_sums(const LandmarkBasis& basis, const LandmarkColumns& columns,
                           const LandmarkTargets& targets, Index first_row, Control& control) {
    check(basis, columns, targets);
    constexpr Index kLeaf = LandmarkSums::kLeafRows;
    if (first_row < 0 || first_row % kLeaf != 0)
        throw std::invalid_argument("the first row of a chunk must be that of a leaf");
    const Index n = columns.rows(), leaves = (n + kLeaf - 1) / kLeaf;
    LandmarkSums sums(basis.size(), targets.targets.cols(), targets.fold_count);
    const LandmarkSums shape = sums;
    std::mutex mutex;
    control.begin(static_cast<double>(leaves));
    std::vector<std::unique_ptr<LeafWorker>> workers(place(std::max(control.threads(), 1)));
    parallel_tasks(leaves, control, [&](Index leaf, int worker) {
        const simd::FlushDenormals flush;  // narrow kernels are full of them
        auto& own = workers[place(worker)];
        if (!own) own = std::make_unique<LeafWorker>(basis, columns, targets, control, worker == 0);
        const Index first = leaf * kLeaf;
        RowSums found = own->sums(first, std::min(kLeaf, n - first), shape);
        {
            const std::scoped_lock lock(mutex);
            sums.add({0, first_row / kLeaf + leaf, std::move(found)});
        }
        control.advance(1.0, worker == 0);
    });
    return sums;
}

ColMatrix training_sums(const RowSums& sums, int without_fold) {
    if (without_fold < 0) return sums.groups.front();
    if (place(without_fold) + 2 >= sums.groups.size())
        throw std::invalid_argument("a fold is not there");
    ColMatrix total = ColMatrix::Zero(sums.groups.front().rows(), sums.groups.front().cols());
    for (std::size_t k = 1; k < sums.groups.size(); ++k)
        if (k != place(without_fold) + 1) total += sums.groups[k];
    return total;
}

ColMatrix sums_of_fold(RowSums sums, int fold) {
    if (fold < 0 || place(fold) + 2 >= sums.groups.size())
        throw std::invalid_argument("a fold is not there");
    return std::move(sums.groups[place(fold) + 1]);
}

double centred_trace(const RowSums& sums) {
    const Index m = sums.plain.size() - 3;
    const double n = sums.plain(m + 2);
    const double spread = sums.plain(m) / n - (sums.plain.head(m) / n).squaredNorm();
    return spread + std::max(sums.plain(m + 1), 0.0) / n * (1.0 - 1.0 / n);
}

}  // namespace kernelect
