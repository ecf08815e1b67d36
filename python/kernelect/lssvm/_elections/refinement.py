"""The elected kernel of a learner, refined."""

from __future__ import annotations

from dataclasses import replace

from ..._data.target import Target
from ..._support.deadline import Deadline
from ..._support.progress import Tick
from ...kernels._candidates import Candidates
from ...refinement._descent import Way
from ...refinement._refine import BOUNDS, PENALTY, checked_goal, deciding, weaker
from ...refinement._refined import Refining
from ...results import Selection
from ...selection._problem import Problem
from .._training import Training

RELATIVE = "kernel_scaling='centered' makes lam relative to each kernel, which a refinement changes"


def refining(
    training: Training,
    voting: Target,
    found: Selection,
    *,
    tick: Tick | None,
    deadline: Deadline | None,
    penalty: float | None = None,
) -> tuple[Refining, float]:
    """Return how the winner of a learner's election is refined, and the lambda it sets out from.

    A lambda that was given stays as it is, and so does a penalty.
    """
    options, X = training.options, training.X
    made = options.regularisation
    criterion = deciding("auto", voting, options.splits)
    goal, free = checked_goal(criterion), not made.single
    way = Way(criterion, goal, PENALTY, BOUNDS, free=free, weaker=weaker(goal))
    if penalty is not None:
        way = replace(way, penalty=penalty, weaker=None)
    problem = Problem(
        voting, Candidates([found.kernel], X, voting.size), training.threads, deadline
    )
    names = training.columns or [f"x{j}" for j in range(X.shape[1])]
    lam = float(made.values[0]) if found.lam is None else found.lam
    whole = replace(options, landmarks=None)  # of many rows a sample refines and judges
    work = Refining(problem, whole, way, True, names, tick, modelled=False)  # the fit is to come
    return work, lam


def refuse_relative(training: Training) -> None:
    """Refuse a lambda that is relative to each kernel, which a refinement changes."""
    if training.relative:
        raise ValueError(f"{RELATIVE}; use lam='auto', or kernel_scaling='none'")
