"""Rows of features: validation, and their way into the core."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .._dispatch import core
from .._support.arguments import shown
from .._support.arrays import aligned
from .refusals import (
    column_labels,
    refuse_frame,
    refuse_infinite,
    refuse_missing,
    refuse_objects,
    refuse_single_objects,
    refuse_text,
)

# A kernel in postfix order: (operation, a, b, count, source).
Program: TypeAlias = list[tuple[str, float, float, int, int]]
# A dense array or a CSR matrix, float64; scipy's and scikit-learn's types for that do not meet.
Rows: TypeAlias = Any


# Numbers that are looked at together.
_AT_ONCE = 1 << 22


def stored_program(source: int = 0) -> Program:
    """Kernel that is a stored matrix, by its place among what a sample holds."""
    return [("precomputed", 0.0, 0.0, 0, source)]


def is_sparse(rows: object) -> bool:
    """Whether rows are a sparse matrix; unlike `issparse`, without narrowing their type."""
    return bool(sp.issparse(rows))


def check_rows(X: Any, name: str, like: Rows | None = None) -> Rows:
    """Dense C-ordered or CSR float64 rows from anything array-like; one clear error otherwise.

    With `like`, checked rows of another table, they have as many columns and are of its kind.
    """
    if X is None or isinstance(X, (str, bytes)):
        raise TypeError(f"{name} must be a table of rows and columns, not {shown(X)}")
    rows = _sparse_rows(X, name) if is_sparse(X) else _dense_rows(X, name)
    _refuse_non_finite(X, rows, name)
    if like is None:
        return rows
    if rows.shape[1] != like.shape[1]:
        raise ValueError(
            f"{name} has {rows.shape[1]} columns, but the rows it is compared with have "
            f"{like.shape[1]}; both need the same features"
        )
    if is_sparse(rows) == is_sparse(like):
        return rows
    return sp.csr_matrix(rows) if is_sparse(like) else np.ascontiguousarray(rows.toarray())


def check_table(X: Any) -> None:
    """Raise for what scikit-learn's checks do not name: columns of a frame, objects, masks."""
    if column_names(X) is not None or isinstance(X, np.ma.MaskedArray):
        check_rows(X, "X")
    refuse_single_objects(X, "X")


def check_shape(shape: tuple[int, ...], name: str) -> None:
    if len(shape) == 1 and shape[0] > 0:
        raise ValueError(
            f"{name} must be a table of rows and columns, but has shape {shape}; pass "
            f"{name}.reshape(-1, 1) for one feature or {name}.reshape(1, -1) for one row"
        )
    if len(shape) > 2:
        raise ValueError(f"{name} must be a table of rows and columns, but has shape {shape}")
    for count, what in zip(shape, ("rows", "columns"), strict=False):
        if count == 0:
            raise ValueError(f"{name} has no {what} (shape {shape}); at least one is needed")


def _dense_rows(X: Any, name: str) -> Rows:
    if all(hasattr(X, part) for part in ("columns", "dtypes", "iloc")):  # a pandas data frame
        refuse_frame(X, name)
        if hasattr(X, "sparse") and all(dtype.fill_value == 0 for dtype in X.dtypes):
            return _sparse_rows(X.sparse.to_coo(), name)
        array = X.to_numpy(dtype=np.float64)
    else:
        array = _array_of_numbers(X, name)
    check_shape(array.shape, name)
    try:
        return np.ascontiguousarray(array, dtype=np.float64)
    except OverflowError:  # a whole number of more than 308 digits
        names = column_labels(X, array.shape[1])
        refuse_infinite(name, [names[c] for c in _too_large(array)])
        raise


def _too_large(array: NDArray[Any]) -> list[int]:
    """Return the columns that hold a number beyond floating point."""
    most = sys.float_info.max
    return [c for c in range(array.shape[1]) if any(abs(v) > most for v in array[:, c])]


def _array_of_numbers(X: Any, name: str) -> NDArray[Any]:
    try:
        array = np.asarray(X)
        if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
            array = np.asarray(X, dtype=object)  # numbers beside text stay numbers
    except ValueError:
        raise ValueError(
            f"{name} has rows of different lengths; all need as many entries"
        ) from None
    if array.ndim == 0:
        raise TypeError(
            f"{name} must be a table of rows and columns, not of type {type(X).__name__}"
        )
    refuse_single_objects(X, name)
    check_shape(array.shape, name)
    names = column_labels(X, array.shape[1])
    if isinstance(X, np.ma.MaskedArray):
        masked = np.flatnonzero(np.ma.getmaskarray(X).any(axis=0))
        refuse_missing(name, [names[c] for c in masked])
    if array.dtype.kind == "O":
        refuse_objects(array, name, names)
    elif array.dtype.kind == "c":
        raise TypeError(f"{name} has complex entries; kernels here need real numbers")
    elif array.dtype.kind not in "biuf":
        refuse_text(name, names)
    return array


