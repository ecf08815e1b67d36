"""Search among kernels by landmark models, of which every look gives all lambdas at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._data.row_order import first_of_classes
from .._evidence.landmarks.cost import operations
from .._evidence.work import CallOptions
from .._support.progress import Tick, part_of, share
from ..criteria import CV, LOO, Column
from ..kernels._order import order_of
from ..results import NOT_VERIFIED, ScoreTable
from ._downhill import walk_downhill
from ._least_gain import LEAST_GAIN
from ._more_landmarks import Round, next_round
from ._problem import Problem

# The search begins on this part of the rows, but not on fewer than these, with half as many
# landmarks; where that is more than a quarter of the rows nothing is saved by it.
_PART, _LEAST, _WORTH = 16, 8192, 4
_OF_CLASS = 32


class LandmarkSearch:
    """Held-out losses of kernels, computed as they are asked for.

    On an ordered grid the walk goes from the winner of SM of degree 1 to the wider and the narrower
    neighbour while one is better. Of many rows a part says where to begin: the best width moves
    little with the number of rows, lambda more, and that is free here. Where half of the landmarks
    are clearly worse, twice as many have a round of their own, which begins at the winner.
    """

    def __init__(
        self,
        problem: Problem,
        screen: ScoreTable,
        verifying: LOO | CV,
        options: CallOptions,
        tick: Tick | None,
        *,
        known: Round | None = None,
        before: int = 0,
        done: float = 0.0,
    ) -> None:
        assert options.landmarks is not None
        self._problem, self._screen, self._verifying = problem, screen, verifying
        self._options, self._tick, self._landmarks = options, tick, options.landmarks
        self._column: Column | None = None
        self._seen: list[int] = []
        self._known, self._before = known, before  # a round, and looks of those before it
        self._done = done  # operations of all looks
        self._seconds = 0.0  # of the last look

    def run(self, listed: Sequence[int]) -> tuple[Column, list[int]]:
        """Search; return the losses found, and the places looked at."""
        if order_of(self._screen.kernels) is None:
            for place in listed:
                self._look(place)
        elif self._known is not None:
            self._walk(self._known.winner, self._known.way)
        else:
            start = int(self._screen.ranking("sm(r=1)")[0])
            coarse = self._coarse()
            if coarse is not None:
                start = coarse._walk(start)
                self._done += coarse._done
            self._walk(start)
        assert self._column is not None
        further = next_round(
            self._problem,
            self._verifying,
            self._options,
            self._column,
            self._seen,
            done=self._done,
            seconds=self._seconds,
        )
        if further is not None:
            again = LandmarkSearch(
                self._problem,
                self._screen,
                self._verifying,
                further.options,
                self._tick,
                known=further,
                before=self._before + len(self._seen),
                done=self._done,
            )
            others = sorted(further.rivals - {further.winner})
            column, seen = again.run([further.winner, *others])
            # Where time is up before anything is known of more landmarks, these stand.
            if column.known.any():
                return column, seen
        return self._column, sorted(self._seen)

    def _coarse(self) -> LandmarkSearch | None:
        """Make the same search on a part of the rows; None where there are too few."""
        problem, options = self._problem, self._options
        size = problem.target.size
        count = max(size // _PART, _LEAST)
        if _WORTH * count > size:
            return None
        rows, _ = first_of_classes(problem.target, count, _OF_CLASS, self._landmarks.seed)
        options = replace(
            options,
            splits=options.splits.of_part(problem.target, rows),
            landmarks=replace(self._landmarks, count=max(self._landmarks.count // 2, 1)),
        )
        return LandmarkSearch(problem.part(rows), self._screen, self._verifying, options, None)

    def _walk(self, here: int, step: int = 1) -> int:
        """Go downhill from a place, at first to one side, and return the lowest one."""
        walk_downhill(here, step, range(len(self._screen.kernels)), self._gains)
        return min(self._seen, key=self._look)

    def _gains(self, new: int, old: int) -> bool:
        before, after = self._look(old), self._look(new)
        if after[0] == before[0]:
            return after[1] < before[1]
        least = LEAST_GAIN * abs(before[0]) if np.isfinite(before[0]) else 0.0
        return before[0] - after[0] > least

    def _look(self, place: int) -> tuple[float, float]:
        """Return the best loss of a kernel, and what breaks ties."""
        late = self._problem.deadline is not None and self._problem.deadline.reached
        idle = self._known is not None and self._known.passes_over(place, len(self._seen))
        if place not in self._seen and not ((late or idle) and self._seen):
            looks = self._before + len(self._seen)
            tick = part_of(self._tick, share(looks, None), share(looks + 1, None))
            started = time.monotonic()
            table = self._problem.score([self._verifying], self._options, tick, [place])
            self._seconds = time.monotonic() - started
            self._done += operations(self._problem.target.size, self._landmarks.count)
            found = table.columns[self._verifying.key]
            self._seen.append(place)
            if self._column is None:
                count = len(self._screen.kernels)
                self._column = found.spread([place], count, NOT_VERIFIED)
            else:
                self._column = self._column.filled([([place], found)])
        if place not in self._seen:
            return np.inf, np.inf
        assert self._column is not None
        best = self._column.take([place]).at_best_lambda()
        return float(best.loss[0]), np.inf if best.ties is None else float(best.ties[0])
