"""Grids of kernels, fixed ones and those that follow the data."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
import twins
from numpy.testing import assert_allclose
from problems import problem
from same_numbers import X, Y

import kernelect as ke


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("scale", [1.0, 2.0**-20, 2.0**20, 2.0**-480, 2.0**480])
def test_auto_follows_the_scale(scale, convert):
    """From kernels near the identity to kernels near all ones, in any unit."""
    grid = ke.evaluate(convert(X), Y, "auto", "sm").kernels
    moved = ke.evaluate(convert(scale * X), Y, "auto", "sm").kernels
    assert [kernel.tau for kernel in moved] == [kernel.tau * scale**2 for kernel in grid]
    assert_allclose(np.log2([kernel.tau for kernel in grid]) % 1.0, 0.0)
    off = ~np.eye(70, dtype=bool)
    assert np.median(moved[0](scale * X)[off]) < 1e-3
    assert np.median(moved[-1](scale * X)[off]) > 0.97
    wanted, found = (ke.select(convert(s * X), Y, "auto", "sm") for s in (1.0, scale))
    assert found.index == wanted.index
    assert found.score == pytest.approx(wanted.score, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_auto_at_ordinary_scales_has_its_winner_inside(scale):
    chosen = ke.select(scale * X, Y, "auto", "sm")
    assert 0 < chosen.index < len(chosen.table.kernels) - 1


@pytest.mark.parametrize("scale", [1e-160, 1e-300, 1e200, 1e300])
def test_auto_at_scales_out_of_range(scale):
    """Squared distances that no number can hold give kernels of which none is informative."""
    table = ke.evaluate(scale * X, Y, "auto", "sm")
    assert not np.isnan(table.scores["sm"]).any()


def test_auto_with_many_features_and_few_rows():
    x = np.random.default_rng(0).normal(size=(4, 50_000))
    grid = ke.evaluate(x, [0, 0, 1, 1], "auto", "sm").kernels
    assert grid[0].tau < 1e5 < grid[-1].tau


def test_grid_helpers():
    assert list(ke.gaussian_grid(-2, 2, step=2)) == [ke.Gaussian(2.0**i) for i in (-2, 0, 2)]
    assert list(ke.gaussian_grid(-1, 1, base=10)) == [ke.Gaussian(10.0**i) for i in (-1, 0, 1)]
    assert [kernel.degree for kernel in ke.polynomial_grid(1, 4)] == [1, 2, 3, 4]


def test_default_candidates():
    x, y = problem("binary", n=50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        result = ke.evaluate(x, y)
    assert list(result.kernels) == [ke.Gaussian(2.0**i) for i in range(-15, 16)]
    assert list(result.kernels) == list(ke.gaussian_grid())
    wanted = [twins.sm(twins.gaussian(x, 2.0**i), y) for i in range(-15, 8)]
    np.testing.assert_allclose(result.scores["sm"][:23], wanted, rtol=1e-10)
