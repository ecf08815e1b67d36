"""Refinement by exact derivatives: what a gradient costs, and Gaussian processes beside it.

    python bench/refine.py [--repeats 3] [--seeds 2] [--small] [--memory] [--out FOLDER]

One value of leave-one-out with all derivatives against the value alone; whole refinements, election
and judgement included, against scikit-learn's Gaussian process regression with a length for every
column, a signal and a noise, on the same rows, with the penalty that holds widths together and
without it, as the process is; and the memory of one gradient.
"""

from __future__ import annotations

import argparse
import time
import warnings
from functools import partial
from typing import Any

import numpy as np
from inside import Objective, Slopes, Target
from report import Report, Row, in_turns, parse, peak_of, print_peak, ratio, row, seconds
from sklearn.datasets import make_friedman1
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from threadpoolctl import threadpool_limits

import kernelect as ke
from kernelect.criteria import CKTA, KTA, LOO, SM, Goal, MarginalLikelihood

LAM = 0.1
COUNTED = (
    "By operations a value of leave-one-out costs 2/3 n^3, a factor and its inverse, since it "
    "needs only the diagonal of P; its gradient needs all of P, 1/3 n^3, and P diag(v) P, n^3: "
    "together three times the value."
)


def problem(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Friedman's function of five columns among d, with noise."""
    X, y = make_friedman1(n, d, noise=1.0, random_state=seed)
    return (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()


def gradient(goal: Goal, X: np.ndarray, y: np.ndarray) -> Slopes:
    objective = Objective(goal, X, Target.of_numbers(y), False, True)
    return objective(ke.ARDGaussian([0.5 / X.shape[1]] * X.shape[1]), LAM, None)


def against_the_value(n: int, d: int, repeats: int) -> list[Row]:
    """A value with its gradient over the value, by the cheapest way that gives it."""
    X, y = problem(n, d)
    kernel = ke.ARDGaussian([0.5 / d] * d)
    rows = []
    for criterion, wanted in ((LOO(), 2.5), (MarginalLikelihood(), 2.5)):
        goal = criterion.goal()
        assert goal is not None
        times = in_turns(
            repeats,
            value=partial(ke.evaluate, X, y, [kernel], criterion, lam=LAM, n_threads=1),
            gradient=partial(gradient, goal, X, y),
        )
        share = ratio(times, "gradient", "value")
        figure = f"{criterion.key}, n={n}, d={d}, 1 thread: value and gradient / value"
        rows.append(row(figure, share, f"<= {wanted}", share <= wanted, times))
    for criterion in (SM(), KTA(), CKTA()):
        goal = criterion.goal()
        assert goal is not None
        times = in_turns(
            repeats,
            value=partial(ke.evaluate, X, y, [kernel], criterion, n_threads=1),
            gradient=partial(gradient, goal, X, y),
        )
        share = ratio(times, "gradient", "value")
        figure = f"{criterion.key}, n={n}, d={d}, 1 thread: value and gradient / value"
        rows.append(row(figure, share, "<= 10", share <= 10.0, times))
    return rows


def against_gaussian_processes(n: int, d: int, seeds: int) -> list[Row]:
    """Whole refinements beside a process, over several samples: times together, mean losses."""
    times: dict[str, list[float]] = {}
    losses: dict[str, list[float]] = {}
    for seed in range(seeds):
        X, y = problem(n, d, 2 * seed)
        new, truth = problem(2 * n, d, 2 * seed + 1)

        def judge(way: str, model: Any, new: Any = new, truth: Any = truth) -> None:
            losses.setdefault(way, []).append(float(np.mean((model.predict(new) - truth) ** 2)))

        def refined(X: Any = X, y: Any = y, judge: Any = judge) -> None:
            judge("refined", ke.LSSVMRegressor("refined").fit(X, y))

        def free(X: Any = X, y: Any = y, judge: Any = judge) -> None:
            found = ke.refine(X, y, penalty=0.0, n_threads=1)
            judge("free", ke.LSSVMRegressor(found.kernel, lam=found.lam).fit(X, y))

        def process(X: Any = X, y: Any = y, judge: Any = judge) -> None:
            kernel = ConstantKernel() * RBF(np.ones(d)) + WhiteKernel()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of bounds that are reached
                judge("process", GaussianProcessRegressor(kernel).fit(X, y))

        for work in (refined, free, process):  # long enough to need no warm-up
            times.setdefault(work.__name__, []).append(seconds(work, time.process_time))
    made, shape = [], f"n={n}, d={d}, {seeds} samples"
    for way, said in (("refined", ""), ("free", " without penalty")):
        share = sum(times["process"]) / sum(times[way])
        loss = sum(losses[way]) / sum(losses["process"])
        both = {"process": times["process"], way: times[way]}
        figure = f"refinement{said}, {shape}: process / kernelect"
        made += [
            row(figure, share, ">= 20", share >= 20, both),
            row(f"its test loss, {shape}: kernelect / process", loss, "<= 1", loss <= 1.0),
        ]
    return made


def memory(n: int) -> list[Row]:
    found = peak_of([__file__, "--child", str(n)])
    value = found["megabytes"] / (8e-6 * n * n)
    figure = f"loo, value and gradient, n={n}: peak extra memory in n x n matrices, 1 thread"
    return [row(figure, value, "<= 3.2", value <= 3.2, {"run": [found["seconds"]]})]


def child(n: int) -> None:
    goal = Goal("loo")
    gradient(goal, *problem(200, 20))
    X, y = problem(n, 20)
    print_peak(lambda: gradient(goal, X, y))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=3, help="turns of each pair (default: 3)")
    parser.add_argument(
        "--seeds", type=int, default=2, help="samples beside processes (default: 2)"
    )
    parser.add_argument("--small", action="store_true", help="a third of the rows, to try it")
    parser.add_argument("--memory", action="store_true", help="also the peak memory")
    options = parse(parser, "refine", child)
    if options is None:
        return
    report = Report(
        "refine",
        "Refinement by exact derivatives",
        "Friedman's function of 5 columns among d. Ratios are taken in turns in one run, one "
        f"thread by CPU time. {COUNTED}",
    )
    part = 3 if options.small else 1
    if options.memory:  # first: a child's peak is never below what its parent held
        report.add(memory(3000 // part))
    with threadpool_limits(limits=1):
        report.add(against_the_value(2000 // part, 20, options.repeats))
        report.add(against_gaussian_processes(1000 // part, 8, options.seeds))
    report.write(options.out)


if __name__ == "__main__":
    main()
