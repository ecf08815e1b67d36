#pragma once

#include <array>
#include <cstdint>

namespace kernelect {

// Random numbers by their place (Philox-4x64 with ten rounds; Salmon, Moraes, Dror and Shaw, SC
// 2011): number k of a seed is a function of the two, whoever asks and in whatever order.
class Philox {
  public:
    using Block = std::array<std::uint64_t, 4>;

    explicit Philox(std::uint64_t seed) : seed_(seed) {}

    Block block(std::uint64_t counter) const {
        Block x{counter, 0, 0, 0};
        std::uint64_t key0 = seed_, key1 = 0;
        for (int round = 0; round < 10; ++round) {
            const Wide a = product(0xD2E7470EE14C6C93ull, x[0]);
            const Wide b = product(0xCA5A826395121157ull, x[2]);
            x = {b.high ^ x[1] ^ key0, b.low, a.high ^ x[3] ^ key1, a.low};
            key0 += 0x9E3779B97F4A7C15ull;
            key1 += 0xBB67AE8584CAA73Bull;
        }
        return x;
    }

    // In [0, 1), with 53 random bits.
    double uniform(std::uint64_t place) const {
        return static_cast<double>(block(place / 4)[place % 4] >> 11) * 0x1p-53;
    }

  private:
    struct Wide {
        std::uint64_t high, low;
    };
    // All 128 bits, of four products of halves.
    static Wide product(std::uint64_t a, std::uint64_t b) {
        constexpr std::uint64_t kHalf = 0xFFFFFFFFull;
        const std::uint64_t a0 = a & kHalf, a1 = a >> 32, b0 = b & kHalf, b1 = b >> 32;
        const std::uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);
        const std::uint64_t other = a0 * b1 + (middle & kHalf);
        return {a1 * b1 + (middle >> 32) + (other >> 32), a * b};
    }

    std::uint64_t seed_;
};

}  // namespace kernelect
