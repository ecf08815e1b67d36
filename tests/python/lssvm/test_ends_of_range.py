"""Weights and lambdas at the ends of floating point: learned from, or refused in a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from problems import problem
from refusals import refuses

import kernelect as ke
from kernelect.lssvm._fits.deviation import cholesky_in_blocks

X, Y = problem("regression", n=40)
ONES = np.ones(40)
WAYS = [
    {},
    {"kernel": "committee"},
    {"kernel": "best"},
    {"kernel": "refined"},
    {"solver": "landmarks", "landmarks": 7},
    {"solver": "iterative"},
]


def with_first(value):
    return np.concatenate([[value], ONES[1:]])


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (with_first(1e-200), "has 1e-200 beside 1, too small to make a difference; set"),
        (with_first(1e30), "has 1 beside 1e+30, too small"),
        (1e300 * ONES, "has 1e+300, too large for sums"),
        (1e-300 * ONES, "has 1e-300, too small for sums"),
    ],
)
def test_weights_too_far_apart(way, weights, said):
    """A kernel matrix was blamed, a minor of some array, or nothing was said."""
    refuses(lambda: ke.LSSVMRegressor(**way).fit(X, Y, sample_weight=weights), ValueError, said)


@pytest.mark.parametrize("weights", [with_first(1e-200), 1e300 * ONES])
def test_elections_by_such_weights(weights):
    refuses(lambda: ke.select(X, Y, sample_weight=weights), ValueError, "sample_weight has 1e")


def test_weights_of_zero_beside_large_ones():
    weights = np.where(np.arange(40) % 2, 1e50, 0.0)
    model = ke.LSSVMRegressor(ke.Gaussian(4.0), lam=1e50).fit(X, Y, sample_weight=weights)
    half = ke.LSSVMRegressor(ke.Gaussian(4.0), lam=1.0).fit(X[1::2], Y[1::2])
    np.testing.assert_allclose(model.predict(X), half.predict(X), rtol=1e-9)


@pytest.mark.parametrize("lam", [1e-100, 1e-300])
def test_lambdas_that_rounding_swallows(lam):
    """It was said that a minor of some array is not positive definite."""
    rows = np.random.default_rng(0).normal(size=(40, 3))
    learner = ke.LSSVMRegressor(ke.Gaussian(100.0), lam=lam, solver="iterative")
    refuses(lambda: learner.fit(rows, rows[:, 0]), ValueError, "give a larger lam")


def test_a_lambda_that_rounding_may_swallow():
    """By the last bits of the kernel it is refused, or the iteration ends without an answer."""
    rows = np.random.default_rng(0).normal(size=(40, 3))
    learner = ke.LSSVMRegressor(ke.Gaussian(100.0), lam=1e-30, solver="iterative")
    with pytest.raises((ValueError, UserWarning), match="a larger lam"):
        learner.fit(rows, rows[:, 0])


def test_lambdas_that_rounding_swallows_in_deviations():
    refuses(lambda: cholesky_in_blocks(np.ones((3, 3))), ValueError, "give a larger lam")
