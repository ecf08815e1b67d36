"""Whether the parts of a result that was read from a file fit together."""

from __future__ import annotations

from .._support.arguments import is_number, is_whole
from ..criteria import Column
from ._score_table import ScoreTable
from ._selection import Selection


def checked_table(table: ScoreTable) -> ScoreTable:
    """Return a table as it is; a TypeError where its parts do not fit together."""
    _want(bool(table.kernels) and bool(table.columns))
    _want(table.task in ("classification", "regression"))
    for column in table.columns.values():
        _check_column(column, len(table.kernels))
    return table


def checked_selection(chosen: Selection) -> Selection:
    """Return a selection as it is; a TypeError where its parts do not fit together."""
    _want(isinstance(chosen.criterion, str) and isinstance(chosen.decisive, str))
    _want(chosen.decisive in chosen.table.columns)
    _want(chosen.table.columns[chosen.decisive].direction != 0)
    _want(all(value is None or is_number(value) for value in (chosen.lam, chosen.lead)))
    verified = [] if chosen.verified is None else chosen.verified
    _want(isinstance(verified, list))
    _want(all(_is_place(place, len(chosen.table.kernels)) for place in verified))
    _want(_is_place(chosen.index, len(chosen.table.kernels)))
    return chosen


def _check_column(column: Column, count: int) -> None:
    """Check that a column says something about each candidate."""
    _want(isinstance(column.label, str))
    _want(is_whole(column.direction) and column.direction in (-1, 0, 1))
    _want(column.values.ndim in (1, 2) and len(column.values) == count and column.values.size > 0)
    _want(len(column.reasons) == count)
    _want(all(reason is None or isinstance(reason, str) for reason in column.reasons))
    # Lambdas are there exactly where values have a second axis for them.
    _want((column.lams is not None) == (column.values.ndim == 2))
    for name in Column.quantities():
        quantity = getattr(column, name)
        _want(quantity is None or quantity.shape == column.values.shape)


def _is_place(value: object, count: int) -> bool:
    return is_whole(value) and 0 <= value < count  # type: ignore[operator]


def _want(condition: bool) -> None:
    if not condition:
        raise TypeError  # `from_dict` says which thing it is
