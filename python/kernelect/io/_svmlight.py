"""Read svmlight (LIBSVM) text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from ._columns import Names, numbered, some
from ._dataset import Dataset, dense_if_full, two_rows, whole_numbers
from ._files import DAMAGED, cause, name_of, open_once
from ._recipe import Recipe


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
    return learn_svmlight(Path(path), columns=columns, drop=drop)[0]


def learn_svmlight(
    path: Path, *, columns: Names = None, drop: Names = None
) -> tuple[Dataset, Recipe]:
    """Read svmlight text with the arguments of `read_svmlight`, and remember how."""
    name = name_of(path)
    rows, y = _rows_and_target(path)
    two_rows(name, rows.shape[0])
    from_zero = rows[:, :1].nnz > 0
    X = rows if from_zero else rows[:, 1:]
    width = X.shape[1]
    kept = some(name, width, columns, drop)
    places = range(width) if kept is None else kept
    names = numbered(width)  # once: text has tens of thousands of columns
    known = tuple(names[place] for place in places)
    X = dense_if_full(X if kept is None else X[:, kept])
    sparse = scipy.sparse.issparse(X)
    recipe = Recipe("svmlight", width, known, from_zero=from_zero, sparse=sparse)
    return Dataset(X, y), recipe


def read_svmlight_again(recipe: Recipe, path: Path) -> Dataset:
    """Read svmlight text as a recipe says: columns at the end may have no entry."""
    rows, y = _rows_and_target(path)
    X = rows if recipe.from_zero else rows[:, 1:]
    if X.shape[1] > recipe.width:
        raise ValueError(
            f"{name_of(path)} has {X.shape[1]} columns, and the model was fitted with "
            f"{recipe.width}"
        )
    shape = (X.shape[0], recipe.width)
    wide = scipy.sparse.csr_array((X.data, X.indices, X.indptr), shape=shape)
    return Dataset(recipe.taken(wide), y)


def _rows_and_target(
    path: Path,
) -> tuple[scipy.sparse.csr_array[np.float64], NDArray[Any]]:
    """Return the rows, with indices as they are in the file, and the target."""
    from sklearn.datasets import load_svmlight_file

    name = name_of(path)
    with open_once(path) as file:
        try:
            rows, y = load_svmlight_file(file, dtype=np.float64, zero_based=True)
        except (ValueError, OverflowError, *DAMAGED) as error:
            raise ValueError(
                f"{name} cannot be read as svmlight text ({cause(error)}): each line "
                "must be 'target index:value index:value ...'; a table must be named .csv, a NumPy "
                "archive .npz, or their format be given"
            ) from None
    if rows.shape[0] == 0:
        raise ValueError(f"{name} has no rows; at least two lines of svmlight text are needed")
    return scipy.sparse.csr_array(rows), whole_numbers(np.asarray(y))
