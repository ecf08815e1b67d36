"""Kernel learning beside the straightforward loop, in one run on one thread, CPU time.

    python bench/mkl.py [--n 500] [--repeats 3] [--skip-growth]

The straightforward loop stores the 41 Gram matrices of the paper as numpy arrays and repeats: weighted
sum, scikit-learn's SVC, quadratic forms, a gradient step with the Euclidean projection on the simplex and
Armijo's rule. Both sides start from equal weights and stop at the same duality gap; making the matrices,
and the eigenvalues for FKL, is part of both. Time inside LIBSVM is shown apart.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

import kernelect as ke
from kernelect.mkl import project_simplex
from kernelect.mkl._bases import Bases
from kernelect.mkl._prepare import default_kernels

GAP = 1e-4
C = 1.0


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Standardised rows of two classes that overlap."""
    X, y = make_classification(n, 20, n_informative=6, flip_y=0.1, class_sep=0.8, random_state=seed)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@dataclass
class Clock:
    """CPU seconds, and those inside LIBSVM."""

    libsvm: float = 0.0
    machines: int = 0
    total: float = 0.0
    result: Any = field(default=None, repr=False)


def clocked(work: Callable[[], Any]) -> Clock:
    """Run with SVC.fit under a stop watch."""
    clock = Clock()
    fit = SVC.fit

    def watched(self: SVC, *args: Any, **kwargs: Any) -> Any:
        begin = time.process_time()
        try:
            return fit(self, *args, **kwargs)
        finally:
            clock.libsvm += time.process_time() - begin
            clock.machines += 1

    SVC.fit = watched
    try:
        begin = time.process_time()
        clock.result = work()
        clock.total = time.process_time() - begin
    finally:
        SVC.fit = fit
    return clock


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


def straightforward(X: np.ndarray, y: np.ndarray, lam: float, t: int, most: int) -> dict[str, Any]:
    """Projected gradient descent on the simplex."""
    K = gram_matrices(X)
    signs = np.where(y == 1, 1.0, -1.0)
    beta = np.zeros(len(K))
    if lam > 0.0:
        beta = np.array([np.linalg.eigvalsh(k)[-t:].sum() / np.trace(k) for k in K])

    def evaluate(d: np.ndarray) -> tuple[float, np.ndarray]:
        model = SVC(C=C, kernel="precomputed", tol=1e-4).fit(np.tensordot(d, K, 1), signs)
        z = np.zeros(len(y))
        z[model.support_] = model.dual_coef_[0]
        forms = np.array([z @ k @ z for k in K])
        g = lam * beta + 0.5 * forms
        return float(np.abs(z).sum() - d @ g), g

    d = np.full(len(K), 1.0 / len(K))
    objective, g = evaluate(d)
    step, count = 1.0 / np.abs(g).max(), 1
    while count < most:
        gap = float(g.max() - d @ g)
        if gap <= GAP * max(1.0, abs(objective)):
            break
        step *= 2.0
        while count < most:
            trial = project_simplex(d + step * g)
            new_objective, new_g = evaluate(trial)
            count += 1
            if new_objective <= objective - 1e-4 * float(g @ (trial - d)):
                break
            step *= 0.5
        d, objective, g = trial, new_objective, new_g
    return {"objective": objective, "gap": float(g.max() - d @ g), "machines": count}


def ours(X: np.ndarray, y: np.ndarray, lam: float, t: int) -> dict[str, Any]:
    method = "fkl" if lam > 0.0 else "simple"
    found = ke.MKLClassifier(method, C=C, lam=lam, t=t, tol=GAP, n_jobs=1).fit(X, y)
    return {"objective": found.objective_path_[-1], "gap": found.gap_, "machines": found.n_iter_}


