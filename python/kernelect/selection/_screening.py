"""Screening: cheap criteria of all candidates, which say where to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._data.row_order import first_of_classes
from .._evidence.work import CallOptions
from .._support.progress import Tick
from ..criteria import CKTA, KTA, SM, Criterion
from ..results import ScoreTable
from ._problem import Problem

# Beside landmark models up to the first number of rows are screened, of more a sample of the
# second, with so many of each class.
_ALL, _SAMPLE, _OF_CLASS = 50_000, 20_000, 32


def screening() -> list[Criterion]:
    """Return the criteria: those that lean to narrow and to wide kernels, and two between."""
    return [KTA(), SM(r=1), SM(), CKTA()]


def screened(problem: Problem, options: CallOptions, tick: Tick | None) -> ScoreTable:
    """Score all candidates by sums over pairs of rows: of all rows, or of a sample of many."""
    size = problem.target.size
    if options.landmarks is None or size <= _ALL or problem.candidates.rows is None:
        return problem.score(screening(), options, tick)
    rows, _ = first_of_classes(problem.target, _SAMPLE, _OF_CLASS, options.landmarks.seed)
    table = problem.part(rows).score(screening(), options, tick)
    return _labelled(table, list(table.columns), f"{len(rows)} of {size} rows")


def _labelled(table: ScoreTable, keys: Sequence[str], of_what: str) -> ScoreTable:
    """Let texts say of which rows the values are."""
    columns = {
        key: replace(table.columns[key], label=f"{table.columns[key].label} ({of_what})")
        for key in keys
    }
    return replace(table, columns=columns)
