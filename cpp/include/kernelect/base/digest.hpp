#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kernelect {

// A number made of many, in their order: to see that two long lists are the same, not to keep
// anything from anybody.
class Digest {
  public:
    template <class Number>
    void add(const Number* numbers, std::size_t count) {
        static_assert(sizeof(Number) <= sizeof(std::uint64_t));
        for (std::size_t k = 0; k < count; ++k) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, numbers + k, sizeof(Number));
            // Multiplication carries a difference upwards, the shift brings it back down.
            value_ = (value_ ^ bits) * 0x9E3779B97F4A7C15ull;
            value_ ^= value_ >> 29;
        }
    }
    template <class Number>
    void add(Number number) {
        add(&number, 1);
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0x243F6A8885A308D3ull;
};

}  // namespace kernelect
