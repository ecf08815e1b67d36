"""Read data files: svmlight text, CSV with a header, and NumPy archives.

The ending of the name decides: ``.csv`` and ``.tsv`` are tables with a header, ``.npz`` is a NumPy
archive, anything else is svmlight (LIBSVM) text, as those files carry many endings or none. Text
may be compressed (``.gz``, ``.bz2``, ``.xz``). Nothing but NumPy, SciPy and scikit-learn is needed.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from .._data.rows import with_short_indices
from ._csv_table import listed, parse, whole_numbers

__all__ = ["Dataset", "read", "read_csv", "read_npz", "read_svmlight"]

# From this share of non-zero entries on, dense rows are both smaller than three times the sparse
# ones and much faster: a dense tile is one matrix product.
_DENSE_FROM = 0.25

_COMPRESSED: dict[str, Callable[[Path], Any]] = {
    ".gz": gzip.GzipFile,
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}

# What reading a damaged file raises beside ValueError.
_DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, csv.Error)


class Dataset(NamedTuple):
    """Rows, their targets, and the names of the columns where the file has them.

    Attributes
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        The features, float64; sparse rows stay sparse.
    y : ndarray of shape (n_samples,)
        The target: integers where all values are whole numbers, else float64; text stays text.
    feature_names : list of str or None
        The columns of ``X`` by name, or None where the format has no names.
    """

    X: NDArray[np.float64] | scipy.sparse.csr_array[np.float64]
    y: NDArray[Any]
    feature_names: list[str] | None = None


def read(path: str | os.PathLike[str], *, target: str | None = None) -> Dataset:
    r"""Read a data file; the ending of its name decides how.

    Parameters
    ----------
    path : str or path
        ``.csv`` or ``.tsv``: a table with a header (`read_csv`); ``.npz``: a NumPy archive
        (`read_npz`); anything else: svmlight text (`read_svmlight`).
    target : str, optional
        The column (CSV) or the array (npz) to predict: by default the last column, or ``y``.

    Returns
    -------
    Dataset
        ``X``, ``y`` and ``feature_names``.

    Raises
    ------
    ValueError
        If the file is not there, damaged, or not what its name says.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "flowers.csv")
    >>> _ = path.write_text("length,width,kind\n1.5,0.2,small\n4.7,1.4,large\n")
    >>> X, y, names = read(path)
    >>> X.shape, y.tolist(), names
    ((2, 2), ['small', 'large'], ['length', 'width'])
    """
    path = Path(path)
    suffix = _plain_suffix(path)
    if suffix in (".csv", ".tsv"):
        return read_csv(path, target=target)
    if suffix == ".npz":
        return read_npz(path, target=target)
    if target is not None:
        raise ValueError(
            f"{path.name} is read as svmlight text, where the target comes first on each line and "
            f"has no name, so target={target!r} cannot be looked up: leave it out, or name the "
            "file .csv or .npz if it is one"
        )
    return read_svmlight(path)


def read_svmlight(path: str | os.PathLike[str]) -> Dataset:
    r"""Read svmlight (LIBSVM) text: on each line the target, then ``index:value`` pairs.

    Rows stay sparse unless a quarter of the entries or more are non-zero.

    Parameters
    ----------
    path : str or path
        The file, as it is or compressed (``.gz``, ``.bz2``, ``.xz``).

    Returns
    -------
    Dataset
        Without feature names; indices that start at one are shifted to zero.

    Raises
    ------
    ValueError
        If the file is not there, damaged, or not svmlight text.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "two_rows.svm")
    >>> _ = path.write_text("+1 1:0.5 3:2\n-1 2:1\n")
    >>> X, y, _ = read_svmlight(path)
    >>> X.tolist(), y.tolist()
    ([[0.5, 0.0, 2.0], [0.0, 1.0, 0.0]], [1, -1])
    """
    from sklearn.datasets import load_svmlight_file

    path = Path(path)
    with _open_binary(path) as file:
        try:
            rows, y = load_svmlight_file(file, dtype=np.float64)
        except (ValueError, OverflowError, *_DAMAGED) as error:
            raise ValueError(
                f"{path.name} cannot be read as svmlight text ({_first_line(error)}): each line "
                "must be 'target index:value index:value ...', and a table must be named .csv, "
                "a NumPy archive .npz"
            ) from None
    if rows.shape[0] == 0:
        raise ValueError(f"{path.name} has no rows: svmlight text with at least two is wanted")
    X = scipy.sparse.csr_array(rows)
    return Dataset(_dense_if_full(X), whole_numbers(np.asarray(y)))


def read_csv(path: str | os.PathLike[str], *, target: str | None = None) -> Dataset:
    r"""Read a CSV table with a header; every column but the target must be numeric.

    Parameters
    ----------
    path : str or path
        The file, as it is or compressed. Cells are separated by commas, or, where the header has
        no comma, by semicolons or tabs.
    target : str, optional
        The name of the column to predict; by default the last one. It may hold text.

    Returns
    -------
    Dataset
        With the names of the feature columns.

    Raises
    ------
    ValueError
        If the file is not there, damaged, has no header, lacks the target, or has text or missing
        cells in the features; the columns are named.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "people.csv")
    >>> _ = path.write_text("age,town\n31,Ulm\n,Bonn\n")
    >>> read_csv(path)
    Traceback (most recent call last):
    ...
    ValueError: people.csv: column 'age' (missing in row 2) is not numeric ...
    """
    path = Path(path)
    with TextIOWrapper(_open_binary(path), encoding="utf-8-sig", newline="") as text:
        try:
            return Dataset(*parse(path.name, text, target))
        except UnicodeDecodeError:
            raise ValueError(f"{path.name} is not UTF-8 text: save it as CSV in UTF-8") from None
        except _DAMAGED as error:
            raise ValueError(f"{path.name} cannot be read as CSV: {_first_line(error)}") from None


def read_npz(path: str | os.PathLike[str], *, target: str | None = None) -> Dataset:
    """Read a NumPy archive with the arrays ``X`` and ``y``.

    Sparse rows are kept as the parts that `scipy.sparse.save_npz` writes (``data``, ``indices``,
    ``indptr``, ``shape``, ``format``), with ``y`` added, in place of ``X``.

    Parameters
    ----------
    path : str or path
        An archive made by `numpy.savez` or `numpy.savez_compressed`.
    target : str, optional
        The name of the array to predict; by default ``y``.

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
    name = "y" if target is None else target
    _open_binary(path).close()
    if not zipfile.is_zipfile(path):
        raise ValueError(
            f"{path.name} is no NumPy archive: make it with numpy.savez(file, X=X, y=y)"
        )
    try:
        with np.load(path, allow_pickle=False) as archive:
            found = list(archive.files)
            y = archive[name] if name in found else None
            sparse = "X" not in found and {"format", "shape", "data"} <= set(found)
            X: Any = archive["X"] if "X" in found else None
        if sparse:
            X = scipy.sparse.load_npz(path)
    except Exception as error:  # noqa: BLE001 (damage surfaces as nearly anything)
        raise ValueError(
            f"{path.name} cannot be read as a NumPy archive ({_first_line(error)}): make it with "
            "numpy.savez(file, X=X, y=y), without arrays of objects"
        ) from None
    if y is None or X is None:
        lacking = name if y is None else "X"
        raise ValueError(
            f"{path.name} has no array {lacking!r} (it has {listed(found)}): make it with "
            f"numpy.savez(file, X=X, {name}={name}), or give the target's name"
        )
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(
            f"{path.name}: the target {name!r} has shape {y.shape}, one value per row is wanted"
        )
    if sparse:
        X = _dense_if_full(scipy.sparse.csr_array(X, dtype=np.float64))
    elif X.ndim != 2 or X.dtype.kind not in "fiub":
        raise ValueError(
            f"{path.name}: X has shape {X.shape} and type {X.dtype}, a table of numbers with one "
            "row per sample is wanted"
        )
    if X.shape[0] != y.shape[0]:
        raise ValueError(f"{path.name}: X has {X.shape[0]} rows but {name!r} has {y.shape[0]}")
    return Dataset(X if sparse else X.astype(np.float64), y)


def _plain_suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _open_binary(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            if not file.read(1):
                raise ValueError(f"{path.name} is empty")
        opener = _COMPRESSED.get(path.suffix.lower())
        return opener(path) if opener else path.open("rb")
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def _dense_if_full(
    X: scipy.sparse.csr_array[np.float64],
) -> NDArray[np.float64] | scipy.sparse.csr_array[np.float64]:
    cells = X.shape[0] * X.shape[1]
    if cells and X.nnz >= _DENSE_FROM * cells:
        return X.toarray()
    found: scipy.sparse.csr_array[np.float64] = with_short_indices(X)
    return found
