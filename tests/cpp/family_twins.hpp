#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

#include "kernelect/tiles/kernels.hpp"

// Every kernel family written out in extended precision, with the parameters that the tests use. A
// new family is one entry here; the tests of tiles, matrices and streams then include it.
namespace explicit_kernels {

using namespace kernelect;
using Long = long double;

// What two rows have in common.
struct Pair {
    Long squared, absolute, dot;
};

struct Golden {
    double a, b, distance;
    Long kernel, complement;  // computed with fifty digits
};

struct Family {
    Op op;
    Long (*value)(const Node& node, const Pair& pair);
    // 1 - K, right relative to itself also where K is nearly 1; null if it may be subtracted.
    Long (*complement)(const Node& node, const Pair& pair);
    std::vector<Node> ordinary;  // neither nearly constant nor nearly the identity
    std::vector<Node> extreme;   // these as well
    std::vector<Node> refused;
    std::vector<Golden> golden = {};
};

// 1 - (1 + s + third s^2) exp(-s) by its series from s^2 on.
inline Long matern_complement(Long s, Long third) {
    if (s >= 1) return 1 - (1 + s + third * s * s) * std::exp(-s);
    Long sum = 0, power = s, before = 1, last = 1;  // last = 1/(k-1)!, before = 1/(k-2)!
    for (int k = 2; k < 40; ++k) {
        const Long own = last / k;
        power *= -s;
        sum += power * (own - last + third * before);
        before = last;
        last = own;
    }
    return sum;
}

inline Long scaled_distance(const Node& node, const Pair& pair) {
    return node.a * std::sqrt(pair.squared);
}

inline Long rational_quadratic_exponent(const Node& node, const Pair& pair) {
    return node.b * std::log1p(node.a * pair.squared);
}

inline Long periodic_exponent(const Node& node, const Pair& pair) {
    const Long b = node.b, distance = std::sqrt(pair.squared);
    const Long sine = std::sin(std::acos(Long{-1}) * std::remainder(distance, b) / b);
    return node.a * sine * sine;
}

inline const std::vector<Family>& families() {
    static const std::vector<Family> all = {
        {Op::gaussian,
         [](const Node& node, const Pair& pair) { return std::exp(-node.a * pair.squared); },
         [](const Node& node, const Pair& pair) { return -std::expm1(-node.a * pair.squared); },
         {{Op::gaussian, 0.7}},
         {{Op::gaussian, 0.3}},
         {{Op::gaussian, -1.0}, {Op::gaussian, 1.5e308}}},  // its square has an infinite rate
        {Op::laplacian,
         [](const Node& node, const Pair& pair) { return std::exp(-node.a * pair.absolute); },
         [](const Node& node, const Pair& pair) { return -std::expm1(-node.a * pair.absolute); },
         {{Op::laplacian, 0.4}},
         {{Op::laplacian, 1e-6}, {Op::laplacian, 0.5}, {Op::laplacian, 1.0}, {Op::laplacian, 40.0}},
         {{Op::laplacian, -1.0}}},
        {Op::matern12,
         [](const Node& node, const Pair& pair) { return std::exp(-scaled_distance(node, pair)); },
         [](const Node& node, const Pair& pair) {
             return -std::expm1(-scaled_distance(node, pair));
         },
         {{Op::matern12, 1.3}},
         {{Op::matern12, 1e-6}, {Op::matern12, 0.5}, {Op::matern12, 1.0}, {Op::matern12, 40.0}},
         {{Op::matern12, -1.0}}},
        {Op::matern32,
         [](const Node& node, const Pair& pair) {
             const Long s = scaled_distance(node, pair);
             return (1 + s) * std::exp(-s);
         },
         [](const Node& node, const Pair& pair) {
             return matern_complement(scaled_distance(node, pair), 0);
         },
         {{Op::matern32, 1.3}},
         {{Op::matern32, 1e-6}, {Op::matern32, 0.5}, {Op::matern32, 1.0}, {Op::matern32, 40.0}},
         {{Op::matern32, -1.0}}},
        {Op::matern52,
         [](const Node& node, const Pair& pair) {
             const Long s = scaled_distance(node, pair);
             return (1 + s + s * s / 3) * std::exp(-s);
         },
         [](const Node& node, const Pair& pair) {
             return matern_complement(scaled_distance(node, pair), Long{1} / 3);
         },
         {{Op::matern52, 1.3}},
         {{Op::matern52, 1e-6}, {Op::matern52, 0.5}, {Op::matern52, 1.0}, {Op::matern52, 40.0}},
         {{Op::matern52, -1.0}}},
        {Op::rational_quadratic,
         [](const Node& node, const Pair& pair) {
             return std::exp(-rational_quadratic_exponent(node, pair));
         },
         [](const Node& node, const Pair& pair) {
             return -std::expm1(-rational_quadratic_exponent(node, pair));
         },
         {{Op::rational_quadratic, 0.8, 1.7},
          {Op::rational_quadratic, 0.7, 1e-4},
          {Op::rational_quadratic, 1e-7, 3e6}},
         {{Op::rational_quadratic, 1e-9, 1e-3},
          {Op::rational_quadratic, 1e-9, 1.5},
          {Op::rational_quadratic, 1e-9, 1e3},
          {Op::rational_quadratic, 0.3, 1e-3},
          {Op::rational_quadratic, 0.3, 1.5},
          {Op::rational_quadratic, 0.3, 1e3},
          {Op::rational_quadratic, 40.0, 1e-3},
          {Op::rational_quadratic, 40.0, 1.5},
          {Op::rational_quadratic, 40.0, 1e3}},
         {{Op::rational_quadratic, -1.0, 1.0},
          {Op::rational_quadratic, 1.0, 0.0},
          {Op::rational_quadratic, 1.0, 1.0, 0, 3}},
         {{0.5, 1.0, 2.0, 0.3333333333333333333333333L, 0.6666666666666666666666667L},
          {0.125, 0.25, 3.0, 0.8282477531331040981990382L, 0.1717522468668959018009618L},
          {0x1p-40, 0.75, 1.5, 0.9999999999984652276907609L, 1.534772309239068287766882e-12L},
          {0x1p-60, 3.0, 0.25, 0.9999999999999999998373697L, 1.626303258728256650834855e-19L},
          {1.0, 1000.0, 0.015625, 0.783400807077147944024681L, 0.216599192922852055975319L},
          {0x1p20, 0.5, 4.0, 0.0002441406177240427110772097L, 0.9997558593822759572889228L},
          {0x1p-30, 0x1p29, 1.75, 0.216265167302144842212235L, 0.783734832697855157787765L},
          {0.25, 0x1p-20, 8.0, 0.9999972980408511723188158L, 0.000002701959148827681184213883L},
          {0x1p200, 0.125, 3.0, 2.264486806546427450571024e-8L, 0.9999999773551319345357255L}}},
        {Op::periodic,
         [](const Node& node, const Pair& pair) {
             return std::exp(-periodic_exponent(node, pair));
         },
         [](const Node& node, const Pair& pair) {
             return -std::expm1(-periodic_exponent(node, pair));
         },
         {{Op::periodic, 1.2, 2.3}, {Op::periodic, 0.7, 1.9}},
         {{Op::periodic, 1e-8, 0.1},
          {Op::periodic, 1e-8, 3.0},
          {Op::periodic, 1e-8, 1e5},
          {Op::periodic, 0.5, 0.1},
          {Op::periodic, 0.5, 3.0},
          {Op::periodic, 0.5, 1e5},
          {Op::periodic, 8.0, 0.1},
          {Op::periodic, 8.0, 3.0},
          {Op::periodic, 8.0, 1e5}},
         {{Op::periodic, -1.0, 1.0}, {Op::periodic, 1.0, 0.0}, {Op::periodic, 1.0, 1e-310}},
         {{2.0, 1.0, 0.25, 0.3678794411714423215955238L, 0.6321205588285576784044762L},
          {0.5, 3.0, 1.75, 0.6271896255704948925107174L, 0.3728103744295051074892826L},
          {0x1p-40, 0.75, 1.5, 1.0L, 0.0L},
          {0x1p-40, 0.7, 1.5, 0.9999999999998287829848135L, 1.712170151864642797669619e-13L},
          {8.0, 0.1, 12.34375, 0.0004548612502403420815534606L, 0.9995451387497596579184465L},
          {50.0, 4.0, 2.0, 1.928749847963917783017343e-22L, 0.9999999999999999999998071L},
          {2.0, 1024.0, 0.0078125, 0.999999998851026828222743L, 1.148973171777257016967899e-9L},
          {1.0, 3.0, 300000.5, 0.7788007830714048682451703L, 0.2211992169285951317548297L}}},
        {Op::polynomial,
         [](const Node& node, const Pair& pair) {
             return std::pow(node.b + node.a * pair.dot, node.count);
         },
         nullptr,
         {{Op::polynomial, 0.5, 1.0, 5}},
         {{Op::polynomial, 0.5, 2.0, 3}, {Op::polynomial, 1e-6, 1.0, 2}},  // nearly constant
         {{Op::polynomial, 1.0, 1.0, 0}}},
        {Op::linear,
         [](const Node&, const Pair& pair) { return pair.dot; },
         nullptr,
         {{Op::linear}},
         {{Op::linear}},
         {}},
        {Op::constant,
         [](const Node& node, const Pair&) -> Long { return node.a; },
         nullptr,
         {{Op::constant, 3.0}},
         {},
         {}},
    };
    return all;
}

inline const Family& family(Op op) {
    for (const Family& known : families())
        if (known.op == op) return known;
    throw std::logic_error("not a kernel of feature vectors");
}

// The rounding of one entry that comes from its base: a distance of many periods has that of all.
inline Long base_rounding(const Node& node) {
    return node.op == Op::periodic ? Long{node.a} * 4 / node.b : 0;
}

}  // namespace explicit_kernels
