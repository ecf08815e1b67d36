#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "kernelect/base/simd.hpp"

// Functions of packs, accurate to the last digits: what kernels are made of.
namespace kernelect::simd {
inline namespace KERNELECT_PACKS {

// exp(r) - 1 for |r| <= ln(2)/2 by a polynomial r + r^2 g(r), relative error below 1e-16.
KERNELECT_INLINE Pack expm1_reduced(Pack r) {
    Pack g = set(2.510038549551032e-08);
    g = g * r + set(2.7620088445409746e-07);
    g = g * r + set(2.7557268459997064e-06);
    g = g * r + set(2.4801521295954376e-05);
    g = g * r + set(0.00019841269863053618);
    g = g * r + set(0.0013888888917213717);
    g = g * r + set(0.008333333333330062);
    g = g * r + set(0.04166666666662413);
    g = g * r + set(0.16666666666666669);
    g = g * r + set(0.5000000000000001);
    return (r * r) * g + r;
}

// 1.5 * 2^52: a number below 2^51 added to it is rounded to a whole one, which the low bits hold.
inline constexpr double kRounder = 6755399441055744.0;
// ln 2 in two parts, the first with so few bits that multiples of it are exact.
inline constexpr double kLn2High = 0.693147180369123816490, kLn2Low = 1.90821492927058770002e-10;

// -x = k ln 2 + r: returns 2^k, sets q = exp(r) - 1. Valid for 0 <= x < kExpLimit.
inline constexpr double kExpLimit = 708.0;
KERNELECT_INLINE Pack split_exp(Pack x, Pack& q) {
    const Pack t = x * set(-1.4426950408889634) + set(kRounder);
    const Pack k = t - set(kRounder);
    Pack r = k * set(-kLn2High) - x;
    r = k * set(-kLn2Low) + r;
    q = expm1_reduced(r);
    return from_bits((to_bits(t) << 52) + to_bits(set(1.0)));
}

// From here on exp(-x) < 2e-28 is lost in any sum that holds the 1 of the diagonal.
inline constexpr double kNegligible = 64.0;

// exp(-x) for x >= 0; exactly 1 at 0, and 0 from kExpLimit on (infinity included).
KERNELECT_INLINE Pack exp_negative(Pack x) {
    Pack q;
    const Pack scale = split_exp(x, q);
    return select(less(x, set(kExpLimit)), scale * q + scale, set(0.0));
}

// 1 - exp(-x) for x >= 0, accurate relative to itself for small x; exactly 0 at 0.
KERNELECT_INLINE Pack one_minus_exp_negative(Pack x) {
    Pack q;
    const Pack scale = split_exp(x, q);
    return select(less(x, set(kExpLimit)), (set(1.0) - scale) - scale * q, set(1.0));
}

// The same for 0 <= x <= kSmallArgument by the series x - x^2/2! + x^3/3! - ...
inline constexpr double kSmallArgument = 1.0 / 64;
KERNELECT_INLINE Pack one_minus_exp_negative_small(Pack x) {
    Pack g = set(1.0 / 5040);
    g = g * x + set(-1.0 / 720);
    g = g * x + set(1.0 / 120);
    g = g * x + set(-1.0 / 24);
    g = g * x + set(1.0 / 6);
    g = g * x + set(-0.5);
    return (x * x) * g + x;
}

// log(1 + x) for x >= 0, within two units in the last place; exactly 0 at 0, infinite at infinity.
KERNELECT_INLINE Pack log1p(Pack x) {
    const Pack one = set(1.0), root = set(1.4142135623730951);
    // 1 + x = u + lost = 2^k (1 + f) + lost with 1 + f between sqrt(1/2) and sqrt(2).
    const Pack u = one + x;
    const Pack lost = select(less(x, one), x - (u - one), one - (u - x));
    const Bits scaled = to_bits(u) - to_bits(set(0.70710678118654752));
    const Bits exponent = (scaled >> 52) << 52;  // k in the place where a double has its exponent
    const Pack k = from_bits((exponent >> 52) + to_bits(set(kRounder))) - set(kRounder);
    const Bits near = less(u, root);  // k = 0: x itself is f, with every bit
    const Pack f = select(near, x, from_bits(to_bits(u) - exponent) - one);
    const Pack rest = select(near, set(0.0), lost / u);
    // log(1 + f) = 2 artanh(s) = f - s (f - 2 (s^2/3 + s^4/5 + ...)), s = f / (2 + f), s^2 < 0.0295
    const Pack s = f / (set(2.0) + f), z = s * s;
    Pack g = set(2.0 / 21);
    g = g * z + set(2.0 / 19);
    g = g * z + set(2.0 / 17);
    g = g * z + set(2.0 / 15);
    g = g * z + set(2.0 / 13);
    g = g * z + set(2.0 / 11);
    g = g * z + set(2.0 / 9);
    g = g * z + set(2.0 / 7);
    g = g * z + set(2.0 / 5);
    g = g * z + set(2.0 / 3);
    const Pack small = s * (f - g * z) - (k * set(kLn2Low) + rest);
    const Pack value = k * set(kLn2High) + (f - small);
    return select(less(x, set(std::numeric_limits<double>::infinity())), value,
                  set(std::numeric_limits<double>::infinity()));
}

// The sine of pi x / period.
class PeriodicSine {
  public:
    explicit PeriodicSine(double period)
        : inverse_(set(1.0 / period)), high_(set(upper_half(period))), low_(set(period) - high_) {}

    // Up to its sign, for x >= 0. The multiple of the period is taken off x without rounding, so
    // that near it no digit of x is lost. From 2^50 periods on x has no digit behind the point.
    KERNELECT_INLINE Pack operator()(Pack x) const {
        const Pack turns = min(x * inverse_, set(0x1p50));
        const Pack k = (turns + set(kRounder)) - set(kRounder);
        const Pack left = ((x - k * high_) - k * low_) * inverse_;
        // The series to t^21: t is at most pi/2, where the next term is 1e-18.
        const Pack t = set(3.14159265358979323846) * max(min(left, set(0.5)), set(-0.5));
        const Pack z = t * t;
        Pack g = set(1.0 / 51090942171709440000.0);
        g = g * z - set(1.0 / 121645100408832000.0);
        g = g * z + set(1.0 / 355687428096000.0);
        g = g * z - set(1.0 / 1307674368000.0);
        g = g * z + set(1.0 / 6227020800.0);
        g = g * z - set(1.0 / 39916800.0);
        g = g * z + set(1.0 / 362880.0);
        g = g * z - set(1.0 / 5040.0);
        g = g * z + set(1.0 / 120.0);
        g = g * z - set(1.0 / 6.0);
        return (t * z) * g + t;
    }

  private:
    // The leading 26 bits: their products with whole numbers below 2^27 are exact.
    static double upper_half(double v) {
        std::uint64_t bits;
        std::memcpy(&bits, &v, sizeof bits);
        bits &= ~std::uint64_t{0} << 27;
        std::memcpy(&v, &bits, sizeof v);
        return v;
    }

    Pack inverse_, high_, low_;
};

}  // namespace KERNELECT_PACKS
}  // namespace kernelect::simd
