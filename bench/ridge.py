"""How fast exact cross-validation is: ratios taken side by side in one run.

``python bench/ridge.py [n ...]`` prints them for n = 1000 and 2000; ``--memory`` adds the peak at
n = 3000, ``--out FOLDER`` writes ``ridge.json`` and ``ridge.md`` there. Every side starts from the
rows. The loop beside us is written as well as NumPy and SciPy allow: distances once, Cholesky
factor and inverse by LAPACK in one copy of each matrix, every fold from the inverse's own block.
One thread is timed by the CPU time of the process; two threads by the clock on the wall, which
needs a machine with two idle CPUs (the load at the start is written beside it).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from baseline import squared_distances
from inside import leave_one_out
from report import Report, Row, in_turns, parse, peak_of, print_peak, ratio, row
from scipy.linalg import blas, lapack
from sklearn.kernel_ridge import KernelRidge
from spine import FEATURES, GRID, sample
from threadpoolctl import threadpool_limits

import kernelect as ke

RHO = 1.0
REFITS = 20  # of n and 31 candidates, from which leave-one-out by retraining is extrapolated
FOLDED = GRID[::6]  # candidates that are retrained on folds, of 31
CRITERIA = ["loo", "cv5", "cv10", "gcv", "ks"]

Split = tuple[np.ndarray, np.ndarray]


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = sample(n)
    return (X - X.mean(axis=0)) / X.std(axis=0), 2 * y - 1


def splits(n: int, folds: int) -> list[Split]:
    """Folds of random rows, as (train, test)."""
    order = np.random.default_rng(folds).permutation(n)
    parts = [np.sort(part) for part in np.array_split(order, folds)]
    return [(np.setdiff1d(np.arange(n), part), part) for part in parts]


def stability(K: np.ndarray) -> float:
    """KS: the largest norm of what leaving a row and column out takes away."""
    diagonal = K.diagonal()
    rest = np.einsum("ij,ij->i", K, K) - diagonal**2
    return float(((diagonal + np.sqrt(diagonal**2 + 4.0 * rest)) / 2).max())


def closed_forms(X: np.ndarray, y: np.ndarray, wanted: list[str]) -> np.ndarray:
    """The criteria of an LSSVM for every Gaussian of the grid, one column each."""
    n = len(y)
    D2 = squared_distances(X)
    np.fill_diagonal(D2, 0.0)
    right = np.asfortranarray(np.column_stack([y, np.ones(n)]))
    fold_sets = {key: splits(n, k) for key, k in (("cv5", 5), ("cv10", 10)) if key in wanted}
    rows = []
    for kernel in GRID:
        K = np.exp(D2 * (-0.5 / kernel.tau))
        # Products of such entries are denormal, which would slow LAPACK down three times.
        K[K < 1e-100] = 0.0
        found = {"stability": stability(K)} if "ks" in wanted else {}
        A = K.T  # symmetric: no copy
        A.flat[:: n + 1] += RHO
        factor, info = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
        R, info = lapack.dpotri(factor, lower=1, overwrite_c=1)
        if info != 0:
            raise ValueError("the kernel matrix is singular")
        Ry, R1 = blas.dsymm(1.0, R, right, lower=1).T
        total = R1.sum()
        alpha = Ry - R1 * (R1 @ y / total)
        diagonal = R.diagonal() - R1**2 / total
        found["loo"] = np.mean((alpha / diagonal) ** 2)
        for key, folds in fold_sets.items():
            loss = 0.0
            for _, fold in folds:
                block = R[np.ix_(fold, fold)] - np.outer(R1[fold], R1[fold] / total)
                factor, info = lapack.dpotrf(block, lower=1, clean=0)
                loss += np.sum(lapack.dpotrs(factor, alpha[fold], lower=1)[0] ** 2)
            found[key] = loss / n
        found["gcv"] = n * (alpha @ alpha) / diagonal.sum() ** 2
        if "ks" in wanted:
            found["ks"] = found["cv5"] + found["stability"] / n
        rows.append([found[key] for key in wanted])
    return np.array(rows)


def by_kernelect(
    X: np.ndarray, y: np.ndarray, wanted: list[str], *, threads: int = 1, bias: bool = True
) -> np.ndarray:
    """Compute the same in one call."""
    five, ten = splits(len(y), 5), splits(len(y), 10)
    known = {
        "loo": ke.criteria.LOO(),
        "cv5": ke.criteria.CV(folds=five),
        "cv10": ke.criteria.CV(folds=ten),
        "gcv": ke.criteria.GCV(),
        "ks": ke.criteria.KS(folds=five),
    }
    asked = [known[key] for key in wanted]
    table = ke.evaluate(X, y, GRID, asked, lam=RHO, bias=bias, n_threads=threads)
    return np.column_stack([table.scores[criterion.key] for criterion in asked])


def against_numpy(n: int, repeats: int) -> list[Row]:
    X, y = problem(n)
    rows = []
    for label, wanted, least in (
        ("LOO", ["loo"], 2.0),
        ("LOO, 5-fold, 10-fold, GCV, k-KS", CRITERIA, 1.6),
    ):

        def ours(wanted: list[str] = wanted) -> np.ndarray:
            return by_kernelect(X, y, wanted)

        def numpy_(wanted: list[str] = wanted) -> np.ndarray:
            return closed_forms(X, y, wanted)

        np.testing.assert_allclose(ours(), numpy_(), rtol=1e-8)
        times = in_turns(repeats, numpy=numpy_, kernelect=ours)
        value = ratio(times, "numpy", "kernelect")
        figure = f"{label}, n={n}, 1 thread: numpy / kernelect"
        rows.append(row(figure, value, f">= {least:g}", value >= least, times))
    return rows


def retrained(X: np.ndarray, y: np.ndarray, kernel: ke.Gaussian, some: list[Split]) -> list[float]:
    """Squared losses of held-out rows by scikit-learn's kernel ridge regression, trained anew."""
    losses: list[float] = []
    for train, test in some:
        model = KernelRidge(alpha=RHO, kernel="rbf", gamma=kernel.gamma).fit(X[train], y[train])
        losses.extend((y[test] - model.predict(X[test])) ** 2)
    return losses


