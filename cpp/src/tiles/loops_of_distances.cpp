#include <limits>

#include "tiles/packed_loops.hpp"

namespace kernelect {
inline namespace KERNELECT_PACKS {
namespace {

using simd::kWidth;
using simd::Pack;

// Rows of a tile that are worked on together. By two packs that is eight running sums, enough to
// hide the latency of an addition; blocks are padded to whole groups of them.
constexpr Index kRowsAtOnce = 4;
static_assert(kStrip % kRowsAtOnce == 0);

struct SquaredDifference {
    static KERNELECT_INLINE Pack add(Pack sum, Pack x, Pack y) {
        const Pack d = x - y;
        return d * d + sum;
    }
};
struct AbsoluteDifference {
    static KERNELECT_INLINE Pack add(Pack sum, Pack x, Pack y) {
        const Pack d = x - y;
        return sum + simd::max(d, -d);
    }
};
struct Product {
    static KERNELECT_INLINE Pack add(Pack sum, Pack x, Pack y) { return x * y + sum; }
};

struct AsItIs {
    KERNELECT_INLINE Pack operator()(Pack sum, Index, Index) const { return sum; }
};

// finish(sum, i, j) makes the entries of row i from column j on.
template <class Accumulate, class Finish = AsItIs>
void dense_tile(const DensePair& pair, Finish finish = {}) {
    const Index a_width = padded(pair.rows), b_width = pair.width;
    for (Index i = 0; i < pair.rows; i += kRowsAtOnce) {
        for (Index j = 0; j < b_width; j += 2 * kWidth) {
            Pack s[kRowsAtOnce][2];
            for (auto& row : s) row[0] = row[1] = simd::set(0.0);
            const Real* x = pair.a + i;
            const Real* y = pair.b + j;
            for (Index f = 0; f < pair.features; ++f, x += a_width, y += b_width) {
                const Pack y0 = simd::load(y), y1 = simd::load(y + kWidth);
                for (Index r = 0; r < kRowsAtOnce; ++r) {
                    const Pack xr = simd::set(x[r]);
                    s[r][0] = Accumulate::add(s[r][0], xr, y0);
                    s[r][1] = Accumulate::add(s[r][1], xr, y1);
                }
            }
            for (Index r = 0; r < kRowsAtOnce; ++r) {
                Real* const to = pair.tile + (i + r) * kTile + j;
                simd::store(to, finish(s[r][0], i + r, j));
                simd::store(to + kWidth, finish(s[r][1], i + r, j + kWidth));
            }
        }
    }
}

}  // namespace

void dots_of_tile(const DensePair& pair) { dense_tile<Product>(pair); }
void l1_distances_of_tile(const DensePair& pair) { dense_tile<AbsoluteDifference>(pair); }
void differences_of_tile(const DensePair& pair) { dense_tile<SquaredDifference>(pair); }

Range expansion_of_tile(const DensePair& pair, const Real* a_norms, const Real* b_norms) {
    Pack least = simd::set(std::numeric_limits<Real>::infinity()), greatest = -least;
    dense_tile<Product>(pair, [&](Pack dot, Index i, Index j) {
        const Pack both = simd::set(a_norms[i]) + simd::load(b_norms + j);
        const Pack distance = both - simd::set(2.0) * dot;
        least = simd::min(least, distance);
        greatest = simd::max(greatest, distance);
        return distance;
    });
    return {simd::least(least), simd::greatest(greatest)};
}

}  // namespace KERNELECT_PACKS
}  // namespace kernelect
