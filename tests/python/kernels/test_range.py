"""Kernels keep their digits where squares and powers leave the range of doubles."""

import mpmath
import numpy as np
import pytest
import scipy.sparse as sp
import twins

import kernelect as ke

TENS = (-300, -200, -160, -150, 0, 150, 160, 200, 300)  # powers of ten that features are scaled by


def rows(d=3, n=7):
    rng = np.random.default_rng([d, n])
    x = rng.normal(size=(n, d)) * (rng.random(size=(n, d)) < 0.8)
    x[1] = x[0]
    return x


def both_forms(x):
    return x, sp.csr_array(x)


@pytest.mark.parametrize("tens", TENS)
@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5])
@pytest.mark.parametrize("d", [3, 12])  # distances by differences, and by products
def test_matern_of_any_unit(d, nu, tens):
    x, unit = rows(d), 10.0**tens
    wanted = ke.Matern(nu, 1.0)(x)
    for form in both_forms(unit * x):
        np.testing.assert_allclose(ke.Matern(nu, unit)(form), wanted, rtol=1e-12)


@pytest.mark.parametrize("tens", TENS)
def test_periodic_of_any_unit(tens):
    x, unit = rows(1), 10.0**tens
    wanted = ke.Periodic(1.0, 2.0)(x)
    for form in both_forms(unit * x):
        np.testing.assert_allclose(ke.Periodic(1.0, 2.0 * unit)(form), wanted, rtol=1e-9)


@pytest.mark.parametrize("tens", TENS)
@pytest.mark.parametrize("rate", [1e-300, 1e-3, 1.0, 1e300])
@pytest.mark.parametrize("d", [3, 12])
def test_ard_of_any_rate(d, rate, tens):
    x = 10.0**tens * rows(d)
    rates = rate * np.linspace(0.1, 1.0, d)
    exact, exact_rates = twins.extended(x), twins.extended(rates)
    squares = (exact[:, None] - exact[None]) ** 2
    wanted = np.frompyfunc(mpmath.exp, 1, 1)(-(squares * exact_rates).sum(axis=-1)).astype(float)
    for form in both_forms(x):
        got = ke.ARDGaussian(rates)(form)
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-300)
        assert (np.diag(got) == 1).all()


def normalised(k):
    root = np.frompyfunc(mpmath.sqrt, 1, 1)(np.diag(k))
    return (k / np.outer(root, root)).astype(float)


@pytest.mark.parametrize("tens", [-30, -9, 0, 9, 30])
@pytest.mark.parametrize("degree", [1, 2, 19, 20])
def test_normalised_polynomials(degree, tens):
    x = 10.0**tens * (rows() + 0.5)
    exact = twins.extended(x)
    products = exact @ exact.T
    for offset in (0.0, 1.0):
        kernel = ke.Polynomial(degree, 1.0, offset)
        wanted = normalised((products + offset) ** degree)
        for form in both_forms(x):
            got = ke.normalized(kernel)(form)
            np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-15)
            np.testing.assert_array_equal(got, got.T)
        composed = ke.normalized(3.0 * kernel * ke.normalized(ke.Linear()))
        wanted = wanted * normalised(products)
        np.testing.assert_allclose(composed(x), wanted, rtol=1e-12, atol=1e-15)


def test_between_two_sets_of_rows_and_zero_rows():
    x = 1e9 * (rows() + 0.5)
    x[3] = 0.0
    kernel = ke.normalized(ke.Polynomial(20, 1.0, 0.0))
    whole = kernel(x)
    assert (whole[3] == 0).all()
    np.testing.assert_allclose(kernel(x[:4], x[4:]), whole[:4, 4:], rtol=1e-12)
    np.testing.assert_allclose(np.diag(whole), [1, 1, 1, 0, 1, 1, 1], rtol=1e-12)


def test_scores_are_those_of_the_matrix():
    x = 1e9 * (rows(n=40) + 0.5)
    y = np.arange(40) % 2
    kernel = ke.normalized(ke.Polynomial(20))
    names = ["sm", "kta", "ckta", "fsm", "cv", "sm_hinge", "pep"]
    by_rows = ke.evaluate(x, y, [kernel], names)
    by_matrix = ke.evaluate(None, y, [kernel(x)], names)
    for name in names:
        assert by_rows.reasons[name] == [None]
        np.testing.assert_allclose(by_rows.scores[name], by_matrix.scores[name], rtol=1e-9)
