#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "kernelect/base/parallel.hpp"

namespace kernelect {

// Some panels (rows of tiles) of a symmetric matrix cut into `blocks` blocks: those from `first` to
// before `last`.
struct Panels {
    Panels(Index all) : first(0), last(all), blocks(all) {}
    Panels(Index from, Index to, Index all) : first(from), last(to), blocks(all) {}

    Index first, last, blocks;
};

// Visits the tiles (i, j), i <= j, of the panels i. One panel is one task: `open(worker, i)`, then
// for each j `compute(worker, i, j)` in parallel with other panels and `commit(worker, i, j)`, then
// `close(worker, i)`.
//
// Commits to one column j come in ascending order of i, and close(j) after all of them, so that
// sums are added in the same order, hence to the same bits, whatever the number of threads -
// without a copy of the sums per thread. Panels start in ascending order and each trails the one
// before it by a tile, so that nobody waits long; the lowest unfinished panel never waits.
template <class Open, class Compute, class Commit, class Close>
void symmetric_tiles(const Panels& panels, Control& control, Open&& open, Compute&& compute,
                     Commit&& commit, Close&& close) {
    const auto committed = std::make_unique<std::atomic<Index>[]>(place(panels.blocks));
    for (Index j = 0; j < panels.blocks; ++j) committed[place(j)] = panels.first;
    const auto await = [&](Index j, Index count) {
        while (committed[place(j)].load(std::memory_order_acquire) < count) {
            if (control.stopped()) throw Cancelled();
            std::this_thread::yield();
        }
    };
    parallel_tasks(panels.last - panels.first, control, [&](Index task, int worker) {
        const Index i = panels.first + task;
        open(worker, i);
        for (Index j = i; j < panels.blocks; ++j) {
            compute(worker, i, j);
            if (j > i) {
                await(j, i);
                commit(worker, i, j);
                committed[place(j)].store(i + 1, std::memory_order_release);
            }
            control.advance(1.0, worker == 0);
        }
        await(i, i);
        close(worker, i);
    });
}

inline double tile_count(const Panels& panels) {
    const auto below = [](Index rows) {  // tiles of the last `rows` panels
        return 0.5 * static_cast<double>(rows) * static_cast<double>(rows + 1);
    };
    return below(panels.blocks - panels.first) - below(panels.blocks - panels.last);
}

}  // namespace kernelect
