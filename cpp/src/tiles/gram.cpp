#include "kernelect/tiles/gram.hpp"

#include <atomic>

#include "kernelect/base/parallel.hpp"
#include "kernelect/base/simd.hpp"
#include "kernelect/tiles/schedule.hpp"

namespace kernelect {
namespace {

// Zero times a number is no number where that is infinite or none itself.
bool all_finite(const Real* tile, Index rows, Index width) {
    const simd::Pack zero = simd::set(0.0);
    simd::Pack found[2] = {zero, zero};  // two hide the latency
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < width; j += 2 * simd::kWidth)
            for (int k = 0; k < 2; ++k)
                found[k] = zero * simd::load(tile + i * kTile + j + k * simd::kWidth) + found[k];
    return simd::sum(found[0] + found[1]) == 0.0;
}

// Writes a kernel matrix panel by panel: the rows of one block of the left table.
class GramPanels {
  public:
    GramPanels(const Program& program, const std::vector<Rows>& left,
               const std::vector<Block>& left_blocks, const std::vector<Rows>& right,
               const std::vector<Block>& right_blocks, MatrixRef out)
        : left_(left),
          right_(right),
          left_blocks_(left_blocks),
          right_blocks_(right_blocks),
          out_(out),
          symmetric_(&left == &right) {
        check_program(program, left.size());
        kernel_ = prepare(program, left, out.rows(), right, out.cols());
    }

    Index count() const { return static_cast<Index>(left_blocks_.size()); }
    double tiles() const {
        return symmetric_
                   ? tile_count(count())
                   : static_cast<double>(count()) * static_cast<double>(right_blocks_.size());
    }

    // Calls after_tile(tile, rows, width) for each one, its padding included.
    template <class After>
    void write(Index panel, After&& after_tile) {
        TileValues values(left_, right_);
        std::vector<Real> tile(kTileArea);
        const Block& a = left_blocks_[place(panel)];
        const std::size_t first = symmetric_ ? place(panel) : 0;
        for (std::size_t j = first; j < right_blocks_.size(); ++j) {
            const Block& b = right_blocks_[j];
            values.start(a, b);
            values.evaluate(kernel_, tile.data());
            for (Index r = 0; r < a.size; ++r)
                for (Index c = 0; c < b.size; ++c)
                    out_(a.begin + r, b.begin + c) = tile[place(r * kTile + c)];
            if (symmetric_ && j != first)
                for (Index c = 0; c < b.size; ++c)
                    for (Index r = 0; r < a.size; ++r)
                        out_(b.begin + c, a.begin + r) = tile[place(r * kTile + c)];
            after_tile(tile.data(), a.size, padded(b.size));
        }
    }

  private:
    const std::vector<Rows>&left_, &right_;
    const std::vector<Block>&left_blocks_, &right_blocks_;
    MatrixRef out_;
    bool symmetric_;
    PreparedProgram kernel_;
};

}  // namespace

void gram(const Program& program, const std::vector<Rows>& left,
          const std::vector<Block>& left_blocks, const std::vector<Rows>& right,
          const std::vector<Block>& right_blocks, MatrixRef out, Control& control) {
    GramPanels panels(program, left, left_blocks, right, right_blocks, out);
    control.begin(panels.tiles());
    parallel_tasks(panels.count(), control, [&](Index panel, int worker) {
        panels.write(panel, [&](const Real*, Index, Index) { control.advance(1.0, worker == 0); });
    });
}

bool gram(const Program& program, const std::vector<Rows>& left,
          const std::vector<Block>& left_blocks, const std::vector<Rows>& right,
          const std::vector<Block>& right_blocks, MatrixRef out, const Team& team) {
    GramPanels panels(program, left, left_blocks, right, right_blocks, out);
    std::atomic<bool> finite{true};
    team.run(panels.count(), [&](Index panel) {
        panels.write(panel, [&](const Real* tile, Index rows, Index width) {
            if (!all_finite(tile, rows, width)) finite = false;
        });
    });
    return finite;
}

}  // namespace kernelect