def side_by_side(n: int, repeats: int, most: int) -> None:
    print(f"\n41 kernels, n = {n}, duality gap {GAP:g}, median of {repeats} taken in turns")
    print("method      loop s (LIBSVM)   ours s (LIBSVM)   ratio   objectives, gaps and machines")
    X, y = sample(n)
    for name, lam in (("SimpleMKL", 0.0), ("FKL", 1.0)):
        loops, mine = [], []
        for _ in range(repeats):
            loops.append(clocked(lambda lam=lam: straightforward(X, y, lam, 4, most)))
            mine.append(clocked(lambda lam=lam: ours(X, y, lam, 4)))
        a, b = (sorted(runs, key=lambda c: c.total)[len(runs) // 2] for runs in (loops, mine))
        print(
            f"{name:10s}  {a.total:7.2f} ({a.libsvm:5.2f})   {b.total:7.3f} ({b.libsvm:5.3f})  "
            f"{a.total / b.total:6.1f}   "
            + "  ".join(
                f"{c.result['objective']:.4f} {c.result['gap']:.1e} {c.result['machines']}"
                for c in (a, b)
            )
        )


def best(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def passes(n: int, repeats: int) -> None:
    """What a single step does to all kernels, by numpy and by the core."""
    X, y = sample(n)
    K = gram_matrices(X)
    bases = Bases(
        [ke.normalized(k) if "Poly" in repr(k) else k for k in default_kernels()], X, {}, 1
    )
    stack = bases.stack()
    z = np.where(y == 1, 1.0, -1.0) * np.random.default_rng(0).random(n)
    d = np.random.default_rng(1).dirichlet(np.ones(41))
    few = np.where(np.arange(41) % 10 == 0, d, 0.0)
    print(f"\none pass over 41 kernels, n = {n}, milliseconds: numpy, core, ratio")
    for name, numpy_, core in (
        ("Gram matrices", lambda: gram_matrices(X), bases.stack),
        ("z'K_k z for all k", lambda: [z @ k @ z for k in K], lambda: stack.products(z[None])),
        ("sum of 41", lambda: np.tensordot(d, K, 1), lambda: stack.combine(d)),
        ("sum of 5 in use", lambda: np.tensordot(few, K, 1), lambda: stack.combine(few)),
    ):
        a, b = (1e3 * best(work, repeats) for work in (numpy_, core))
        print(f"{name:20s} {a:8.2f} {b:8.2f} {a / b:6.1f}")


def cross_validation(n: int, repeats: int) -> None:
    """The whole grid of 11 lam x 4 t on a fold against one fit on it."""
    X, y = sample(n)
    folds = 3
    train = np.arange(n) % folds != 0
    grid = best(
        lambda: ke.MKLClassifier("fkl", lam="cv", t="cv", cv=folds, tol=GAP, n_jobs=1).fit(X, y),
        repeats,
    )
    whole = best(lambda: ke.MKLClassifier("fkl", tol=GAP, n_jobs=1).fit(X, y), repeats)
    one = best(lambda: ke.MKLClassifier("fkl", tol=GAP, n_jobs=1).fit(X[train], y[train]), repeats)
    print(
        f"\nFKL, 44 pairs (lam, t), {folds} folds, n = {n}: {grid:.2f} s; one fit {whole:.2f} s, one "
        f"fit on a training part {one:.2f} s; per fold {(grid - whole) / folds / one:.1f} times one fit"
    )


def growth(sizes: list[int], repeats: int) -> None:
    """CPU time of one step (a trained machine with its passes) as n doubles."""
    print("\nSimpleMKL, one step as n grows: n, seconds, of which LIBSVM, growth without LIBSVM")
    last = None
    for n in sizes:
        X, y = sample(n)
        runs = [clocked(lambda X=X, y=y: ours(X, y, 0.0, 4)) for _ in range(repeats)]
        run = min(runs, key=lambda c: c.total)
        step = run.total / run.result["machines"]
        libsvm = run.libsvm / run.result["machines"]
        rest = step - libsvm
        power = "" if last is None else f"n^{np.log(rest / last[1]) / np.log(n / last[0]):.2f}"
        print(f"{n:6d} {step:8.3f} {libsvm:8.3f}   {power}")
        last = n, rest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--most", type=int, default=400, help="machines the loop may train")
    parser.add_argument("--skip-growth", action="store_true")
    args = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs")
    with threadpool_limits(1):
        passes(args.n, args.repeats + 2)
        side_by_side(args.n, args.repeats, args.most)
        cross_validation(args.n, max(args.repeats - 1, 1))
        if not args.skip_growth:
            growth([250, 500, 1000, 2000], max(args.repeats - 1, 1))


if __name__ == "__main__":
    main()
