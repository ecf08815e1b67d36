#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "kernelect/spectrum/quadrature.hpp"
#include "kernelect/spectrum/spectrum.hpp"

using namespace kernelect;

namespace {

// A smooth deterministic sample on a curve, so that no random numbers are needed.
Matrix curve_kernel(Index n, double tau) {
    Matrix k(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            const double a = std::sin(3.7 * static_cast<double>(i)),
                         b = std::sin(3.7 * static_cast<double>(j));
            const double c = std::cos(1.3 * static_cast<double>(i)),
                         d = std::cos(1.3 * static_cast<double>(j));
            k(i, j) = std::exp(-((a - b) * (a - b) + (c - d) * (c - d)) / (2.0 * tau));
        }
    return k;
}

Matrix starts(Index n) {
    Matrix u(n, 2);
    for (Index i = 0; i < n; ++i) {
        u(i, 0) = i % 3 == 0 ? 1.0 : -1.0;
        u(i, 1) = std::cos(static_cast<double>(i));
    }
    return u;
}

template <class Phi>
double quadrature(const QuadratureRule& rule, Phi phi) {
    double sum = 0.0;
    for (Index j = 0; j < rule.nodes.size(); ++j) sum += rule.weights(j) * phi(rule.nodes(j));
    return sum;
}

}  // namespace

TEST_CASE("s steps integrate polynomials up to degree 2 s - 1 exactly") {
    const Matrix k = curve_kernel(180, 0.3), u = starts(180);
    Control control;
    const auto rules = lanczos_quadrature(StoredOperator(k), u, 3, control);
    REQUIRE(rules.size() == 2);
    for (Index c = 0; c < 2; ++c) {
        const QuadratureRule& rule = rules[static_cast<std::size_t>(c)];
        CHECK(rule.nodes.size() == 3);
        CHECK_FALSE(rule.exact);
        Vector power = u.col(c);
        for (int degree = 0; degree <= 5; ++degree) {
            const double want = u.col(c).dot(power);
            const double got = quadrature(rule, [&](double t) { return std::pow(t, degree); });
            CHECK(got == doctest::Approx(want).epsilon(1e-12));
            power = k * power;
        }
    }
}

TEST_CASE("smooth functions converge to the full decomposition") {
    const Matrix k = curve_kernel(150, 0.1), u = starts(150);
    const FullSpectrum full = full_spectrum(k, true);
    const Matrix energies = label_energies(full.vectors, u);
    Control control;
    const auto rules = lanczos_quadrature(StoredOperator(k), u, 40, control);
    for (Index c = 0; c < 2; ++c) {
        double want = 0.0;
        for (Index i = 0; i < 150; ++i)
            want += energies(i, c) * full.values(i) / (1.0 + full.values(i));
        const double got =
            quadrature(rules[static_cast<std::size_t>(c)], [](double t) { return t / (1.0 + t); });
        CHECK(got == doctest::Approx(want).epsilon(1e-11));
    }
}

TEST_CASE("a Krylov space that closes gives an exact rule of its size") {
    const Index n = 40;
    Control control;
    const auto identity =
        lanczos_quadrature(StoredOperator(Matrix::Identity(n, n)), starts(n), 10, control);
    CHECK(identity[0].exact);
    CHECK(identity[0].nodes.size() == 1);
    CHECK(identity[0].nodes(0) == doctest::Approx(1.0));
    CHECK(identity[0].weights(0) == doctest::Approx(40.0));
    CHECK(identity[0].residuals.maxCoeff() < 1e-14);
    Matrix u = starts(n);
    u.col(1).setZero();
    const auto constant = lanczos_quadrature(StoredOperator(Matrix::Ones(n, n)), u, 10, control);
    CHECK(constant[0].exact);
    CHECK(constant[0].nodes.size() == 2);
    CHECK(constant[1].exact);
    CHECK(constant[1].nodes.size() == 0);
    Matrix blocks(60, 60);  // five equal eigenvalues of twelve
    for (Index i = 0; i < 60; ++i)
        for (Index j = 0; j < 60; ++j) blocks(i, j) = i % 5 == j % 5 ? 1.0 : 0.0;
    const auto even = lanczos_quadrature(StoredOperator(blocks), Matrix::Ones(60, 1), 9, control);
    CHECK(even[0].exact);
    REQUIRE(even[0].nodes.size() == 1);
    CHECK(even[0].nodes(0) == doctest::Approx(12.0));
    const auto all =
        lanczos_quadrature(StoredOperator(curve_kernel(6, 0.01)), starts(6), 99, control);
    CHECK(all[1].exact);
}

TEST_CASE("the hinge form lies within its error bound, and converges") {
    const Matrix k = curve_kernel(200, 0.3), u = starts(200);
    const FullSpectrum full = full_spectrum(k, true);
    const Matrix energies = label_energies(full.vectors, u);
    Control control;
    for (const double threshold : {0.5, 5.0, 20.0, 1000.0}) {
        CAPTURE(threshold);
        for (Index c = 0; c < 2; ++c) {
            CAPTURE(c);
            const double want = hinge_sum(full.values, energies.col(c), threshold);
            const double total = u.col(c).dot(k * u.col(c));
            for (const Index steps : {2, 5, 9, 14}) {
                const auto rules = lanczos_quadrature(StoredOperator(k), u.col(c), steps, control);
                const HingeForm form = hinge_form(rules[0], threshold);
                CHECK(std::abs(form.value - want) <= form.error + 1e-12 * total);
            }
            const auto forms = hinge_forms(StoredOperator(k), u, threshold, 1e-11, 120, control);
            const HingeForm& form = forms[static_cast<std::size_t>(c)];
            CHECK(form.converged);
            CHECK(std::abs(form.value - want) <= 1e-10 * total);
        }
    }
}

TEST_CASE("eigenvalues equal to the threshold are not above it") {
    const Index n = 30;
    Control control;
    const auto forms =
        hinge_forms(StoredOperator(Matrix::Identity(n, n)), starts(n), 1.0, 1e-10, 10, control);
    CHECK(forms[0].value == 0.0);
    CHECK(forms[0].converged);
    CHECK(above(1.0 + 1e-9, 1.0, 2.0));
    CHECK_FALSE(above(1.0 + 1e-13, 1.0, 2.0));
}

TEST_CASE("quadrature refuses wrong shapes and step counts") {
    const Matrix k = Matrix::Identity(5, 5);
    Control control;
    CHECK_THROWS_AS(lanczos_quadrature(StoredOperator(k), Matrix::Ones(4, 1), 3, control),
                    std::invalid_argument);
    CHECK_THROWS_AS(lanczos_quadrature(StoredOperator(k), Matrix::Ones(5, 1), 0, control),
                    std::invalid_argument);
}
