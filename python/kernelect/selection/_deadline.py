"""A limit of time: work goes on candidate by candidate, and what was not reached is said."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from .._evidence.moments import Column, FloatArray, Work
from .._support.progress import Tick
from ..criteria import Criterion, MomentCriterion
from ..results import NOT_REACHED

if TYPE_CHECKING:
    from .._evidence.ridge import RidgeOptions

    Gather = Callable[[Work, Sequence[Criterion], RidgeOptions], list[Column]]


class TimeUp(Exception):
    """Raised from within the core's report of progress."""


class Deadline:
    """The moment after which no new work is begun."""

    def __init__(self, seconds: Any) -> None:
        if isinstance(seconds, (bool, np.bool_)) or not isinstance(
            seconds, (int, float, np.integer, np.floating)
        ):
            raise TypeError(f"time_limit must be a number of seconds or None, not {seconds!r}")
        if not seconds > 0:
            raise ValueError(f"time_limit must be positive, not {seconds!r}")
        self.seconds = float(seconds)
        self._end = time.monotonic() + self.seconds
        self.reached = False

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
        """Tell that not even the cheapest work was done."""
        return TimeoutError(
            f"no candidate was scored within time_limit={self.seconds:g} seconds; allow more time, or "
            "give fewer rows or candidates"
        )

    def gather(
        self,
        work: Work,
        criteria: Sequence[Criterion],
        options: RidgeOptions,
        gather: Gather,
    ) -> list[Column]:
        """Gather cheap evidence of all candidates, then the dear one of as many as time allows.

        The most promising by the cheap criteria come first; without such criteria, on a grid, every
        other one of those left, coarse to fine.
        """
        quick = [c for c in criteria if isinstance(c, MomentCriterion)]
        dear = [c for c in criteria if not isinstance(c, MomentCriterion)]
        columns: dict[str, Column] = {}
        if quick:
            found = gather(replace(work, tick=self.tick(work.tick)), quick, options)
            columns.update({c.key: column for c, column in zip(quick, found, strict=True)})
        if dear:
            ranks = [
                rankdata(-criterion.sense() * columns[criterion.key].values)
                for criterion in quick
                if criterion.sense() != 0
            ]
            order = (
                np.argsort(np.sum(ranks, axis=0)) if ranks else coarse_to_fine(len(work.kernels))
            )
            parts = self._parts(work, dear, options, gather, order.tolist())
            for c, criterion in enumerate(dear):
                own = [(places, found[c]) for places, found in parts]
                columns[criterion.key] = _joined(own, len(work.kernels), criterion, options)
        return [columns[criterion.key] for criterion in criteria]

    def _parts(
        self,
        work: Work,
        criteria: list[Criterion],
        options: RidgeOptions,
        gather: Gather,
        order: list[int],
    ) -> list[tuple[list[int], list[Column]]]:
        """Gather for as many candidates at a time as there are threads, until time is up."""
        parts: list[tuple[list[int], list[Column]]] = []
        for start in range(0, len(order), work.threads):
            if self.over():
                break
            places = order[start : start + work.threads]
            tick = self.tick(work.tick, start / len(order), len(places) / len(order))
            some = replace(
                work,
                kernels=[work.kernels[i] for i in places],
                programs=[work.programs[i] for i in places],
                tick=tick,
            )
            try:
                parts.append((places, gather(some, criteria, options)))
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


def not_reached(count: int, criterion: Criterion, options: RidgeOptions) -> Column:
    """Column of candidates that no time was left for."""
    return _joined([], count, criterion, options)


def _joined(
    parts: list[tuple[list[int], Column]],
    count: int,
    criterion: Criterion,
    options: RidgeOptions,
) -> Column:
    path = not options.regularisation.single and criterion.regularised
    shape: tuple[int, ...] = (count, len(options.regularisation.values)) if path else (count,)
    if parts:
        shape = (count, *parts[0][1].values.shape[1:])

    def spread(name: str, empty: float) -> FloatArray | None:
        arrays = [(places, getattr(column, name)) for places, column in parts]
        if not arrays or any(array is None for _, array in arrays):
            return None
        whole = np.full((count, *arrays[0][1].shape[1:]), empty)
        for places, array in arrays:
            whole[places] = array
        return whole

    values = np.full(shape, -np.inf * criterion.sense() if criterion.sense() else np.nan)
    reasons: list[str | None] = [NOT_REACHED] * count
    for places, column in parts:
        values[places] = column.values
        for place, reason in zip(places, column.reasons, strict=True):
            reasons[place] = reason
    lams = spread("lams", np.nan)
    if lams is None and len(shape) == 2:
        lams = np.full(shape, np.nan)
    return Column(
        values,
        reasons,
        spread("ties", np.inf),
        spread("errors", np.nan),
        lams,
        spread("jitter", 0.0) if parts else np.zeros(shape),
    )