def _sparse_rows(X: Any, name: str) -> Rows:
    check_shape(X.shape, name)
    if X.dtype.kind not in "biuf":
        raise TypeError(f"{name} has entries of type {X.dtype}; kernels here need real numbers")
    if X.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"{name} has {X.shape[1]} columns; at most 2**31 - 1 are possible")
    rows = X.tocsr().astype(np.float64, copy=False)
    try:
        # A view of its own: checking and sorting must not change the caller's matrix.
        rows = type(rows)((rows.data, rows.indices, rows.indptr), shape=rows.shape)
        check_sparse(rows)
    except ValueError as error:
        raise ValueError(f"{name} is not a valid sparse matrix ({error})") from None
    return _canonical(rows)


def _canonical(rows: Rows) -> Rows:
    """Sparse rows whose columns ascend, each given once, as the core takes them."""
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def check_sparse(matrix: Any) -> None:
    """Raise unless the parts of a sparse matrix fit together: conversions take that for granted."""
    if not hasattr(matrix, "check_format"):  # coo and dia look at theirs when they are made
        return
    matrix.check_format(full_check=True)
    # Without an entry (a last start below zero counts as none) SciPy looks at no start.
    if matrix.indptr[0] != 0 or (np.diff(matrix.indptr) < 0).any():
        raise ValueError("the starts of its rows do not ascend from 0")


def _refuse_non_finite(X: Any, rows: Rows, name: str) -> None:
    values = rows.data if is_sparse(rows) else rows
    if _all_finite(values):
        return
    names = column_labels(X, rows.shape[1])

    def columns(bad: NDArray[np.bool_]) -> list[str]:
        found = np.unique(rows.indices[bad]) if is_sparse(rows) else np.flatnonzero(bad.any(axis=0))
        return [names[c] for c in found]

    refuse_missing(name, columns(np.isnan(values)))
    refuse_infinite(name, columns(np.isinf(values)))


def _all_finite(values: NDArray[np.float64]) -> bool:
    """Whether all are, a part at a time: rows of a memory map may be more than there is memory."""
    step = max(_AT_ONCE // max(values[:1].size, 1), 1)
    parts = range(0, len(values), step)
    return all(bool(np.isfinite(values[at : at + step]).all()) for at in parts)


def with_short_indices(rows: Rows) -> Rows:
    """Convert sparse rows to 32-bit indices where they fit, as some estimators need them."""
    limit = np.iinfo(np.int32).max
    if not is_sparse(rows) or max(rows.nnz, *rows.shape) > limit:
        return rows
    return type(rows)(
        (rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int32)), shape=rows.shape
    )


def real_matrix(matrix: Any, name: str) -> NDArray[np.float64]:
    """Array of float64 numbers, C-ordered, not copied where it need not be."""
    if is_sparse(matrix):
        matrix = matrix.toarray()
    try:
        array = np.asarray(matrix)
        if array.dtype.kind not in "biufO":
            raise TypeError
        return np.asarray(array, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise TypeError(f"{name} has entries that are not real numbers") from None


def column_names(X: object) -> list[str] | None:
    """Names of the columns of a data frame, None for anything else."""
    columns = getattr(X, "columns", None)
    return None if columns is None else [str(column) for column in columns]


class Tables:
    """The tables of rows that a set of kernels reads: the data itself, or views of it."""

    def __init__(self) -> None:
        self._views: list[Any] = []

    def whole(self) -> int:
        """Index of the table with all columns."""
        return self.view(None)

    def view(self, view: Any) -> int:
        """Index of the table that ``view(rows)`` makes; equal views share one."""
        if view not in self._views:
            self._views.append(view)
        return self._views.index(view)

    @property
    def copy_rows(self) -> bool:
        """Whether a table is more than the data itself."""
        return any(view is not None for view in self._views)

    def of(self, rows: Rows) -> list[Rows]:
        """Make the tables for the given rows."""
        return [rows if view is None else view(rows) for view in self._views]


def make_sample(
    tables: list[Rows], codes: NDArray[np.int64] | None = None, like: core.Sample | None = None
) -> core.Sample:
    """Hand tables of rows to the core, grouped by class codes (one group without them).

    `like` is the sample of other rows that these are compared with.
    """
    n = tables[0].shape[0] if tables else 0
    if codes is None:
        codes = np.zeros(n, dtype=np.int64)
    sample = core.Sample(codes.tolist(), int(codes.max()) + 1 if len(codes) else 1)
    for table in core_tables(tables):
        if isinstance(table, tuple):
            sample.add_sparse(*table)
        else:
            sample.add_dense(table, like)
    return sample


def core_tables(tables: list[Rows]) -> core._RowTables:
    """Tables of rows in the form in which the core reads them."""
    return [_sparse_parts(_canonical(table)) if is_sparse(table) else table for table in tables]


def _sparse_parts(rows: Rows) -> core._SparseTable:
    return (
        aligned(rows.data),
        aligned(rows.indices.astype(np.int32, copy=False)),
        aligned(rows.indptr.astype(np.int64, copy=False)),
        rows.shape[1],
    )
