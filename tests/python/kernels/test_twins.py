"""The slow twins of the kernels: against scikit-learn, worked values, extended precision."""

from __future__ import annotations

import math

import golden
import mpmath
import numpy as np
import pytest
import twins
from kernel_catalogue import FAMILIES
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel


def test_golden_matrix():
    k = twins.gaussian(golden.X, golden.TAU)
    assert k.sum() == pytest.approx(golden.SUM_OF_ENTRIES, rel=1e-10)
    assert twins.norm(k) == pytest.approx(golden.FROBENIUS_NORM, rel=1e-10)


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


@pytest.mark.parametrize("kernel", FAMILIES, ids=str)
def test_extended_kernels(kernel):
    x = np.random.default_rng(5).normal(size=(6, 3))
    with mpmath.workdps(40):
        exact = kernel.matrix(twins.extended(x))
        assert exact.dtype == object
        np.testing.assert_allclose(kernel.matrix(x), exact.astype(float), rtol=1e-12)
