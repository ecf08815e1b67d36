"""Columns of a table, named as the caller knows them, and refused where they hold no numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .objects import holds_objects, is_row

_SHOWN = 5


def column_labels(X: object, count: int) -> list[str]:
    """Name the columns in messages: in quotes where `X` has named columns, else numbers from 0."""
    columns = list(getattr(X, "columns", ()))
    names = columns if len(columns) == count else range(count)
    return [repr(str(name)) if isinstance(name, str) else str(name) for name in names]


def is_missing(value: object) -> bool:
    """Whether an entry is None, NaN, or one of pandas' missing values."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _refuse(name: str, columns: Iterable[str], one: str, several: str, remedy: str) -> None:
    """Raise one sentence about the columns at fault, if there are any."""
    given = list(columns)
    if not given:
        return
    listed = ", ".join(given[:_SHOWN])
    if len(given) > _SHOWN:
        listed += f" and {len(given) - _SHOWN} more"
    fault = f"column {listed} {one}" if len(given) == 1 else f"columns {listed} {several}"
    raise ValueError(f"{name}: {fault}; {remedy}")


def refuse_text(name: str, columns: Iterable[str]) -> None:
    """Raise for columns that are not numbers."""
    remedy = "encode text as numbers, for example with scikit-learn's OneHotEncoder, or drop it"
    _refuse(name, columns, "is not numeric", "are not numeric", remedy)


def refuse_missing(name: str, columns: Iterable[str]) -> None:
    """Raise for columns with missing values."""
    remedy = "impute them, for example with scikit-learn's SimpleImputer, or drop those rows"
    _refuse(name, columns, "has missing values (NaN)", "have missing values (NaN)", remedy)


def refuse_infinite(name: str, columns: Iterable[str]) -> None:
    """Raise for columns with infinite entries."""
    remedy = "replace such entries or drop those rows"
    _refuse(name, columns, "contains infinity", "contain infinity", remedy)


def refuse_frame(frame: Any, name: str) -> None:
    """Raise for text and missing values in a data frame."""
    names = column_labels(frame, len(frame.columns))
    kinds = [getattr(dtype, "kind", "O") for dtype in frame.dtypes]
    refuse_text(name, [c for c, kind in zip(names, kinds, strict=True) if kind not in "biuf"])
    refuse_missing(name, [c for c, lost in zip(names, frame.isna().any(), strict=True) if lost])


def refuse_objects(table: NDArray[Any], name: str, names: list[str]) -> None:
    """Raise for text and missing values in an array of objects."""
    text, missing = [], []
    for label, column in zip(names, table.T, strict=True):
        if any(is_missing(value) for value in column):
            missing.append(label)
        if not all(
            is_missing(v) or isinstance(v, (int, float, np.number, np.bool_)) for v in column
        ):
            text.append(label)
    refuse_text(name, text)
    refuse_missing(name, missing)


def refuse_single_objects(X: object, name: str) -> None:
    """Raise for strings, graphs and the like in place of rows: these are for callables."""
    if holds_objects(X) and not any(is_row(item) for item in X):  # type: ignore[attr-defined]
        raise ValueError(
            f"{name} holds objects, not rows of numbers; give functions that compare them, as in "
            "KernelSelector(kernels=[function])"
        )


def refuse_gaps(count: int) -> None:
    """Raise for missing entries of a target."""
    if count:
        raise ValueError(
            f"y has {count} missing value{'s' * (count > 1)}; drop those rows from X and y"
        )


def count_masked(y: object) -> int:
    """Count masked entries, which arrays of NumPy hand on as if they were known."""
    return int(np.ma.getmaskarray(y).sum()) if isinstance(y, np.ma.MaskedArray) else 0


def refuse_masked(y: object) -> None:
    """Raise for masked entries of a target."""
    refuse_gaps(count_masked(y))


def refuse_dates(values: NDArray[Any]) -> None:
    """Raise for dates and times where numbers are wanted: as nanoseconds they mean nothing."""
    if values.dtype.kind in "mM":
        raise ValueError(
            "y holds dates or times, and a regressor needs numbers; convert them, for example to "
            "days since the first"
        )
