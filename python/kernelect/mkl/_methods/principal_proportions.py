"""Leading eigenvalues of kernel matrices, for the principal eigenvalue proportion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._dispatch import core
from ..._support.arrays import FloatArray
from ..._support.memory import can_be_stored
from .._bases import BaseStack
from .._clock import tick

# Errors of a sum of eigenvalues, relative to the largest, and of their vectors.
_TOLERANCE, _OF_VECTORS = 1e-10, 1e-7


def leading_eigenpairs(
    matrix: FloatArray, count: int, threads: int
) -> tuple[FloatArray, FloatArray]:
    """Find the largest eigenvalues, descending, and their eigenvectors as columns."""
    found = core.leading_spectrum(
        matrix,
        count=count,
        vectors=True,
        tolerance=_TOLERANCE,
        vector_tolerance=_OF_VECTORS,
        warm=None,
        threads=threads,
        progress=tick(),
    )
    assert found["vectors"] is not None  # they were asked for
    return found["values"][:count], found["vectors"]


def principal_proportions(
    stack: BaseStack, counts: list[int], kernels: NDArray[np.int64] | None = None
) -> FloatArray:
    """PEP of every kernel, ``sum of the t largest eigenvalues / trace``, for every t of `counts`.

    Kernels (all, or those of the given places) x counts; t is taken as n - 1 where it is larger.
    """
    most = max(min(max(counts), stack.n - 1), 1)
    chosen = range(stack.size) if kernels is None else kernels
    found = core.kernel_spectra(
        stack.sample,
        [stack.programs[k] for k in chosen],
        count=most,
        store=can_be_stored(stack.n),
        tolerance=_TOLERANCE,
        threads=stack.threads,
        progress=tick(),
    )
    sums = np.cumsum(found["values"][:, :most], axis=1)[:, [min(t, most) - 1 for t in counts]]
    return np.asarray(np.clip(sums / np.asarray(found["trace"])[:, None], 0.0, 1.0))
