#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "kernelect/base/aligned.hpp"
#include "kernelect/tiles/tile_map.hpp"

using namespace kernelect;

TEST_CASE("blocks cover the groups, never straddle them, and are nearly equal") {
    for (const std::vector<Index>& sizes :
         {std::vector<Index>{1}, {64}, {65}, {1, 2, 3}, {130, 1, 64, 200}, {1000}}) {
        Index at = 0;
        std::size_t block = 0;
        const std::vector<Block> blocks = make_blocks(sizes);
        for (std::size_t group = 0; group < sizes.size(); ++group) {
            Index left = sizes[group], least = kTile, most = 0;
            while (left > 0) {
                const Block& b = blocks[block++];
                CHECK(b.begin == at);
                CHECK(b.group == static_cast<int>(group));
                CHECK(b.size >= 1);
                CHECK(b.size <= kTile);
                least = std::min(least, b.size);
                most = std::max(most, b.size);
                at += b.size;
                left -= b.size;
                if (left > 0) CHECK(b.size % kStrip == 0);
            }
            CHECK(left == 0);
            CHECK(most - least < 2 * kStrip);
        }
        CHECK(block == blocks.size());
    }
}

TEST_CASE("sizes are padded to whole strips") {
    for (Index size = 0; size <= 2 * kTile; ++size) {
        CHECK(padded(size) >= size);
        CHECK(padded(size) < size + kStrip);
        CHECK(padded(size) % kStrip == 0);
    }
    CHECK(!Range{}.known());
    CHECK(Range{0.0, 0.0}.known());
}

TEST_CASE("a map writes the rows and columns it is given, in place or not") {
    Buffer in(kTileArea, 3.0), out(kTileArea, -1.0);
    const auto doubled = [](simd::Pack v) { return v + v; };
    map_tile(in.data(), out.data(), 2, kStrip, doubled);
    map_tile(in.data(), in.data(), 2, kStrip, doubled);
    for (Index i = 0; i < kTile; ++i)
        for (Index j = 0; j < kTile; ++j) {
            const bool inside = i < 2 && j < kStrip;
            CHECK(out[place(i * kTile + j)] == (inside ? 6.0 : -1.0));
            CHECK(in[place(i * kTile + j)] == (inside ? 6.0 : 3.0));
        }
}
