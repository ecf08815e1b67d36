"""Evidence within a limit of time: candidate by candidate, and what was not reached is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from .._evidence.gather import gather
from .._evidence.work import CallOptions, Work
from .._support.deadline import Deadline, TimeUp
from ..criteria import Column, Criterion
from ..results import NOT_REACHED


def gather_in_time(
    deadline: Deadline, work: Work, criteria: Sequence[Criterion], options: CallOptions
) -> list[Column]:
    """Gather cheap evidence of all candidates, then the expensive one while time allows.

    The most promising by the cheap criteria come first; without such criteria, on a grid, every
    other one of those left, coarse to fine.
    """
    sums_alone = [criterion.needs().sums_alone for criterion in criteria]
    quick = [c for c, alone in zip(criteria, sums_alone, strict=True) if alone]
    slow = [c for c, alone in zip(criteria, sums_alone, strict=True) if not alone]
    columns: dict[str, Column] = {}
    if quick:
        found = gather(replace(work, tick=deadline.tick(work.tick)), quick, options)
        columns.update({column.key: column for column in found})
    if slow:
        ranks = [rankdata(column.loss) for column in columns.values() if column.direction]
        count = len(work.kernels)
        order = np.argsort(np.sum(ranks, axis=0)) if ranks else coarse_to_fine(count)
        parts = _parts(deadline, work, slow, options, order.tolist())
        for c, criterion in enumerate(slow):
            own = [(places, found[c]) for places, found in parts]
            columns[criterion.key] = not_reached(count, criterion, options).filled(own)
    return [columns[criterion.key] for criterion in criteria]


def _parts(
    deadline: Deadline,
    work: Work,
    criteria: list[Criterion],
    options: CallOptions,
    order: list[int],
) -> list[tuple[list[int], list[Column]]]:
    """Gather for as many candidates at a time as there are threads, until time is up."""
    parts: list[tuple[list[int], list[Column]]] = []
    for start in range(0, len(order), work.threads):
        if deadline.over():
            break
        places = order[start : start + work.threads]
        tick = deadline.tick(work.tick, start / len(order), len(places) / len(order))
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
