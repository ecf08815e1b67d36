#pragma once

#include <functional>
#include <vector>

#include "kernelect/tiles/kernel_set.hpp"
#include "kernelect/tiles/partial_sums.hpp"
#include "kernelect/tiles/schedule.hpp"

namespace kernelect {

// Running sums of vectors of length n ("lanes"), several per kernel: which are whose.
class LanePlan {
  public:
    explicit LanePlan(const std::vector<Index>& per_output) {
        for (const Index count : per_output) {
            first_.push_back(total_);
            total_ += count;
        }
        first_.push_back(total_);
    }

    Index total() const { return total_; }
    Index first(Index output) const { return first_[place(output)]; }
    Index count(Index output) const { return first_[place(output + 1)] - first(output); }

  private:
    Index total_ = 0;
    std::vector<Index> first_;
};

// `count` lanes over all rows.
inline Matrix lane_rows(const LeafSums& whole, Index first, Index count) {
    return Eigen::Map<const Matrix>(whole.lane(first), count, whole.rows);
}

// What one worker holds: a tile, the row sums of its panel, the column sums of the present tile.
struct PanelWorker {
    PanelWorker(const Sample& sample, Index lanes)
        : values(sample.sources(), sample.sources()),
          tile(place(kTileArea)),
          panel(place(lanes * kPanel)),
          columns(place(lanes * kTile)),
          unused(place(kTile)),
          touched(place(lanes)) {}

    // Room for the lanes of every row, and an odd number of cache lines: lanes a multiple of 4096
    // bytes apart would make a processor wait for the stores to one before it loads from the next.
    static constexpr Index kPanel = kTile * kLanes + 40;

    TileValues values;
    Buffer tile;
    Buffer panel;  // for each lane kLanes numbers per row
    Buffer columns, unused;
    std::vector<char> touched;  // lanes to which the present tile has column sums
    bool diagonal = false;      // the present tile is its own mirror image: rows alone count

    Real* rows(Index lane) { return panel.data() + lane * kPanel; }
    // Where a kernel's sums go, given the lanes of its rows and of its columns.
    sweep::Sums sums(Index row_lane, Index column_lane, double* squares = nullptr) {
        if (diagonal) return {rows(row_lane), unused.data(), squares};
        touched[place(column_lane)] = 1;
        return {rows(row_lane), columns.data() + column_lane * kTile, squares};
    }
};

// Runs `visit(worker, a, b)` over the tiles of the panels and sees to it that the lanes are summed
// in a fixed order; visit adds to the row sums of the worker's panel and writes column sums. A tile
// adds its row sums to the rows of its panel and its column sums to the rows of its column block,
// both in the sums that `open(i)` returns for panel i; done(i) is called after the last of them.
void run_tiles(const Sample& sample, const Panels& panels, Index lanes, Control& control,
               const std::function<LeafSums&(Index)>& open,
               const std::function<void(PanelWorker&, const Block&, const Block&)>& visit,
               const std::function<void(Index)>& done);

// A copy with room behind the last entry, so that padded columns may be read.
inline RealMatrix with_room(const ConstMatrixRef& vectors) {
    RealMatrix out = RealMatrix::Zero(vectors.rows(), vectors.cols() + kStrip);
    out.leftCols(vectors.cols()) = vectors.cast<Real>();
    return out;
}

}  // namespace kernelect
