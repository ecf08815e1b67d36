"""New rows a few at a time, so that no matrix of new by training rows is ever whole."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .._data.rows import is_sparse

# Bytes of kernel values between new and training rows that are held at a time.
_MEMORY = 64e6
# A kernel on fewer rows than these costs more in calls than in work.
_FEWEST = 64


def row_chunks(rows: int, against: int) -> Iterator[slice]:
    """Yield slices of rows whose kernel values against as many others fit into memory."""
    size = max(int(_MEMORY / (8.0 * max(against, 1))), _FEWEST)
    for start in range(0, rows, size):
        yield slice(start, min(start + size, rows))


def joined(parts: list[Any]) -> Any:
    """Put together what rows gave a few at a time: arrays, sparse matrices or data frames."""
    if len(parts) == 1:
        return parts[0]
    if hasattr(parts[0], "columns"):
        whole = import_module(type(parts[0]).__module__.partition(".")[0]).concat(parts)
        return whole.reset_index(drop=True) if hasattr(whole, "reset_index") else whole
    return sp.vstack(parts, format="csr") if is_sparse(parts[0]) else np.concatenate(parts)


def kernel_times(kernel: Any, X: Any, Y: Any, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute ``kernel(X, Y) @ vectors`` without the matrix; refuse what leaves floating point."""
    out = np.empty((X.shape[0], vectors.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        for part in row_chunks(X.shape[0], Y.shape[0]):
            out[part] = kernel(X[part], Y) @ vectors
    lost = np.flatnonzero(~np.isfinite(out).all(axis=1))
    if len(lost):
        raise ValueError(
            f"X: row {lost[0]} is so large that the kernel has no finite value on it; scale it as "
            "the rows of the fit are"
        )
    return out
