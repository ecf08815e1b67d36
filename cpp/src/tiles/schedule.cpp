#include "kernelect/tiles/schedule.hpp"

#include <atomic>
#include <memory>
#include <thread>

#include "kernelect/base/parallel.hpp"

namespace kernelect {

void symmetric_tiles(const Panels& panels, Control& control, const PanelStep& open,
                     const TileStep& compute, const TileStep& commit, const PanelStep& close) {
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

}  // namespace kernelect
