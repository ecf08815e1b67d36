"""The default election: screen by cheap criteria, verify a shortlist by exact leave-one-out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._evidence.work import CallOptions
from .._support.progress import Tick, part_of
from ..criteria import CKTA, KTA, LOO, SM, Criterion
from ..kernels._order import order_of
from ..results import NOT_REACHED, NOT_VERIFIED, ScoreTable, Selection
from ._problem import Problem
from ._search import Search

_SCREENING = 0.2  # share of a progress line


def shortlist(screen: ScoreTable) -> list[int]:
    """Places worth verifying.

    On an ordered grid of Gaussians the bracket between the winner of KTA, which leans to narrow
    kernels, and that of SM of degree 1, which leans to wide ones, and one candidate more on each
    side. Otherwise the two best of SM of degrees 1 and 2, KTA and CKTA.
    """
    widths = order_of(screen.kernels)
    if widths is not None and screen.kernels[0]._is_bracketed:
        ends = [int(screen.ranking(key)[0]) for key in ("kta", "sm(r=1)")]
        low, high = max(min(ends) - 1, 0), min(max(ends) + 1, len(screen.kernels) - 1)
        return list(range(low, high + 1))
    chosen: set[int] = set()
    for key, column in screen.columns.items():
        if column.direction != 0:
            chosen.update(int(i) for i in screen.ranking(key)[:2])
    return sorted(chosen)


def elect_automatically(
    problem: Problem, loo: LOO, options: CallOptions, tick: Tick | None
) -> Selection:
    """Elect a kernel, and a lambda where several may be had."""
    screening: list[Criterion] = [KTA(), SM(r=1), SM(), CKTA()]
    if problem.candidates.one_shot:
        # The matrices pass by once, so leave-one-out is taken of every one on the way.
        table = problem.score([*screening, loo], options, tick)
        return _selection(table, loo.key, list(range(len(table.kernels))))
    screen = problem.score(screening, options, part_of(tick, 0.0, _SCREENING))
    listed = shortlist(screen)
    tick = part_of(tick, _SCREENING, 1.0)
    if options.regularisation.single:
        found = problem.score([loo], options, tick, listed).columns[loo.key]
        verified = found.spread(listed, len(screen.kernels), NOT_VERIFIED)
        return _selection(screen.with_column(verified), loo.key, listed)
    verified, seen = Search(problem, screen, loo, options, tick).run(listed)
    return _selection(screen.with_column(verified), loo.key, seen)


def _selection(table: ScoreTable, key: str, listed: list[int]) -> Selection:
    """Elect by leave-one-out, or by the screening where time was up before that."""
    column = table.columns[key]
    if table.partial and not column.known.any():
        return Selection.by(table, "sm")
    chosen = Selection.by(table, key, "auto")
    verified = [place for place in listed if column.reasons[place] != NOT_REACHED]
    others = [int(i) for i in table.ranking(key) if i in verified and i != chosen.index]
    lead = None
    if others and column.direction < 0 and chosen.score > 0:
        second = table.choice(key, others[0]).score
        lead = float(second / chosen.score - 1.0) if np.isfinite(second) else None
    return replace(chosen, verified=verified, lead=lead)
