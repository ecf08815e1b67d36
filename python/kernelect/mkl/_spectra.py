"""Leading eigenvalues of kernel matrices, for the principal eigenvalue proportion."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ._bases import Stack

FloatArray = NDArray[np.float64]


def leading_eigenpairs(matrix: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """The largest eigenvalues, descending, and their eigenvectors as columns."""
    values, vectors = scipy.linalg.eigh(matrix, check_finite=False, driver="evd")
    return values[::-1][:count], vectors[:, ::-1][:, :count]


def leading_eigenvalues(matrix: FloatArray, count: int) -> FloatArray:
    """The largest eigenvalues, descending."""
    return np.asarray(np.linalg.eigvalsh(matrix)[::-1][:count])


def principal_proportions(stack: Stack, counts: list[int]) -> FloatArray:
    """PEP of every kernel, ``sum of the t largest eigenvalues / trace``, for every t of `counts`.

    Kernels x counts; t is taken as n - 1 where it is larger.
    """
    most = min(max(counts), stack.n - 1)
    proportions = np.empty((stack.size, len(counts)))
    traces = stack.traces()
    for k in range(stack.size):
        sums = np.cumsum(leading_eigenvalues(stack.matrix(k), most))
        places = [min(t, most) - 1 for t in counts]
        proportions[k] = np.clip(sums[places] / traces[k], 0.0, 1.0)
    return proportions
