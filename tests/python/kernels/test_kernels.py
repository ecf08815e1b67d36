"""Kernels as functions: values against scikit-learn, in every form of rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import twins
from kernel_catalogue import EVERY_KERNEL
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.gaussian_process import kernels as processes
from sklearn.metrics import pairwise

import kernelect as ke

RNG = np.random.default_rng(7)
X = RNG.normal(size=(70, 5))
Y = RNG.normal(size=(9, 5))


def cubic(x, y):
    return pairwise.polynomial_kernel(x, y, degree=3, gamma=0.5, coef0=2.0)


# The same by another hand than the twins'.
PEERS = [
    (ke.Gaussian(3.0), lambda x, y: pairwise.rbf_kernel(x, y, gamma=1 / 6)),
    (ke.Laplacian(0.3), lambda x, y: pairwise.laplacian_kernel(x, y, gamma=0.3)),
    (ke.Matern(0.5, 1.7), processes.Matern(1.7, nu=0.5)),
    (ke.Matern(1.5, 1.7), processes.Matern(1.7, nu=1.5)),
    (ke.Matern(2.5, 1.7), processes.Matern(1.7, nu=2.5)),
    (ke.Polynomial(3, 0.5, 2.0), cubic),
    (ke.Polynomial(1), lambda x, y: x @ y.T + 1.0),
    (ke.Linear(), pairwise.linear_kernel),
]
KERNELS = [pytest.param(entry.build(), id=str(entry)) for entry in EVERY_KERNEL]


def assert_values(kernel, function):
    assert_allclose(kernel(X), function(X, X), rtol=1e-12, atol=1e-13)
    assert_allclose(kernel(X, Y), function(X, Y), rtol=1e-12, atol=1e-13)
    assert_allclose(kernel.diag(X), np.diagonal(function(X, X)), rtol=1e-12, atol=1e-13)
    assert_array_equal(kernel(X), kernel(X).T)


@pytest.mark.parametrize("entry", EVERY_KERNEL, ids=str)
def test_values(entry):
    assert_values(entry.build(), entry.matrix)


@pytest.mark.parametrize(("kernel", "function"), PEERS, ids=[repr(kernel) for kernel, _ in PEERS])
def test_values_of_scikit_learn(kernel, function):
    assert_values(kernel, function)


@pytest.mark.parametrize("d", [1, 2, 24, 25, 100, 784])
@pytest.mark.parametrize("kernel", [ke.Gaussian(50.0), ke.Laplacian(0.02), ke.Polynomial(2, 0.01)])
def test_number_of_features(kernel, d):
    """Distances come from differences for few features and from products for many."""
    x, y = RNG.normal(size=(67, d)), RNG.normal(size=(5, d))
    function = {
        ke.Gaussian: lambda a, b: np.exp(-0.01 * cdist(a, b, "sqeuclidean")),
        ke.Laplacian: lambda a, b: pairwise.laplacian_kernel(a, b, gamma=0.02),
        ke.Polynomial: lambda a, b: (1.0 + 0.01 * (a @ b.T)) ** 2,
    }[type(kernel)]
    for moved in (0.0, 30.0):
        a, b = x + moved, y + moved
        assert_allclose(kernel(a), function(a, a), rtol=1e-11)
        assert_allclose(kernel(a, b), function(a, b), rtol=1e-11)


@pytest.mark.parametrize("d", [3, 30])
@pytest.mark.parametrize("offset", [0.0, 1e3, 1e8])
def test_duplicates_and_neighbours_far_from_the_origin(d, offset):
    x = np.round(RNG.normal(size=(40, d)) * 1024) / 1024
    x[20:] = x[:20]
    x[30:, 0] += 2.0**-10
    kernel = ke.Gaussian(2.0**-12)
    k = kernel(x + offset)
    assert_array_equal(k[np.arange(10), np.arange(20, 30)], 1.0)
    assert_allclose(k[np.arange(10, 20), np.arange(30, 40)], np.exp(-(2.0**-9)), rtol=1e-12)
    assert_array_equal(kernel(x + offset, x[:5] + offset), k[:, :5])


@pytest.mark.parametrize("kernel", KERNELS)
def test_forms_of_rows(kernel):
    wanted, crossed = kernel(X), kernel(X, Y)
    for form in (
        np.asfortranarray(X),
        np.repeat(X, 2, axis=0)[::2],
        np.repeat(X, 2, axis=1)[:, ::2],
        X[::-1][::-1],
        X.tolist(),
        pd.DataFrame(X, columns=list("abcde")),
        np.ma.masked_array(X),
    ):
        assert_array_equal(kernel(form), wanted)
        assert_array_equal(kernel(form, Y), crossed)
        assert_array_equal(kernel.diag(form), kernel.diag(X))
    single = X.astype(np.float32)
    assert kernel(single).dtype == np.float64
    assert_array_equal(kernel(single), kernel(single.astype(np.float64)))


@pytest.mark.parametrize("kernel", KERNELS)
def test_sparse_rows(kernel):
    x, y = np.where(np.abs(X) > 0.8, X, 0.0), np.where(np.abs(Y) > 0.8, Y, 0.0)
    x[3] = 0.0  # a row without entries
    wanted, crossed = kernel(x), kernel(x, y)
    for make in (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.lil_matrix, sp.csr_array):
        assert_allclose(kernel(make(x)), wanted, rtol=1e-12, atol=1e-13)
        assert_allclose(kernel(make(x), make(y)), crossed, rtol=1e-12, atol=1e-13)
        assert_allclose(kernel(make(x), y), crossed, rtol=1e-12, atol=1e-13)
        assert_allclose(kernel(x, make(y)), crossed, rtol=1e-12, atol=1e-13)
        assert_allclose(kernel.diag(make(x)), kernel.diag(x), rtol=1e-12)


def test_one_feature_as_a_new_axis():
    """Such an array has a stride of zero, which is no reason to refuse it."""
    x = np.linspace(0.0, 1.0, 12)
    assert_array_equal(ke.Gaussian(1.0)(x[:, None]), ke.Gaussian(1.0)(x.reshape(-1, 1)))


def test_two_single_rows_give_a_number():
    value = ke.Gaussian(3.0)(X[0], Y[0])
    assert value.shape == ()
    assert value == ke.Gaussian(3.0)(X[:1], Y[:1])[0, 0]


@pytest.mark.parametrize("kernel", [ke.Matern(nu, 1e-9) for nu in (0.5, 1.5, 2.5)])
@pytest.mark.parametrize("scale", [1e100, 1e155, 1e200, 1e300])
def test_radial_kernels_of_huge_values_are_the_identity(kernel, scale):
    for radial in (kernel, ke.Gaussian(1e-9), ke.Laplacian(1e9), ke.normalized(kernel)):
        assert_array_equal(radial(scale * X), np.eye(len(X)))
    assert_array_equal(kernel(np.pad(scale * X, ((0, 0), (0, 30)))), np.eye(len(X)))


@pytest.mark.parametrize("kernel", [ke.Gaussian(1.0), ke.Laplacian(1.0), ke.Matern(2.5)])
@pytest.mark.parametrize("scale", [1e-150, 1e-200, 1e-320])
def test_radial_kernels_of_tiny_values_are_all_ones(kernel, scale):
    assert_array_equal(kernel(scale * X), np.ones((len(X), len(X))))


def test_dot_products_of_huge_values_overflow_to_infinity_or_stay():
    assert_allclose(ke.Linear()(1e100 * X) / 1e200, X @ X.T, rtol=1e-12, atol=1e-13)
    assert np.isinf(ke.Linear()(np.full((2, 3), 1e200))).all()


def test_normalized_of_a_vanishing_row_is_zero():
    k = ke.normalized(ke.Linear())([[0.0, 0.0], [3.0, 4.0], [0.0, 2.0]])
    assert_allclose(k, [[0, 0, 0], [0, 1, 0.8], [0, 0.8, 1]])
    assert_array_equal(ke.normalized(ke.Linear()).diag([[0.0], [2.0]]), [0.0, 1.0])


def test_many_rows_in_several_tiles():
    x, y = RNG.normal(size=(200, 3)), RNG.normal(size=(130, 3))
    assert_allclose(ke.Gaussian(3.0)(x, y), twins.gaussian(x, 3.0, y), rtol=1e-12)
    assert_allclose(ke.Gaussian(3.0)(x), twins.gaussian(x, 3.0), rtol=1e-12)
