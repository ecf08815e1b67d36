"""Sums of kernels between new rows and old ones times vectors, without a matrix."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import kernelect as ke
from kernelect.kernels import Function
from kernelect.kernels import _chunks as chunks
from kernelect.kernels._chunks import kernels_times

RANDOM = np.random.default_rng(8)
OLD, NEW = RANDOM.normal(size=(150, 4)), RANDOM.normal(size=(90, 4))
# Two chains with gaps, wide and narrow, one kernel twice, and kernels of other kinds.
KERNELS = [
    *[ke.Gaussian(2.0**power) for power in (-6, -3, -2, -1, 0, 3, 12, 13, 0)],
    *[ke.Laplacian(2.0**power) for power in (-4, -2, 3)],
    ke.Matern(1.5, 1.0),
    ke.on_columns([0, 2], ke.Gaussian(1.0)),
    ke.normalized(ke.Polynomial(2) * ke.Gaussian(4.0)),
    Function(lambda X, Y=None: np.asarray(X) @ np.asarray(X if Y is None else Y).T),
]


def _plain(kernels, new, old, vectors):
    return sum(kernel(new, old) @ own for kernel, own in zip(kernels, vectors, strict=True))


@pytest.mark.parametrize("columns", [1, 2, 9])
def test_a_sum_of_products_is_that_of_the_matrices(columns):
    vectors = [RANDOM.normal(size=(len(OLD), columns)) for _ in KERNELS]
    found = kernels_times(KERNELS, NEW, OLD, vectors)
    np.testing.assert_allclose(found, _plain(KERNELS, NEW, OLD, vectors), rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("new", [np.asarray, sp.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("old", [np.asarray, sp.csr_matrix], ids=["dense", "sparse"])
def test_dense_and_sparse_rows_give_the_same(new, old):
    kernels = KERNELS[:12]
    vectors = [RANDOM.normal(size=(len(OLD), 2)) for _ in kernels]
    wanted = _plain(kernels, NEW, OLD, vectors)
    found = kernels_times(kernels, new(NEW), old(OLD), vectors)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-10)


def test_neighbours_do_not_change_a_row(monkeypatch):
    vectors = [RANDOM.normal(size=(len(OLD), 1)) for _ in KERNELS]
    whole = kernels_times(KERNELS, NEW, OLD, vectors)
    monkeypatch.setattr(chunks, "_MEMORY", 1.0)  # 64 rows at a time
    np.testing.assert_allclose(kernels_times(KERNELS, NEW, OLD, vectors), whole, rtol=1e-12)
    alone = np.vstack([kernels_times(KERNELS, NEW[[i]], OLD, vectors) for i in range(5)])
    np.testing.assert_allclose(alone, whole[:5], rtol=1e-12)


def test_a_row_without_a_finite_value_is_named():
    far = NEW.copy()
    far[7] = 1e200
    with pytest.raises(ValueError, match="X: row 7 is so large"):
        kernels_times([ke.Polynomial(3)], far, OLD, [np.ones((len(OLD), 1))])
