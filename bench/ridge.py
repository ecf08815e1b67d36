"""Exact cross-validation of the default grid: the core beside the closed forms in NumPy and SciPy.

``python bench/ridge.py [n ...]`` prints ratios taken side by side, one table per n (1000 and 2000).
Both sides get the kernel matrices ready made. The loop beside us is written as well as NumPy allows:
Cholesky factor and inverse by LAPACK in one copy of the matrix, every fold from the inverse's own
block. One thread is timed by CPU time; two threads by the clock, which needs two idle CPUs.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from baseline import squared_distances
from scipy.linalg import blas, lapack
from spine import GRID, in_turns, ratio, sample
from threadpoolctl import threadpool_limits

from kernelect._dispatch import core

RHO = 1.0


def problem(n: int) -> tuple[list[np.ndarray], np.ndarray]:
    """The kernel matrices of the grid on standardised data, and labels."""
    X, y = sample(n)
    D2 = squared_distances((X - X.mean(axis=0)) / X.std(axis=0))
    D2 = (D2 + D2.T) / 2
    np.fill_diagonal(D2, 0.0)
    grams = [np.exp(D2 * (-0.5 / kernel.tau)) for kernel in GRID]
    # Entries whose products are denormal would slow LAPACK down three times; the core flushes
    # denormals itself, the other side is given none.
    for gram in grams:
        gram[gram < 1e-100] = 0.0
    return grams, 2.0 * y - 1.0


def split(n: int, folds: int) -> list[np.ndarray]:
    order = np.random.default_rng(folds).permutation(n)
    return [np.sort(part) for part in np.array_split(order, folds)]


def closed_forms(
    grams: list[np.ndarray], y: np.ndarray, fold_sets: list[list[np.ndarray]], gcv: bool
) -> np.ndarray:
    """Squared losses of LOO and every fold set, then GCV: one row per kernel."""
    n = len(y)
    right = np.asfortranarray(np.column_stack([y, np.ones(n)]))
    rows = []
    for gram in grams:
        A = gram.T.copy(order="F")
        A.flat[:: n + 1] += RHO
        factor, info = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
        R, info = lapack.dpotri(factor, lower=1, overwrite_c=1)
        if info != 0:
            raise ValueError("the kernel matrix is singular")
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


def by_the_core(
    grams: list[np.ndarray],
    y: np.ndarray,
    fold_sets: list[list[np.ndarray]],
    gcv: bool,
    *,
    shortcuts: bool = True,
    threads: int = 1,
) -> np.ndarray:
    """Compute the same rows."""
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
        shortcuts=shortcuts,
        eigen=True,
    )
    found = core.ridge(grams, request, n_threads=threads, progress=None)
    columns = [found["loo"]["squared"], *(cv["squared"] for cv in found["cv"])]
    if gcv:
        columns.append(found["gcv"])
    return np.column_stack([column[:, 0, 0] for column in columns])


def compare(n: int, repeats: int) -> None:
    grams, y = problem(n)
    print(f"n = {n}, {len(grams)} kernels, one thread, seconds and times faster than NumPy")
    for name, folds in {"LOO": (), "LOO, 5-fold, 10-fold, GCV": (5, 10)}.items():
        asked = (grams, y, [split(n, k) for k in folds], bool(folds))
        works: dict[str, Callable[[], np.ndarray]] = {
            "numpy": lambda asked=asked: closed_forms(*asked),
            "dense": lambda asked=asked: by_the_core(*asked, shortcuts=False),
            "core": lambda asked=asked: by_the_core(*asked),
        }
        times = in_turns(repeats, **works)
        clock = in_turns(
            repeats,
            time.perf_counter,
            one=works["core"],
            two=lambda asked=asked: by_the_core(*asked, threads=2),
        )
        error = np.max(np.abs(works["core"]() / works["numpy"]() - 1))
        shown = "   ".join(
            f"{side} {statistics.median(each):.2f} ({ratio(times, 'numpy', side):.1f})"
            for side, each in times.items()
        )
        print(
            f"  {name:26s} {shown}   two threads against one {ratio(clock, 'one', 'two'):.2f}"
            f"   largest difference {error:.0e}"
        )


if __name__ == "__main__":
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs")
    with threadpool_limits(1):
        for argument in sys.argv[1:] or ["1000", "2000"]:
            compare(int(argument), repeats=3)
