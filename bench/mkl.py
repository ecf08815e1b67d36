"""Kernel learning beside the straightforward loop, in one run on one thread, CPU time.

    python bench/mkl.py [--n 500] [--repeats 3] [--skip-growth] [--out FOLDER]

The straightforward loop stores the 41 Gram matrices of the paper as numpy arrays and repeats:
weighted sum, scikit-learn's SVC, quadratic forms, a projected gradient step on the simplex with the
step length of Barzilai and Borwein and Armijo's rule. Both sides start from equal weights and stop
at the same duality gap. Once they make their matrices, and the eigenvalues for FKL, themselves;
once these are there already. Time inside LIBSVM is shown apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from inside import Bases, Oracle, SimplexPenalty, SVMMachine, minimize, prepare
from report import Report, Row, add_out, in_turns, ratio, row
from sklearn.datasets import make_classification
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

import kernelect as ke
from kernelect.mkl import project_simplex

GAP = 1e-4
C = 1.0
T = 4
FOLDS = 3


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Standardised rows of two classes that overlap."""
    X, y = make_classification(n, 20, n_informative=6, flip_y=0.1, class_sep=0.8, random_state=seed)
    return (X - X.mean(axis=0)) / X.std(axis=0), np.where(y == 1, 1.0, -1.0)


@dataclass
class Run:
    """CPU seconds, those inside LIBSVM, machines trained, and how far the weights came."""

    total: float = 0.0
    libsvm: float = 0.0
    machines: int = 0
    found: tuple[float, float] = field(default=(np.nan, np.nan))  # objective and gap


def clocked(work: Callable[[], tuple[float, float]]) -> Run:
    """Run with SVC.fit under a stop watch."""
    run = Run()
    fit = SVC.fit

    def watched(self: SVC, *args: Any, **kwargs: Any) -> Any:
        begin = time.process_time()
        try:
            return fit(self, *args, **kwargs)
        finally:
            run.libsvm += time.process_time() - begin
            run.machines += 1

    SVC.fit = watched
    try:
        begin = time.process_time()
        run.found = work()
        run.total = time.process_time() - begin
    finally:
        SVC.fit = fit
    return run


def gram_matrices(X: np.ndarray) -> np.ndarray:
    """The 41 candidates of the paper with unit diagonal, by numpy."""
    squared = euclidean_distances(X, squared=True)
    np.fill_diagonal(squared, 0.0)
    products = 1.0 + X @ X.T
    roots = np.sqrt(np.diag(products))
    cosines = products / np.outer(roots, roots)
    return np.array(
        [np.exp(-(2.0**i) * squared) for i in range(-10, 11)] + [cosines**d for d in range(1, 21)]
    )


def proportions(K: np.ndarray) -> np.ndarray:
    return np.array([np.linalg.eigvalsh(k)[-T:].sum() / np.trace(k) for k in K])


def loop(
    K: np.ndarray, beta: np.ndarray, y: np.ndarray, lam: float, most: int
) -> tuple[float, float]:
    """Projected gradient descent on the simplex."""

    def evaluate(d: np.ndarray) -> tuple[float, np.ndarray]:
        model = SVC(C=C, kernel="precomputed", tol=1e-4).fit(np.tensordot(d, K, 1), y)
        z = np.zeros(len(y))
        z[model.support_] = model.dual_coef_[0]
        g = lam * beta + 0.5 * np.array([z @ k @ z for k in K])
        return float(np.abs(z).sum() - d @ g), g

    d = np.full(len(K), 1.0 / len(K))
    objective, g = evaluate(d)
    step, count = 1.0 / np.abs(g).max(), 1
    while g.max() - d @ g > GAP * max(1.0, abs(objective)) and count < most:
        direction = project_simplex(d + step * g) - d
        share = 1.0
        while True:
            trial = d + share * direction
            new_objective, new_g = evaluate(trial)
            count += 1
            if new_objective <= objective - 1e-4 * share * (g @ direction) or count >= most:
                break
            share *= 0.5
        shift, turn = trial - d, g - new_g
        step = min(float(shift @ shift) / max(float(shift @ turn), 1e-300), 1e6)
        d, objective, g = trial, new_objective, new_g
    return objective, float(g.max() - d @ g)


def whole_loop(X: np.ndarray, y: np.ndarray, lam: float, most: int) -> tuple[float, float]:
    K = gram_matrices(X)
    beta = proportions(K) if lam > 0.0 else np.zeros(len(K))
    return loop(K, beta, y, lam, most)


def ours(X: np.ndarray, y: np.ndarray, lam: float) -> tuple[float, float]:
    method = "fkl" if lam > 0.0 else "simple"
    found = ke.MKLClassifier(method, C=C, lam=lam, t=T, tol=GAP, n_jobs=1).fit(X, y)
    return float(found.objective_path_[-1]), float(found.gap_)


def ready(bases: Bases, beta: np.ndarray, y: np.ndarray, lam: float) -> Callable[[], Any]:
    """Our search with matrices and eigenvalues at hand."""
    stack = bases.stack()

    def work() -> tuple[float, float]:
        oracle = Oracle(stack, SVMMachine(y[None, :], C))
        start = oracle.point(np.full(stack.size, 1.0 / stack.size))
        _, learned = minimize(oracle, SimplexPenalty(-lam * beta), start, tol=GAP, max_iter=200)
        return learned.path[-1], learned.gap

    return work


def paper_bases(X: np.ndarray) -> Bases:
    return prepare(None, X, len(X), scaling="diagonal", threads=1, names=None).bases


