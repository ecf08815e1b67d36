"""Rows of every kind that is promised give the same scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from same_numbers import CRITERIA, GRID, X, Y, same

import kernelect as ke


def test_data_frames():
    same(ke.evaluate(pd.DataFrame(X, columns=list("abcd")), Y, GRID, CRITERIA))
    same(ke.evaluate(pd.DataFrame(X, columns=["a", "a", "b", "b"]), Y, GRID, CRITERIA))
    same(ke.evaluate(pd.DataFrame(X).astype("Float64"), Y, GRID, CRITERIA))
    mixed = pd.DataFrame({"a": X[:, 0].astype(np.float32), "b": Y, "c": Y == 1})
    plain = np.c_[X[:, 0].astype(np.float32), Y, Y].astype(float)
    same(ke.evaluate(mixed, Y, GRID, CRITERIA), ke.evaluate(plain, Y, GRID, CRITERIA))


def test_sparse_data_frames():
    x = np.where(np.abs(X) > 0.8, X, 0.0)
    wanted = ke.evaluate(x, Y, GRID, CRITERIA)
    frame = pd.DataFrame(x)
    same(ke.evaluate(frame.astype(pd.SparseDtype(float, 0.0)), Y, GRID, CRITERIA), wanted, 1e-12)
    same(ke.evaluate(frame.astype(pd.SparseDtype(float, 1.0)), Y, GRID, CRITERIA), wanted)


def test_whole_numbers_and_truths_as_features():
    whole = np.random.default_rng(0).integers(0, 5, size=(70, 4))
    wanted = ke.evaluate(whole.astype(float), Y, GRID, CRITERIA)
    for form in (whole, whole.astype(np.uint8), whole.tolist(), whole.astype(object)):
        same(ke.evaluate(form, Y, GRID, CRITERIA), wanted)
    same(
        ke.evaluate(whole > 2, Y, GRID, CRITERIA),
        ke.evaluate((whole > 2).astype(float), Y, GRID, CRITERIA),
    )


class Frame:
    """A table from another library: it has names and gives an array, and nothing of pandas."""

    columns = ("a", "b", "c", "wide")

    def __array__(self, dtype=None, copy=None):
        return np.asarray(X * [1, 1, 1, 1e6], dtype=dtype)


def test_tables_of_other_libraries():
    with pytest.warns(UserWarning, match="'wide'"):
        found = ke.evaluate(Frame(), Y, GRID, CRITERIA)
    with pytest.warns(UserWarning, match="column 3"):
        same(found, ke.evaluate(np.asarray(Frame()), Y, GRID, CRITERIA))


@pytest.mark.parametrize(
    "make", [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.bsr_matrix, sp.csr_array, sp.coo_array]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_sparse_forms(make, dtype):
    x = np.where(np.abs(X) > 0.8, np.round(4 * X), 0.0)
    wanted = ke.evaluate(x, Y, [*GRID, ke.Linear(), ke.Laplacian(0.2)], CRITERIA)
    found = ke.evaluate(make(x.astype(dtype)), Y, [*GRID, ke.Linear(), ke.Laplacian(0.2)], CRITERIA)
    same(found, wanted, rtol=1e-11)


def test_sparse_rows_with_wide_indices_duplicates_and_no_order():
    x = np.where(np.abs(X) > 0.8, X, 0.0)
    wide = sp.csr_matrix(x)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    halves = sp.coo_matrix(x)
    twice = sp.csr_matrix(
        (
            np.r_[halves.data / 2, halves.data / 2][::-1],
            (np.r_[halves.row, halves.row][::-1], np.r_[halves.col, halves.col][::-1]),
        ),
        shape=x.shape,
    )
    reordered = sp.csr_matrix(x)
    for i in range(70):
        place = slice(*reordered.indptr[i : i + 2])
        reordered.data[place] = reordered.data[place][::-1]
        reordered.indices[place] = reordered.indices[place][::-1]
    reordered.has_sorted_indices = False
    before = reordered.indices.copy()
    zeros = sp.csr_matrix(np.where(x == 0, 1.0, x))
    zeros.data[zeros.data == 1.0] = 0.0  # stored zeros
    for form in (wide, twice, reordered, zeros):
        same(ke.evaluate(form, Y, GRID, CRITERIA), ke.evaluate(x, Y, GRID, CRITERIA), rtol=1e-12)
    assert_array_equal(reordered.indices, before)


def test_far_from_the_origin_in_many_dimensions():
    """There distances come from products of centred rows."""
    x = np.random.default_rng(1).normal(size=(150, 40))
    y = np.arange(150) % 3
    grid = ke.gaussian_grid(2, 8)
    wanted = ke.evaluate(x, y, grid, CRITERIA)
    for offset in (10.0, 1e3, 1e6):
        same(ke.evaluate(x + offset, y, grid, CRITERIA), wanted, rtol=1e-8)


def test_arguments_are_not_changed():
    x, k = X.copy(), GRID[2](X)
    rows, labels, kept = sp.csr_matrix(x), Y.copy(), k.copy()
    ke.evaluate(x, labels, GRID, CRITERIA)
    ke.evaluate(rows, labels, "auto", CRITERIA)
    ke.evaluate(None, labels, [k], CRITERIA)
    assert_array_equal(x, X)
    assert_array_equal(rows.toarray(), X)
    assert_array_equal(k, kept)
    x.flags.writeable = k.flags.writeable = labels.flags.writeable = False
    same(ke.evaluate(x, labels, GRID, CRITERIA))
    ke.evaluate(None, labels, [k], CRITERIA)


@pytest.mark.parametrize(
    "model",
    [
        ke.LSSVMClassifier("auto"),
        ke.LSSVMRegressor(ke.Gaussian(2.0)),
        ke.MKLClassifier("average", [ke.Gaussian(1.0), ke.Linear()]),
        ke.KernelSelector(kernels=[ke.Gaussian(1.0), ke.Gaussian(2.0)]),
    ],
    ids=lambda model: type(model).__name__,
)
def test_learners_take_sparse_rows_in_any_order(model):
    ordered = sp.csr_matrix(X)
    backwards = sp.csr_matrix(
        (ordered.data[::-1].copy(), ordered.indices[::-1].copy(), ordered.indptr), ordered.shape
    )
    assert not backwards.has_sorted_indices
    y = np.arange(len(X)) % 2
    found = model.fit(backwards, y).predict(backwards)
    np.testing.assert_allclose(found, model.fit(X[::-1], y).predict(X[::-1]), rtol=1e-8)


def test_sparse_rows_may_begin_at_any_byte():
    rows = sp.csr_array(np.where(X > 0.3, X, 0.0))

    def moved(a):
        out = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype)
        out[:] = a
        return out

    parts = (moved(rows.data), moved(rows.indices), moved(rows.indptr.astype(np.int64)))
    found = ke.evaluate(sp.csr_array(parts, shape=rows.shape), Y, GRID, CRITERIA)
    same(found, ke.evaluate(rows, Y, GRID, CRITERIA))
