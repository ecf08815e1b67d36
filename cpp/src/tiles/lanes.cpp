#include "tiles/lanes.hpp"

#include <algorithm>
#include <memory>

#include "tiles/tile_loops.hpp"

namespace kernelect {

void run_tiles(const Sample& sample, const Panels& panels, Index lanes, Control& control,
               const std::function<LeafSums&(Index)>& open,
               const std::function<void(PanelWorker&, const Block&, const Block&)>& visit,
               const std::function<void(Index)>& done) {
    const std::vector<Block>& blocks = sample.blocks();
    const auto add_row_sums = tile_loops().add_row_sums;
    struct Place {
        std::unique_ptr<PanelWorker> worker;
        LeafSums* sums = nullptr;  // of the panel that is being worked on
    };
    std::vector<Place> workers(place(std::max(control.threads(), 1)));
    const auto at = [&](Index i) -> const Block& { return blocks[place(i)]; };
    symmetric_tiles(
        panels, control,
        [&](int w, Index i) {
            Place& mine = workers[place(w)];
            if (!mine.worker) mine.worker = std::make_unique<PanelWorker>(sample, lanes);
            std::fill(mine.worker->panel.begin(), mine.worker->panel.end(), 0.0);
            mine.sums = &open(i);
        },
        [&](int w, Index i, Index j) {
            const simd::FlushDenormals flush;
            PanelWorker& worker = *workers[place(w)].worker;
            std::fill(worker.touched.begin(), worker.touched.end(), char{0});
            worker.diagonal = i == j;
            visit(worker, at(i), at(j));
        },
        [&](int w, Index, Index j) {
            const PanelWorker& worker = *workers[place(w)].worker;
            LeafSums& sums = *workers[place(w)].sums;
            for (Index lane = 0; lane < lanes; ++lane) {
                if (!worker.touched[place(lane)]) continue;
                double* to = sums.lane(lane) + (at(j).begin - sums.begin);
                const Real* from = worker.columns.data() + lane * kTile;
                for (Index r = 0; r < at(j).size; ++r) to[r] += from[r];
            }
        },
        [&](int w, Index i) {
            PanelWorker& worker = *workers[place(w)].worker;
            LeafSums& sums = *workers[place(w)].sums;
            for (Index lane = 0; lane < lanes; ++lane) {
                double* to = sums.lane(lane) + (at(i).begin - sums.begin);
                const Real* from = worker.rows(lane);
                add_row_sums(from, at(i).size, to);
            }
            done(i);
        });
}

}  // namespace kernelect
