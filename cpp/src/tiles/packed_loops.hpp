#pragma once

#include "kernelect/base/simd.hpp"
#include "tiles/tile_loops.hpp"

// The loops for packs of one width, each under the name of that width.
namespace kernelect {
inline namespace KERNELECT_PACKS {

void dots_of_tile(const DensePair& pair);
void l1_distances_of_tile(const DensePair& pair);
void differences_of_tile(const DensePair& pair);
Range expansion_of_tile(const DensePair& pair, const Real* a_norms, const Real* b_norms);

void add_sums_of_tile(const SumsOfTiles& pass, PanelWorker& worker, const Block& a, const Block& b);
void add_products_of_tile(const WeightedTiles& pass, PanelWorker& worker, const Block& a,
                          const Block& b);
void add_forms_of_tile(const WeightedTiles& pass, PanelWorker& worker, const Block& a,
                       const Block& b);
void add_row_sums(const Real* rows, Index count, double* to);

extern const TileLoops kPackedLoops;

}  // namespace KERNELECT_PACKS
}  // namespace kernelect
