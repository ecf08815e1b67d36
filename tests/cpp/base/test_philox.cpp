#include <doctest/doctest.h>

#include <cmath>

#include "kernelect/base/philox.hpp"

using kernelect::Philox;

TEST_CASE("random numbers by their place") {
    // NumPy's Philox(key=7) counts before it gives its first block.
    const Philox random(7);
    CHECK(random.block(1) == Philox::Block{0xdf4034b829e9fba4ull, 0x4b9d10cdf8e64087ull,
                                           0x6b8b857e506aac98ull, 0x67c7c945b1ba6e52ull});
    CHECK(random.block(2) == Philox::Block{0x15352da77ecee8e6ull, 0xb256888327f72bccull,
                                           0x4bde1757d950a392ull, 0x9edd26e855c94201ull});
    CHECK(random.block(1000000000000ull) ==
          Philox::Block{0x87874add84e0bf5aull, 0x04840d5fc6296877ull, 0x8a8c032636572f58ull,
                        0xb30c40b5449da021ull});
    CHECK(random.uniform(4) == static_cast<double>(random.block(1)[0] >> 11) / 9007199254740992.0);
    CHECK(random.uniform(7) == static_cast<double>(random.block(1)[3] >> 11) / 9007199254740992.0);
    CHECK(Philox(8).block(1) != random.block(1));
}

TEST_CASE("random numbers are spread over the interval") {
    const Philox random(1);
    double sum = 0.0, squares = 0.0;
    constexpr int kCount = 40000;
    for (int k = 0; k < kCount; ++k) {
        const double u = random.uniform(static_cast<std::uint64_t>(k));
        CHECK((u >= 0.0 && u < 1.0));
        sum += u;
        squares += u * u;
    }
    CHECK(std::abs(sum / kCount - 0.5) < 0.006);
    CHECK(std::abs(squares / kCount - 1.0 / 3.0) < 0.006);
}
