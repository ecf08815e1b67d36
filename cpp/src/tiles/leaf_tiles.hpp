#pragma once

#include <array>
#include <cmath>

#include "kernelect/base/pack_functions.hpp"
#include "kernelect/tiles/operations.hpp"
#include "kernelect/tiles/tile_map.hpp"

// Every leaf on a tile, from its base entries: the kernel itself, and 1 - K of those that are
// summed in that form when they are wide.
namespace kernelect::leaf_tiles {
inline namespace KERNELECT_PACKS {

using simd::Pack;

template <class Entry>
void map(const LeafTile& tile, const Entry& entry) {
    map_tile(tile.base, tile.out, tile.rows, tile.width, entry);
}

inline void base_itself(const Node&, const LeafTile& tile) {
    map(tile, [](Pack v) { return v; });
}

inline void constant(const Node& node, const LeafTile& tile) {
    const Pack value = simd::set(node.a);
    map_tile(tile.out, tile.out, tile.rows, tile.width, [=](Pack) { return value; });
}

template <class Number>
Number power(Number base, Number result, int degree) {
    for (; degree > 0; degree /= 2, base = base * base)
        if (degree % 2 == 1) result = result * base;
    return result;
}

inline void polynomial(const Node& node, const LeafTile& tile) {
    const Pack a = simd::set(node.a), b = simd::set(node.b), one = simd::set(1.0);
    const int degree = node.count;
    map(tile, [=](Pack v) { return power(a * v + b, one, degree); });
}

inline void exponential(const Node& node, const LeafTile& tile) {
    const Pack a = simd::set(node.a);
    map(tile, [=](Pack v) { return simd::exp_negative(a * v); });
}

// exp(-s) is zero from here on, and the polynomial before it still finite.
inline constexpr double kFar = 1e3;
static_assert(kFar > simd::kExpLimit);

inline void matern32(const Node& node, const LeafTile& tile) {
    const Pack a = simd::set(node.a), one = simd::set(1.0), far = simd::set(kFar);
    map(tile, [=](Pack v) {
        const Pack s = simd::min(a * v, far);
        return (one + s) * simd::exp_negative(s);
    });
}

inline void matern52(const Node& node, const LeafTile& tile) {
    const Pack a = simd::set(node.a), one = simd::set(1.0), far = simd::set(kFar);
    map(tile, [=](Pack v) {
        const Pack s = simd::min(a * v, far);
        return (one + s + s * s * simd::set(1.0 / 3.0)) * simd::exp_negative(s);
    });
}

// Coefficients of s^2, s^3, ... in 1 - (1 + s + third s^2) exp(-s): minus those of the product of
// the polynomial with the exponential series. They end where s^k / k! is below rounding for s < 1.
inline constexpr int kSeries = 18;
constexpr std::array<double, kSeries> matern_series(double third) {
    std::array<double, kSeries> c{};
    std::array<double, kSeries + 2> inverse{};  // 1 / k!
    inverse[0] = 1.0;
    for (std::size_t k = 1; k < inverse.size(); ++k)
        inverse[k] = inverse[k - 1] / static_cast<double>(k);
    for (std::size_t k = 2; k < inverse.size(); ++k) {
        const double sign = k % 2 == 0 ? 1.0 : -1.0;
        c[k - 2] = -sign * (inverse[k] - inverse[k - 1] + third * inverse[k - 2]);
    }
    c[1] = third > 0.0 ? 0.0 : c[1];  // exactly zero for smoothness 5/2
    return c;
}
inline constexpr std::array<double, kSeries> kMatern32 = matern_series(0.0);
inline constexpr std::array<double, kSeries> kMatern52 = matern_series(1.0 / 3.0);

template <bool kThird>
void matern_complement(const Node& node, const LeafTile& tile) {
    const Pack a = simd::set(node.a), one = simd::set(1.0), far = simd::set(kFar);
    const double* c = kThird ? kMatern52.data() : kMatern32.data();
    map(tile, [=](Pack v) {
        const Pack s = simd::min(a * v, far);
        Pack series = simd::set(0.0);
        for (int k = kSeries - 1; k >= 0; --k) series = series * s + simd::set(c[k]);
        Pack polynomial = s;  // K = (1 + polynomial) exp(-s)
        if (kThird) polynomial += s * s * simd::set(1.0 / 3.0);
        const Pack direct = simd::one_minus_exp_negative(s) - polynomial * simd::exp_negative(s);
        return simd::select(simd::less(s, one), s * s * series, direct);
    });
}

inline double scaled_base(const Node& node, double base) { return node.a * base; }

// (1 + a v)^-b = exp(-b log(1 + a v)): neither a power nor the 1 loses the digits of a small a v.
struct RationalQuadratic {
    explicit RationalQuadratic(const Node& node) : a(simd::set(node.a)), b(simd::set(node.b)) {}
    Pack operator()(Pack v) const { return b * simd::log1p(a * v); }
    Pack a, b;
};
inline double rational_quadratic_exponent(const Node& node, double base) {
    return node.b * std::log1p(node.a * base);
}

struct Periodic {
    explicit Periodic(const Node& node) : a(simd::set(node.a)), sine(node.b) {}
    Pack operator()(Pack v) const {
        const Pack s = sine(v);
        return a * (s * s);
    }
    Pack a;
    simd::PeriodicSine sine;
};
inline double periodic_exponent(const Node& node, double base) {
    constexpr double pi = 3.14159265358979323846;
    const double s = std::sin(pi * std::remainder(base, node.b) / node.b);
    return node.a * s * s;
}

// K = exp(-exponent(v)), and 1 - K.
template <class Exponent>
void exp_of(const Node& node, const LeafTile& tile) {
    const Exponent exponent(node);
    map(tile, [=](Pack v) { return simd::exp_negative(exponent(v)); });
}
template <class Exponent>
void complement_of(const Node& node, const LeafTile& tile) {
    const Exponent exponent(node);
    map(tile, [=](Pack v) { return simd::one_minus_exp_negative(exponent(v)); });
}

}  // namespace KERNELECT_PACKS
}  // namespace kernelect::leaf_tiles
