"""Rows of features: validation, and their way into the core."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from ._dispatch import core

# A kernel in postfix order: (operation, a, b, count, source).
Program: TypeAlias = list[tuple[str, float, float, int, int]]
# A dense array or a CSR matrix, float64; scipy's and scikit-learn's types for the latter do not meet.
Rows: TypeAlias = Any


def is_sparse(rows: object) -> bool:
    """Tell whether rows are a sparse matrix, without narrowing their type."""
    return bool(sp.issparse(rows))


def _refuse_columns(frame: Any, name: str) -> None:
    """Name the text and missing columns of a data frame, with the remedy."""
    columns = list(frame.columns)
    kinds = [getattr(frame.dtypes.iloc[i], "kind", "O") for i in range(len(columns))]
    text = [repr(str(c)) for c, kind in zip(columns, kinds, strict=True) if kind not in "biuf"]
    if text:
        verb = "is" if len(text) == 1 else "are"
        raise ValueError(
            f"{name}: column{'s' * (len(text) > 1)} {', '.join(text)} {verb} not numeric; encode "
            "them as numbers (for example with scikit-learn's OneHotEncoder) or drop them"
        )
    missing = [repr(str(c)) for c in columns if frame[c].isna().any()]
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        raise ValueError(
            f"{name}: column{'s' * (len(missing) > 1)} {', '.join(missing)} {verb} missing values; "
            "impute them (for example with scikit-learn's SimpleImputer) or drop them"
        )


def check_rows(X: Any, name: str, like: Any = None) -> Rows:
    """Dense C-ordered or CSR float64 rows from anything array-like; one clear error otherwise."""
    if X is None:
        raise TypeError(f"{name} must be an array of rows, not None")
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        _refuse_columns(X, name)
    if isinstance(X, str):
        raise TypeError(f"{name} must be an array of rows, not the text {X!r}")
    try:
        rows = check_array(
            X,
            accept_sparse="csr",
            dtype=np.float64,
            order="C",
            ensure_min_samples=1,
            ensure_all_finite=False,
            input_name=name,
        )
    except (ValueError, TypeError) as error:
        raise type(error)(_one_sentence(error)) from None
    values = rows.data if is_sparse(rows) else rows
    if not np.isfinite(values).all():
        what = "NaN" if np.isnan(values).any() else "infinity"
        raise ValueError(
            f"{name} contains {what}; impute or drop such rows, for example with SimpleImputer"
        )
    if is_sparse(rows):
        rows = rows.copy() if rows is X else rows
        rows.sum_duplicates()
        rows.sort_indices()
    if like is not None and is_sparse(rows) != is_sparse(like):
        rows = sp.csr_matrix(rows) if is_sparse(like) else np.ascontiguousarray(rows.toarray())
    return rows


def _one_sentence(error: Exception) -> str:
    """First paragraph of a scikit-learn message, without its line breaks."""
    return " ".join(str(error).split("\n\n", maxsplit=1)[0].split())


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

    def of(self, rows: Rows) -> list[Rows]:
        """Make the tables for the given rows."""
        return [rows if view is None else view(rows) for view in self._views]


def make_sample(tables: list[Rows], codes: NDArray[np.int64] | None = None) -> core.Sample:
    """Hand tables of rows to the core, grouped by class codes (one group without them)."""
    n = tables[0].shape[0] if tables else 0
    if codes is None:
        codes = np.zeros(n, dtype=np.int64)
    sample = core.Sample(codes.tolist(), int(codes.max()) + 1 if len(codes) else 1)
    for table in tables:
        if is_sparse(table):
            sample.add_sparse(
                table.data,
                table.indices.astype(np.int32, copy=False),
                table.indptr.astype(np.int64, copy=False),
                table.shape[1],
            )
        else:
            sample.add_dense(table)
    return sample
