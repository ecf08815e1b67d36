#pragma once

#include "kernelect/base/simd.hpp"
#include "kernelect/tiles/tile.hpp"

namespace kernelect {
inline namespace KERNELECT_PACKS {

// out = entry(in) on a tile, pack by pack; in and out may be the same. The entry is a copy and
// should hold its constants by value: a store could not change them, so they stay in registers.
template <class Entry>
void map_tile(const Real* in, Real* out, Index rows, Index width, const Entry entry) {
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < width; j += simd::kWidth)
            simd::store(out + i * kTile + j, entry(simd::load(in + i * kTile + j)));
}

}  // namespace KERNELECT_PACKS
}  // namespace kernelect
