#include "kernelect/tiles/tile.hpp"

#include <algorithm>

namespace kernelect {

std::vector<Block> make_blocks(const std::vector<Index>& group_sizes) {
    std::vector<Block> blocks;
    Index begin = 0;
    int group = 0;
    for (const Index size : group_sizes) {
        const Index count = (size + kTile - 1) / kTile;
        for (Index k = 0; k < count; ++k) {
            // Whole strips, but for the last block: no column is padding.
            const Index from = std::min(size, padded(size * k / count));
            const Index to = std::min(size, padded(size * (k + 1) / count));
            blocks.push_back({begin + from, to - from, group});
        }
        begin += size;
        ++group;
    }
    return blocks;
}

}  // namespace kernelect