def side_by_side(n: int, repeats: int, most: int) -> list[Row]:
    """SimpleMKL and FKL against the loop."""
    X, y = sample(n)
    K = gram_matrices(X)
    beta, bases = proportions(K), paper_bases(X)
    rows = []
    for name, lam in (("SimpleMKL", 0.0), ("FKL", 1.0)):
        for part, theirs, mine in (
            (
                "whole fit",
                lambda lam=lam: whole_loop(X, y, lam, most),
                lambda lam=lam: ours(X, y, lam),
            ),
            (
                "matrices and eigenvalues given",
                lambda lam=lam: loop(K, beta, y, lam, most),
                ready(bases, beta, y, lam),
            ),
        ):
            loops, fits = [], []
            for _ in range(repeats):
                loops.append(clocked(theirs))
                fits.append(clocked(mine))
            times = {
                "loop": [run.total for run in loops],
                "loop in LIBSVM": [run.libsvm for run in loops],
                "kernelect": [run.total for run in fits],
                "kernelect in LIBSVM": [run.libsvm for run in fits],
            }
            a, b = loops[0], fits[0]
            reached = a.found[1] <= GAP * max(1.0, abs(a.found[0]))
            figure = (
                f"{name}, 41 kernels, n = {n}, {part}: loop / kernelect; objective "
                f"{a.found[0]:.3f} and {b.found[0]:.3f}, gap "
                f"{a.found[1]:.1e}{'' if reached else ' (not there yet)'} "
                f"and {b.found[1]:.1e}, machines {a.machines} and {b.machines}"
            )
            value = ratio(times, "loop", "kernelect")
            rows.append(row(figure, value, ">= 3", value >= 3.0, times))
    return rows


def passes(n: int, repeats: int) -> list[Row]:
    """What a single step does to all kernels, by numpy and by the core."""
    X, y = sample(n)
    K = gram_matrices(X)
    bases = paper_bases(X)
    stack = bases.stack()
    random = np.random.default_rng(0)
    z, d = y * random.random(n), random.dirichlet(np.ones(len(K)))
    few = np.where(np.arange(len(K)) % 10 == 0, d, 0.0)
    rows = []
    for name, theirs, mine in (
        ("Gram matrices", lambda: gram_matrices(X), lambda: Bases(bases.kernels, X, {}, 1).stack()),
        ("z'K_k z for all k", lambda: [z @ k @ z for k in K], lambda: stack.products(z[None])),
        ("sum of 41", lambda: np.tensordot(d, K, 1), lambda: stack.combine(d)),
        ("sum of 5 in use", lambda: np.tensordot(few, K, 1), lambda: stack.combine(few)),
    ):
        times = in_turns(repeats, numpy=theirs, kernelect=mine)
        value = ratio(times, "numpy", "kernelect")
        figure = f"{name}, 41 kernels, n = {n}: numpy / kernelect"
        rows.append(row(figure, value, "-", True, times))
    return rows


def cross_validation(n: int, repeats: int) -> list[Row]:
    """The whole grid of 11 lam x 4 t on a fold against one fit on it."""
    X, y = sample(n)
    train = np.arange(n) % FOLDS != 0

    def fit(rows: np.ndarray, **parameters: Any) -> Callable[[], object]:
        return lambda: ke.MKLClassifier("fkl", C=C, tol=GAP, n_jobs=1, **parameters).fit(
            X[rows], y[rows]
        )

    every = np.ones(n, dtype=bool)
    times = in_turns(
        repeats,
        grid=fit(every, lam="cv", t="cv", cv=FOLDS),
        last=fit(every),
        one=fit(train),
    )
    # The fit on all rows at the end is no part of the cross-validation.
    folds = [(grid - last) / FOLDS for grid, last in zip(times["grid"], times["last"], strict=True)]
    value = ratio({"fold": folds, "one": times["one"]}, "fold", "one")
    figure = (
        f"FKL, 44 pairs (lam, t), {FOLDS} folds, n = {n}: a fold / one fit on its training rows"
    )
    return [row(figure, value, "<= 5", value <= 5.0, times)]


def growth(sizes: list[int], repeats: int) -> list[Row]:
    """CPU time of one step (a trained machine with its passes), LIBSVM apart, as n doubles."""
    rows: list[Row] = []
    steps: list[float] = []
    for n in sizes:
        X, y = sample(n)
        work = ready(paper_bases(X), np.zeros(41), y, 0.0)
        runs = [clocked(work) for _ in range(repeats)]
        steps.append(min((run.total - run.libsvm) / run.machines for run in runs))
        libsvm = min(run.libsvm / run.machines for run in runs)
        times = {"step without LIBSVM": [steps[-1]], "LIBSVM": [libsvm]}
        rows.append(row(f"SimpleMKL, one step at n = {n}, ms", 1e3 * steps[-1], "-", True, times))
    value = float(np.log(steps[-1] / steps[0]) / np.log(sizes[-1] / sizes[0]))
    figure = f"power of n in the time of a step, n = {sizes[0]} to {sizes[-1]}"
    return [*rows, row(figure, value, "about 2, <= 2.3", value <= 2.3)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--most", type=int, default=1000, help="machines the loop may train")
    parser.add_argument("--skip-growth", action="store_true")
    add_out(parser, Path(__file__).stem)
    args = parser.parse_args()
    report = Report(
        "mkl",
        "Kernel learning",
        f"d = 20, 2 classes, 21 Gaussians and 20 polynomials of unit diagonal, C = {C:g}, duality "
        f"gap {GAP:g} relative to the objective, one thread, CPU times, taken in turns.",
    )
    with threadpool_limits(1):
        report.add(passes(args.n, args.repeats + 2))
        report.add(side_by_side(args.n, args.repeats, args.most))
        report.add(cross_validation(args.n, args.repeats))
        if not args.skip_growth:
            report.add(growth([250, 500, 1000, 2000], max(args.repeats - 1, 1)))
    report.write(args.out)


if __name__ == "__main__":
    main()
