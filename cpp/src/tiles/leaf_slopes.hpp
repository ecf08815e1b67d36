#pragma once

#include <algorithm>
#include <cmath>

#include "kernelect/tiles/operations.hpp"
#include "tiles/leaf_tiles.hpp"

// How every leaf changes with what it is made from, on a tile, from its base entries v and its own
// values k: dk/dv, and a dk/da and b dk/db of its two numbers.
namespace kernelect::leaf_slopes {

struct Slopes {
    double base, a, b;
};

// entry(v, k) gives the slopes of one entry.
template <class Entry>
void map(const SlopeTile& tile, const Entry& entry) {
    for (Index i = 0; i < tile.rows; ++i)
        for (Index j = 0; j < tile.columns; ++j) {
            const Index at = i * kTile + j;
            const Slopes s = entry(tile.base == nullptr ? 0.0 : tile.base[at], tile.values[at]);
            tile.by_base[at] = s.base;
            tile.by_a[at] = s.a;
            tile.by_b[at] = s.b;
        }
}

inline void base_itself(const Node&, const SlopeTile& tile) {
    map(tile, [](double, double) { return Slopes{1.0, 0.0, 0.0}; });
}

inline void constant(const Node&, const SlopeTile& tile) {
    map(tile, [](double, double k) { return Slopes{0.0, k, 0.0}; });
}

// A function of a v: a dk/da = v dk/dv.
inline Slopes of_product(double v, double slope) { return {slope, v * slope, 0.0}; }

inline void exponential(const Node& node, const SlopeTile& tile) {
    map(tile, [&](double v, double k) { return of_product(v, -node.a * k); });
}

// d/ds (1 + s) exp(-s) = -s exp(-s)
inline void matern32(const Node& node, const SlopeTile& tile) {
    map(tile, [&](double v, double k) {
        const double s = std::min(node.a * v, leaf_tiles::kFar);
        return of_product(v, -node.a * s * k / (1.0 + s));
    });
}

// d/ds (1 + s + s^2/3) exp(-s) = -(s + s^2)/3 exp(-s)
inline void matern52(const Node& node, const SlopeTile& tile) {
    map(tile, [&](double v, double k) {
        const double s = std::min(node.a * v, leaf_tiles::kFar);
        return of_product(v, -node.a * (s + s * s) * k / (3.0 + 3.0 * s + s * s));
    });
}

inline void rational_quadratic(const Node& node, const SlopeTile& tile) {
    map(tile, [&](double v, double k) {
        Slopes s = of_product(v, -node.a * node.b * k / (1.0 + node.a * v));
        s.b = -node.b * std::log1p(node.a * v) * k;
        return s;
    });
}

// With t = pi v / b: k = exp(-a sin^2 t), whose derivative in t is -a sin(2t) k.
inline void periodic(const Node& node, const SlopeTile& tile) {
    constexpr double pi = 3.14159265358979323846;
    map(tile, [&](double v, double k) {
        const double t = pi * std::remainder(v, node.b) / node.b, sine = std::sin(t);
        const double slope = -node.a * std::sin(2.0 * t) * k;
        return Slopes{slope * pi / node.b, -node.a * sine * sine * k, -slope * pi * v / node.b};
    });
}

inline void polynomial(const Node& node, const SlopeTile& tile) {
    map(tile, [&](double v, double) {
        const double inner =
            node.count * leaf_tiles::power(node.b + node.a * v, 1.0, node.count - 1);
        Slopes s = of_product(v, node.a * inner);
        s.b = node.b * inner;
        return s;
    });
}

}  // namespace kernelect::leaf_slopes