def against_retraining(n: int, repeats: int) -> list[Row]:
    X, y = problem(n)
    kernel = ke.Gaussian(float(FEATURES))
    singles = [(np.delete(np.arange(n), i), np.array([i])) for i in range(0, n, n // REFITS)]
    points = retrained(X, y, kernel, singles)
    model = ke.LSSVMRegressor(kernel, lam=RHO, bias=False).fit(X, y)
    exact = model.loo_residuals_[[int(test[0]) for _, test in singles]] ** 2
    np.testing.assert_allclose(points, exact, rtol=1e-6)
    times = in_turns(
        repeats,
        refits=lambda: retrained(X, y, kernel, singles),
        kernelect=lambda: by_kernelect(X, y, ["loo"], bias=False),
    )
    value = ratio(times, "refits", "kernelect") * n * len(GRID) / len(singles)
    figure = f"LOO, n={n}, 1 thread: KernelRidge refits (from {len(singles)} fits) / kernelect"
    rows = [row(figure, value, ">= 500", value >= 500, times)]

    both = [*splits(n, 5), *splits(n, 10)]
    times = in_turns(
        1,
        refits=lambda: [retrained(X, y, each, both) for each in FOLDED],
        kernelect=lambda: by_kernelect(X, y, ["cv5", "cv10"], bias=False),
    )
    value = ratio(times, "refits", "kernelect") * len(GRID) / len(FOLDED)
    figure = (
        f"5 and 10 folds, n={n}, 1 thread: KernelRidge refits (of {len(FOLDED)} kernels) / "
        "kernelect"
    )
    rows.append(row(figure, value, ">= 3", value >= 3, times))
    return rows


def two_threads(n: int, repeats: int) -> list[Row]:
    X, y = problem(n)
    rows = []
    for label, wanted in (("LOO", ["loo"]), ("all of the above", CRITERIA)):

        def on(threads: int, wanted: list[str] = wanted) -> Callable[[], object]:
            return lambda: by_kernelect(X, y, wanted, threads=threads)

        times = in_turns(repeats, time.perf_counter, one=on(1), two=on(2))
        value = ratio(times, "one", "two")
        figure = f"{label}, n={n}: 1 thread / 2 threads"
        rows.append(row(figure, value, ">= 1.7", value >= 1.7, times))
    return rows


def election(n: int, repeats: int) -> list[Row]:
    """The default election beside LOO on the whole grid, every candidate factorised.

    What it costs on real data, and with a lambda to search for too, is for ``bench.papers auto``.
    """
    X, y = problem(n)
    times = in_turns(
        repeats,
        grid=lambda: leave_one_out(X, y, GRID, RHO, shortcuts=False),
        auto=lambda: ke.select(X, y, GRID, n_threads=1),
    )
    share = ratio(times, "auto", "grid")
    figure = f"auto, n={n} / LOO without shortcuts"
    return [row(figure, share, "<= 0.25", share <= 0.25, times)]


def memory(n: int) -> list[Row]:
    found = peak_of([__file__, "--child", str(n)])
    value = found["megabytes"] / (8e-6 * n * n)
    figure = (
        f"LOO, 5-fold, 10-fold, GCV, k-KS, n={n}: peak extra memory in n x n matrices, 1 thread"
    )
    return [row(figure, value, "<= 3", value <= 3.0, {"run": [found["seconds"]]})]


def child(n: int) -> None:
    X, y = problem(n)
    by_kernelect(X[:200], y[:200], CRITERIA)
    print_peak(lambda: by_kernelect(X, y, CRITERIA))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sizes", nargs="*", type=int, default=[1000, 2000], metavar="n")
    parser.add_argument("--repeats", type=int, default=3, help="turns of each pair (default: 3)")
    parser.add_argument("--memory", action="store_true", help="also the peak memory at n = 3000")
    options = parse(parser, "ridge", child)
    if options is None:
        return
    report = Report(
        "ridge",
        "Exact cross-validation",
        f"d = {FEATURES}, {len(GRID)} Gaussians tau = 2^-15 .. 2^15, 2 classes, lambda = 1, all "
        "from the rows. Ratios are taken in turns in one run, one thread by CPU time, two threads "
        "by elapsed time.",
    )
    with threadpool_limits(limits=1):
        for n in options.sizes:
            for part in (against_numpy, against_retraining, two_threads, election):
                report.add(part(n, options.repeats))
    if options.memory:
        report.add(memory(3000))
    report.write(options.out)


if __name__ == "__main__":
    main()
