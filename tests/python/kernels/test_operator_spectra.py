"""Operator spectra: periodic-grid identities, brute-force enumeration, numerical integration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.gaussian_process.kernels import Matern

from kernelect.kernels.operator_spectra import (
    gaussian_measure_eigenvalues,
    gaussian_torus_eigenvalues,
    laplacian_torus_eigenvalues,
    lattice_counts,
    matern_torus_eigenvalues,
    spectral_distance,
    torus_period,
)

PERIOD = 7.0


def matern_profile(nu, length_scale):
    kernel = Matern(length_scale=length_scale, nu=nu)
    return lambda x: kernel(np.abs(x).reshape(-1, 1), np.zeros((1, 1))).reshape(np.shape(x))


# Name, kernel of the difference in one dimension, eigenvalues in `dim` dimensions.
FAMILIES = {
    "gaussian": (
        lambda x: np.exp(-(x**2) / (2 * 0.6)),
        lambda count, dim: gaussian_torus_eigenvalues(count, tau=0.6, period=PERIOD, dim=dim),
    ),
    "laplacian": (
        lambda x: np.exp(-1.3 * np.abs(x)),
        lambda count, dim: laplacian_torus_eigenvalues(count, gamma=1.3, period=PERIOD, dim=dim),
    ),
    "matern 3/2": (
        matern_profile(1.5, 0.8),
        lambda count, dim: matern_torus_eigenvalues(
            count, nu=1.5, length_scale=0.8, period=PERIOD, dim=dim
        ),
    ),
    "matern 5/2": (
        matern_profile(2.5, 0.8),
        lambda count, dim: matern_torus_eigenvalues(
            count, nu=2.5, length_scale=0.8, period=PERIOD, dim=dim
        ),
    ),
}
PRODUCTS = ["gaussian", "laplacian"]


def periodised(profile, x):
    return sum(profile(x + q * PERIOD) for q in range(-12, 13))


def beyond(name, terms):
    """Sum of the eigenvalues after the listed ones: only the Laplacian's tail, 1/m^2, is felt."""
    return 1.3 * PERIOD / (np.pi**2 * (terms / 2)) if name == "laplacian" else 0.0


@pytest.mark.parametrize("name", FAMILIES)
def test_grid_eigenvalues_are_aliased_sums(name):
    profile, eigenvalues = FAMILIES[name]
    n, terms = 15, 400_001
    x = np.arange(n) * PERIOD / n
    k = periodised(profile, x[:, None] - x) / n
    listed = eigenvalues(terms, 1)  # 0, 1, -1, 2, -2, ...
    frequency = (np.arange(terms) + 1) // 2 * np.where(np.arange(terms) % 2, 1, -1)
    aliased = np.bincount(frequency % n, weights=listed, minlength=n) + beyond(name, terms) / n
    assert_allclose(np.linalg.eigvalsh(k), np.sort(aliased), atol=1e-10)


@pytest.mark.parametrize("name", ["gaussian", "matern 5/2"])
def test_grid_eigenvalues_to_full_precision(name):
    profile, eigenvalues = FAMILIES[name]
    n = 16
    x = np.arange(n) * PERIOD / n
    k = periodised(profile, x[:, None] - x) / n
    listed = eigenvalues(20_001, 1)
    frequency = (np.arange(20_001) + 1) // 2 * np.where(np.arange(20_001) % 2, 1, -1)
    aliased = np.bincount(frequency % n, weights=listed, minlength=n)
    assert_allclose(np.linalg.eigvalsh(k), np.sort(aliased), atol=1e-14)


@pytest.mark.parametrize("name", FAMILIES)
def test_eigenvalues_sum_to_the_periodised_diagonal(name):
    profile, eigenvalues = FAMILIES[name]
    total = eigenvalues(400_001, 1).sum() + beyond(name, 400_001)
    assert_allclose(total, periodised(profile, np.zeros(1))[0], rtol=1e-10)


def test_gaussian_in_two_dimensions_sums_to_the_periodised_diagonal():
    profile, eigenvalues = FAMILIES["gaussian"]
    assert_allclose(
        eigenvalues(5000, 2).sum(), periodised(profile, np.zeros(1))[0] ** 2, rtol=1e-12
    )


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("dim", [2, 3])
def test_product_kernels_multiply_over_coordinates(name, dim):
    eigenvalues = FAMILIES[name][1]
    line = eigenvalues(41, 1)
    brute = np.array([np.prod(c) for c in itertools.product(line, repeat=dim)])
    assert_allclose(eigenvalues(200, dim), np.sort(brute)[::-1][:200], rtol=1e-12)


def test_matern_limits():
    args = {"period": PERIOD, "dim": 3}
    assert_allclose(
        matern_torus_eigenvalues(300, nu=np.inf, length_scale=0.7, **args),
        gaussian_torus_eigenvalues(300, tau=0.49, **args),
    )
    assert_allclose(
        matern_torus_eigenvalues(50, nu=1e6, length_scale=0.7, **args),
        gaussian_torus_eigenvalues(50, tau=0.49, **args),
        rtol=1e-4,
    )
    assert_allclose(
        matern_torus_eigenvalues(50, nu=0.5, length_scale=0.5, period=PERIOD),
        laplacian_torus_eigenvalues(50, gamma=2.0, period=PERIOD),
    )


