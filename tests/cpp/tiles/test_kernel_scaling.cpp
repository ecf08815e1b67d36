#include <doctest/doctest.h>

#include <cmath>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/kernel_scaling.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

linalg::ColMatrix gaussian_matrix(double rate) {
    const Matrix x = noise(40, 3);
    return matrix(gaussian(rate), x, x).cast<double>();
}

// n / tr(HKH) in extended precision, from 1 - K: H knows no constant.
double centred_factor(double rate) {
    const Matrix x = noise(40, 3);
    Long total = 0;
    for (Index i = 0; i < 40; ++i)
        for (Index j = 0; j < 40; ++j) total += complement(gaussian(rate), x, i, x, j);
    return static_cast<double>(40 / (total / 40));
}

}  // namespace

TEST_CASE("the factor makes the trace, centred or not, equal to n") {
    linalg::ColMatrix k = 3.0 * gaussian_matrix(0.5);
    CHECK(scaling_factor(k, KernelScaling::none) == 1.0);
    CHECK(scaling_factor(k, KernelScaling::trace) == doctest::Approx(1.0 / 3.0).epsilon(1e-15));
    CHECK(scaling_factor(k, KernelScaling::centered) ==
          doctest::Approx(centred_factor(0.5) / 3.0).epsilon(1e-13));
}

TEST_CASE("wide kernels are centred by differences") {
    // K itself has a rounding of 1e-16, so this is what its centred trace can be known to.
    for (const double rate : {1e-3, 1e-6, 1e-9}) {
        linalg::ColMatrix k = gaussian_matrix(rate);
        CHECK(scaling_factor(k, KernelScaling::centered) ==
              doctest::Approx(centred_factor(rate)).epsilon(1e-15 / rate));
    }
}

TEST_CASE("where the trace vanishes nothing is scaled") {
    linalg::ColMatrix ones = linalg::ColMatrix::Ones(5, 5), zeros = linalg::ColMatrix::Zero(5, 5);
    CHECK(scaling_factor(ones, KernelScaling::trace) == 1.0);
    CHECK(scaling_factor(ones, KernelScaling::centered) == 1.0);
    for (const auto scaling : {KernelScaling::none, KernelScaling::trace, KernelScaling::centered})
        CHECK(scaling_factor(zeros, scaling) == 1.0);
}
