"""Leading eigenvalues of a grid of Gaussian kernels: kernelect beside SciPy, in one run on one thread.

    python bench/spectrum.py [--n 2000] [--t 16] [--repeat 1]

Every solver gets the same Gram matrices; making them is not timed. The sums of the t largest
eigenvalues are compared with a full decomposition. Times are CPU times.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, eigh
from scipy.sparse.linalg import ArpackNoConvergence, eigsh
from sklearn.datasets import make_classification
from sklearn.metrics.pairwise import euclidean_distances
from threadpoolctl import threadpool_limits

from kernelect._dispatch import core

Gram = NDArray[np.float64]
Solver = Callable[[Gram, int], float]


def sum_kernelect(k: Gram, t: int) -> float:
    found = core.leading_spectrum(
        k, count=t, vectors=False, tolerance=1e-10, vector_tolerance=0.0,
        warm=None, n_threads=1, progress=None,
    )  # fmt: skip
    return float(found["values"][:t].sum())


def sum_eigh_subset(k: Gram, t: int) -> float:
    n = len(k)
    return float(eigh(k, eigvals_only=True, subset_by_index=[n - t, n - 1]).sum())


def sum_eigsh(k: Gram, t: int) -> float:
    start = np.random.default_rng(0).standard_normal(len(k))
    return float(eigsh(k, k=t, which="LA", return_eigenvectors=False, v0=start).sum())


SOLVERS: dict[str, Solver] = {
    "kernelect": sum_kernelect,
    "eigh(subset)": sum_eigh_subset,
    "eigsh": sum_eigsh,
}


def timed(solver: Solver, k: Gram, t: int, repeat: int) -> tuple[float, float]:
    best, value = np.inf, np.nan
    for _ in range(repeat):
        begin = time.process_time()
        try:
            value = solver(k, t)
        except (LinAlgError, ArpackNoConvergence):  # both happen near the identity
            return np.nan, np.nan
        best = min(best, time.process_time() - begin)
    return best, value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=2000)
    parser.add_argument("--t", type=int, default=16)
    parser.add_argument("--repeat", type=int, default=1)
    args = parser.parse_args()

    x, _ = make_classification(args.n, 20, n_informative=8, random_state=0)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    squared = euclidean_distances(x, squared=True)
    np.fill_diagonal(squared, 0.0)
    squared = (squared + squared.T) / 2

    times: dict[str, list[float]] = {name: [] for name in SOLVERS}
    worst = dict.fromkeys(SOLVERS, 0.0)
    print(f"n = {args.n}, t = {args.t}: CPU milliseconds, and relative error of the eigenvalue sum")
    with threadpool_limits(1):
        for exponent in range(-15, 16):
            k = np.exp(squared / (-2.0 * 2.0**exponent))
            reference = float(np.linalg.eigvalsh(k)[-args.t :].sum())
            line = f"tau = 2^{exponent:<4d}"
            for name, solver in SOLVERS.items():
                seconds, value = timed(solver, k, args.t, args.repeat)
                error = abs(value / reference - 1.0)
                times[name].append(seconds)
                worst[name] = float(np.nanmax([worst[name], error]))
                line += f"{name:>14s} {1e3 * seconds:8.1f} {error:8.1e}"
            print(line)
    print("\ntotals over the kernels that each solver finished, and kernelect on the same ones")
    ours = np.array(times["kernelect"])
    for name, seconds in times.items():
        finished = ~np.isnan(seconds)
        total, base = np.array(seconds)[finished].sum(), ours[finished].sum()
        print(
            f"{name:>14s} {total:8.3f} s on {finished.sum()} kernels, {total / base:5.1f} times "
            f"kernelect's {base:.3f} s; worst error {worst[name]:.1e}"
        )


if __name__ == "__main__":
    main()