@pytest.mark.parametrize("dim", [2, 3, 4])
def test_lattice_counts_by_enumeration(dim):
    squares = [sum(c * c for c in point) for point in itertools.product(range(-3, 4), repeat=dim)]
    expected = np.bincount(squares)[:10]  # complete up to 3^2
    counts = lattice_counts(dim, 10**4)[:10]
    np.testing.assert_array_equal(counts, expected)


def test_many_dimensions_and_many_points():
    values = gaussian_torus_eigenvalues(20_000, tau=1.0, period=20.0, dim=20_000)
    assert values.shape == (20_000,)
    assert np.all(np.diff(values) <= 0)
    many = gaussian_torus_eigenvalues(30_000, tau=0.01, period=10.0)
    assert many.shape == (30_000,)
    assert np.all(np.diff(many) <= 0)


@pytest.mark.parametrize(("tau", "variance"), [(2.0, 1.0), (0.3, 1.0), (5.0, 2.5)])
def test_gaussian_measure_by_quadrature(tau, variance):
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    x, w = nodes * np.sqrt(variance), np.sqrt(weights / weights.sum())
    k = w[:, None] * np.exp(-((x[:, None] - x) ** 2) / (2 * tau)) * w
    expected = np.linalg.eigvalsh(k)[::-1][:12]
    got = gaussian_measure_eigenvalues(12, tau=tau, variance=variance, dim=1)
    assert_allclose(got, expected, atol=1e-12)
    assert_allclose(
        gaussian_measure_eigenvalues(4000, tau=tau, variance=variance, dim=1).sum(), 1.0
    )


def test_gaussian_measure_in_several_dimensions():
    line = gaussian_measure_eigenvalues(60, tau=2.0, dim=1)
    brute = np.sort([a * b * c for a, b, c in itertools.product(line, repeat=3)])[::-1]
    got = gaussian_measure_eigenvalues(500, tau=2.0, dim=3)
    assert_allclose(got, brute[:500], rtol=1e-11)
    assert_allclose(gaussian_measure_eigenvalues(500, tau=2.0, variance=[1, 1, 1]), got, rtol=1e-12)
    mixed = gaussian_measure_eigenvalues(100, tau=2.0, variance=[0.5, 2.0])
    lines = [gaussian_measure_eigenvalues(80, tau=2.0, variance=v, dim=1) for v in (0.5, 2.0)]
    expected = np.sort(np.multiply.outer(*lines).ravel())[::-1][:100]
    assert_allclose(mixed, expected, rtol=1e-12)


def test_sample_spectrum_approaches_the_gaussian_measure():
    x = np.random.default_rng(0).standard_normal((1500, 1))
    k = np.exp(-((x - x.T) ** 2) / 4) / 1500
    sample = np.linalg.eigvalsh(k)[::-1]
    operator = gaussian_measure_eigenvalues(1500, tau=2.0, dim=1)
    assert spectral_distance(sample, operator) < 0.03
    narrow = gaussian_measure_eigenvalues(1500, tau=0.1, dim=1)
    assert spectral_distance(sample, narrow) > 0.2


def test_period_and_distance():
    assert torus_period(np.array([[0.0], [4.0]]), tau=4.0) == 16.0
    assert spectral_distance([3.0, 1.0], [1.0, 2.0], p=1) == 1.0
    assert spectral_distance([0.0, 3.0], [0.0, 0.0]) == 3.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: gaussian_torus_eigenvalues(0, tau=1.0, period=1.0),
            "count must be a whole number of at least 1, not 0",
        ),
        (lambda: gaussian_torus_eigenvalues(3, tau=-1.0, period=1.0), "tau must be a positive"),
        (
            lambda: gaussian_torus_eigenvalues(3, tau=1.0, period=np.nan),
            "period must be a positive",
        ),
        (lambda: laplacian_torus_eigenvalues(3, gamma=0.0, period=1.0), "gamma must be a positive"),
        (lambda: matern_torus_eigenvalues(3, nu=0.0, length_scale=1.0, period=1.0), "nu must be"),
        (lambda: gaussian_measure_eigenvalues(3, tau=1.0), "dim must be given"),
        (lambda: gaussian_measure_eigenvalues(3, tau=1.0, variance=[1, 2], dim=3), "2 entries"),
        (lambda: gaussian_measure_eigenvalues(3, tau=1.0, variance=[1, -2]), "variance must hold"),
        (lambda: lattice_counts(1, 5), "dim must be a whole number of at least 2"),
        (lambda: torus_period([1.0, 2.0], tau=1.0), "X must be a finite"),
        (lambda: spectral_distance([1.0], [1.0, 2.0]), "one length"),
        (lambda: spectral_distance([1.0], [1.0], p=0.5), "p must be at least 1"),
    ],
)
def test_mistakes(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_counts_are_whole_numbers():
    with pytest.raises(TypeError, match=r"count must be a whole number, not 2\.0"):
        gaussian_torus_eigenvalues(2.0, tau=1.0, period=1.0)
