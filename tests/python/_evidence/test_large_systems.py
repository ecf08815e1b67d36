"""Systems so large that their products go in strips, which the core shares out among threads."""

from __future__ import annotations

import numpy as np
from problems import problem
from scipy.linalg import cho_factor, cho_solve

import kernelect as ke

N = 3400  # of this order the factorisation has products of several strips
LAM = 0.1


def held_out_loss(matrix, signs, lam):
    """Leave-one-out by the inverse itself: a_i / P_ii with P = R - R11'R / 1'R1."""
    n = len(signs)
    inverse = cho_solve(cho_factor(matrix + lam * np.eye(n), overwrite_a=True), np.eye(n))
    sums = inverse.sum(axis=0)
    inverse -= np.outer(sums, sums) / sums.sum()
    return np.mean((inverse @ signs / np.diag(inverse)) ** 2)


def test_bits_of_one_candidate_do_not_depend_on_threads():
    x, y = problem("binary", n=N, d=6)
    kernel = ke.Gaussian(2.0)

    def loss(threads):
        return ke.evaluate(x, y, [kernel], "loo", lam=LAM, n_threads=threads).scores["loo"][0]

    one = loss(1)
    assert loss(2) == one
    assert loss(3) == one
    wanted = held_out_loss(kernel(x), np.where(y == np.unique(y)[1], 1.0, -1.0), LAM)
    np.testing.assert_allclose(one, wanted, rtol=1e-10)
