#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "kernelect/tiles/kernel_set.hpp"
#include "kernelect/tiles/schedule.hpp"

namespace kernelect {

// Running sums of vectors of length n ("lanes"), several per kernel. A tile adds its row sums to
// the rows of its panel and its column sums to the rows of its column block.
class Lanes {
  public:
    Lanes(Index n, const std::vector<Index>& per_output) : n_(n) {
        for (const Index count : per_output) {
            first_.push_back(total_);
            total_ += count;
        }
        first_.push_back(total_);
        sums_.assign(static_cast<std::size_t>(total_ * n), 0.0);
    }

    Index total() const { return total_; }
    Index first(Index output) const { return first_[static_cast<std::size_t>(output)]; }
    double* lane(Index k) { return sums_.data() + k * n_; }
    Matrix rows(Index first, Index count) const {
        return Eigen::Map<const Matrix>(sums_.data() + first * n_, count, n_);
    }

  private:
    Index n_, total_ = 0;
    std::vector<Index> first_;
    Buffer sums_;
};

// What one worker holds: a tile, the row sums of its panel, the column sums of the present tile.
struct Worker {
    Worker(const Sample& sample, Index lanes)
        : values(sample.sources(), sample.sources()),
          tile(static_cast<std::size_t>(kTileArea)),
          panel(static_cast<std::size_t>(lanes * kPanel)),
          columns(static_cast<std::size_t>(lanes * kTile)),
          unused(static_cast<std::size_t>(kTile)),
          touched(static_cast<std::size_t>(lanes)) {}

    // Room for a pack per row, and an odd number of cache lines: lanes a multiple of 4096 bytes
    // apart would make a processor wait for the stores to one before it loads from the next.
    static constexpr Index kPanel = kTile * simd::kWidth + 40;

    TileValues values;
    Buffer tile;
    Buffer panel;  // a pack per row and lane
    Buffer columns, unused;
    std::vector<char> touched;  // lanes to which the present tile has column sums
    bool diagonal = false;      // the present tile is its own mirror image: its rows say it all

    double* rows(Index lane) { return panel.data() + lane * kPanel; }
    // Where a kernel's sums go, given the lanes of its rows and of its columns.
    sweep::Sums sums(Index row_lane, Index column_lane, double* squares = nullptr) {
        if (diagonal) return {rows(row_lane), unused.data(), squares};
        touched[static_cast<std::size_t>(column_lane)] = 1;
        return {rows(row_lane), columns.data() + column_lane * kTile, squares};
    }
};

// Runs `visit(worker, a, b)` over all tiles and sees to it that the lanes are summed in a fixed
// order; visit adds to the row sums of the worker's panel and writes column sums.
template <class Visit>
void run_tiles(const Sample& sample, Lanes& lanes, Control& control, Visit&& visit) {
    const std::vector<Block>& blocks = sample.blocks();
    const Index count = static_cast<Index>(blocks.size());
    std::vector<std::unique_ptr<Worker>> workers(
        static_cast<std::size_t>(std::max(control.threads(), 1)));
    const auto at = [&](Index i) -> const Block& { return blocks[static_cast<std::size_t>(i)]; };
    symmetric_tiles(
        count, control,
        [&](int w, Index) {
            auto& worker = workers[static_cast<std::size_t>(w)];
            if (!worker) worker = std::make_unique<Worker>(sample, lanes.total());
            std::fill(worker->panel.begin(), worker->panel.end(), 0.0);
        },
        [&](int w, Index i, Index j) {
            const simd::FlushDenormals flush;
            Worker& worker = *workers[static_cast<std::size_t>(w)];
            std::fill(worker.touched.begin(), worker.touched.end(), char{0});
            worker.diagonal = i == j;
            visit(worker, at(i), at(j));
        },
        [&](int w, Index, Index j) {
            Worker& worker = *workers[static_cast<std::size_t>(w)];
            for (Index lane = 0; lane < lanes.total(); ++lane) {
                if (!worker.touched[static_cast<std::size_t>(lane)]) continue;
                double* to = lanes.lane(lane) + at(j).begin;
                const double* from = worker.columns.data() + lane * kTile;
                for (Index r = 0; r < at(j).size; ++r) to[r] += from[r];
            }
        },
        [&](int w, Index i) {
            const Worker& worker = *workers[static_cast<std::size_t>(w)];
            for (Index lane = 0; lane < lanes.total(); ++lane) {
                double* to = lanes.lane(lane) + at(i).begin;
                const double* from = worker.panel.data() + lane * Worker::kPanel;
                for (Index r = 0; r < at(i).size; ++r)
                    to[r] += simd::sum(simd::load(from + r * simd::kWidth));
            }
        });
}

// A copy with room behind the last entry, so that padded columns may be read.
inline Matrix with_room(const Matrix& vectors) {
    Matrix out = Matrix::Zero(vectors.rows(), vectors.cols() + kStrip);
    out.leftCols(vectors.cols()) = vectors;
    return out;
}

}  // namespace kernelect
