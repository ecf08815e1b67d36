"""Candidates that are refused, each with one sentence."""

from __future__ import annotations

import numpy as np
import pytest
from refusals import ONE, X, Y, cases, changed, refuses

import kernelect as ke

K = ke.Gaussian(1.0)(X)


def broken(array):
    return lambda x, y: array


@cases(
    (
        "unknown name",
        "gausian",
        ValueError,
        "unknown candidates 'gausian'; did you mean 'gaussian'?",
    ),
    ("strange name", "zzz", ValueError, "known are auto, gaussian"),
    ("no name", "", ValueError, "unknown candidates ''"),
    ("number", 3, TypeError, "kernels must be a list of kernels, callables or kernel matrices"),
    ("dictionary", {"a": ONE[0]}, TypeError, "kernels must be a list of kernels"),
    (
        "numbers",
        [3],
        TypeError,
        "candidate 0 must be a kernel, a callable or a square matrix, not 3",
    ),
    ("text", [*ONE, "rpf"], ValueError, "unknown candidates 'rpf'; did you mean 'rbf'"),
    ("class", [ke.Gaussian], TypeError, "not the class Gaussian; make an object of it"),
    ("none", [], ValueError, "kernels is empty; give at least one candidate"),
    ("bare rows", K.tolist(), ValueError, "has shape (12,); put a single matrix into a list"),
    ("four dimensions", K[None, None], ValueError, "of shape (candidates, n, n), but has 4 axes"),
    ("not square", [K[:5]], ValueError, "candidate 0 must be a kernel, a callable or a square"),
    ("ragged", [[[1.0], [1.0, 2.0]]], ValueError, "but has rows of different lengths"),
    ("small", [K[:5, :5]], ValueError, "kernel matrix 0 has shape (5, 5), but y has 12 entries"),
    ("small stack", np.ones((2, 5, 5)), ValueError, "kernel matrix 0 has shape (5, 5), but y has"),
    (
        "asymmetric",
        [K, changed(K, (0, 1), 7)],
        ValueError,
        "kernel matrix 1 is not symmetric (entr",
    ),
    ("nan", [changed(K, (0, 0), np.nan)], ValueError, "kernel matrix 0 contains NaN or infinity"),
    ("nan below", [changed(K, (11, 2), np.nan)], ValueError, "contains NaN or infinity; every"),
    ("infinity", [changed(K, (3, 3), np.inf)], ValueError, "contains NaN or infinity"),
    ("complex", [K + 0j], TypeError, "kernel matrix 0 has entries that are not real numbers"),
    ("text matrix", [K.astype(str)], TypeError, "has entries that are not real numbers"),
    ("objects", [changed(K, (0, 1), "a")], TypeError, "has entries that are not real numbers"),
    ("callable shape", broken(np.ones(3)), ValueError, "gave an array of shape (3,) for 12 and 12"),
    ("callable none", broken(None), ValueError, "it must give the kernel matrix of two arrays"),
    ("callable text", broken("x"), TypeError, "has entries that are not real numbers"),
    ("callable nan", broken(K * np.nan), ValueError, "contains NaN or infinity"),
    ("callable complex", broken(K * 1j), TypeError, "has entries that are not real numbers"),
    ("callable asymmetric", broken(np.triu(K)), ValueError, "is not symmetric (entries differ by"),
)
def test_candidates(given, kind, said):
    refuses(lambda: ke.evaluate(X, Y, given), kind, said)
    refuses(lambda: ke.select(X, Y, given), kind, said)
    if isinstance(given, list) and given:
        refuses(lambda: ke.evaluate(X, Y, iter(given)), kind, said)


def test_large_asymmetric_and_nan_matrices():
    """They are looked at a few hundred rows at a time."""
    k, y = np.eye(700), np.arange(700) % 2
    refuses(lambda: ke.evaluate(None, y, [changed(k, (600, 3), 1e-3)]), ValueError, "up to 0.001)")
    refuses(lambda: ke.evaluate(None, y, [changed(k, (3, 600), np.nan)]), ValueError, "NaN")
    nearly = changed(k, (600, 3), 1e-12)
    assert np.isfinite(ke.evaluate(None, y, [nearly], "kta").scores["kta"]).all()


def test_generators():
    refuses(lambda: ke.evaluate(X, Y, iter([])), ValueError, "kernels gave no candidate; give at")
    refuses(lambda: ke.select(X, Y, iter([])), ValueError, "kernels gave no candidate; give at")

    def fails():
        yield K
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        ke.evaluate(None, Y, fails())


@pytest.mark.parametrize(
    "given", [ONE, ONE[0], [lambda x, y: x @ y.T], iter(ONE), ke.gaussian_grid()]
)
def test_candidates_that_need_rows(given):
    refuses(lambda: ke.evaluate(None, Y, given), ValueError, "needs rows; pass X, or only kernel")


def test_no_rows_and_no_matrices():
    refuses(lambda: ke.evaluate(None, Y), ValueError, "X is None and no kernels are given; pass X")
    refuses(lambda: ke.evaluate(None, Y, "auto"), ValueError, "kernels='auto' needs rows; pass X")


def test_a_function_that_raises_is_heard():
    def kernel(x, y):
        raise ZeroDivisionError("of its own")

    with pytest.raises(ZeroDivisionError, match="of its own"):
        ke.evaluate(X, Y, [kernel])


def test_equal_rows_have_no_distances():
    x = np.ones((12, 2))
    refuses(lambda: ke.evaluate(x, Y, "auto"), ValueError, "needs rows that differ, and all rows")
    refuses(lambda: ke.heuristics.median(x), ValueError, "needs rows that differ, and all rows")
