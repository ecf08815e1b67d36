"""Read NumPy archives, with dense rows or the parts of sparse ones."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from .._data.rows import check_sparse
from .._support.arguments import check_flag
from ._cells import fill_in
from ._columns import Names, listed, numbered, some
from ._dataset import Dataset, dense_if_full, two_rows
from ._files import cause, name_of, open_once, seekable


def read_npz(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    columns: Names = None,
    drop: Names = None,
    impute: bool = False,
) -> Dataset:
    """Read a NumPy archive with the arrays ``X`` and ``y``.

    Sparse rows are kept as the parts that `scipy.sparse.save_npz` writes (``data``, ``indices``,
    ``indptr``, ``shape``, ``format``), with ``y`` added, in place of ``X``.

    Parameters
    ----------
    path : str or path
        An archive made by `numpy.savez` or `numpy.savez_compressed`; ``"-"`` for standard input.
    target : str, optional
        The name of the array to predict; by default ``y``.
    columns, drop : list of int, optional
        The columns to learn from, or those to leave out, by their places counted from 1; not both.
    impute : bool, default=False
        Put the column's median in place of NaN, in dense rows.

    Returns
    -------
    Dataset
        Without feature names.

    Raises
    ------
    ValueError
        If the file is not there, damaged, or lacks one of the arrays.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "data.npz")
    >>> np.savez(path, X=[[0.0, 1.0], [2.0, 3.0]], y=["no", "yes"])
    >>> read_npz(path).y.tolist()
    ['no', 'yes']
    """
    path = Path(path)
    file_name = name_of(path)
    check_flag(impute, "impute")
    name = "y" if target is None else target
    with open_once(path) as opened:
        file = seekable(opened)
        if not zipfile.is_zipfile(file):
            raise ValueError(
                f"{file_name} is no NumPy archive: make it with numpy.savez(file, X=X, y=y)"
            )
        try:
            file.seek(0)
            with np.load(file, allow_pickle=False) as archive:
                found = list(archive.files)
                y = _array(archive, name) if name in found else None
                sparse = "X" not in found and {"format", "shape", "data"} <= set(found)
                X: Any = _array(archive, "X") if "X" in found else None
            if sparse:
                file.seek(0)
                X = _sparse_rows(scipy.sparse.load_npz(file))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 (damage surfaces as nearly anything)
            raise ValueError(
                f"{file_name} cannot be read as a NumPy archive ({cause(error)}): make it with "
                "numpy.savez(file, X=X, y=y), without arrays of objects"
            ) from None
    if y is None or X is None:
        lacking = name if y is None else "X"
        raise ValueError(
            f"{file_name} has no array {lacking!r} (it has {listed(found)}): make it with "
            f"numpy.savez(file, X=X, {name}={name}), or give the target's name"
        )
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(
            f"{file_name}: the target {name!r} has shape {y.shape}, one value per row is wanted"
        )
    if sparse:
        X = dense_if_full(X)
    elif X.ndim != 2 or X.dtype.kind not in "fiub":
        raise ValueError(
            f"{file_name}: X has shape {X.shape} and type {X.dtype}, a table of numbers with one "
            "row per sample is wanted"
        )
    if X.shape[0] != y.shape[0]:
        raise ValueError(f"{file_name}: X has {X.shape[0]} rows but {name!r} has {y.shape[0]}")
    two_rows(file_name, len(y))
    X = _chosen(file_name, X if sparse else X.astype(np.float64), columns, drop)
    return Dataset(_filled(file_name, X) if impute else X, y)


def _chosen(name: str, X: Any, columns: Names, drop: Names) -> Any:
    kept = some(name, X.shape[1], columns, drop)
    return X if kept is None else X[:, kept]


def _filled(name: str, X: Any) -> Any:
    if scipy.sparse.issparse(X):
        raise ValueError(
            f"{name} holds sparse rows, in which a gap and a zero look the same: leave impute out"
        )
    return fill_in(X, numbered(X.shape[1]), name)


def _array(archive: Any, name: str) -> Any:
    """Return a member, which may be a file that NumPy has not written."""
    member = archive[name]
    if not isinstance(member, np.ndarray):
        raise TypeError(f"{name!r} is not an array")
    return member


def _sparse_rows(parts: Any) -> scipy.sparse.csr_array[np.float64]:
    """Make rows of what an archive holds, once its parts are known to fit together."""
    if parts.ndim != 2 or parts.dtype.kind not in "fiub":
        raise ValueError(f"sparse rows have shape {parts.shape} and type {parts.dtype}")
    check_sparse(parts)
    return scipy.sparse.csr_array(parts, dtype=np.float64)
