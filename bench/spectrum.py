"""Leading eigenvalues of a grid of Gaussian kernels: kernelect beside SciPy, on one thread.

    python bench/spectrum.py [--n 2000] [--t 16] [--repeat 1] [--large] [--out FOLDER]

Every solver gets the same Gram matrices; making them is not timed. The sums of the t largest
eigenvalues are compared with a full decomposition. Times are CPU times. ``--large`` adds PEP of
two kernels on 20,000 rows, where no matrix is stored, and its memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from inside import leading_eigenvalues
from numpy.typing import NDArray
from report import Report, Row, parse, peak_of, print_peak, row
from scipy.linalg import LinAlgError, eigh
from scipy.sparse.linalg import ArpackNoConvergence, eigsh
from sklearn.datasets import make_classification
from sklearn.metrics.pairwise import euclidean_distances
from threadpoolctl import threadpool_limits

import kernelect as ke

Gram = NDArray[np.float64]
Solver = Callable[[Gram, int], float]


def sum_kernelect(k: Gram, t: int) -> float:
    return float(leading_eigenvalues(k, t).sum())


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


def compare(n: int, t: int, repeat: int) -> list[Row]:
    x, _ = make_classification(n, 20, n_informative=8, random_state=0)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    squared = euclidean_distances(x, squared=True)
    np.fill_diagonal(squared, 0.0)
    squared = (squared + squared.T) / 2

    times: dict[str, list[float]] = {name: [] for name in SOLVERS}
    worst = dict.fromkeys(SOLVERS, 0.0)
    print(f"n = {n}, t = {t}: CPU milliseconds, and relative error of the eigenvalue sum")
    with threadpool_limits(1):
        for exponent in range(-15, 16):
            k = np.exp(squared / (-2.0 * 2.0**exponent))
            reference = float(np.linalg.eigvalsh(k)[-t:].sum())
            line = f"tau = 2^{exponent:<4d}"
            for name, solver in SOLVERS.items():
                took, value = timed(solver, k, t, repeat)
                error = abs(value / reference - 1.0)
                times[name].append(took)
                worst[name] = float(np.nanmax([worst[name], error]))
                line += f"{name:>14s} {1e3 * took:8.1f} {error:8.1e}"
            print(line)
    ours = np.array(times["kernelect"])
    rows = []
    for name, least in (("eigh(subset)", 8.0), ("eigsh", 2.0)):
        finished = ~np.isnan(times[name])
        total, base = np.array(times[name])[finished].sum(), ours[finished].sum()
        figure = (
            f"t = {t}, n = {n}, total over the {finished.sum()} kernels that {name} finished: "
            f"{name} / kernelect"
        )
        seconds = {name: [float(total)], "kernelect": [float(base)]}
        value = float(total / base)
        rows.append(row(figure, value, f">= {least:g}", value >= least, seconds))
    error = worst["kernelect"]
    rows.append(row("worst relative error of the sum", error, "<= 1e-8", error <= 1e-8))
    return rows


def large(n: int) -> list[Row]:
    found = peak_of([__file__, "--child", str(n)])
    value = found["megabytes"]
    figure = (
        f"PEP t = 16 of 2 kernels, n = {n}: peak extra memory, MB (a matrix: {8e-6 * n * n:,.0f})"
    )
    return [row(figure, value, "< 1000", value < 1000.0, {"run": [found["seconds"]]})]


def child(n: int) -> None:
    x, y = make_classification(n, 20, n_informative=8, random_state=0)
    kernels = [ke.Gaussian(8.0), ke.Gaussian(32.0)]
    print_peak(lambda: ke.evaluate(x, y, kernels, [ke.criteria.PEP(t=16)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=2000)
    parser.add_argument("--t", type=int, default=16)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--large", action="store_true", help="also 20,000 rows without a matrix")
    args = parse(parser, "spectrum", child)
    if args is None:
        return
    report = Report(
        "spectrum",
        "Leading eigenvalues",
        "d = 20, 31 Gaussians tau = 2^-15 .. 2^15, one thread, CPU times.",
    )
    report.add(compare(args.n, args.t, args.repeat))
    if args.large:
        report.add(large(20_000))
    report.write(args.out)


if __name__ == "__main__":
    main()
