"""Rows that are refused, each with one sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from refusals import ONE, X, Y, cases, changed, refuses

import kernelect as ke


def frame(**columns):
    return pd.DataFrame({**dict(zip("abc", X.T, strict=True)), **columns})


NAN_COLUMN = "X: column 1 has missing values (NaN); impute them"
BAD_ROWS = cases(
    ("nan", changed(X, (3, 1), np.nan), ValueError, NAN_COLUMN),
    ("nan in single precision", changed(X, (3, 1), np.nan).astype("f4"), ValueError, NAN_COLUMN),
    ("nan sparse", sp.csr_matrix(changed(X, (3, 1), np.nan)), ValueError, NAN_COLUMN),
    ("infinity", changed(X, (3, 1), np.inf), ValueError, "X: column 1 contains infinity; replace"),
    ("minus infinity", sp.csr_matrix(changed(X, (3, 1), -np.inf)), ValueError, "column 1 contains"),
    ("many nan", np.full((12, 9), np.nan), ValueError, "columns 0, 1, 2, 3, 4 and 4 more have"),
    ("masked", np.ma.masked_less(X, -1.0), ValueError, "missing values"),
    ("none", [[1.0, None], [2.0, 1.0]] * 6, ValueError, NAN_COLUMN),
    ("text", changed(X, (3, 1), "red"), ValueError, "X: column 1 is not numeric; encode text"),
    ("text in a list", [[1.0, "red"]] * 12, ValueError, "X: column 1 is not numeric"),
    ("numbers as text", X.astype(str), ValueError, "X: columns 0, 1, 2 are not numeric"),
    ("bytes", X.astype("S"), ValueError, "X: columns 0, 1, 2 are not numeric"),
    ("dates", np.full((12, 1), np.datetime64("2020-01-01")), ValueError, "column 0 is not numeric"),
    ("complex", X + 1j, TypeError, "X has complex entries; kernels here need real numbers"),
    ("complex sparse", sp.csr_matrix(X + 1j), TypeError, "complex128"),
    ("text column", frame(t="x"), ValueError, "X: column 't' is not numeric; encode text"),
    ("two text columns", frame(t="x", u="y"), ValueError, "X: columns 't', 'u' are not numeric"),
    ("category", frame(t=pd.Categorical(["u", "v"] * 6)), ValueError, "column 't' is not numeric"),
    ("missing column", frame(b=changed(X[:, 1], 2, np.nan)), ValueError, "column 'b' has missing"),
    ("nullable", frame(b=pd.array([1, None] * 6, dtype="Int64")), ValueError, "'b' has missing"),
    ("infinite column", frame(b=changed(X[:, 1], 2, np.inf)), ValueError, "'b' contains infinity"),
    ("numbered columns", pd.DataFrame(changed(X, (3, 1), np.nan)), ValueError, NAN_COLUMN),
    ("empty", np.zeros((0, 3)), ValueError, "X has no rows (shape (0, 3)); at least one"),
    ("empty list", [], ValueError, "X has no rows"),
    ("no columns", np.zeros((12, 0)), ValueError, "X has no columns (shape (12, 0)); at least one"),
    (
        "one dimension",
        X[:, 0],
        ValueError,
        "has shape (12,); pass X.reshape(-1, 1) for one feature",
    ),
    ("series", pd.Series(X[:, 0]), ValueError, "has shape (12,)"),
    ("three dimensions", np.zeros((12, 3, 2)), ValueError, "but has shape (12, 3, 2)"),
    (
        "ragged",
        [[1.0, 2.0], [3.0]],
        ValueError,
        "X has rows of different lengths; all need as many",
    ),
    (
        "text instead",
        "data.csv",
        TypeError,
        "X must be a table of rows and columns, not 'data.csv'",
    ),
    ("a number", 5, TypeError, "not of type int"),
    ("a dictionary", {"a": [1.0]}, TypeError, "not of type dict"),
    ("a generator", (row for row in X), TypeError, "not of type generator"),
)


@BAD_ROWS
def test_rows(given, kind, said):
    refuses(lambda: ke.evaluate(given, Y, ONE), kind, said)
    refuses(lambda: ke.select(given, Y, ONE), kind, said)
    refuses(lambda: ke.Gaussian(1.0)(given), kind, said)
    refuses(lambda: ke.Gaussian(1.0).diag(given), kind, said)
    refuses(lambda: ke.heuristics.scale(given), kind, said)


@BAD_ROWS
def test_other_rows(given, kind, said):
    refuses(lambda: ke.Gaussian(1.0)(X, given), kind, said.replace("X", "Y"))


def test_rows_of_other_features():
    refuses(lambda: ke.Linear()(X, X[:, :2]), ValueError, "Y has 2 columns, but")
    refuses(lambda: ke.Linear()(sp.csr_matrix(X), X[:, :2]), ValueError, "have 3; both need")


@pytest.mark.parametrize(
    ("indices", "starts"),
    [([0, 7], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 1], [0, 2, 1]), ([0, 1], [0, 1, 5])],
)
def test_broken_sparse_rows(indices, starts):
    rows = sp.csr_matrix(np.eye(2, 3))
    rows.indices = np.array(indices, dtype=np.int32)
    rows.indptr = np.array(starts, dtype=np.int32)
    refuses(lambda: ke.Linear()(rows), ValueError, "X is not a valid sparse matrix (")
    refuses(lambda: ke.evaluate(rows, [0, 1], ONE), ValueError, "X is not a valid sparse matrix (")


def test_too_many_sparse_columns():
    rows = sp.csr_matrix(([1.0], ([0], [2**33])), shape=(2, 2**34))
    refuses(lambda: ke.Linear()(rows), ValueError, "at most 2**31 - 1 are possible")
