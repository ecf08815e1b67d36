"""Kernel matrices in place of rows, as candidates of a meta-estimator.

As in scikit-learn's ``kernel="precomputed"``, new rows are given by their kernel values with the
training rows, here one matrix per candidate or the winner's alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._data.rows import real_matrix
from ..kernels import Kernel, KernelStackView
from ..kernels._stack_view import matrices_in


def matrices_of(kernels: Any, X: Any) -> list[Any] | None:
    """Return the candidates where they are all matrices, None where there are rows.

    Parameters
    ----------
    kernels : object
        The meta-estimator's parameter: ``"precomputed"`` says that X is a stack or list of
        matrices.
    X : object
        What ``fit`` got; None where the matrices are the candidates themselves.

    Returns
    -------
    list or None
        Matrices; `kernelect.select` checks what they are.
    """
    if isinstance(kernels, str) and kernels == "precomputed":
        wanted = "with kernels='precomputed' X must be a list or stack of kernel matrices"
        listed = matrices_in(X, wanted)
        if any(np.ndim(matrix) != 2 for matrix in listed):
            raise ValueError(f"{wanted}, each of shape (n, n)")
        return listed
    if X is not None:
        return None
    if kernels is None or isinstance(kernels, (str, Kernel)) or callable(kernels):
        raise ValueError("X is None, and there are no kernel matrices among the candidates; pass X")
    return [kernels] if getattr(kernels, "ndim", None) == 2 else list(kernels)


def between(rows: NDArray[np.bool_], matrices: list[Any]) -> list[Any]:
    """Keep some rows, and the columns that go with them."""
    return [real_matrix(matrix, "a kernel matrix")[np.ix_(rows, rows)] for matrix in matrices]


def new_rows(X: Any, index: int, count: int, n: int) -> NDArray[np.float64]:
    """Find the elected kernel's values between new rows and the training rows.

    Parameters
    ----------
    X : object
        A matrix of shape (m, n) of the elected kernel, or one for each candidate; a view of one
        candidate stands for either.
    index : int
        Which was elected.
    count : int
        How many candidates there were.
    n : int
        Number of training rows.

    Returns
    -------
    ndarray of shape (m, n)
        The elected kernel's values.
    """
    wanted = f"X must be the elected kernel's matrix of shape (m, {n}), or one for each of the "
    wanted += f"{count} candidates"
    if isinstance(X, KernelStackView):
        X = X.matrices
    shape = getattr(X, "shape", None)
    if shape is None or len(shape) != 2:
        listed = list(X) if isinstance(X, Iterable) and not isinstance(X, (str, bytes)) else []
        single = bool(listed) and all(np.ndim(row) == 1 for row in listed)
        if not single and len(listed) != count:
            given = f"{len(listed)} matrices" if listed else f"of type {type(X).__name__}"
            raise ValueError(f"{wanted}, not {given}")
        X = listed if single else listed[index]
    matrix = real_matrix(X, "X")
    if matrix.ndim != 2 or matrix.shape[1] != n:
        raise ValueError(f"{wanted}, but the matrix has shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError("X contains NaN or infinity; every entry must be a finite number")
    return matrix
