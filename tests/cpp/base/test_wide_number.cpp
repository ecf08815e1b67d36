#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

#include "kernelect/base/wide_number.hpp"

using kernelect::WideNumber;

TEST_CASE("ordinary numbers keep their bits") {
    for (const double a : {1.0, -3.7, 1e-200, 5e300, 0.1})
        for (const double b : {1.0, 0.3, -7e-9}) {
            CHECK(WideNumber(a).value() == a);
            CHECK((WideNumber(a) * WideNumber(b)).value() == a * b);
            CHECK((WideNumber(a) / WideNumber(b)).value() == a / b);
        }
    CHECK(WideNumber(0.0).value() == 0.0);
    CHECK((WideNumber(0.0) * WideNumber(1e300)).value() == 0.0);
    CHECK(WideNumber(3.0, 5).value() == 96.0);
}

TEST_CASE("products beyond the range come back") {
    const WideNumber huge = WideNumber::power(1e300, 100), tiny = WideNumber::power(1e-300, 100);
    CHECK(huge.overflows());
    CHECK(!huge.underflows());
    CHECK(tiny.underflows());
    CHECK(!tiny.overflows());
    CHECK((huge * tiny).value() == doctest::Approx(1.0).epsilon(1e-12));
    CHECK((huge / huge).value() == 1.0);
    CHECK(!WideNumber(0.0).underflows());
    CHECK(!WideNumber(1.7e308).overflows());
    CHECK(!WideNumber(2.3e-308).underflows());
    CHECK(WideNumber(1e-310).underflows());
}

TEST_CASE("powers") {
    CHECK(WideNumber::power(1.5, 0).value() == 1.0);
    CHECK(WideNumber::power(-2.0, 9).value() == -512.0);
    for (int degree = 1; degree < 40; ++degree)
        CHECK(WideNumber::power(1.1, degree).value() ==
              doctest::Approx(std::pow(1.1, degree)).epsilon(1e-14));
}
