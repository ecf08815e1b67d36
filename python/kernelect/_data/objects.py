"""Rows that are not numbers: strings, graphs, anything that a callable kernel knows about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._support.arguments import is_number


class Objects:
    """Objects, one per row, which are handed to callables in a list.

    Parameters
    ----------
    items : sequence
        The objects.
    """

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = list(items)

    @property
    def shape(self) -> tuple[int]:
        """Number of rows; there are no columns."""
        return (len(self.items),)

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"{len(self)} objects that are no rows of numbers"

    def __getitem__(self, places: Any) -> Objects:
        """Take some rows, by a slice, by numbers or by a mask."""
        return Objects([self.items[i] for i in np.arange(len(self.items))[places]])


def holds_objects(X: object) -> bool:
    """Whether rows are no table of numbers, nor meant as one."""
    if isinstance(X, Objects):
        return True
    if isinstance(X, np.ndarray):
        listed = list(X) if X.ndim == 1 and X.dtype.kind in "OUS" else []
    elif isinstance(X, (list, tuple)):
        listed = list(X)
    else:  # a series of a data frame has an index and no columns
        listed = list(X) if hasattr(X, "iloc") and not hasattr(X, "columns") else []  # type: ignore[call-overload]
    if not listed or all(is_number(item) for item in listed):
        return False
    lengths = {len(item) if is_row(item) else -1 for item in listed}
    return len(lengths) > 1 or -1 in lengths


def as_objects(X: Any) -> Objects:
    """Return the objects in a list, an array or a series."""
    return X if isinstance(X, Objects) else Objects(list(X))


def is_row(item: object) -> bool:
    """Whether something may be a row of a table."""
    return isinstance(item, (list, tuple)) or (isinstance(item, np.ndarray) and item.ndim == 1)
