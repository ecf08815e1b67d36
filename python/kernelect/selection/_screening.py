"""Screening: cheap criteria of all candidates, which say where to look."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._evidence.sampled import evidence as sampled
from .._evidence.work import CallOptions, SampleOptions
from .._support.progress import Tick
from ..criteria import CKTA, KTA, SM, Criterion
from ..kernels._order import order_of
from ..results import ScoreTable
from ._problem import Problem


def screening() -> list[Criterion]:
    """Return the criteria: those that lean to narrow and to wide kernels, and two between."""
    return [KTA(), SM(r=1), SM(), CKTA()]


def screened(problem: Problem, options: CallOptions, tick: Tick | None) -> ScoreTable:
    """Score all candidates by sums over pairs of rows: all, or those of a sample with all."""
    landmarks = options.landmarks
    many = landmarks is not None and problem.target.size > sampled.SCREEN_ALL
    own = options.sample is None and problem.candidates.rows is not None
    if landmarks is not None and many and own:
        start = SM(r=1).to_core()
        options = replace(options, sample=SampleOptions(seed=landmarks.seed, start=start))
    return problem.score(screening(), options, tick)


def shortlist(screen: ScoreTable) -> list[int]:
    """Places worth verifying.

    On an ordered grid of Gaussians the bracket between the winner of KTA, which leans to narrow
    kernels, and that of SM of degree 1, which leans to wide ones, and one candidate more on each
    side. Otherwise the two best of SM of degrees 1 and 2, KTA and CKTA. Where a sample of rows was
    screened, whatever may be the winner counts as one: errors of sampling make the list longer.
    """
    widths = order_of(screen.kernels)
    if widths is not None and screen.kernels[0]._is_bracketed:
        ends = [*_winners(screen, "kta"), *_winners(screen, "sm(r=1)")]
        low, high = max(min(ends) - 1, 0), min(max(ends) + 1, len(screen.kernels) - 1)
        return list(range(low, high + 1))
    chosen: set[int] = set()
    for key, column in screen.columns.items():
        if column.direction != 0:
            chosen.update(int(i) for i in screen.ranking(key)[:2])
            # Wide kernels differ so little in CKTA that most of them would be on the list.
            if key != "ckta":
                chosen.update(_winners(screen, key))
    return sorted(chosen)


def _winners(screen: ScoreTable, key: str) -> list[int]:
    """Places that may be the best by a criterion; the best one where all pairs were looked at."""
    rivals = screen.columns[key].rivals
    best = int(screen.ranking(key)[0])
    return [best] if rivals is None else sorted({best, *np.flatnonzero(rivals == 1.0).tolist()})
