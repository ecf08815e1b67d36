#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "kernelect/spectrum/kernel_spectra.hpp"
#include "spectra.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

Program gaussian_program(double tau) { return {{Op::gaussian, 0.5 / tau, 0.0, 0, 0}}; }

KernelSpectra spectra(const Sample& sample, const std::vector<Program>& programs, bool store) {
    Control control;
    return kernel_spectra(sample, programs, {6, 1e-10, store}, control);
}

}  // namespace

TEST_CASE("spectra of a grid match full decompositions, stored or streamed") {
    const Matrix x = normal(220, 3, 1);
    const std::vector<double> taus{0.1, 0.4, 1.6, 6.4};
    std::vector<Program> programs;
    for (const double tau : taus) programs.push_back(gaussian_program(tau));
    Sample sample(std::vector<int>(220, 0), 1);
    sample.add_dense(x);
    for (const bool store : {true, false}) {
        CAPTURE(store);
        const KernelSpectra found = spectra(sample, programs, store);
        REQUIRE(found.values.rows() == 4);
        CHECK(found.values.cols() == 7);
        for (Index k = 0; k < 4; ++k) {
            const auto at = static_cast<std::size_t>(k);
            const Vector all = full_spectrum(gaussian(x, taus[at]), false).values;
            CHECK(worst_sum_error(found.values.row(k).transpose(), all) < 1e-9);
            CHECK(found.trace(k) == doctest::Approx(220.0));
            CHECK(found.smallest(k) >= all(219) - 1e-9);
            CHECK(found.converged[at]);
        }
    }
}

TEST_CASE("a kernel that is not finite is NaN and leaves its neighbours alone") {
    Sample sample(std::vector<int>(200, 0), 1);
    sample.add_dense(normal(200, 2, 2));
    Matrix bad = gaussian(normal(200, 2, 3), 1.0);
    bad(3, 90) = bad(90, 3) = std::nan("");
    sample.add_matrix(bad);
    const Program stored{{Op::precomputed, 0.0, 0.0, 0, 1}};
    const KernelSpectra alone = spectra(sample, {gaussian_program(1.0)}, true);
    const KernelSpectra found = spectra(sample, {stored, gaussian_program(1.0)}, true);
    CHECK(found.values.row(0).array().isNaN().all());
    CHECK(std::isnan(found.trace(0)));
    CHECK(std::isnan(found.smallest(0)));
    CHECK(found.converged[0]);
    CHECK(found.values.row(1) == alone.values.row(0));
}

TEST_CASE("a program that makes no sense is refused before any work") {
    Sample sample(std::vector<int>(10, 0), 1);
    sample.add_dense(normal(10, 2, 4));
    CHECK_THROWS_AS(spectra(sample, {gaussian_program(1.0), {{Op::sum, 0.0, 0.0, 2, 0}}}, true),
                    std::invalid_argument);
}
