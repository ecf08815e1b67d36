#pragma once

#include <cstdint>
#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/landmarks/basis.hpp"
#include "kernelect/landmarks/kernel_values.hpp"

namespace kernelect {

// What is known of the rows of a chunk beside their kernel values.
struct LandmarkTargets {
    Matrix targets;                        // rows x columns
    Vector origin;                         // a number near the mean of each column, for all rows
    Vector weights = {};                   // of the losses, positive; empty: all 1
    std::vector<std::int32_t> folds = {};  // the fold of each row, fold_count for none of them
    int fold_count = 0;
};

// Sums over rows. With a = (g - origin, y - origin, 1), of order m + columns + 1, `groups` are the
// matrices sum w a a', lower triangles: of all rows, then of each fold, then of rows in no fold.
// `plain` has, without weights, sum (g - origin), sum |g - origin|^2, sum (k(x, x) - |g|^2) and the
// number of rows.
struct RowSums {
    std::vector<linalg::ColMatrix> groups;
    Vector plain;
    void add(const RowSums& other);
};

// Sums over leaves of kLeafRows rows each, by their numbers among all rows of the data. Leaves are
// added along one binary tree over all of them, so that the result has the same bits however the
// rows were divided, in whatever order the parts come, and for any number of threads.
class LandmarkSums {
  public:
    static constexpr Index kLeafRows = 2048;

    // The sums of 2^level leaves, the index-th such group.
    struct Part {
        int level;
        Index index;
        RowSums sums;
        Index first() const { return index << level; }
        Index last() const { return (index + 1) << level; }
    };

    LandmarkSums(Index landmarks, Index columns, int fold_count)
        : landmarks_(landmarks), columns_(columns), fold_count_(fold_count) {}

    Index landmarks() const { return landmarks_; }
    Index columns() const { return columns_; }
    int fold_count() const { return fold_count_; }
    Index order() const { return landmarks_ + columns_ + 1; }
    std::size_t groups() const { return fold_count_ > 0 ? place(fold_count_) + 2 : 1; }
    Index plain_size() const { return landmarks_ + 3; }
    const std::vector<Part>& parts() const { return parts_; }
    Index rows() const;

    // Throws std::invalid_argument for a part of another shape, or of leaves that are here already.
    void add(Part part);
    void merge(LandmarkSums other);

    // The sums over all rows; throws std::invalid_argument where leaves are missing.
    RowSums whole() const;

  private:
    Index landmarks_, columns_;
    int fold_count_;
    std::vector<Part> parts_;  // in ascending order of leaves, no two that belong together
};

// The sums over a chunk whose first row has the number `first_row`, a multiple of kLeafRows; all
// chunks but the last must hold whole leaves. A function of its arguments alone, and of the
// instructions. Leaves go to the control's threads, BLAS should use one.
LandmarkSums landmark_sums(const LandmarkBasis& basis, const LandmarkColumns& columns,
                           const LandmarkTargets& targets, Index first_row, Control& control);

// The sum of all rows but those of a fold: never a difference. Fold -1: all rows.
linalg::ColMatrix training_sums(const RowSums& sums, int without_fold);

// The sum of the rows of a fold.
linalg::ColMatrix sums_of_fold(RowSums sums, int fold);

// tr(HKH)/n of the kernel itself: that of Nystroem's approximation, and what is left of the
// diagonal, whose own off-diagonal entries average out.
double centred_trace(const RowSums& sums);

}  // namespace kernelect
