"""New rows a few at a time, so that no matrix of new by training rows is ever whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._data.rows import Tables, check_rows, is_sparse, make_sample
from .._dispatch import core
from .._support.arrays import FloatArray
from .._support.threads import resolve_threads
from ._base import Kernel

# Bytes of kernel values between new and training rows, or of new rows, that are held at a time.
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


def kernels_times(
    kernels: Sequence[Kernel], X: Any, Y: Any, vectors: Sequence[FloatArray]
) -> FloatArray:
    """Compute the sum of ``kernel(X, Y) @ own`` over kernels and their vectors without a matrix.

    Kernels of one family whose widths are powers of two apart share their distances and an
    exponential. Refuses rows on which the sum leaves floating point.
    """
    out = np.zeros((X.shape[0], vectors[0].shape[1]))
    inside = [k for k, kernel in enumerate(kernels) if kernel.in_core]
    if inside:
        own = [np.ascontiguousarray(vectors[k].T) for k in inside]
        _add_streamed([kernels[k] for k in inside], X, Y, own, out)
    with np.errstate(over="ignore", invalid="ignore"):
        for k in set(range(len(kernels))) - set(inside):
            for part in row_chunks(X.shape[0], Y.shape[0]):
                out[part] += kernels[k](X[part], Y) @ vectors[k]
    lost = np.flatnonzero(~np.isfinite(out).all(axis=1))
    if len(lost):
        raise ValueError(
            f"X: row {lost[0]} is so large that the kernel has no finite value on it; scale it as "
            "the rows of the fit are"
        )
    return out


def _add_streamed(
    kernels: list[Kernel], X: Any, Y: Any, vectors: list[FloatArray], out: FloatArray
) -> None:
    tables = Tables()
    programs = [kernel._program(tables) for kernel in kernels]
    sample = make_sample(tables.of(Y))
    both_sparse = is_sparse(X) and is_sparse(Y)
    width = X.nnz // max(X.shape[0], 1) if both_sparse else X.shape[1]
    for part in row_chunks(X.shape[0], width):  # of which the core makes copies
        others = make_sample(tables.of(check_rows(X[part], "X", like=Y)), like=sample)
        out[part] += core.cross_products(
            programs, sample, others, vectors, threads=resolve_threads(None)
        )
