"""Cells of a table as numbers: gaps filled in, text encoded, and what is wrong with the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .._support.arrays import FloatArray
from .._support.remedy import Remedy, advised
from .._support.warning import warn_caller
from ._files import shortened

_MISSING = frozenset({"", "?", "na", "n/a", "nan", "none", "null"})

# A text column of more values than this names the rows rather than tells them apart.
_MOST_VALUES = 200
# More texts than these, and than half of the rows, name the rows rather than kinds of them.
_FEW_VALUES = 20

_DECIMAL_COMMA = str.maketrans({",": ".", ".": "\0"})  # a point in such a number is no number


def is_missing(cell: str) -> bool:
    """Whether the cell stands for a missing value."""
    return cell.strip().lower() in _MISSING


def number_of(cell: str, decimal: str = ".") -> float | None:
    """Return the number in a cell; None where it holds text."""
    try:
        return float(cell if decimal == "." else cell.translate(_DECIMAL_COMMA))
    except ValueError:
        return None


def block_of_numbers(
    rows: Sequence[Sequence[str]], width: int, decimal: str
) -> tuple[FloatArray, list[tuple[int, int]]]:
    """Return cells as numbers, NaN where one is no finite number, and the places of those."""
    plain = (
        rows if decimal == "." else [[cell.translate(_DECIMAL_COMMA) for cell in r] for r in rows]
    )
    try:
        block = np.array(plain, dtype=np.float64).reshape(len(rows), width)
    except ValueError:
        found = [[number_of(cell, decimal) for cell in row] for row in rows]
        block = np.array([[math.nan if x is None else x for x in row] for row in found])
    bad = ~np.isfinite(block)
    block[bad] = math.nan
    return block, [(int(i), int(j)) for i, j in np.argwhere(bad)]


def fault_of(cell: str, decimal: str) -> str:
    """Say what is wrong with a cell that is no finite number."""
    if is_missing(cell):
        return "missing"
    if number_of(cell.strip(), decimal) is None:
        return f"text {shortened(cell.strip())!r}"
    return "infinite"


def texts_of(cells: Sequence[str], column: str, name: str, missing: bool) -> tuple[str, ...]:
    """Return the different texts of a column; gaps are one of them where `missing`."""
    values = sorted({text_of(cell, missing) for cell in cells})
    if len(values) > _MOST_VALUES:
        raise advised(
            ValueError,
            f"{name}: column {shortened(column)!r} holds {len(values)} different texts, which is "
            f"too many to encode (at most {_MOST_VALUES})",
            Remedy(f"drop it: drop=[{shortened(column)!r}]", f"--drop {shortened(column)!r}"),
        )
    if len(values) > max(_FEW_VALUES, len(cells) // 2):
        fault = (
            f"{name}: column {shortened(column)!r} holds {len(values)} different texts in "
            f"{len(cells)} rows, and the columns made of them tell little about other rows"
        )
        words = f"drop=[{shortened(column)!r}]", f"--drop {shortened(column)!r}"
        warn_caller(advised(UserWarning, fault, Remedy(*(f"drop it: {word}" for word in words))))
    return tuple(values)


def text_of(cell: str, missing: bool) -> str:
    """Return the text of a cell; a gap is a text of its own where `missing`."""
    return "missing" if missing and is_missing(cell) else cell.strip()
