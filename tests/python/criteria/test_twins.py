"""The slow twins of the criteria: against worked values, closed forms and extended precision."""

from __future__ import annotations

import math

import golden
import mpmath
import numpy as np
import pytest
import twins
from catalogue import BY_KEY, CRITERIA, criteria_for
from problems import labels, problem

import kernelect as ke

CLASS_SIZES = [(5, 5), (3, 7), (9, 2)]
GOLDEN = {"x": golden.X, "kernel": ke.Gaussian(golden.TAU), "folds": golden.FOLD_NUMBERS}


def value(key, k, y, task="binary"):
    return BY_KEY[key].reference(k, y, task, **GOLDEN)


@pytest.mark.parametrize("key", golden.CLASSIFICATION)
def test_golden_classification(key):
    k = twins.gaussian(golden.X, golden.TAU)
    assert value(key, k, golden.Y) == pytest.approx(golden.CLASSIFICATION[key], rel=1e-10)


@pytest.mark.parametrize("key", golden.REGRESSION)
def test_golden_regression(key):
    k = twins.gaussian(golden.X, golden.TAU)
    wanted = golden.REGRESSION[key]
    assert value(key, k, golden.T, "regression") == pytest.approx(wanted, rel=1e-10)


def test_center_is_hkh():
    k = twins.polynomial(np.random.default_rng(4).normal(size=(8, 2)), 2)
    h = np.eye(len(k)) - 1 / len(k)
    np.testing.assert_allclose(twins.center(k), h @ k @ h, atol=1e-13)


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
