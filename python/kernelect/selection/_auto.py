"""The default election: screen by cheap criteria, verify a shortlist by exact held-out losses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._data.splits import Splits
from .._evidence.work import CallOptions
from .._support.progress import Tick, part_of
from ..criteria import CV, LOO, Column
from ..kernels._order import order_of
from ..results import NOT_REACHED, NOT_VERIFIED, ScoreTable, Selection
from ._affordable import elected_by_sums, verifiable
from ._downhill import walk_downhill
from ._landmark_search import LandmarkSearch
from ._problem import Problem
from ._screening import screened, screening, shortlist
from ._search import Search

_SCREENING = 0.2  # share of a progress line
# Of more rows, where a look takes seconds, a bracket is walked along in place of looking at all.
_LOOK_AT_ALL = 5_000


def judge(splits: Splits, scoring: str | None = None) -> LOO | CV:
    """Return what verifies: leave-one-out, or the folds of a caller who has such or groups.

    Where rows are related, as those of a group or of a time series are, one that is left out is
    foretold by its relations, and leave-one-out elects kernels that are far too narrow.
    """
    return CV(scoring=scoring) if splits.given else LOO(scoring=scoring)


def elect_automatically(
    problem: Problem, verifying: LOO | CV, options: CallOptions, tick: Tick | None
) -> Selection:
    """Elect a kernel, and a lambda where several may be had."""
    key = verifying.key
    fitting = verifiable(problem, verifying, options)
    if fitting is None:
        table = problem.score(screening(), options, tick)
        chosen = Selection.by(table, "sm")
        return elected_by_sums(problem, chosen, verifying, options.landmarks)
    problem = fitting
    if problem.candidates.one_shot:
        # The matrices pass by once, so held-out losses are taken of every one on the way.
        table = problem.score([*screening(), verifying], options, tick)
        return _selection(table, key, list(range(len(table.kernels))))
    screen = screened(problem, options, part_of(tick, 0.0, _SCREENING))
    related = options.splits.related
    ordered = order_of(screen.kernels) is not None
    # Cheap criteria look at all pairs of rows. Where rows are related they may be far off, so that
    # other candidates are not left out, and a bracket is left at either end, as it is where rows
    # have weights, which they do not know, and in regression, where SM leans less to wide kernels.
    listed = list(range(len(screen.kernels))) if related and not ordered else shortlist(screen)
    tick = part_of(tick, _SCREENING, 1.0)
    if options.landmarks is not None:
        verified, seen = LandmarkSearch(problem, screen, verifying, options, tick).run(listed)
        return _selection(screen.with_column(verified), key, seen)
    if not options.regularisation.several:
        target = problem.target
        if ordered and target.size > _LOOK_AT_ALL:
            table, listed = _walked(problem, screen, verifying, options, listed, tick=tick)
        else:
            found = problem.score([verifying], options, tick, listed)
            table = _verified(screen, listed, found.columns[key])
        open_ended = related or target.weights is not None or target.task == "regression"
        while open_ended and ordered and (beyond := _beyond(table, key, listed)):
            listed = sorted([*listed, *beyond])
            found = problem.score([verifying], options, None, beyond)
            table = _verified(table, beyond, found.columns[key])
        return _selection(table, key, listed)
    verified, seen = Search(problem, screen, verifying, options, tick).run(listed)
    return _selection(screen.with_column(verified), key, seen)


def _walked(
    problem: Problem,
    screen: ScoreTable,
    verifying: LOO | CV,
    options: CallOptions,
    listed: list[int],
    *,
    tick: Tick | None,
) -> tuple[ScoreTable, list[int]]:
    """Verify from the winner of SM of degree 1 on, towards that of KTA first, while losses fall."""
    table, key = screen, verifying.key
    losses: dict[int, float] = {}

    def look(place: int) -> None:
        nonlocal table
        seen = len(losses)
        part = part_of(tick, seen / len(listed), (seen + 1) / len(listed))
        found = problem.score([verifying], options, part, [place])
        table = _verified(table, [place], found.columns[key])
        loss = -verifying.direction * table.choice(key, place).score
        losses[place] = loss if np.isfinite(loss) else np.inf

    def gains(new: int, old: int) -> bool:
        if table.partial:
            return False
        look(new)
        return losses[new] < losses[old]

    start = int(screen.ranking("sm(r=1)")[0])
    look(start)
    walk_downhill(start, 1 if int(screen.ranking("kta")[0]) > start else -1, listed, gains)
    return table, sorted(losses)


def _verified(table: ScoreTable, places: list[int], found: Column) -> ScoreTable:
    """Return the table with the held-out losses of the candidates at some places as well."""
    known = table.columns.get(found.key)
    if known is None:
        return table.with_column(found.spread(places, len(table.kernels), NOT_VERIFIED))
    return table.with_column(known.filled([(places, found)]))


def _beyond(table: ScoreTable, key: str, listed: list[int]) -> list[int]:
    """Return the next place outwards where the winner stands at an end of those looked at."""
    column = table.columns[key]
    if table.partial or not column.known.any():
        return []
    best = table.best(key).index
    ends = {listed[0]: listed[0] - 1, listed[-1]: listed[-1] + 1}
    return [place for end, place in ends.items() if best == end and 0 <= place < len(table.kernels)]


def _selection(table: ScoreTable, key: str, listed: list[int]) -> Selection:
    """Elect by the held-out losses, or by the screening where time was up before those."""
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
