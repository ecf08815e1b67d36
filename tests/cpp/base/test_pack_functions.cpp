#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "kernelect/base/pack_functions.hpp"

using namespace kernelect;
using simd::Pack;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Function>
double at(Function function, double x) {
    double values[simd::kWidth];
    simd::store(values, function(simd::set(x)));
    for (const double value : values) CHECK(value == values[0]);
    return values[0];
}

double exp_negative(double x) {
    return at([](Pack v) { return simd::exp_negative(v); }, x);
}
double pack_log1p(double x) {
    return at([](Pack v) { return simd::log1p(v); }, x);
}
double one_minus_exp_negative(double x) {
    return at([](Pack v) { return simd::one_minus_exp_negative(v); }, x);
}

// Distance in units in the last place of the exact value.
double ulps(double value, long double wanted) {
    const double rounded = static_cast<double>(wanted);
    const double unit = std::nextafter(std::fabs(rounded), kInfinity) - std::fabs(rounded);
    return static_cast<double>(std::fabs(value - wanted) / unit);
}

// From tiny to the limit, dense around the places where the reduction changes its multiple of ln 2.
std::vector<double> arguments() {
    std::vector<double> x;
    for (double v = 1e-300; v < 1e-3; v *= 1.37) x.push_back(v);
    for (double v = 1e-3; v < simd::kExpLimit; v *= 1.0007) x.push_back(v);
    for (int k = 0; k < 1021; ++k)
        for (int side = -3; side <= 3; ++side)
            x.push_back((k + 0.5) * 0.69314718055994530942 * (1.0 + side * 1e-15));
    x.push_back(std::nextafter(simd::kExpLimit, 0.0));
    x.erase(std::remove_if(x.begin(), x.end(), [](double v) { return v >= simd::kExpLimit; }),
            x.end());
    return x;
}

}  // namespace

TEST_CASE("exp of a non-positive number is within two units in the last place") {
    double worst = 0.0;
    for (const double x : arguments())
        worst = std::max(worst, ulps(exp_negative(x), std::exp(-static_cast<long double>(x))));
    CHECK(worst < 2.0);
}

TEST_CASE("1 - exp is accurate relative to itself, for small arguments too") {
    double worst = 0.0;
    for (const double x : arguments())
        worst = std::max(
            worst, ulps(one_minus_exp_negative(x), -std::expm1(-static_cast<long double>(x))));
    CHECK(worst < 3.0);
}

TEST_CASE("exp at its ends") {
    CHECK(exp_negative(0.0) == 1.0);
    CHECK(one_minus_exp_negative(0.0) == 0.0);
    for (const double x : {simd::kExpLimit, 709.0, 1e10, 1e308, kInfinity}) {
        CHECK(exp_negative(x) == 0.0);
        CHECK(one_minus_exp_negative(x) == 1.0);
    }
    CHECK(exp_negative(std::nextafter(simd::kExpLimit, 0.0)) > 0.0);
    CHECK(exp_negative(1e-320) == 1.0);
    CHECK(one_minus_exp_negative(40.0) <= 1.0);
    CHECK(exp_negative(1e-17) == 1.0);
}

TEST_CASE("exp falls and 1 - exp rises") {
    double last = 1.0, rest = 0.0;
    for (double x = 0.0; x < 720.0; x += 0.37) {
        CHECK(exp_negative(x) <= last);
        CHECK(one_minus_exp_negative(x) >= rest);
        last = exp_negative(x);
        rest = one_minus_exp_negative(x);
    }
}

TEST_CASE("the lanes are apart") {
    const double x[8] = {0.0, 1.5, 800.0, 1e-9, 3.0, 1e3, 0.7, 40.0};
    double e[simd::kWidth], m[simd::kWidth];
    simd::store(e, simd::exp_negative(simd::load(x)));
    simd::store(m, simd::one_minus_exp_negative(simd::load(x)));
    for (int k = 0; k < simd::kWidth; ++k) {
        CHECK(e[k] == exp_negative(x[k]));
        CHECK(m[k] == one_minus_exp_negative(x[k]));
    }
}

TEST_CASE("log1p is within two units in the last place") {
    std::vector<double> x = arguments();
    for (double v = 1e-3; v < 1e300; v *= 1.003) x.push_back(v);
    for (int k = -1; k < 60; ++k)  // where the power of two changes, and where 1 is lost
        for (int side = -3; side <= 3; ++side)
            x.push_back(std::ldexp(1.4142135623730951, k) * (1.0 + side * 2.3e-16) - 1.0);
    double worst = 0.0;
    for (const double v : x)
        if (v >= 0.0)
            worst = std::max(worst, ulps(pack_log1p(v), std::log1p(static_cast<long double>(v))));
    CHECK(worst < 2.0);
    CHECK(pack_log1p(0.0) == 0.0);
    CHECK(pack_log1p(1e-320) == 1e-320);
    CHECK(pack_log1p(kInfinity) == kInfinity);
    CHECK(pack_log1p(1.7e308) == doctest::Approx(std::log(1.7e308)));
}

TEST_CASE("the periodic sine keeps every digit of its argument") {
    const long double pi = std::acos(-1.0L);
    for (const double period : {1.0, 0.1, 3.7, 1e-5, 1e8, 1e-290, 1e290}) {
        const simd::PeriodicSine sine(period);
        double worst = 0.0;
        for (const double turns :
             {1e-300, 1e-17, 1e-9, 0.1, 0.2499, 0.25, 0.4999999, 0.5, 0.51, 0.75, 0.999999, 1.0,
              1.0000001, 1.5, 2.0, 7.25, 1e3 + 0.3, 1e6 + 0.01, 1e8 + 0.4}) {
            const double x = turns * period;
            const long double left = std::remainder(static_cast<long double>(x), period);
            const long double wanted = std::fabs(std::sin(pi * left / period));
            worst = std::max(worst, ulps(std::fabs(at(sine, x)), wanted));
        }
        CHECK(worst < 4.0);
        CHECK(at(sine, 0.0) == 0.0);
        for (const double far : {1e16, 1e40, kInfinity})
            CHECK(std::fabs(at(sine, far * period)) <= 1.0);
    }
}
