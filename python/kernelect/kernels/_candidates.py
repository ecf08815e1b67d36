"""Candidates in all their forms, turned into kernels for the core or into matrices one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._dask.collections import is_dask
from .._dask.rows import DaskRows, all_here, rows_at
from .._data.objects import Objects, as_objects, holds_objects
from .._data.rows import Rows, check_rows, real_matrix
from .._support.arguments import did_you_mean, shown
from .._support.arrays import FloatArray, IntArray
from ._base import Kernel
from ._families import BY_NAME, Gaussian, Linear
from ._foreign import Function, Precomputed
from ._stack_view import KernelStackView
from .grids import auto_grid, family_grid

# Rows of a matrix that are checked at a time.
_AT_ONCE = 64
# A matrix is symmetric where entries differ by no more than this share of the largest.
_SKEW = 1e-8
_NAMES: dict[str, Callable[[Rows], Sequence[Kernel]]] = {
    "auto": auto_grid,
    **{name: partial(family_grid, kind) for name, kind in BY_NAME.items()},
}


class Candidates:
    """The candidates of one call.

    `core` are those the core evaluates by itself, all at once; `stream()` gives the others one by
    one, consuming a generator only as far as it has been worked through. `count` is how many there
    are, None for a generator; `rows` is what kernels are evaluated on, None where all are matrices.
    Where `kept` says which rows of matrices take part, `rows` are those alone.
    """

    def __init__(
        self,
        kernels: Any,
        rows: Rows | None,
        n: int,
        names: Sequence[str] | None = None,
        kept: NDArray[np.bool_] | None = None,
    ) -> None:
        self.rows, self._n, self._names, self._kept = rows, n, names, kept
        self.core: list[tuple[int, Kernel]] = []
        self.count: int | None = None
        self._others: Iterable[Any] = ()
        self.one_shot = isinstance(kernels, Iterator)
        if self.one_shot:
            self._others = self._expanded(kernels)
            return
        items = [self._checked(index, item) for index, item in enumerate(self._listed(kernels))]
        if not items:
            raise ValueError("kernels is empty; give at least one candidate")
        self.count = len(items)
        self.core = [(i, k) for i, k in enumerate(items) if _in_core(k)]
        self._others = [(i, k) for i, k in enumerate(items) if not _in_core(k)]

    def _listed(self, kernels: Any) -> Iterable[Any]:
        if kernels is None and self.rows is None:
            raise ValueError("X is None and no kernels are given; pass X, or kernel matrices")
        if kernels is None or isinstance(kernels, str):
            return self._named("gaussian" if kernels is None else kernels)
        if isinstance(kernels, Kernel) or callable(kernels):
            return [kernels]
        if isinstance(kernels, KernelStackView):
            return kernels.matrices
        ndim = getattr(kernels, "ndim", None)  # of arrays, sparse matrices and data frames
        if ndim == 2 and getattr(kernels, "dtype", None) != object:
            return [kernels]
        if not isinstance(kernels, Iterable) or isinstance(kernels, (bytes, Mapping)):
            raise TypeError(
                "kernels must be a list of kernels, callables or kernel matrices, not "
                f"{shown(kernels)}"
            )
        if ndim not in (None, 1, 2, 3):
            raise ValueError(
                "kernels must be a stack of kernel matrices, of shape (candidates, n, n), but has "
                f"{ndim} axes"
            )
        return self._expanded(kernels)

    def _expanded(self, kernels: Iterable[Any]) -> Iterator[Any]:
        """Iterate over candidates, among which a family may stand by its name.

        No matrix of a generator is held when it makes the next.
        """
        return chain.from_iterable(map(self._parts, kernels))

    def _parts(self, item: Any) -> Sequence[Any]:
        return self._named(item) if isinstance(item, str) else (item,)

    def _named(self, name: str) -> list[Kernel]:
        if name not in _NAMES:
            hint = did_you_mean(name, list(_NAMES))
            raise ValueError(f"unknown candidates {shown(name)}; {hint}")
        if self.rows is None:
            raise ValueError(
                f"X is None, but kernels={name!r} needs rows; pass X, or only kernel matrices"
            )
        return list(_NAMES[name](self.rows))

    def _checked(self, index: int, item: Any) -> Any:
        """Make a kernel of a candidate, or leave a matrix as it is."""
        wanted = f"candidate {index} must be a kernel, a callable or a square matrix"
        if isinstance(item, type):
            raise TypeError(f"{wanted}, not the class {item.__name__}; make an object of it")
        if callable(item):
            kernel = item if isinstance(item, Kernel) else Function(item)
            if self.rows is None:
                raise ValueError(
                    f"X is None, but {kernel!r} needs rows; pass X, or only kernel matrices"
                )
            if isinstance(self.rows, Objects) and not isinstance(kernel, Function):
                raise TypeError(
                    f"{kernel!r} needs rows of numbers, but X holds objects; give callables or "
                    "kernel matrices alone"
                )
            return kernel if self._names is None else kernel._bind(self._names)
        try:
            given = item if hasattr(item, "shape") else np.asarray(item)
        except ValueError:
            raise ValueError(f"{wanted}, but has rows of different lengths") from None
        shape: tuple[int, ...] = given.shape
        if len(shape) == 0:
            raise TypeError(f"{wanted}, not {shown(item)}")
        if len(shape) == 1:
            raise ValueError(f"{wanted}, but has shape {shape}; put a single matrix into a list")
        if len(shape) != 2 or shape[0] != shape[1]:
            cut = "; cut columns as well as rows: stack[numpy.ix_(rows, rows)]"
            raise ValueError(f"{wanted}, but has shape {shape}{cut if shape[0] == self._n else ''}")
        return item

    def part(self, places: IntArray) -> Candidates:
        """Return the same candidates on some of the rows; of a generator there is no such thing."""
        some = copy(self)
        some.rows = None if self.rows is None else rows_at(self.rows, places)
        some._n = len(places)
        some._kept = None
        if self._kept is not None:
            places = np.flatnonzero(self._kept)[places]
        some._others = [
            (index, item if isinstance(item, Kernel) else _between(item, places, index))
            for index, item in self._others
        ]
        return some

    def others(self, only: Sequence[int] | None = None) -> list[tuple[int, Kernel]]:
        """List the candidates outside the core without their matrices; none of a generator."""
        if self.one_shot:
            return []
        return [
            (index, item if isinstance(item, Kernel) else Precomputed(index))
            for index, item in self._others
            if only is None or index in only
        ]

    def stream(
        self, only: Sequence[int] | None = None, *, matrices: bool = True
    ) -> Iterator[tuple[int, Kernel, FloatArray | None]]:
        """Yield each candidate outside the core with its checked matrix, or those at some places.

        Unless `matrices` are wanted, those of functions are not made.

        A generator may also give kernels that the core evaluates; these come without a matrix.
        Nothing here holds a matrix while the next one is made.
        """
        if not self.one_shot:
            for index, item in self._others:
                if only is None or index in only:
                    yield index, *self._prepared(index, item, matrices)
            return
        index = 0
        for item in self._others:
            kernel, matrix = self._prepared(index, self._checked(index, item), matrices)
            del item
            yield index, kernel, matrix
            del matrix
            index += 1  # noqa: SIM113 (enumerate would hold on to the matrix)

    def _prepared(self, index: int, item: Any, matrices: bool) -> tuple[Kernel, FloatArray | None]:
        if _in_core(item) or (isinstance(item, Kernel) and not matrices):
            return item, None
        if isinstance(item, Kernel):
            return item, check_matrix(
                item._matrix(all_here(self.rows), None), self._n, f"the matrix of {item!r}"
            )
        name = f"kernel matrix {index}"
        if self._kept is None:
            return Precomputed(index), check_matrix(item, self._n, name)
        whole = check_matrix(item, len(self._kept), name)
        return Precomputed(index), whole[np.ix_(self._kept, self._kept)]


def _between(matrix: Any, places: IntArray, index: int) -> FloatArray:
    return real_matrix(matrix, f"kernel matrix {index}")[np.ix_(places, places)]


def _in_core(item: object) -> bool:
    return isinstance(item, Kernel) and item.in_core


def check_matrix(matrix: Any, n: int, name: str) -> FloatArray:
    """Check a kernel matrix: n x n, finite, symmetric up to rounding; copied only if it must be."""
    checked = real_matrix(matrix, name)
    if checked.shape != (n, n):
        raise ValueError(f"{name} has shape {checked.shape}, but y has {n} entries")
    # A few rows at a time, which stay in the cache, against the columns on and below the diagonal.
    largest = difference = 0.0
    exact = True
    room = np.empty((min(_AT_ONCE, n), n))
    for start in range(0, n, _AT_ONCE):
        block = checked[start : start + _AT_ONCE]
        high, low = float(block.max()), float(block.min())
        if not (isfinite(high) and isfinite(low)):
            raise ValueError(
                f"{name} contains NaN or infinity; every entry must be a finite number"
            )
        largest = max(largest, high, -low)
        above, below = block[:, start:], checked[start:, start : start + _AT_ONCE].T
        exact = exact and np.array_equal(above, below)
        if exact:  # as most matrices are, which takes one look at them less
            continue
        skew = room[: len(block), start:]
        with np.errstate(over="ignore"):
            np.subtract(above, below, out=skew)
        # What is not a number comes from rows that are not looked at yet; then neither is larger.
        difference = max(difference, float(skew.max()), -float(skew.min()))
    if difference > _SKEW * largest:
        raise ValueError(
            f"{name} is not symmetric (entries differ by up to {difference:.3g}); "
            "pass (K + K.T) / 2 if that is rounding"
        )
    return checked


def needs_all_rows(name: str) -> bool:
    """Whether candidates of a name take their widths from the variance of all rows."""
    kind = BY_NAME.get(name)
    return kind is not None and kind is not Gaussian and kind is not Linear


def takes_objects(kernels: Any) -> bool:
    """Whether there are callables among candidates, to which rows need be no numbers.

    Of a generator that is not known before its candidates come.
    """
    if isinstance(kernels, Iterator):
        return True
    if kernels is None or isinstance(kernels, (str, bytes)):
        return False
    listed = kernels if isinstance(kernels, (list, tuple)) else [kernels]
    return any(
        isinstance(item, Function) or (callable(item) and not isinstance(item, Kernel))
        for item in listed
    )


def rows_for(kernels: Any, X: Any, client: object = None) -> Rows:
    """Check rows for candidates: a table of numbers, or objects that callables are for."""
    if is_dask(X):
        return DaskRows.of(X, client)
    if holds_objects(X) and takes_objects(kernels):
        return as_objects(X)
    return check_rows(X, "X")
