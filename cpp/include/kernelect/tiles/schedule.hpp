#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "kernelect/base/parallel.hpp"

namespace kernelect {

// Visits the tiles (i, j), i <= j, of a symmetric matrix cut into `blocks` blocks. One panel (a row
// of tiles) is one task: `open(worker, i)`, then for each j `compute(worker, i, j)` in parallel
// with other panels and `commit(worker, i, j)`, then `close(worker, i)`.
//
// Commits to one column j come in ascending order of i, and close(j) after all of them, so that
// sums are added in the same order, hence to the same bits, whatever the number of threads -
// without a copy of the sums per thread. Panels start in ascending order and each trails the one
// before it by a tile, so that nobody waits long; the lowest unfinished panel never waits.
template <class Open, class Compute, class Commit, class Close>
void symmetric_tiles(Index blocks, Control& control, Open&& open, Compute&& compute,
                     Commit&& commit, Close&& close) {
    const auto committed = std::make_unique<std::atomic<Index>[]>(static_cast<std::size_t>(blocks));
    for (Index j = 0; j < blocks; ++j) committed[static_cast<std::size_t>(j)] = 0;
    const auto await = [&](Index j, Index count) {
        while (committed[static_cast<std::size_t>(j)].load(std::memory_order_acquire) < count) {
            if (control.stopped()) throw Cancelled();
            std::this_thread::yield();
        }
    };
    parallel_tasks(blocks, control, [&](Index i, int worker) {
        open(worker, i);
        for (Index j = i; j < blocks; ++j) {
            compute(worker, i, j);
            if (j > i) {
                await(j, i);
                commit(worker, i, j);
                committed[static_cast<std::size_t>(j)].store(i + 1, std::memory_order_release);
            }
            control.advance(1.0, worker == 0);
        }
        await(i, i);
        close(worker, i);
    });
}

inline double tile_count(Index blocks) {
    return 0.5 * static_cast<double>(blocks) * static_cast<double>(blocks + 1);
}

}  // namespace kernelect
