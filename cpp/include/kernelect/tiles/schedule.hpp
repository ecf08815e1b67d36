#pragma once

#include <functional>

#include "kernelect/base/control.hpp"
#include "kernelect/base/types.hpp"

namespace kernelect {

// Some panels (rows of tiles) of a symmetric matrix cut into `blocks` blocks: those from `first` to
// before `last`.
struct Panels {
    Panels(Index all) : first(0), last(all), blocks(all) {}
    Panels(Index from, Index to, Index all) : first(from), last(to), blocks(all) {}

    Index first, last, blocks;
};

using PanelStep = std::function<void(int worker, Index i)>;
using TileStep = std::function<void(int worker, Index i, Index j)>;

// Visits the tiles (i, j), i <= j, of the panels i. One panel is one task: `open(worker, i)`, then
// for each j `compute(worker, i, j)` in parallel with other panels and `commit(worker, i, j)`, then
// `close(worker, i)`.
//
// Commits to one column j come in ascending order of i, and close(j) after all of them, so that
// sums are added in the same order, hence to the same bits, whatever the number of threads -
// without a copy of the sums per thread. Panels start in ascending order and each trails the one
// before it by a tile, so that nobody waits long; the lowest unfinished panel never waits.
void symmetric_tiles(const Panels& panels, Control& control, const PanelStep& open,
                     const TileStep& compute, const TileStep& commit, const PanelStep& close);

inline double tile_count(const Panels& panels) {
    const auto below = [](Index rows) {  // tiles of the last `rows` panels
        return 0.5 * static_cast<double>(rows) * static_cast<double>(rows + 1);
    };
    return below(panels.blocks - panels.first) - below(panels.blocks - panels.last);
}

}  // namespace kernelect
