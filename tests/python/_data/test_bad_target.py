"""Targets that are refused, each with one sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy.sparse as sp
from refusals import ONE, X, Y, cases, changed, refuses

import kernelect as ke

RNG = np.random.default_rng(3)
K = ke.Gaussian(1.0)(X)


@cases(
    ("none", None, TypeError, "y must hold a label or number per row, not None"),
    ("text", "kind", TypeError, "not 'kind'"),
    ("a number", 3, TypeError, "y must hold a label or number per row, not be of type int"),
    ("a generator", (v for v in Y), TypeError, "of type generator"),
    ("sparse", sp.csr_matrix(Y), TypeError, "of type csr_matrix"),
    ("empty", [], ValueError, "X has 12 rows, but y has 0 entries"),
    ("short", Y[:5], ValueError, "X has 12 rows, but y has 5 entries; each row needs one"),
    ("long", np.arange(13.0), ValueError, "X has 12 rows, but y has 13 entries"),
    ("one class", np.zeros(12, int), ValueError, "y has a single class (0); at least two"),
    ("one name", ["a"] * 12, ValueError, "y has a single class ('a'); at least two are needed"),
    ("one truth", [True] * 12, ValueError, "y has a single class (True)"),
    (
        "nan",
        changed(np.arange(12), 3, np.nan),
        ValueError,
        "y has 1 missing value; drop those rows",
    ),
    ("none inside", ["a", None] * 6, ValueError, "y has 6 missing values"),
    ("nan among names", np.array(["a", np.nan] * 6, dtype=object), ValueError, "6 missing values"),
    ("pandas missing", [pd.NA, "a"] * 6, ValueError, "6 missing values"),
    ("nullable", pd.array([1, None] * 6, dtype="Int64"), ValueError, "6 missing values"),
    ("no time", pd.Series([pd.NaT, *pd.date_range("2020", periods=11)]), ValueError, "1 missing"),
    ("masked", np.ma.masked_equal(Y, 1), ValueError, "6 missing values"),
    ("infinity", changed(X[:, 0], 3, np.inf), ValueError, "y contains infinity; regression needs"),
    ("complex", Y + 1j, TypeError, "y has entries of type complex128; labels or real numbers"),
    ("mixed", np.array(["a", 1] * 6, dtype=object), TypeError, "y mixes labels of different types"),
    ("ragged", [[1.0], [1.0, 2.0]] * 6, ValueError, "y has rows of different lengths"),
    ("no columns", np.zeros((12, 0)), ValueError, "y must have one entry per row, but has shape"),
    ("three dimensions", np.zeros((12, 2, 2)), ValueError, "but has shape (12, 2, 2)"),
    ("constant", np.full(12, 0.5), ValueError, "y is constant (0.5); there is nothing to predict"),
    ("constant column", np.c_[X[:, 0], np.ones(12)], ValueError, "column 1 of y is constant (1)"),
)
def test_targets(given, kind, said):
    refuses(lambda: ke.evaluate(X, given, ONE, "kta"), kind, said)
    refuses(lambda: ke.select(X, given, ONE), kind, said)


TWO = "at least two rows are needed"


def test_too_few_rows():
    for y in ([0], [0.5], ["a"]):
        refuses(lambda y=y: ke.evaluate(X[:1], y, ONE), ValueError, f"y has one entry; {TWO}")
    refuses(lambda: ke.evaluate(None, [], [K]), ValueError, f"y has no entries; {TWO}")


@cases(
    ("unknown", {"task": "clasification"}, ValueError, "task must be 'auto', 'classification' or"),
    ("none", {"task": None}, ValueError, "'regression', not None"),
    ("numbers as labels", {"task": "classification"}, ValueError, "pass task='regression'"),
)
def test_tasks(given, kind, said):
    x = RNG.normal(size=(30, 2))
    refuses(lambda: ke.evaluate(x, RNG.normal(size=30), ONE, "kta", **given), kind, said)


def test_regression_needs_numbers():
    for y in (["a", "b"] * 6, ["1", "2"] * 6):
        refuses(
            lambda y=y: ke.evaluate(X, y, ONE, "kta", task="regression"),
            ValueError,
            "y has entries that are not numbers; regression needs numbers",
        )


def test_labels_in_several_columns():
    refuses(
        lambda: ke.evaluate(X, np.c_[Y, Y], ONE, task="classification"),
        ValueError,
        "y must have one label per row for classification, but has shape (12, 2)",
    )
