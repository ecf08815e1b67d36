"""Read svmlight (LIBSVM) text."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import scipy.sparse

from ._columns import Names, some
from ._dataset import Dataset, dense_if_full, two_rows, whole_numbers
from ._files import DAMAGED, cause, name_of, open_once


def read_svmlight(
    path: str | os.PathLike[str], *, columns: Names = None, drop: Names = None
) -> Dataset:
    r"""Read svmlight (LIBSVM) text: on each line the target, then ``index:value`` pairs.

    Rows stay sparse unless a quarter of the entries or more are non-zero.

    Parameters
    ----------
    path : str or path
        The file, as it is or compressed (``.gz``, ``.bz2``, ``.xz``); ``"-"`` for standard input.
    columns, drop : list of int, optional
        The columns to learn from, or those to leave out, by their places counted from 1; not both.

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
    name = name_of(path)
    with open_once(path) as file:
        try:
            rows, y = load_svmlight_file(file, dtype=np.float64)
        except (ValueError, OverflowError, *DAMAGED) as error:
            raise ValueError(
                f"{name} cannot be read as svmlight text ({cause(error)}): each line "
                "must be 'target index:value index:value ...'; a table must be named .csv, a NumPy "
                "archive .npz, or their format be given"
            ) from None
    if rows.shape[0] == 0:
        raise ValueError(f"{name} has no rows: svmlight text with at least two is wanted")
    two_rows(name, rows.shape[0])
    X = scipy.sparse.csr_array(rows)
    kept = some(name, X.shape[1], columns, drop)
    X = X if kept is None else X[:, kept]
    return Dataset(dense_if_full(X), whole_numbers(np.asarray(y)))
