"""Kernel matrices of several candidates as one table whose rows and columns are samples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._data.rows import is_sparse, real_matrix
from .._support.arguments import shown
from .._support.arrays import IntArray


class KernelStackView:
    """Kernel matrices of several candidates, cut by rows and columns as one matrix would be.

    For scikit-learn's cross-validation with ``kernels="precomputed"``: a stack of shape
    (n_kernels, n, n) has kernels where scikit-learn looks for samples; this has the samples in
    front, so that ``cross_val_score``, ``GridSearchCV`` and the like take the training rows and
    columns of every matrix for a fit, and the test rows with the training columns to predict.

    Parameters
    ----------
    matrices : list or stack of array-like of shape (m, n)
        One matrix per kernel, all of one shape: (n, n) among the training rows, or (m, n) between m
        new rows and those.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns of every matrix.
    matrices : list of ndarray
        The matrices, cut to the rows and columns in view; nothing is copied before.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> stack = ke.KernelStackView([kernel(X) for kernel in ke.gaussian_grid(-2, 4)])
    >>> stack.shape, stack[:30, :].shape, len(stack.matrices)
    ((150, 150), (30, 150), 7)
    >>> bool(cross_val_score(ke.KernelSelector(SVC(), "precomputed"), stack, y).mean() > 0.95)
    True
    """

    ndim = 2

    def __init__(self, matrices: Any) -> None:
        listed = _listed(matrices)
        if not listed:
            raise ValueError("matrices is empty; give at least one kernel matrix")
        shapes = [np.shape(matrix) for matrix in listed]
        if any(len(shape) != 2 or shape != shapes[0] for shape in shapes):
            given = next(s for s in shapes if len(s) != 2 or s != shapes[0])
            raise ValueError(
                f"matrices must all have one shape of two axes, but one has {given} and the first "
                f"{shapes[0]}"
            )
        self._whole = listed
        self._rows, self._columns = (np.arange(count) for count in shapes[0])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of every matrix."""
        return len(self._rows), len(self._columns)

    @property
    def matrices(self) -> list[NDArray[np.float64]]:
        """The matrices, cut to the rows and columns in view."""
        arrays = [real_matrix(m, f"kernel matrix {k}") for k, m in enumerate(self._whole)]
        if self.shape == arrays[0].shape and _in_order(self._rows) and _in_order(self._columns):
            return arrays
        at = np.ix_(self._rows, self._columns)
        return [np.ascontiguousarray(array[at]) for array in arrays]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, key: Any) -> KernelStackView:
        """Cut every matrix: by rows, or by a pair of rows and columns as of ``numpy.ix_``."""
        parts = key if isinstance(key, tuple) else (key,)
        if len(parts) > 2:
            raise IndexError("a stack of kernel matrices can be indexed by rows and columns only")
        rows, columns = (*parts, slice(None))[:2]
        part = object.__new__(KernelStackView)
        part._whole = self._whole
        part._rows = _cut(self._rows, rows)
        part._columns = _cut(self._columns, columns)
        return part

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.matrices, dtype=dtype)

    def __repr__(self) -> str:
        return f"KernelStackView({len(self._whole)} kernels, shape={self.shape})"


def matrices_in(X: Any, wanted: str) -> list[Any]:
    """List the matrices of a stack, a list or a view; one matrix alone is a list of one.

    Parameters
    ----------
    X : object
        What the caller gave in place of rows.
    wanted : str
        What it should be, for the error.

    Returns
    -------
    list
        Matrices of two axes.
    """
    if X is None or isinstance(X, (str, bytes)):
        raise TypeError(f"{wanted}, not {shown(X)}")
    if not (isinstance(X, (Iterable, KernelStackView)) or is_sparse(X)):
        raise TypeError(f"{wanted}, not {shown(X)}")
    return _listed(X)


def _listed(X: Any) -> list[Any]:
    if isinstance(X, KernelStackView):
        return list(X.matrices)
    return [X] if getattr(X, "ndim", None) == 2 else list(X)


def _cut(places: IntArray, key: Any) -> IntArray:
    """Apply one part of an index, of which ``numpy.ix_`` makes an array of two axes."""
    if key is Ellipsis:  # scikit-learn takes rows by ``X[rows, ...]``
        return places
    return np.atleast_1d(places[key if isinstance(key, slice) else np.asarray(key).ravel()])


def _in_order(places: IntArray) -> bool:
    return bool((places == np.arange(len(places))).all())
