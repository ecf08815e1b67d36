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
from ..refinement._refined import ENOUGH, MANY
from ..results import Contest
from ..selection._problem import Problem
from ._committee import form
from ._refinement import refining
from ._training import Training

NAMES = ["auto", "refined", "committee"]
_FEWEST = 20  # rows of a half
# Share of a committee's loss on unseen rows that a refinement must save to be taken instead. Of
# 0 to 0.2 about the best on 27 sets; 25 others had been looked at too.
CLEAR = 0.05

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
        reason = f"half of {voting.size} rows are too few to judge a refinement"
        return _undecided(reason, "committee"), None
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
        return _undecided("time was up before others could be compared", "auto"), None
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
    """Take the committee, which guards itself, unless a refinement is clearly better than it."""
    nan = float("nan")
    losses = np.array([nan if one is None else one.loss for one in found])
    errors = np.array([nan if one is None else one.error for one in found])
    refined, committee = found[1], found[2]
    saved = 1.0 - losses[1] / losses[2] if losses[2] > 0.0 else 0.0
    if refined is not None and committee is not None and saved >= CLEAR and refined.gain >= ENOUGH:
        said = f"it predicts rows that its choices have not seen {saved:.1%} better than committees"
        return Contest(list(NAMES), losses, errors, "refined", said)
    said = (
        f"a refined kernel does not predict unseen rows {CLEAR:.0%} better, and a committee keeps "
        "to the elected kernel where others gain nothing"
    )
    return Contest(list(NAMES), losses, errors, "committee", said)


def _undecided(reason: str, kept: str) -> Contest:
    unknown: FloatArray = np.full(len(NAMES), np.nan)
    return Contest(list(NAMES), unknown, unknown.copy(), kept, reason)
