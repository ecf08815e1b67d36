#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "kernelect/base/simd.hpp"

using namespace kernelect;
using simd::Pack;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("arithmetic of packs") {
    const double a[4] = {1.0, -2.0, 3.0, 0.5}, b[4] = {2.0, -3.0, 3.0, kInfinity};
    const Pack x = simd::load(a), y = simd::load(b);
    double low[4], high[4], chosen[4];
    simd::store(low, simd::min(x, y));
    simd::store(high, simd::max(x, y));
    simd::store(chosen, simd::select(simd::less(x, y), x, simd::set(7.0)));
    const double wanted[4] = {1.0, 7.0, 7.0, 0.5};
    for (int k = 0; k < 4; ++k) {
        CHECK(low[k] == std::min(a[k], b[k]));
        CHECK(high[k] == std::max(a[k], b[k]));
        CHECK(chosen[k] == wanted[k]);
    }
    CHECK(simd::sum(x) == 2.5);
    // The order of a sum is part of the promise of equal bits on every level.
    const double c[4] = {1e16, 1.0, -1e16, 1.0};
    CHECK(simd::sum(simd::load(c)) == (1e16 + 1.0) + (-1e16 + 1.0));
}

#if defined(__SSE2__)
TEST_CASE("denormals are flushed only while asked for") {
    volatile double tiny = 1e-308;
    const unsigned before = _mm_getcsr();
    {
        const simd::FlushDenormals flush;
        CHECK(tiny * 0.01 == 0.0);
    }
    CHECK(tiny * 0.01 > 0.0);
    CHECK(_mm_getcsr() == before);
}
#endif
