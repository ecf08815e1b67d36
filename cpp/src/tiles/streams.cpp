#include "kernelect/tiles/streams.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "kernelect/base/parallel.hpp"
#include "tiles/fingerprint.hpp"
#include "tiles/tile_loops.hpp"

namespace kernelect {
namespace {

// The pass over some leaves. A leaf's sums are made when its first panel begins and added to the
// others when its last one ends, while the panels of the next are under way.
void pass(const KernelSet& set, const SumsRequest& request, const Leaves& leaves, Index first,
          Index last, PartialSums& into, Control& control) {
    const Sample& sample = set.sample();
    const SumLanes lanes(set, request);
    const SumsOfTiles sums{set, lanes, request.vectors.rows(), request.squares,
                           with_room(request.vectors)};
    const TileLoops& loops = tile_loops();
    const auto left = std::make_unique<std::atomic<Index>[]>(place(leaves.count()));
    for (Index leaf = 0; leaf < leaves.count(); ++leaf) left[place(leaf)] = leaves.blocks_in(leaf);
    std::vector<std::unique_ptr<LeafSums>> open(place(leaves.count()));
    std::mutex mutex;
    run_tiles(
        sample, leaves.panels(first, last), lanes.total(), control,
        [&](Index panel) -> LeafSums& {
            const Index leaf = leaves.of_block(panel);
            const std::scoped_lock lock(mutex);
            std::unique_ptr<LeafSums>& made = open[place(leaf)];
            if (!made)
                made = std::make_unique<LeafSums>(leaf, leaf + 1, leaves.first_row(leaf),
                                                  sample.size(), lanes.total());
            return *made;
        },
        [&](PanelWorker& worker, const Block& a, const Block& b) {
            loops.sums(sums, worker, a, b);
        },
        [&](Index panel) {
            const Index leaf = leaves.of_block(panel);
            if (left[place(leaf)].fetch_sub(1, std::memory_order_acq_rel) > 1) return;
            const std::scoped_lock lock(mutex);
            into.add(std::move(*open[place(leaf)]));
            open[place(leaf)].reset();
        });
}

void hand_over(const KernelSet& set, const SumsRequest& request, const PartialSums& sums,
               Control& control, const SumsStep& take) {
    const SumLanes lanes(set, request);
    const LeafSums& whole = sums.whole();
    parallel_tasks(set.candidates(), control,
                   [&](Index k, int) { take(k, lanes.sums_of(whole, k)); });
}

}  // namespace

PartialSums stream_partial_sums(const KernelSet& set, const SumsRequest& request, Index first_leaf,
                                Index last_leaf, Control& control) {
    PartialSums sums(set.sample(), SumLanes(set, request).total(), fingerprint(set, request));
    pass(set, request, Leaves(set.sample()), first_leaf, last_leaf, sums, control);
    return sums;
}

void finish_sums(const KernelSet& set, const SumsRequest& request, const PartialSums& sums,
                 Control& control, const SumsStep& take) {
    const Sample& sample = set.sample();
    if (sums.identity() != fingerprint(set, request) || sums.rows() != sample.size() ||
        sums.lanes() != SumLanes(set, request).total() || sums.leaves() != Leaves(sample).count())
        throw std::invalid_argument("these are sums of another sample, target or set of kernels");
    hand_over(set, request, sums, control, take);
}

void stream_sums(const KernelSet& set, const SumsRequest& request, Control& control,
                 const SumsStep& take) {
    const Leaves leaves(set.sample());
    PartialSums sums(set.sample(), SumLanes(set, request).total(), 0);
    pass(set, request, leaves, 0, leaves.count(), sums, control);
    hand_over(set, request, sums, control, take);
}

std::vector<KernelSums> stream_sums(const KernelSet& set, const SumsRequest& request,
                                    Control& control) {
    std::vector<KernelSums> all(place(set.candidates()));
    stream_sums(set, request, control,
                [&](Index k, KernelSums sums) { all[place(k)] = std::move(sums); });
    return all;
}

}  // namespace kernelect
