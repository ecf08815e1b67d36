"""Which way is best: each chooses on one half of the rows and is judged on the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._data.target import Target
from .._evidence.work import CallOptions
from .._support.arrays import FloatArray
from .._support.deadline import Deadline, TimeUp
from .._support.progress import Tick, part_of
from ..kernels._candidates import Candidates
from ..refinement._judge import Model, Verdict, halves, on_part, outputs, sampled, verdict
from ..refinement._refined import ENOUGH, LEAST, MANY
from ..results import Contest
from ..selection._problem import Problem
from ._committee import form
from ._refinement import refining
from ._training import Training

NAMES = ["auto", "refined", "committee"]
_FEWEST = 20  # rows of a half

# The members of a way with their weights.
Members = list[tuple[Model, float]]


def hold(
    training: Training,
    voting: Target,
    options: CallOptions,
    *,
    deadline: Deadline | None,
    tick: Tick | None,
) -> tuple[Contest, Verdict | None]:
    """Compare all ways; return also the verdict on the refinement."""
    rows = Candidates("auto", training.X, voting.size)
    problem = Problem(voting, rows, training.threads, deadline)
    problem, options = sampled(problem, options, 2 * MANY)
    one, two = halves(problem.target, options.splits)
    if min(len(one), len(two)) < _FEWEST:
        return _undecided(f"half of {voting.size} rows are too few to compare others"), None
    squares: list[list[FloatArray]] = [[], [], []]
    weights = []
    try:
        for k, (own, other) in enumerate(((one, two), (two, one))):
            ways = _chosen(training, problem, options, own, part_of(tick, k / 2, (k + 1) / 2))
            judging, how = problem.part(other), on_part(problem, options, other)
            weights += [] if judging.target.weights is None else [judging.target.weights]
            for place, members in enumerate(ways):
                squares[place].append(_squares(judging, members, how))
    except (TimeUp, TimeoutError):
        return _undecided("time was up before others could be compared"), None
    whole = np.concatenate(weights) if weights else None
    found = [verdict(list(zip(way, squares[0], strict=True)), whole) for way in squares]
    return _decided(found), found[1]


def _chosen(
    training: Training,
    problem: Problem,
    options: CallOptions,
    own: NDArray[np.int64],
    tick: Tick | None,
) -> list[Members]:
    """Let every way choose on some of the rows."""
    part = problem.part(own)
    how = on_part(problem, options, own)
    X, target = part.candidates.rows, part.target
    found, formed = form(
        X, target, how, part.threads, tick=part_of(tick, 0.0, 0.5), deadline=part.deadline
    )
    if formed is None:
        raise TimeUp
    own_training = replace(training, X=X, target=target, options=how)
    work, lam = refining(
        own_training, target, found, tick=part_of(tick, 0.5, 1.0), deadline=part.deadline
    )
    better = work.anywhere(found, lam)
    elected: Members = [((found.kernel, lam), 1.0)]
    committee = formed.committee
    members = zip(committee.kernels, committee.lams.tolist(), committee.weights, strict=True)
    return [
        elected,
        elected if better is None else [((better.kernel, better.lam), 1.0)],
        [((kernel, member_lam), float(weight)) for kernel, member_lam, weight in members],
    ]


def _squares(judging: Problem, members: Members, options: CallOptions) -> FloatArray:
    """Squared held-out residuals of a weighted sum."""
    total = sum(weight * outputs(judging, model, options) for model, weight in members)
    return np.asarray(((total - judging.target.columns()) ** 2).mean(axis=1))


def _decided(found: Sequence[Verdict | None]) -> Contest:
    nan = float("nan")
    losses = np.array([nan if one is None else one.loss for one in found])
    errors = np.array([nan if one is None else one.error for one in found])
    if found[0] is None:
        return _undecided("its predictions of held-out rows are not known")
    clear = [
        one is not None and one.gain >= ENOUGH and one.loss <= (1.0 - LEAST) * one.start_loss
        for one in found
    ]
    if not any(clear):
        reason = "no other way predicts unseen rows better, beyond chance"
        return Contest(list(NAMES), losses, errors, "auto", reason)
    best = int(np.argmin(np.where(clear, losses, np.inf)))
    saved = 1.0 - losses[best] / losses[0]
    said = f"it predicts rows that its choices have not seen {saved:.1%} better than 'auto'"
    return Contest(list(NAMES), losses, errors, NAMES[best], said)


def _undecided(reason: str) -> Contest:
    unknown: FloatArray = np.full(len(NAMES), np.nan)
    return Contest(list(NAMES), unknown, unknown.copy(), "auto", reason)
