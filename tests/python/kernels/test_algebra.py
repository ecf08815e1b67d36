"""Sums, products and functions of kernels."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import twins
from kernel_catalogue import unit_diagonal
from numpy.testing import assert_allclose
from sklearn.gaussian_process import kernels as processes
from sklearn.metrics import pairwise

import kernelect as ke
from kernelect.kernels import Function, Normalized, Product, Scaled, Sum

RNG = np.random.default_rng(7)
X = RNG.normal(size=(70, 5))
Y = RNG.normal(size=(9, 5))


def test_algebra_flattens_and_keeps_order():
    a, b, c = ke.Gaussian(1.0), ke.Linear(), ke.Laplacian(2.0)
    assert (a + b) + c == a + (b + c) == Sum((a, b, c)) == sum([a, b, c])
    assert (a * b) * c == a * (b * c) == Product((a, b, c)) == Product([a * b, c])
    assert 2 * a == a * 2 == Scaled(2.0, a) == np.float64(2.0) * a == a * np.int64(2)
    assert a + b != b + a
    assert ke.normalized(ke.normalized(b)) == ke.normalized(b) == Normalized(Normalized(b))


def test_callables_take_part_in_the_algebra():
    f, g = Function(pairwise.cosine_similarity), ke.Gaussian(3.0)
    cosine = pairwise.cosine_similarity

    def gauss(x, y):
        return twins.gaussian(x, 3.0, y)

    cases = [
        (f + g, lambda x, y: cosine(x, y) + gauss(x, y)),
        (2 * f * g, lambda x, y: 2 * cosine(x, y) * gauss(x, y)),
        (ke.normalized(f + g), unit_diagonal(lambda x, y: cosine(x, y) + gauss(x, y))),
    ]
    for kernel, function in cases:
        assert not kernel.in_core
        assert_allclose(kernel(X), function(X, X), rtol=1e-12, atol=1e-13)
        assert_allclose(kernel(X, Y), function(X, Y), rtol=1e-12, atol=1e-13)
        assert_allclose(kernel.diag(X), np.diagonal(function(X, X)), rtol=1e-12)


def test_noise_of_a_process_kernel_is_on_the_diagonal_only():
    noisy = processes.RBF(1.3) + processes.WhiteKernel(0.5)
    kernel = Function(noisy)
    assert_allclose(kernel(X), noisy(X))
    assert_allclose(kernel.diag(X), noisy.diag(X))
    assert_allclose(kernel(X, Y), noisy(X, Y))


def test_a_function_may_give_a_sparse_matrix():
    rows = sp.csr_matrix(np.where(np.abs(X) > 0.8, X, 0.0))
    assert_allclose(Function(lambda x, y: x @ y.T)(rows), (rows @ rows.T).toarray())
