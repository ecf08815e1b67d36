"""Whether an election is held again with twice as many landmarks, among which candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._evidence.landmarks.cost import for_a_row, operations
from .._evidence.landmarks.counts import landmark_count
from .._evidence.work import CallOptions
from ..criteria import Column, Criterion
from ._affordable import affordable
from ._problem import Problem

# By what share half of the landmarks may be worse where a model is to stand for the whole one.
CONVERGED = 0.02
# With a limit of time, which then bounds the work, the most times as many as without a round.
_TIMES = 4


@dataclass(frozen=True)
class Round:
    """A round of looks with twice as many landmarks.

    Attributes
    ----------
    options : CallOptions
        With the landmarks.
    winner : int
        The best place with half as many.
    rivals : frozenset of int
        Places that may be better than it.
    worse : frozenset of int
        Those that cannot, even were the gain from these landmarks that of the last doubling.
    way : int
        To which side of the winner the better of its neighbours is, 1 or -1.
    looks : int
        The most that there is work or time for.
    """

    options: CallOptions
    winner: int
    rivals: frozenset[int]
    worse: frozenset[int]
    way: int
    looks: int

    def passes_over(self, place: int, looks: int) -> bool:
        """Whether a place is not looked at, after this many looks."""
        return place in self.worse or looks >= self.looks


def next_round(
    problem: Problem,
    verifying: Criterion,
    options: CallOptions,
    column: Column,
    seen: Sequence[int],
    *,
    done: float,
    seconds: float,
) -> Round | None:
    """Return a round with twice as many landmarks where these are too few and it can be had.

    Parameters
    ----------
    problem : Problem
        Rows, target and candidates.
    verifying : Criterion
        What judges.
    options : CallOptions
        With the landmarks of the round that is over.
    column : Column
        Its losses.
    seen : list of int
        The places that it looked at.
    done : float
        Operations of all looks so far.
    seconds : float
        What a look took.
    """
    asked, n = options.landmarks, problem.target.size
    assert asked is not None
    late = problem.deadline is not None and problem.deadline.reached
    most = n // 2 if verifying.needs().folds else n  # folds score rows that are no landmarks
    if late or not asked.grows or asked.count >= most:
        return None
    winner, rivals = _rivals(column, seen)
    if not rivals:
        return None
    count = min(2 * asked.count, most)
    work = operations(n, count)
    if problem.deadline is None:
        looks = int((for_a_row(n) * n - done) // work)
    elif count > _TIMES * landmark_count(n):
        return None
    else:
        # One less, for a fit that may follow has as many landmarks.
        each = seconds * work / operations(n, asked.count)
        looks = int(problem.deadline.left // max(each, 1e-9)) - 1
    more = replace(options, landmarks=replace(asked, count=count))
    # Not all rivals may be looked at; the winner itself predicts better with more.
    if looks < 1 or affordable(problem, [verifying], more, None, 1) is None:
        return None
    way = _better_side(column, seen, winner)
    return Round(more, winner, rivals, frozenset(seen) - rivals, way, looks)


def _better_side(column: Column, seen: Sequence[int], winner: int) -> int:
    """Return on which side of the winner the loss is less."""
    losses = dict(zip(seen, column.take(list(seen)).at_best_lambda().loss, strict=True))
    return 1 if losses.get(winner + 1, np.inf) <= losses.get(winner - 1, np.inf) else -1


def _rivals(column: Column, seen: Sequence[int]) -> tuple[int, frozenset[int]]:
    """Return the winner and those that may win with more landmarks; none where nothing changes."""
    best = column.take(list(seen)).at_best_lambda()
    losses = best.loss
    first = int(np.argmin(losses))
    if best.sensitivities is None or not np.isfinite(losses[first]):
        return seen[first], frozenset()
    shares = np.nan_to_num(np.maximum(best.sensitivities, 0.0), posinf=0.0)
    if shares[first] <= CONVERGED:
        return seen[first], frozenset()
    # Shares are those of squared losses; of scores all that were looked at may change places.
    hopeful = losses / (1.0 + shares) <= losses[first] if losses[first] > 0 else losses < np.inf
    return seen[first], frozenset(np.asarray(seen)[hopeful].tolist())
