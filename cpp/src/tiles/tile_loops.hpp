#pragma once

#include <vector>

#include "tiles/sum_lanes.hpp"

namespace kernelect {

// Packed rows of two blocks, feature by feature, and where the entries between them go.
struct DensePair {
    const Real* a;
    Index rows;  // of a; padded rows lie between its features
    const Real* b;
    Index width;  // of b, padded
    Index features;
    Real* tile;
};

// What a pass adds up over tiles: plain sums, or products with common vectors.
struct SumsOfTiles {
    const KernelSet& set;
    const SumLanes& lanes;
    Index vectors;
    bool squares;
    RealMatrix weights;  // the vectors, with room
};
// Or sums in which every output meets vectors of its own.
struct WeightedTiles {
    const KernelSet& set;
    const LanePlan& plan;
    const std::vector<RealMatrix>& weights;  // of each output, with room
    bool several;                            // vectors of one output
};

// The loops that nearly all time of a pass goes to. They are compiled for packs of each width that
// a core has, and have the same results whatever the width.
struct TileLoops {
    void (*dots)(const DensePair& pair);
    void (*l1_distances)(const DensePair& pair);
    void (*differences)(const DensePair& pair);  // squared distances, summed from differences
    // Squared distances by products, |x|^2 + |x'|^2 - 2 x.x', and their bounds.
    Range (*expansion)(const DensePair& pair, const Real* a_norms, const Real* b_norms);

    // On the tile of two blocks of the worker's panel.
    void (*sums)(const SumsOfTiles& pass, PanelWorker& worker, const Block& a, const Block& b);
    void (*products)(const WeightedTiles& pass, PanelWorker& worker, const Block& a,
                     const Block& b);
    void (*quadratic_forms)(const WeightedTiles& pass, PanelWorker& worker, const Block& a,
                            const Block& b);
    // What they left in the running sums of a panel's rows.
    void (*add_row_sums)(const Real* rows, Index count, double* to);
};

// Those for the widest packs that this core has and this machine runs, or KERNELECT_LEVEL allows.
const TileLoops& tile_loops();

}  // namespace kernelect
