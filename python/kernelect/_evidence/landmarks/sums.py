"""Sums of one landmark model over all rows: a chunk at a time, or where the rows are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._dask.rows import DaskRows
from ..._data.target import Target
from ..._dispatch import core
from ..._support.arrays import FloatArray, IntArray, aligned
from ..._support.progress import Tick, part_of
from ..work import Work
from .model import LEAF_ROWS, Landmarks

# Bytes of rows or kernel values that are made at a time.
MEMORY = 64e6


def sum_over_rows(
    work: Work,
    landmarks: Landmarks,
    origin: FloatArray,
    *,
    fold_of: IntArray | None = None,
    fold_count: int = 0,
    tick: Tick | None = None,
) -> core.LandmarkSums:
    """Sum over all rows of a call.

    Parameters
    ----------
    work : Work
        Rows and target.
    landmarks : Landmarks
        Those of the kernel.
    origin : ndarray of shape (n_columns,)
        A number near the mean of each column of the target.
    fold_of : ndarray of int64, optional
        The fold of each row; `fold_count` for a row in none.
    fold_count : int, default=0
        How many folds there are.
    tick : callable, optional
        Called with the fraction done.
    """

    def of_rows(rows: slice) -> partial[core.LandmarkSums]:
        return partial(
            _sums_of,
            target=work.target.part(rows).shortened(),
            origin=origin,
            folds=None if fold_of is None else fold_of[rows].astype(np.int16),
            fold_count=fold_count,
            first_row=rows.start,
        )

    if isinstance(work.rows, DaskRows) and work.matrix is None:
        found = work.rows.sums(of_rows, landmarks, LEAF_ROWS, threads=work.threads, tick=tick)
        assert isinstance(found, core.LandmarkSums)
        return found
    size = work.target.size
    total: core.LandmarkSums | None = None
    for rows in _chunks(size, landmarks):
        part = part_of(tick, rows.start / size, rows.stop / size)
        between = work.between(rows, landmarks.numbers)
        sums = of_rows(rows)(landmarks, between, threads=work.threads, tick=part)
        if total is None:
            total = sums
        else:
            total.merge(sums)
    assert total is not None
    return total


def _chunks(size: int, landmarks: Landmarks) -> Iterator[slice]:
    """Yield slices of all rows, each of whole leaves; one where no copy is made of them."""
    step = size
    if landmarks.copied:
        step = max(int(MEMORY / (8.0 * landmarks.copied)) // LEAF_ROWS, 1) * LEAF_ROWS
    for start in range(0, size, step):
        yield slice(start, min(start + step, size))


def _sums_of(
    landmarks: Landmarks,
    rows: Any,
    *,
    target: Target,
    origin: FloatArray,
    folds: NDArray[np.int16] | None,
    fold_count: int,
    first_row: int,
    threads: int,
    tick: Tick | None,
) -> core.LandmarkSums:
    """Sum over a chunk of rows, here or in a worker, which gets its arguments in messages."""
    return landmarks.sums(
        rows,
        target.columns(),
        target_origin=aligned(origin),
        weights=None if target.weights is None else aligned(target.weights),
        folds=np.zeros(0, dtype=np.int64) if folds is None else folds.astype(np.int64),
        fold_count=fold_count,
        first_row=first_row,
        threads=threads,
        tick=tick,
    )


def moments_of(sums: core.LandmarkSums) -> tuple[FloatArray, FloatArray, float]:
    """Return the sums of squares of coordinates around their origin, the coordinates' and weights'.

    The core hands on (m, columns, folds, parts), each part with a lower triangle, column after
    column, of w (g - o, y, 1)(g - o, y, 1)' for the rows of every fold and those of none.
    """
    m, columns, _, parts = sums.__getstate__()
    order = m + columns + 1
    packed = np.sum([triangle for part in parts for triangle in part[2]], axis=0)
    squares, start = np.empty((m, m)), 0
    for j in range(m):
        own = packed[start : start + m - j]
        squares[j:, j] = squares[j, j:] = own
        start += order - j
    # The last row of the triangle is that of the ones.
    ends = np.cumsum(np.arange(order, 0, -1)) - 1
    return squares, packed[ends[:m]].copy(), float(packed[-1])
