#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "spectra.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

LeadingSpectrum decide(const Matrix& k, Index count, int threads = 1) {
    SpectrumOptions options;
    options.count = count;
    options.vectors = true;
    Control control(threads);
    return leading_spectrum(k, options, control);
}

}  // namespace

TEST_CASE("a stored matrix takes the cheapest way") {
    Matrix near_identity = Matrix::Identity(300, 300);
    near_identity(7, 3) = near_identity(3, 7) = 1e-13;
    const LeadingSpectrum diagonal = decide(near_identity, 16);
    CHECK(diagonal.method == SpectrumMethod::diagonal);
    CHECK(diagonal.values.sum() == doctest::Approx(17.0).epsilon(1e-11));
    CHECK(diagonal.sum_error <= 17e-13);
    const Matrix k = gaussian(normal(300, 5, 9), 2.0);
    CHECK(decide(k, 4).method == SpectrumMethod::lanczos);
    CHECK(decide(k, 299).method == SpectrumMethod::full);
    CHECK(decide(k, 299).values.sum() == doctest::Approx(300.0));
}

TEST_CASE("the bits do not depend on threads or on where the matrix lies") {
    const Index n = 301;
    const Matrix k = gaussian(normal(n, 4, 11), 1.0);
    const LeadingSpectrum one = decide(k, 6), three = decide(k, 6, 3);
    CHECK(one.values == three.values);
    CHECK(one.vectors == three.vectors);
    std::vector<double> memory(static_cast<std::size_t>(n * n) + 8);
    for (std::size_t offset = 1; offset < 8; ++offset) {
        Eigen::Map<Matrix> moved(memory.data() + offset, n, n);
        moved = k;
        SpectrumOptions options;
        options.count = 6;
        options.vectors = true;
        Control control;
        const LeadingSpectrum found = leading_spectrum(moved, options, control);
        CHECK(found.values == one.values);
        CHECK(found.vectors == one.vectors);
    }
}

TEST_CASE("wrong counts, shapes and entries are refused; a caller can stop the work") {
    Matrix k = gaussian(normal(200, 3, 12), 1.0);
    CHECK_THROWS_AS(decide(k, 0), std::invalid_argument);
    CHECK_THROWS_AS(decide(k, 200), std::invalid_argument);
    CHECK_THROWS_AS(decide(Matrix::Zero(3, 4), 1), std::invalid_argument);
    k(150, 20) = k(20, 150) = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(decide(k, 3), std::domain_error);
    CHECK_THROWS_AS(full_spectrum(k, false), std::domain_error);
    Control stopped;
    stopped.stop();
    const Matrix large = gaussian(normal(400, 3, 13), 1.0);
    CHECK_THROWS_AS(leading_spectrum(large, SpectrumOptions{}, stopped), Cancelled);
}

TEST_CASE("label energies are squared inner products and sum to |y|^2 over a full basis") {
    const Matrix k = gaussian(normal(60, 3, 14), 1.0);
    const Matrix y = normal(60, 2, 15);
    const Matrix vectors = full_spectrum(k, true).vectors;
    const Matrix energies = label_energies(vectors, y);
    CHECK(energies(4, 1) == doctest::Approx(std::pow(vectors.col(4).dot(y.col(1)), 2)));
    CHECK(energies.col(0).sum() == doctest::Approx(y.col(0).squaredNorm()));
}
