"""The default election: screen by cheap criteria, verify a shortlist by exact leave-one-out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._evidence.ridge import RidgeOptions
from .._support.progress import Tick, part_of
from ..criteria import CKTA, KTA, LOO, SM, Criterion
from ..kernels._order import order_of
from ..results import NOT_REACHED, NOT_VERIFIED, ScoreTable, Selection
from ._problem import Problem
from ._search import Search


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
    for key in screen.scores:
        if screen.direction[key] != 0:
            chosen.update(int(i) for i in screen.ranking(key)[:2])
    return sorted(chosen)


def elect(problem: Problem, loo: LOO, options: RidgeOptions, tick: Tick | None) -> Selection:
    """Elect a kernel, and a lambda where several may be had."""
    screening: list[Criterion] = [KTA(), SM(r=1), SM(), CKTA()]
    if problem.candidates.one_shot:
        # The matrices pass by once, so leave-one-out is taken of every one on the way.
        table = problem.score([*screening, loo], options, tick)
        return _selection(table, loo.key, list(range(len(table.kernels))))
    screen = problem.score(screening, options, part_of(tick, 0.0, 0.2))
    listed = shortlist(screen)
    tick = part_of(tick, 0.2, 1.0)
    if options.regularisation.single:
        found = problem.score([loo], options, tick, listed)
        return _selection(_merge(screen, found, listed, loo.key), loo.key, listed)
    table, seen = Search(problem, screen, loo, options, tick).run(listed)
    return _selection(table, loo.key, seen)


def _merge(screen: ScoreTable, found: ScoreTable, listed: Sequence[int], key: str) -> ScoreTable:
    """Add the leave-one-out values of the shortlist to the screening table."""
    count, values = len(screen.kernels), found.scores[key]
    worst = -np.inf * found.direction[key]
    places = list(listed)

    def spread(part: np.ndarray, empty: float) -> np.ndarray:
        out = np.full((count, *part.shape[1:]), empty)
        out[places] = part
        return out

    reasons: list[str | None] = [NOT_VERIFIED] * count
    for place, reason in zip(places, found.reasons[key], strict=True):
        reasons[place] = reason
    return ScoreTable(
        screen.kernels,
        {**screen.scores, key: spread(values, worst)},
        {**screen.direction, key: found.direction[key]},
        {**screen.reasons, key: reasons},
        screen.task,
        None if found.lams is None else spread(found.lams, np.nan),
        {k: spread(v, np.nan) for k, v in found.errors.items()},
        {k: spread(v, np.inf) for k, v in found._ties.items()},
        {k: spread(v, 0.0) for k, v in found.jitter.items()},
    )


def _selection(table: ScoreTable, key: str, listed: list[int]) -> Selection:
    if table.partial and not any(reason is None for reason in table.reasons[key]):
        # Time was up before the first verification: the screening is the best decision so far.
        screened = table.best("sm")
        return Selection(screened.kernel, screened.score, screened.index, "sm", table)
    listed = [place for place in listed if table.reasons[key][place] != NOT_REACHED]
    best = table.best(key)
    others = [int(i) for i in table.ranking(key) if i in listed and i != best.index]
    lead = None
    if others and table.direction[key] < 0 and best.score > 0:
        second = table.choice(key, others[0]).score
        lead = float(second / best.score - 1.0) if np.isfinite(second) else None
    return Selection(best.kernel, best.score, best.index, "auto", table, best.lam, listed, lead)
