"""Length scales of single columns: the kernel of scaled columns, in every form it may take."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from refusals import refuses
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sklearn_kernels

import kernelect as ke

RNG = np.random.default_rng(5)
X, Z = RNG.normal(size=(20, 3)), RNG.normal(size=(7, 3))
LENGTHS = (0.5, 2.0, 30.0)
KERNELS = [
    *((lambda length, nu=nu: ke.Matern(nu, length)) for nu in (0.5, 1.5, 2.5)),
    lambda length: ke.RationalQuadratic(0.7, length),
]


@pytest.mark.parametrize("make", KERNELS)
def test_a_length_for_every_column_is_that_kernel_of_scaled_columns(make):
    plain, columnwise = make(1.0), make(LENGTHS)
    scaled = plain(X / LENGTHS, Z / LENGTHS)
    np.testing.assert_allclose(columnwise(X, Z), scaled, rtol=1e-13)
    np.testing.assert_allclose(columnwise(sp.csr_matrix(X), sp.csr_matrix(Z)), scaled, rtol=1e-12)
    np.testing.assert_allclose(make([2.0] * 3)(X), make(2.0)(X), rtol=1e-14)


@pytest.mark.parametrize("make", KERNELS)
def test_forms(make):
    kernel = make(np.array(LENGTHS))
    assert kernel.length_scale == LENGTHS
    assert kernel == make(list(LENGTHS))
    assert hash(kernel) == hash(make(LENGTHS))
    assert pickle.loads(pickle.dumps(kernel)) == kernel
    assert ke.serialization.from_dict(ke.serialization.to_dict(kernel)) == kernel
    assert "(0.5, 2.0, 30.0)" in repr(kernel)
    table = ke.evaluate(X, X[:, 0], [make(1.0), kernel], ["sm", "loo"])
    assert np.isfinite(table.scores["loo"]).all()


def test_scikit_learn_gets_its_own_where_it_has_one():
    own = ke.Matern(1.5, LENGTHS).params_for(GaussianProcessRegressor)["kernel"]
    assert isinstance(own, sklearn_kernels.Matern)
    np.testing.assert_allclose(own(X), ke.Matern(1.5, LENGTHS)(X), rtol=1e-12)
    other = ke.RationalQuadratic(0.7, LENGTHS).params_for(GaussianProcessRegressor)["kernel"]
    np.testing.assert_allclose(other(X), ke.RationalQuadratic(0.7, LENGTHS)(X), rtol=1e-12)


@pytest.mark.parametrize("make", KERNELS)
def test_bad_lengths(make):
    refuses(lambda: make([]), ValueError, "length_scale is empty")
    refuses(lambda: make([1.0, -1.0, 2.0]), ValueError, "length_scale")
    refuses(lambda: make([1.0, "a"]), TypeError, "length_scale")
    refuses(lambda: make([1.0, 2.0])(X), ValueError, "a width for each of 2")


def test_lengths_are_written_for_reading():
    kernel = ke.Matern(1.5, [1 / 3, 2.0])
    assert str(kernel) == "Matern(nu=1.5, length_scale=[0.333333, 2])"
    assert eval(repr(kernel), {"Matern": ke.Matern}) == kernel
