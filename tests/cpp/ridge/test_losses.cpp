#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernelect/ridge/losses.hpp"

using namespace kernelect;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Residuals that leave the outputs given.
linalg::ColMatrix residuals(const linalg::ColMatrix& targets, const linalg::ColMatrix& outputs) {
    return targets - outputs;
}

}  // namespace

TEST_CASE("one column errs where the sign is wrong, and by half where there is none") {
    linalg::ColMatrix targets(5, 1), outputs(5, 1);
    targets << 1.0, -1.0, 1.0, -1.0, 1.0;
    outputs << 0.5, 0.25, 0.0, -2.0, kNone;  // right, wrong, neither, right, never held out
    const HeldOutLosses losses = held_out_losses(residuals(targets, outputs), targets, true);
    CHECK(losses.zero_one == 1.5 / 4.0);
    CHECK(losses.squared(0) == (0.25 + 1.5625 + 1.0 + 1.0) / 4.0);
    REQUIRE(losses.point_zero_one.size() == 5);
    const double wanted[4] = {0.0, 1.0, 0.5, 0.0};
    for (Index i = 0; i < 4; ++i) CHECK(losses.point_zero_one(i) == wanted[i]);
    CHECK(std::isnan(losses.point_zero_one(4)));
    CHECK(losses.point_squared(1) == 1.5625);
    CHECK(std::isnan(losses.point_squared(4)));
}

TEST_CASE("the largest of several outputs is the class, and ties are shared") {
    linalg::ColMatrix targets(4, 3), outputs(4, 3);
    targets << 1.0, -1.0, -1.0,  //
        -1.0, 1.0, -1.0,         //
        -1.0, -1.0, 1.0,         //
        1.0, -1.0, -1.0;
    outputs << 0.5, 0.25, -1.0,  // right
        0.5, 0.25, -1.0,         // wrong
        0.5, 0.0, 0.5,           // one of two
        0.25, 0.25, 0.25;        // one of three
    const HeldOutLosses losses = held_out_losses(residuals(targets, outputs), targets, true);
    const double wanted[4] = {0.0, 1.0, 0.5, 2.0 / 3.0};
    for (Index i = 0; i < 4; ++i) CHECK(losses.point_zero_one(i) == doctest::Approx(wanted[i]));
    CHECK(losses.zero_one == doctest::Approx((1.0 + 0.5 + 2.0 / 3.0) / 4.0));
}

TEST_CASE("two columns that mirror each other lose what one of them does") {
    linalg::ColMatrix one(3, 1), outputs(3, 1), both(3, 2), mirrored(3, 2);
    one << 1.0, -1.0, 1.0;
    outputs << 0.5, 0.25, 0.0;
    both << one, -one;
    mirrored << outputs, -outputs;
    const HeldOutLosses single = held_out_losses(residuals(one, outputs), one, true);
    const HeldOutLosses twice = held_out_losses(residuals(both, mirrored), both, true);
    CHECK(twice.zero_one == single.zero_one);
    for (Index i = 0; i < 3; ++i) {
        CHECK(twice.point_zero_one(i) == single.point_zero_one(i));
        CHECK(twice.point_squared(i) == single.point_squared(i));
    }
}

TEST_CASE("outputs within rounding of a tie are one, in whatever unit targets are") {
    for (const double unit : {1e-6, 1.0, 1e6}) {
        CAPTURE(unit);
        linalg::ColMatrix targets(2, 1), outputs(2, 1);
        targets << unit, -unit;
        outputs << 0.5 * kTie * unit, 2.0 * kTie * unit;
        const HeldOutLosses losses = held_out_losses(residuals(targets, outputs), targets, true);
        CHECK(losses.point_zero_one(0) == 0.5);
        CHECK(losses.point_zero_one(1) == 1.0);
    }
}

TEST_CASE("what was not asked for is not there") {
    linalg::ColMatrix targets(2, 2), outputs(2, 2);
    targets << 1.0, 2.0, 3.0, 4.0;
    outputs << 0.0, 2.0, 3.0, 2.0;
    const HeldOutLosses losses = held_out_losses(residuals(targets, outputs), targets, false);
    CHECK(std::isnan(losses.zero_one));
    CHECK(losses.point_zero_one.size() == 0);
    CHECK(losses.squared(0) == 0.5);
    CHECK(losses.squared(1) == 2.0);
    CHECK(losses.point_squared(0) == 0.5);
    CHECK(losses.point_squared(1) == 2.0);
}

TEST_CASE("generalised cross-validation of a constant fit") {
    // S = 1/n for all entries: y - f = y - mean, tr(I - S) = n - 1.
    const Index n = 4;
    linalg::ColMatrix alpha(n, 1);
    alpha << 1.0, -1.0, 2.0, -2.0;  // penalty P y with penalty 1: the residuals themselves
    const Vector diagonal = Vector::Constant(n, 1.0 - 1.0 / static_cast<double>(n));
    const Vector found = gcv(alpha, diagonal, Vector::Ones(n), Vector());
    CHECK(found(0) == doctest::Approx(4.0 * 10.0 / 9.0));
}

TEST_CASE("Bayesian regularisation is its formula, and refuses coefficients of none") {
    Vector squared(1), eta(2);
    squared << 0.5;  // means over 8 points: their sum is 4, so Q = 2
    eta << 1.0, 2.0;
    CHECK(bayesian_regularisation(squared, 8, eta) ==
          doctest::Approx(4.0 * std::log(2.0) + 1.0 * std::log(2.5)));
    CHECK_THROWS_AS(bayesian_regularisation(squared, 8, Vector::Zero(2)), std::invalid_argument);
    eta(0) = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(bayesian_regularisation(squared, 8, eta), std::invalid_argument);
}
