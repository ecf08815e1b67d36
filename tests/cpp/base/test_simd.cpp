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
    const double a[8] = {1.0, -2.0, 3.0, 0.5, -1.0, 0.25, 8.0, 0.0};
    const double b[8] = {2.0, -3.0, 3.0, kInfinity, 4.0, 0.0, -kInfinity, 0.5};
    const double wanted[8] = {1.0, 7.0, 7.0, 0.5, -1.0, 7.0, 7.0, 0.0};
    const Pack x = simd::load(a), y = simd::load(b);
    double low[simd::kWidth], high[simd::kWidth], chosen[simd::kWidth], sums[simd::kWidth];
    simd::store(low, simd::min(x, y));
    simd::store(high, simd::max(x, y));
    simd::store(chosen, simd::select(simd::less(x, y), x, simd::set(7.0)));
    simd::store(sums, simd::add_by_product(x, x, simd::hidden_one()));
    for (int k = 0; k < simd::kWidth; ++k) {
        CHECK(low[k] == std::min(a[k], b[k]));
        CHECK(high[k] == std::max(a[k], b[k]));
        CHECK(chosen[k] == wanted[k]);
        CHECK(sums[k] == a[k] + a[k]);
    }
    CHECK(simd::least(x) == *std::min_element(a, a + simd::kWidth));
    CHECK(simd::greatest(x) == *std::max_element(a, a + simd::kWidth));
}

TEST_CASE("the sums of several packs at once have the bits of one after the other") {
    const double digits[4] = {1e16, 1.0, -1e16, 3.0};
    simd::Pack packs[simd::kWidth];
    for (int r = 0; r < simd::kWidth; ++r) {
        double row[simd::kWidth];
        for (int k = 0; k < simd::kWidth; ++k) row[k] = digits[(r + k * (r + 1)) % 4] + k;
        packs[r] = simd::load(row);
    }
    double together[simd::kWidth];
    simd::store(together, simd::sums(packs));
    for (int r = 0; r < simd::kWidth; ++r) CHECK(together[r] == simd::sum(packs[r]));
}

#ifndef KERNELECT_PACKS_OF_8
TEST_CASE("a pack is summed in the same order on every level") {
    const double c[4] = {1e16, 1.0, -1e16, 1.0};
    CHECK(simd::sum(simd::load(c)) == (1e16 + 1.0) + (-1e16 + 1.0));
}
#endif

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
