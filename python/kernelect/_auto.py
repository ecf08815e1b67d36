"""The default election: screen by cheap criteria, verify a shortlist by exact leave-one-out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ._candidates import order_of
from ._problem import Problem
from ._progress import Tick, part_of, share
from ._regularisation import Regularisation
from ._ridge_evidence import RidgeOptions
from .criteria import CKTA, KTA, LOO, SM, Criterion
from .kernels import Gaussian
from .results import NOT_REACHED, ScoreTable, Selection

NOT_VERIFIED = "not on the shortlist"


def shortlist(screen: ScoreTable) -> list[int]:
    """Places worth verifying.

    On an ordered grid of Gaussians the bracket between the winner of KTA, which leans to narrow
    kernels, and that of SM of degree 1, which leans to wide ones, and one candidate more on each
    side. Otherwise the two best of SM of degrees 1 and 2, KTA and CKTA.
    """
    widths = order_of(screen.kernels)
    if widths is not None and isinstance(screen.kernels[0], Gaussian):
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
    return _search(problem, screen, listed, loo, options, tick=tick)


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


def _search(
    problem: Problem,
    screen: ScoreTable,
    listed: list[int],
    loo: LOO,
    options: RidgeOptions,
    *,
    tick: Tick | None,
) -> Selection:
    """Search kernel and lambda together, few evaluations at a time.

    A pattern search over the grid of candidates (by rank on an ordered grid, on the shortlist
    otherwise) and the lambdas: from the middle of the bracket, look two and then one step to each
    side in both directions, move to the best, halve the steps where nothing improves. Each evaluation
    is one exact leave-one-out.
    """
    ordered = order_of(screen.kernels) is not None
    places = list(range(len(screen.kernels))) if ordered else listed
    lams = options.regularisation.values
    values: dict[tuple[int, int], float] = {}
    tables: dict[tuple[int, int], ScoreTable] = {}
    worse: Callable[[float], float] = lambda v: -loo.sense() * v

    def look(points: Sequence[tuple[int, int]]) -> None:
        """Evaluate what is new, all candidates that share a lambda in one call."""
        fresh = sorted({p for p in points if p not in values})
        for j in sorted({j for _, j in fresh}):
            some = [i for i, jj in fresh if jj == j]
            regularisation: Regularisation = replace(options.regularisation, values=lams[j : j + 1])
            at = replace(options, regularisation=regularisation)
            looks = len({id(table) for table in tables.values()})
            part = part_of(tick, share(looks, None), share(looks + 1, None))
            table = problem.score([loo], at, part, [places[i] for i in some])
            for row, i in enumerate(some):
                values[i, j] = worse(float(np.ravel(table.scores[loo.key][row])[0]))
                tables[i, j] = table

    if ordered:
        ends = [places.index(p) for p in (listed[0], listed[-1])]
        here = ((ends[0] + ends[1]) // 2, len(lams) // 2 - 2 if len(lams) > 4 else 0)
        look([here])
        kernel_step, lam_step = max(min(2, (ends[1] - ends[0]) // 2), 1), max(len(lams) // 5, 1)
    else:
        start = len(lams) // 2 - 2 if len(lams) > 4 else 0
        look([(i, start) for i in range(len(places))])
        here = min(values, key=lambda p: values[p])
        kernel_step, lam_step = 0, max(len(lams) // 5, 1)
    while kernel_step > 0 or lam_step > 0:
        i, j = here
        around = [
            (a, b)
            for a, b in (
                (i, j - lam_step),
                (i, j + lam_step),
                (i - kernel_step, j),
                (i + kernel_step, j),
            )
            if 0 <= a < len(places) and 0 <= b < len(lams)
        ]
        look(around)
        best = min([here, *around], key=lambda p: (values[p], p != here))
        if best == here:
            kernel_step, lam_step = kernel_step // 2, lam_step // 2
        here = best

    seen = sorted({places[i] for i, _ in values})
    grid = np.full((len(seen), len(lams)), np.inf * -loo.sense())
    absolute = np.full((len(seen), len(lams)), np.nan)
    for (i, j), value in values.items():
        row = seen.index(places[i])
        grid[row, j] = -loo.sense() * value
        table = tables[i, j]
        if table.lams is not None:
            own = [repr(k) for k in table.kernels].index(repr(screen.kernels[places[i]]))
            absolute[row, j] = table.lams[own, 0]
    late = problem.deadline is not None and problem.deadline.reached
    missing = NOT_REACHED if late else "no value is finite"
    found = ScoreTable(
        [screen.kernels[p] for p in seen],
        {loo.key: grid},
        {loo.key: loo.sense()},
        {loo.key: [None if np.isfinite(row).any() else missing for row in grid]},
        screen.task,
        absolute,
    )
    return _selection(_merge(screen, found, seen, loo.key), loo.key, seen)
