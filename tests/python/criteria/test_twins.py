"""The slow twins themselves: against worked values, closed forms and identities of the papers."""

from __future__ import annotations

import math

import golden
import mpmath
import numpy as np
import pytest
import twins
from catalogue import BY_KEY, CRITERIA, criteria_for
from kernel_catalogue import FAMILIES
from problems import labels, problem
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel

import kernelect as ke

CLASS_SIZES = [(5, 5), (3, 7), (9, 2)]


GOLDEN = {"x": golden.X, "kernel": ke.Gaussian(golden.TAU), "folds": golden.FOLD_NUMBERS}


def value(key, k, y, task="binary"):
    return BY_KEY[key].reference(k, y, task, **GOLDEN)


# Worked example --------------------------------------------------------------------------------


def test_golden_matrix():
    k = twins.gaussian(golden.X, golden.TAU)
    assert k.sum() == pytest.approx(golden.SUM_OF_ENTRIES, rel=1e-10)
    assert twins.norm(k) == pytest.approx(golden.FROBENIUS_NORM, rel=1e-10)


@pytest.mark.parametrize("key", golden.CLASSIFICATION)
def test_golden_classification(key):
    k = twins.gaussian(golden.X, golden.TAU)
    assert value(key, k, golden.Y) == pytest.approx(golden.CLASSIFICATION[key], rel=1e-10)


@pytest.mark.parametrize("key", golden.REGRESSION)
def test_golden_regression(key):
    k = twins.gaussian(golden.X, golden.TAU)
    wanted = golden.REGRESSION[key]
    assert value(key, k, golden.T, "regression") == pytest.approx(wanted, rel=1e-10)


# Kernels ---------------------------------------------------------------------------------------


def test_kernels_against_scikit_learn():
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=(9, 3)), rng.normal(size=(5, 3))
    pairs = [
        (twins.gaussian(x, 1.7, z), rbf_kernel(x, z, gamma=1 / 3.4)),
        (twins.laplacian(x, 0.6, z), laplacian_kernel(x, z, gamma=0.6)),
        (twins.polynomial(x, 3, 0.5, 2.0, z), polynomial_kernel(x, z, 3, 0.5, 2.0)),
        (twins.linear(x, z), x @ z.T),
    ]
    pairs += [(twins.matern(x, nu, 1.3, z), Matern(1.3, nu=nu)(x, z)) for nu in (0.5, 1.5, 2.5)]
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_unknown_matern_is_refused():
    with pytest.raises(ValueError, match="nu = 3"):
        twins.matern(np.eye(2), 3, 1.0)


def test_normalized_has_unit_diagonal():
    k = twins.polynomial(np.arange(6.0).reshape(3, 2), 2)
    scaled = twins.normalized(k)
    np.testing.assert_allclose(np.diag(scaled), 1.0, rtol=1e-15)
    assert scaled[0, 2] == pytest.approx(k[0, 2] / math.sqrt(k[0, 0] * k[2, 2]))


def test_center_is_hkh():
    k = twins.polynomial(np.random.default_rng(4).normal(size=(8, 2)), 2)
    h = np.eye(len(k)) - 1 / len(k)
    np.testing.assert_allclose(twins.center(k), h @ k @ h, atol=1e-13)


# Degenerate kernels: section 9 -----------------------------------------------------------------


@pytest.mark.parametrize("sizes", CLASS_SIZES)
def test_identity(sizes):
    p, q = sizes
    n = p + q
    k, y = np.eye(n), labels(p, q)
    assert twins.sm(k, y, relative=True) == pytest.approx(1.0)
    assert twins.kta(k, y) == pytest.approx(1 / math.sqrt(n))
    assert twins.ekta(k, y) == pytest.approx(1 / math.sqrt(n))
    assert twins.ckta(k, y) == pytest.approx(1 / math.sqrt(n - 1))
    assert twins.ckta(k, y, "survey") == pytest.approx(4 * p * q / (n**2 * math.sqrt(n - 1)))
    assert twins.fsm(k, y) == pytest.approx(0.0, abs=1e-14)
    assert twins.kcsm(k, y) == pytest.approx(1 / (n - 2))
    assert twins.stability(k) == 1.0


@pytest.mark.parametrize("sizes", CLASS_SIZES)
def test_all_ones(sizes):
    p, q = sizes
    n = p + q
    k, y = np.ones((n, n)), labels(p, q)
    assert twins.sm(k, y, relative=True) == pytest.approx(0.0, abs=1e-14)
    assert twins.kta(k, y) == pytest.approx(((p - q) / n) ** 2)
    assert twins.ekta(k, y) == pytest.approx(0.0, abs=1e-14)
    assert twins.ckta(k, y) == -math.inf
    assert twins.ckta(k, y, "survey") == -math.inf
    assert twins.fsm(k, y) == math.inf
    assert twins.kcsm(k, y) == -math.inf
    assert twins.stability(k) == pytest.approx((1 + math.sqrt(4 * n - 3)) / 2)


def test_singleton_class_has_no_fsm():
    k = twins.gaussian(np.arange(5.0)[:, None], 1.0)
    assert twins.fsm(k, labels(1, 4)) == math.inf
    assert twins.fsm(k, labels(2, 1, 2)) == math.inf
    assert math.isfinite(twins.fsm(k, labels(2, 3)))


def test_forms_that_do_not_exist_are_refused():
    k, y = np.eye(6), labels(2, 2, 2)
    for criterion in (twins.mmd, twins.ncut, lambda k, y: twins.ckta(k, y, "survey")):
        with pytest.raises(ValueError, match="two classes"):
            criterion(k, y)


# Extended precision ----------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_extended_precision_agrees_where_double_suffices(task):
    x, y = problem(task, n=20, d=2)
    kernel = ke.Gaussian(2.0)
    with mpmath.workdps(40):
        wide = twins.extended(x)
        exact = twins.gaussian(wide, 2)
        for criterion in criteria_for(task):
            wanted = criterion.reference(exact, y, task, x=wide, kernel=kernel)
            got = criterion.reference(twins.gaussian(x, 2.0), y, task, x=x, kernel=kernel)
            assert got == pytest.approx(float(wanted), rel=1e-11), criterion.key


@pytest.mark.parametrize("kernel", FAMILIES, ids=str)
def test_extended_kernels(kernel):
    x = np.random.default_rng(5).normal(size=(6, 3))
    with mpmath.workdps(40):
        exact = kernel.matrix(twins.extended(x))
        assert exact.dtype == object
        np.testing.assert_allclose(kernel.matrix(x), exact.astype(float), rtol=1e-12)


def test_extended_precision_is_kept():
    """No rounded constant slips in: thirty digits more leave the result as it is."""
    x, y = problem("multiclass", n=20, d=2)
    kernel = ke.Gaussian(2.0**20)
    values = {criterion.key: [] for criterion in criteria_for("multiclass")}
    for digits in (60, 90):
        with mpmath.workdps(digits):
            wide = twins.extended(x)
            k = twins.gaussian(wide, mpmath.mpf(2) ** 20)
            for key, found in values.items():
                found.append(BY_KEY[key].reference(k, y, "multiclass", x=wide, kernel=kernel))
    with mpmath.workdps(60):
        for key, (first, second) in values.items():
            assert first == second or abs(first / second - 1) < mpmath.mpf(10) ** -40, key


def test_catalogue_has_no_duplicate():
    assert len(BY_KEY) == len(CRITERIA)
