"""Leading eigenvalues of kernel matrices, for the principal eigenvalue proportion."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ._bases import Stack

FloatArray = NDArray[np.float64]


def leading_eigenpairs(matrix: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """Find the largest eigenvalues, descending, and their eigenvectors as columns."""
    values, vectors = scipy.linalg.eigh(matrix, check_finite=False, driver="evd")
    return values[::-1][:count], vectors[:, ::-1][:, :count]


def leading_eigenvalues(matrix: FloatArray, count: int) -> FloatArray:
    """Find the largest eigenvalues, descending."""
    return np.asarray(np.linalg.eigvalsh(matrix)[::-1][:count])


def principal_proportions(
    stack: Stack, counts: list[int], kernels: NDArray[np.int64] | None = None
) -> FloatArray:
    """PEP of every kernel, ``sum of the t largest eigenvalues / trace``, for every t of `counts`.

    Kernels (all, or those of the given places) x counts; t is taken as n - 1 where it is larger.
    """
    most = max(min(max(counts), stack.n - 1), 1)
    last = [min(t, most) - 1 for t in counts]
    chosen = np.arange(stack.size) if kernels is None else kernels
    proportions = np.empty((len(chosen), len(counts)))
    traces = stack.traces()
    for row, k in enumerate(chosen):
        sums = np.cumsum(leading_eigenvalues(stack.matrix(int(k)), most))
        proportions[row] = np.clip(sums[last] / traces[k], 0.0, 1.0)
    return proportions
