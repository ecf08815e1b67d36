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
from ._columns import Names, listed, numbered, some
from ._dataset import Dataset, dense_if_full, two_rows
from ._files import cause, name_of, open_once, seekable
from ._recipe import Recipe, medians_of


def read_npz(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    groups: str | None = None,
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
    groups : str, optional
        The name of an array that says which rows belong together: the data set's ``groups``.
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
    check_flag(impute, "impute")
    asked: dict[str, Any] = {"target": target, "groups": groups, "columns": columns, "drop": drop}
    return learn_npz(Path(path), **asked, impute=impute)[0]


def learn_npz(
    path: Path,
    *,
    target: str | None = None,
    groups: str | None = None,
    columns: Names = None,
    drop: Names = None,
    impute: bool = False,
) -> tuple[Dataset, Recipe]:
    """Read an archive with the arguments of `read_npz`, and remember how."""
    name = name_of(path)
    target = "y" if target is None else target
    X, y, named = _parts(path, target, groups, needed=True)
    assert y is not None
    two_rows(name, len(y))
    width = X.shape[1]
    kept = some(name, width, columns, drop)
    places = range(width) if kept is None else kept
    X = X if kept is None else X[:, kept]
    names = numbered(width)
    known = [names[place] for place in places]
    medians: dict[str, float] = {}
    if impute:
        if scipy.sparse.issparse(X):
            raise ValueError(
                f"{name} holds sparse rows, in which a gap and a zero look the same: leave impute "
                "out"
            )
        medians = medians_of(X, known, name)
    text = y.dtype.kind in "OUS"
    sparse = scipy.sparse.issparse(X)
    recipe = Recipe("npz", width, tuple(known), target, text, {}, medians, impute, sparse=sparse)
    return Dataset(recipe.fill_in(X, known) if impute else X, y, groups=named), recipe


def read_npz_again(recipe: Recipe, path: Path) -> Dataset:
    """Read an archive as a recipe says."""
    X, y, _ = _parts(path, recipe.target or "y", None, needed=False)
    if X.shape[1] != recipe.width:
        raise ValueError(
            f"{name_of(path)} has {X.shape[1]} columns, and the model was fitted with "
            f"{recipe.width}"
        )
    X = recipe.taken(X)
    return Dataset(recipe.fill_in(X, recipe.columns) if recipe.impute else X, y)


def _parts(path: Path, target: str, groups: str | None, *, needed: bool) -> tuple[Any, Any, Any]:
    """Return rows, target and groups; None for a target that is neither there nor needed."""
    name = name_of(path)
    with open_once(path) as opened:
        file = seekable(opened)
        if not zipfile.is_zipfile(file):
            raise ValueError(
                f"{name} is not a NumPy archive: make it with numpy.savez(file, X=X, y=y)"
            )
        try:
            file.seek(0)
            with np.load(file, allow_pickle=False) as archive:
                found = list(archive.files)
                y = _array(archive, target) if target in found else None
                named = _array(archive, groups) if groups is not None and groups in found else None
                sparse = "X" not in found and {"format", "shape", "data"} <= set(found)
                X: Any = _array(archive, "X") if "X" in found else None
            if sparse:
                file.seek(0)
                X = _sparse_rows(scipy.sparse.load_npz(file))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 (damage surfaces as nearly anything)
            raise ValueError(
                f"{name} cannot be read as a NumPy archive ({cause(error)}): make it with "
                "numpy.savez(file, X=X, y=y), without arrays of objects"
            ) from None
    if (needed and y is None) or X is None:
        lacking = "X" if X is None and not (needed and y is None) else target
        raise ValueError(
            f"{name} has no array {lacking!r} (it has {listed(found)}): make it with "
            f"numpy.savez(file, X=X, {target}={target}), or give the target's name"
        )
    if groups is not None and named is None:
        raise ValueError(f"{name} has no array {groups!r} of groups (it has {listed(found)})")
    if sparse:
        X = dense_if_full(X)
    elif X.ndim != 2 or X.dtype.kind not in "fiub":
        raise ValueError(
            f"{name}: X has shape {X.shape} and type {X.dtype}; it must be a table of numbers "
            "with one row per sample"
        )
    y = _one_per_row(name, X, target, "target", y)
    named = _one_per_row(name, X, groups, "array of groups", named)
    return X if sparse else X.astype(np.float64), y, named


def _one_per_row(name: str, X: Any, array: Any, part: str, values: Any) -> Any:
    """Return an array of one value for each row, checked; None stays what it is."""
    if values is None:
        return None
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(
            f"{name}: the {part} {array!r} has shape {values.shape}; it must have one value per row"
        )
    if X.shape[0] != values.shape[0]:
        raise ValueError(f"{name}: X has {X.shape[0]} rows but {array!r} has {values.shape[0]}")
    return values


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
