#include "tiles/tile_loops.hpp"

#include "kernelect/base/build.hpp"
#include "tiles/packed_loops.hpp"

namespace kernelect {

#ifdef KERNELECT_V4
namespace packs_of_8 {
extern const TileLoops kPackedLoops;
}
#endif

const TileLoops& tile_loops() {
#ifdef KERNELECT_V4
    if (build::packs_of_8()) return packs_of_8::kPackedLoops;
#endif
    return kPackedLoops;
}

}  // namespace kernelect
