"""Landmarks by randomly pivoted Cholesky."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._data.rows import Tables, core_tables
from ..._dispatch import core
from ..._support.arrays import IntArray
from ..._support.progress import Tick
from ..._support.threads import limit_blas
from ...kernels import Kernel, Precomputed
from .model import Landmarks


def choose(
    kernel: Kernel,
    pool: Any,
    numbers: IntArray,
    count: int,
    *,
    tolerance: float = 0.0,
    seed: int = 0,
    threads: int = 1,
    tick: Tick | None = None,
) -> Landmarks:
    """Choose at most `count` landmarks among the rows of a pool by randomly pivoted Cholesky.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    pool : ndarray or sparse matrix of shape (size, n_features), or (size, size)
        Rows to choose from; for a kernel that is a stored matrix its entries among them.
    numbers : ndarray of int64
        Which rows of the data these are.
    count : int
        The most landmarks.
    tolerance : float, default=0.0
        Stop when the landmarks leave no more than this of the mean k(x, x).
    seed : int, default=0
        Of the random numbers, which are the same for all kernels.
    threads, tick
        As for `Landmarks.sums`.

    Returns
    -------
    Landmarks
        Fewer than `count` where the kernel's rank, to working precision, is lower.
    """
    how: dict[str, Any] = {
        "limit": count,
        "tolerance": tolerance,
        "seed": seed,
        "threads": threads,
        "progress": tick,
    }
    with limit_blas(1):
        if not kernel.in_core:
            stored = isinstance(kernel, Precomputed)
            matrix = np.ascontiguousarray(pool if stored else kernel._matrix(pool, None))
            found = core.choose_stored_landmarks(matrix, **how)
        else:
            tables = Tables()
            program = kernel._program(tables)
            found = core.choose_landmarks(program, core_tables(tables.of(pool)), **how)
    places = found["rows"]
    of_rows = pool[places]
    if isinstance(kernel, Precomputed):
        of_rows = np.ascontiguousarray(of_rows[:, places])
    left = found["left"]
    complete = len(places) < count or bool(left[-1] <= tolerance)
    return Landmarks(kernel, of_rows, numbers[places], found["origin"], left, complete)
