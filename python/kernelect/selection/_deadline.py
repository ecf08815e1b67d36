"""A limit of time: work goes on candidate by candidate, and what was not reached is said."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from .._evidence.gather import gather
from .._evidence.work import CallOptions, Work
from .._support.arguments import is_number, shown
from .._support.progress import Tick, TimeUp
from .._support.remedy import worded
from ..criteria import Column, Criterion
from ..results import NOT_REACHED


class Deadline:
    """The moment after which no new work is begun."""

    def __init__(self, seconds: Any) -> None:
        if not is_number(seconds):
            raise TypeError(f"time_limit must be a number of seconds or None, not {shown(seconds)}")
        if not seconds > 0:
            raise ValueError(f"time_limit must be positive, not {shown(seconds)}")
        self.seconds = float(seconds)
        self._end = time.monotonic() + self.seconds
        self.reached = False

    def before(self, seconds: float) -> Deadline:
        """Return the moment so many seconds earlier, for work that more is to follow."""
        earlier = copy(self)
        earlier._end = self._end - seconds
        return earlier

    @property
    def left(self) -> float:
        """Seconds left; 0 where time is up."""
        return max(self._end - time.monotonic(), 0.0)

    def over(self) -> bool:
        """Whether time is up; remembered, for something is then left out."""
        self.reached = self.reached or time.monotonic() >= self._end
        return self.reached

    def tick(self, shown: Tick | None, before: float = 0.0, share: float = 1.0) -> Tick:
        """Make a progress function that stops the work when time is up."""

        def report(fraction: float) -> None:
            if shown is not None:
                shown(before + share * fraction)
            if fraction < 1.0 and self.over():
                raise TimeUp

        return report

    def nothing(self) -> TimeoutError:
        """Return the error that not even the cheapest work was done."""
        fault, remedy = "no candidate was scored within", "; allow more time, or give fewer rows or"
        return worded(
            TimeoutError,
            f"{fault} time_limit={self.seconds:g} seconds{remedy} candidates",
            f"{fault} --time-limit{remedy} candidates",
        )

    def gather(
        self, work: Work, criteria: Sequence[Criterion], options: CallOptions
    ) -> list[Column]:
        """Gather cheap evidence of all candidates, then the expensive one while time allows.

        The most promising by the cheap criteria come first; without such criteria, on a grid, every
        other one of those left, coarse to fine.
        """
        quick = [c for c in criteria if c.needs().sums_alone]
        slow = [c for c in criteria if not c.needs().sums_alone]
        columns: dict[str, Column] = {}
        if quick:
            found = gather(replace(work, tick=self.tick(work.tick)), quick, options)
            columns.update({column.key: column for column in found})
        if slow:
            ranks = [rankdata(column.loss) for column in columns.values() if column.direction]
            count = len(work.kernels)
            order = np.argsort(np.sum(ranks, axis=0)) if ranks else coarse_to_fine(count)
            parts = self._parts(work, slow, options, order.tolist())
            for c, criterion in enumerate(slow):
                own = [(places, found[c]) for places, found in parts]
                columns[criterion.key] = not_reached(count, criterion, options).filled(own)
        return [columns[criterion.key] for criterion in criteria]

    def _parts(
        self, work: Work, criteria: list[Criterion], options: CallOptions, order: list[int]
    ) -> list[tuple[list[int], list[Column]]]:
        """Gather for as many candidates at a time as there are threads, until time is up."""
        parts: list[tuple[list[int], list[Column]]] = []
        for start in range(0, len(order), work.threads):
            if self.over():
                break
            places = order[start : start + work.threads]
            tick = self.tick(work.tick, start / len(order), len(places) / len(order))
            try:
                parts.append((places, gather(work.take(places, tick), criteria, options)))
            except TimeUp:
                break
        return parts


def coarse_to_fine(count: int) -> NDArray[np.int64]:
    """Order in which every prefix is spread over 0 .. count - 1, from the middle on."""
    distances = np.arange(count) - count // 2
    spacing = np.where(
        distances == 0, count, distances & -distances
    )  # largest power of two in each
    return np.lexsort((np.abs(distances), -spacing)).astype(np.int64)


def not_reached(count: int, criterion: Criterion, options: CallOptions) -> Column:
    """Column of candidates that no time was left for."""
    chosen = options.regularisation
    path = criterion.regularised and not chosen.single
    shape = (count, len(chosen.values)) if path else (count,)
    return Column.blank(
        criterion.key, criterion.direction, shape, NOT_REACHED, label=criterion.label
    )
