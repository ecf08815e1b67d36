"""Rows in an order that a seed decides: which are looked at where all would be too many.

The order is that of random numbers which belong to the numbers of the rows, so that the first rows
of it are the same however the rows are divided, and few of them are among more of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .target import Target

# Numbers of one step of the counter behind them (Philox-4x64).
_AT_ONCE = 4


def row_keys(seed: int, first: int, count: int) -> NDArray[np.uint64]:
    """Return the random numbers of the rows from `first` on; the smallest come first in order."""
    stream = np.random.Philox(key=seed)
    stream.advance(first // _AT_ONCE)
    before = first % _AT_ONCE
    return np.asarray(stream.random_raw(before + count)[before:])


def first_rows(n: int, count: int, seed: int) -> NDArray[np.int64]:
    """Return the first of n rows in the order of the seed."""
    if count >= n:
        return np.argsort(row_keys(seed, 0, n), kind="stable").astype(np.int64)
    keys = row_keys(seed, 0, n)
    smallest = np.argpartition(keys, count)[:count]
    return np.asarray(smallest[np.argsort(keys[smallest], kind="stable")], dtype=np.int64)


def first_of_classes(
    target: Target, count: int, least: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64] | None]:
    """Return the first rows of the order, ascending, and of each class the first `least`.

    Where that makes a rare class more frequent than it is, the second result has a weight for each
    row, that of all rows of its class over those returned; it is None where all count the same.
    """
    if count >= target.size:
        return np.arange(target.size), None
    chosen = np.zeros(target.size, dtype=bool)
    chosen[first_rows(target.size, count, seed)] = True
    sizes = np.bincount(target.codes)
    found = np.bincount(target.codes[chosen], minlength=len(sizes))
    rare = np.flatnonzero(found < np.minimum(sizes, least))
    if len(rare) == 0:
        return np.flatnonzero(chosen), None
    keys = row_keys(seed, 0, target.size)
    for code in rare:
        rows = np.flatnonzero(target.codes == code)
        chosen[rows[np.argsort(keys[rows], kind="stable")[:least]]] = True
    rows = np.flatnonzero(chosen)
    # The frequent classes together are one sample of equal weights.
    is_rare = np.isin(target.codes, rare)
    weights = np.empty(len(rows))
    common = ~is_rare[rows]
    weights[common] = (~is_rare).sum() / max(common.sum(), 1)
    taken = np.bincount(target.codes[rows], minlength=len(sizes))
    weights[~common] = (sizes / np.maximum(taken, 1))[target.codes[rows[~common]]]
    return rows, weights
