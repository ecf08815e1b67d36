"""Exact cross-validation of 31 Gaussians: the core beside the closed forms in NumPy and SciPy.

Both sides get the kernel matrices ready made and one thread. The loop beside us is written as
well as NumPy allows: Cholesky factor and inverse by LAPACK in one copy of the matrix, every fold
from the inverse's own block. ``python bench/ridge.py [n ...]`` prints one table per n.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack
from threadpoolctl import threadpool_limits

from kernelect._dispatch import core

Array = NDArray[np.float64]
Folds = list[NDArray[np.int64]]
RHO = 1.0


def problem(n: int) -> tuple[list[Array], Array]:
    """Kernel matrices of tau = 2^-15 .. 2^15 on standardised data of 20 columns, and labels."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 20))
    y = np.sign(X[:, 0] + X[:, 1] ** 2 - 1 + 0.5 * random.normal(size=n))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    norms = np.einsum("ij,ij->i", X, X)
    distances = np.maximum(norms[:, None] + norms - 2 * (X @ X.T), 0.0)
    distances = (distances + distances.T) / 2
    np.fill_diagonal(distances, 0.0)
    grams = [np.exp(-distances / (2 * 2.0**i)) for i in range(-15, 16)]
    # Entries whose products are denormal would slow NumPy's side down four times; the core flushes
    # denormals itself.
    for gram in grams:
        gram[gram < 1e-100] = 0.0
    return grams, y


def split(n: int, folds: int, seed: int) -> Folds:
    order = np.random.default_rng(seed).permutation(n)
    return [np.sort(part).astype(np.int64) for part in np.array_split(order, folds)]


def numpy_loop(grams: list[Array], y: Array, fold_sets: list[Folds], gcv: bool) -> Array:
    """Mean squared losses of LOO, then every fold set, then GCV; one row per kernel."""
    n = len(y)
    right = np.asfortranarray(np.column_stack([y, np.ones(n)]))
    rows = []
    for gram in grams:
        A = gram.T.copy(order="F")
        A.flat[:: n + 1] += RHO
        factor, info = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
        R, info = lapack.dpotri(factor, lower=1, overwrite_c=1)
        assert info == 0
        Ry, R1 = blas.dsymm(1.0, R, right, lower=1).T
        total = R1.sum()
        alpha = Ry - R1 * (R1 @ y / total)
        diagonal = R.diagonal() - R1**2 / total
        row = [np.mean((alpha / diagonal) ** 2)]
        for folds in fold_sets:
            loss = 0.0
            for fold in folds:
                block = R[np.ix_(fold, fold)] - np.outer(R1[fold], R1[fold] / total)
                factor, info = lapack.dpotrf(block, lower=1, clean=0)
                loss += np.sum(lapack.dpotrs(factor, alpha[fold], lower=1)[0] ** 2)
            row.append(loss / n)
        if gcv:
            row.append(n * (alpha @ alpha) / diagonal.sum() ** 2)
        rows.append(row)
    return np.array(rows)


def ours(grams: list[Array], y: Array, fold_sets: list[Folds], gcv: bool, **options: Any) -> Array:
    request = core.RidgeRequest(
        targets=y[:, None],
        lambdas=[RHO],
        mean=False,
        bias=True,
        weights=np.empty(0),
        fit=False,
        gcv=gcv,
        loo=True,
        fold_sets=fold_sets,
        cv=True,
        bif_order=0,
        zero_one=False,
        outputs=False,
        shortcuts=options.get("shortcuts", True),
        eigen=True,
    )
    found = core.ridge(grams, request, n_threads=options.get("threads", 1), progress=None)
    columns = [found["loo"]["squared"], *(cv["squared"] for cv in found["cv"])]
    if gcv:
        columns.append(found["gcv"])
    return np.column_stack([column[:, 0, 0] for column in columns])


def best(call: Callable[[], Array], repeats: int) -> tuple[float, float, Array]:
    """Least processor time and least elapsed time; the former is fair on a busy machine."""
    busy = elapsed = np.inf
    for _ in range(repeats):
        start, start_busy = time.perf_counter(), time.process_time()
        values = call()
        busy = min(busy, time.process_time() - start_busy)
        elapsed = min(elapsed, time.perf_counter() - start)
    return busy, elapsed, values


def compare(n: int, repeats: int) -> None:
    grams, y = problem(n)
    asked: dict[str, tuple[list[Folds], bool]] = {
        "LOO": ([], False),
        "LOO + 5-fold + 10-fold + GCV": ([split(n, 5, 1), split(n, 10, 2)], True),
    }
    print(f"n = {n}, {len(grams)} kernels, milliseconds of processor time on one thread")
    for name, (fold_sets, gcv) in asked.items():
        theirs, _, expected = best(lambda f=fold_sets, g=gcv: numpy_loop(grams, y, f, g), repeats)
        dense, _, _ = best(
            lambda f=fold_sets, g=gcv: ours(grams, y, f, g, shortcuts=False), repeats
        )
        fast, one, got = best(lambda f=fold_sets, g=gcv: ours(grams, y, f, g), repeats)
        _, two, _ = best(lambda f=fold_sets, g=gcv: ours(grams, y, f, g, threads=2), repeats)
        error = np.max(np.abs(got / expected - 1))
        print(
            f"  {name:28s}  NumPy {1e3 * theirs:6.0f}   no shortcuts {1e3 * dense:6.0f} "
            f"({theirs / dense:.2f}x)   core {1e3 * fast:6.0f} ({theirs / fast:.2f}x)   "
            f"two threads, elapsed ({one / two:.2f}x)   difference {error:.0e}"
        )


if __name__ == "__main__":
    with threadpool_limits(1):
        for argument in sys.argv[1:] or ["1000", "2000"]:
            compare(int(argument), repeats=2)
