"""Cells of a table as numbers: gaps filled in, text encoded, and what is wrong with the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .._support.remedy import Remedy, advised
from ._files import shortened

FloatArray = NDArray[np.float64]

_MISSING = frozenset({"", "?", "na", "n/a", "nan", "none", "null"})

# A text column of more values than this names the rows rather than tells them apart.
_MOST_VALUES = 200

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


def fill_in(X: FloatArray, names: Sequence[str], name: str) -> FloatArray:
    """Put each column's median in place of its gaps."""
    gaps = np.isnan(X)
    empty = np.flatnonzero(gaps.all(axis=0))
    if len(empty):
        raise ValueError(f"{name}: column {names[empty[0]]!r} is missing in every row: drop it")
    for column in np.flatnonzero(gaps.any(axis=0)):
        X[gaps[:, column], column] = np.median(X[~gaps[:, column], column])
    return X


def encoded(cells: Sequence[str], column: str, name: str, missing: bool) -> dict[str, FloatArray]:
    """Make a column of 0 and 1 for every text of a column, one alone for two texts.

    Gaps are a value of their own where `missing`, which the caller has checked.
    """
    texts = ["missing" if missing and is_missing(cell) else cell.strip() for cell in cells]
    values = sorted(set(texts))
    if len(values) > _MOST_VALUES:
        raise advised(
            ValueError,
            f"{name}: column {shortened(column)!r} holds {len(values)} different texts, which is "
            f"too many to encode (at most {_MOST_VALUES})",
            Remedy(f"drop it: drop=[{shortened(column)!r}]", f"--drop {shortened(column)!r}"),
        )
    shown = values[1:] if len(values) == 2 else values
    all_texts = np.array(texts)
    return {f"{column}={value}": (all_texts == value).astype(np.float64) for value in shown}
