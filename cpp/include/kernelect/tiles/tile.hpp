#pragma once

#include <vector>

#include "kernelect/base/types.hpp"

namespace kernelect {

// Rows are worked on in blocks of at most kTile; a tile is one block against another. 64 x 64
// doubles stay in the first-level cache while every candidate is computed from them.
inline constexpr Index kTile = 64;
inline constexpr Index kTileArea = kTile * kTile;
// Rows of a tile are summed in this many running sums, column j in that of j mod kLanes, whatever
// the width of packs: sums have the same bits at every level.
inline constexpr Index kLanes = 8;
// Columns of a tile are padded to a multiple of this.
inline constexpr Index kStrip = 2 * kLanes;

inline Index padded(Index size) { return (size + kStrip - 1) / kStrip * kStrip; }

// Consecutive rows of one group (class); blocks never straddle groups.
struct Block {
    Index begin = 0;
    Index size = 0;
    int group = 0;
};

// Cuts groups of the given sizes into blocks of nearly equal size.
std::vector<Block> make_blocks(const std::vector<Index>& group_sizes);

// What a kernel is computed from, entry by entry. Candidates that share a base share its tiles.
enum class Base { squared_distance, l1_distance, distance, dot_product, value };

// Bounds of the entries of a tile; unknown until set.
struct Range {
    double least = 1.0, greatest = -1.0;
    bool known() const { return least <= greatest; }
};

}  // namespace kernelect
