"""The parameters lam and t of FKL by cross-validation, with everything shared that can be.

A fold makes its matrices and its eigenvalues once. A machine trained for one pair (lam, t) is a
point of the convex function W for every other pair as well: it is the start of the next descent,
its second derivative included, and its bound often proves that the next pair needs no training at
all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from ..._data.folds import Fold, make_fold_sets
from ..._data.target import Target, Task
from ..._support.arguments import check_number, check_whole, is_number, shown
from ..._support.arrays import FloatArray
from ..._support.deadline import TimeUp
from ..._support.warning import warn_caller
from .._clock import check, half_of_the_rest
from .._machines import Machine
from .._solvers.convex import Oracle, Point, SimplexPenalty, minimize
from .principal_proportions import principal_proportions
from .weight_problem import WeightProblem

# The grids of the FKL paper.
LAMBDAS = tuple(2.0**i for i in range(-5, 6))
COUNTS = (2, 4, 8, 16)


def splits(folds: Any, target: Target) -> list[tuple[Fold, Fold]]:
    """Rows to train on and rows held out, for a number of folds or a scikit-learn splitter."""
    rows = np.arange(target.size)
    sets = make_fold_sets(folds, target)
    return [(np.setdiff1d(rows, test), test) for tests in sets for test in tests]


def choose(problem: WeightProblem) -> tuple[float, int, FloatArray]:
    """Return lam, t (by cross-validation where several are given) and weights to start from."""
    lams = [check_number(v, "lam", zero=True) for v in _grid(problem.settings.lam, LAMBDAS, "lam")]
    counts = [check_whole(v, "t", least=1) for v in _grid(problem.settings.t, COUNTS, "t")]
    if len(lams) == len(counts) == 1:
        return lams[0], counts[0], problem.uniform()
    pairs = list(product(lams, counts))
    errors = np.zeros((len(pairs), 2))
    weights = np.zeros((len(pairs), problem.stack.size))
    folds = splits(problem.settings.cv, problem.target)
    unfinished = done = 0
    with half_of_the_rest():
        for train, test in folds:
            try:
                points, missed = _fold_path(problem, train, lams, counts)
            except TimeUp:
                warn_caller(
                    f"time_limit leaves time for {done} of the {len(folds)} folds by which lam and "
                    "t are chosen"
                )
                break
            unfinished, done = unfinished + missed, done + 1
            errors += len(test) * _errors(problem, train, test, points)
            weights += [point.weights for point in points]
    if not done:
        return *_middle(lams, counts), problem.uniform()
    if unfinished:
        warn_caller(
            f"in the cross-validation {unfinished} of {done * len(pairs)} fits have not "
            "converged; raise max_iter or tol",
            ConvergenceWarning,
        )
    weights /= done
    errors /= sum(len(test) for _, test in folds[:done])
    problem.notes["cv_results"] = {
        "lam": np.array([lam for lam, _ in pairs]),
        "t": np.array([t for _, t in pairs]),
        "error": errors[:, 0],
        "loss": errors[:, 1],
    }
    # Least error; among equals least loss, which tells more apart.
    best = min(range(len(pairs)), key=lambda k: (errors[k, 0], errors[k, 1]))
    return *pairs[best], weights[best]


def _errors(
    problem: WeightProblem,
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    points: Sequence[Point],
) -> FloatArray:
    """Error and loss of every point on the rows held out; points that are one are judged once."""
    held_out = problem.machine.subset(test)
    found: dict[int, tuple[float, float]] = {}
    for point in points:
        if id(point) not in found:
            cross = problem.bases.cross(point.weights, test, train)
            f = point.solution.z @ cross.T + point.solution.bias[:, None]
            found[id(point)] = _error(held_out, f, problem.target.task), held_out.loss(f)
    return np.array([found[id(point)] for point in points])


def _middle(lams: Sequence[float], counts: Sequence[int]) -> tuple[float, int]:
    """Pair to take where no fold says which."""
    return sorted(lams)[len(lams) // 2], sorted(counts)[(len(counts) - 1) // 2]


def _grid(given: Any, default: Sequence[float], name: str) -> list[Any]:
    if isinstance(given, str):
        if given != "cv":
            raise ValueError(
                f"{name} must be a number, a list of numbers or 'cv', not {shown(given)}"
            )
        return list(default)
    if isinstance(given, Iterable):
        values = list(given)
        if not values:
            raise ValueError(f"{name} is an empty list; give at least one number")
        return values
    if not is_number(given):
        raise TypeError(f"{name} must be a number, a list of numbers or 'cv', not {shown(given)}")
    return [given]


def _fold_path(
    problem: WeightProblem, train: NDArray[np.int64], lams: list[float], counts: list[int]
) -> tuple[list[Point], int]:
    """Optima for all pairs on the training rows of one fold, in the order of the pairs.

    The number of those that did not converge comes with them.
    """
    stack = problem.bases.stack(train)
    proportions = principal_proportions(stack, counts)
    oracle = Oracle(stack, problem.machine.subset(train))
    oracle.point(np.full(stack.size, 1.0 / stack.size))
    pairs = list(product(lams, range(len(counts))))
    found: dict[int, Point] = {}
    unfinished = 0
    # The largest lam first: its optima have few kernels, and bound those of smaller ones well.
    for place in sorted(range(len(pairs)), key=lambda place: -pairs[place][0]):
        lam, t = pairs[place]
        penalty = SimplexPenalty(-lam * proportions[:, t])
        start = min(oracle.history, key=penalty.objective)
        point, learned = minimize(
            oracle, penalty, start, tol=problem.tol, max_iter=problem.max_iter
        )
        check()
        found[place] = point
        unfinished += not learned.converged
    return [found[place] for place in range(len(pairs))], unfinished


def _error(machine: Machine, outputs: FloatArray, task: Task) -> float:
    """Share of wrong classes, or mean squared error."""
    if task == "regression":
        return float(np.mean((machine.targets - outputs) ** 2))
    if len(outputs) == 1:
        return float(np.mean((outputs[0] > 0) != (machine.targets[0] > 0)))
    return float(np.mean(outputs.argmax(axis=0) != machine.targets.argmax(axis=0)))
