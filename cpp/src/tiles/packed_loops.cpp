#include "tiles/packed_loops.hpp"

namespace kernelect {
inline namespace KERNELECT_PACKS {

const TileLoops kPackedLoops{dots_of_tile,      l1_distances_of_tile, differences_of_tile,
                             expansion_of_tile, add_sums_of_tile,     add_products_of_tile,
                             add_forms_of_tile, add_row_sums};

}  // namespace KERNELECT_PACKS
}  // namespace kernelect
