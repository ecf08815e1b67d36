"""Kernels on some of the columns, and with a length scale per column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._data.rows import Rows, Tables, is_sparse
from .._support.arguments import did_you_mean, is_whole, shown
from .._support.arrays import FloatArray
from ._base import Kernel
from ._parameters import Parameter

if TYPE_CHECKING:
    from .._data.rows import Program


def _bounds(columns: slice) -> tuple[Any, ...]:
    """Start, stop and step of a slice, which are whole numbers or None."""
    bounds = (columns.start, columns.stop, columns.step)
    if any(bound is not None and not isinstance(bound, (int, np.integer)) for bound in bounds):
        raise TypeError(f"on_columns: a slice takes whole numbers, not {shown(columns)}")
    return bounds


def _once_each(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Refuse a column that is given twice."""
    counts = Counter(items)
    twice = next((item for item in items if counts[item] > 1), None)
    if twice is not None:
        raise ValueError(f"on_columns: column {twice!r} is given twice")
    return items


@dataclass(frozen=True)
class Columns:
    """Which columns: places, a mask, a slice (start, stop, step) or names."""

    kind: str
    items: tuple[Any, ...]

    @classmethod
    def of(cls, columns: Any) -> Columns:
        """Read what a caller may write for columns."""
        if isinstance(columns, slice):
            return cls("slice", _bounds(columns))
        if isinstance(columns, str) or is_whole(columns):
            columns = [columns]
        if not isinstance(columns, Iterable):
            raise TypeError(
                "on_columns: columns must be places, names, a slice or a mask, not "
                f"{shown(columns)}"
            )
        items = list(columns)
        if not items:
            raise ValueError("on_columns: no column is named; give at least one")
        if all(isinstance(item, (bool, np.bool_)) for item in items):
            if not any(items):
                raise ValueError("on_columns: the mask leaves no column")
            return cls("mask", tuple(bool(item) for item in items))
        if all(isinstance(item, str) for item in items):
            return cls("names", _once_each(tuple(str(item) for item in items)))
        if all(is_whole(item) for item in items):
            return cls("places", _once_each(tuple(int(item) for item in items)))
        raise TypeError(
            f"on_columns: columns must be all places, all names or a mask, not {shown(items)}"
        )

    def named(self, names: Sequence[str]) -> tuple[int, ...]:
        """Places of named columns among the names of a data frame."""
        places = {name: place for place, name in enumerate(names)}
        counts = Counter(names)
        for name in self.items:
            if counts[name] > 1:
                raise ValueError(
                    f"on_columns: X has {counts[name]} columns {name!r}; names must differ"
                )
            if name not in places:
                hint = did_you_mean(name, names, f"it has {', '.join(names)}")
                raise ValueError(f"on_columns: X has no column {name!r}; {hint}")
        return tuple(places[name] for name in self.items)

    def places(self, width: int) -> NDArray[np.int64]:
        """Places in rows of this many columns."""
        if self.kind == "names":
            raise ValueError(
                f"on_columns: the names {', '.join(map(repr, self.items))} need a data frame, and "
                "X has no column names; pass a data frame, or columns by place"
            )
        if self.kind == "slice":
            found = np.arange(width)[slice(*self.items)]
        elif self.kind == "mask":
            if len(self.items) != width:
                raise ValueError(
                    f"on_columns: the mask has {len(self.items)} entries, but X has {width} columns"
                )
            found = np.flatnonzero(self.items)
        else:
            found = np.array(self.items)
            outside = found[(found < -width) | (found >= width)]
            if len(outside):
                raise ValueError(
                    f"on_columns: there is no column {outside[0]}; X has {width} columns"
                )
            found = found % width
        if len(found) == 0:
            raise ValueError(f"on_columns: {self.items} leaves none of the {width} columns of X")
        return found.astype(np.int64)

    def __repr__(self) -> str:
        if self.kind == "slice":
            return repr(slice(*self.items))
        return repr(list(self.items))


@dataclass(frozen=True)
class Taken:
    """View of rows: some of the columns."""

    columns: Columns

    def __call__(self, rows: Rows) -> Rows:
        places = self.columns.places(rows.shape[1])
        return rows[:, places] if is_sparse(rows) else np.ascontiguousarray(rows[:, places])


@dataclass(frozen=True)
class Chained:
    """View of a view."""

    first: Any
    then: Any

    def __call__(self, rows: Rows) -> Rows:
        return self.then(self.first(rows))


class Within(Tables):
    """Tables for a kernel that sees a view of the rows in place of the rows."""

    def __init__(self, outer: Tables, view: Any) -> None:
        super().__init__()
        self._outer, self._view = outer, view

    def view(self, view: Any) -> int:
        """Index of the outer table that shows this view of the view."""
        return self._outer.view(self._view if view is None else Chained(self._view, view))


@dataclass(frozen=True, repr=False)
class OnColumns(Kernel):
    """A kernel of some of the columns; made by `on_columns`."""

    columns: Columns
    kernel: Kernel
    # Where named columns stood in the data frame of the call that made this kernel: with it the
    # kernel also works on plain arrays, which is what scikit-learn's estimators hand to a kernel.
    _seen: tuple[int, ...] | None = field(default=None, compare=False)

    @property
    def in_core(self) -> bool:
        return self.kernel.in_core

    @property
    def _has_unit_diagonal(self) -> bool:
        return self.kernel._has_unit_diagonal

    def _bind(self, names: Sequence[str]) -> Kernel:
        if self.columns.kind != "names":
            return self
        seen = self.columns.named(names)
        inner = self.kernel._bind(list(self.columns.items))
        return replace(self, kernel=inner, _seen=seen)

    def _parameters(self, start: int) -> list[Parameter]:
        return self.kernel._parameters(start)

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return replace(self, kernel=self.kernel._with_values(values))

    def _per_column(self, count: int) -> Kernel:
        places = self._taken().columns.places(count)
        return replace(self, kernel=self.kernel._per_column(len(places)))

    def _taken(self) -> Taken:
        return Taken(self.columns if self._seen is None else Columns("places", self._seen))

    def _program(self, tables: Tables) -> Program:
        return self.kernel._program(Within(tables, self._taken()))

    def _matrix(self, left: Rows, right: Rows | None) -> FloatArray:
        if self.in_core:
            return super()._matrix(left, right)
        view = self._taken()
        return self.kernel._matrix(view(left), None if right is None else view(right))

    def _diagonal(self, rows: Rows) -> FloatArray:
        return (
            super()._diagonal(rows) if self.in_core else self.kernel._diagonal(self._taken()(rows))
        )

    def __repr__(self) -> str:
        return f"on_columns({self.columns!r}, {self.kernel!r})"


def on_columns(columns: Any, kernel: Kernel) -> Kernel:
    """Restrict a kernel to some of the columns.

    Sums and products of such kernels give each group of features a kernel and a width of its own.

    Parameters
    ----------
    columns : int, str, list of int, list of str, slice, or mask of bool
        The columns, by place or by their names in a data frame. Places count from 0, and from the
        end where negative. A mask has one entry per column.
    kernel : Kernel
        What to compute from them.

    Returns
    -------
    Kernel
        A kernel on whole rows. Where it was elected or fitted with a data frame, names are
        remembered as places, so that it also works on plain arrays with the columns in that order.

    Examples
    --------
    >>> import kernelect as ke
    >>> k = ke.on_columns([0, 1], ke.Gaussian(2.0)) + ke.on_columns([2], ke.Linear())
    >>> k
    on_columns([0, 1], Gaussian(tau=2.0)) + on_columns([2], Linear())
    >>> k([[0.0, 0.0, 1.0], [1.0, 0.0, 3.0]]).round(4)
    array([[ 2.    ,  3.7788],
           [ 3.7788, 10.    ]])

    By name, one width per group of columns, elected by leave-one-out:

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> petal = [name for name in X if name.startswith("petal")]
    >>> sepal = [name for name in X if name.startswith("sepal")]
    >>> candidates = [
    ...     ke.on_columns(petal, ke.Gaussian(p)) + ke.on_columns(sepal, ke.Gaussian(s))
    ...     for p in (0.5, 2.0)
    ...     for s in (0.5, 8.0)
    ... ]
    >>> ke.select(X, y, candidates, criterion="loo").index
    1
    """
    if not isinstance(kernel, Kernel):
        raise TypeError(f"on_columns needs a kernel, not {shown(kernel)}")
    return OnColumns(Columns.of(columns), kernel)
