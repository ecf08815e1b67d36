"""One rule for lambdas that are equally good: the larger one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray, IntArray

# Held-out outputs are exact to this share: losses that differ by less are equal.
_ROUNDING = 1e-10


def best_lambda(loss: FloatArray, lams: FloatArray, ties: FloatArray | None = None) -> int:
    """Return the place of the least loss; among those equal up to rounding the largest lambda.

    Parameters
    ----------
    loss : ndarray of shape (lambdas,)
        Smaller is better; NaN is worse than all.
    lams : ndarray of shape (lambdas,)
        The lambdas; where they are unknown the first of the best is taken.
    ties : ndarray of shape (lambdas,), optional
        Decides between equal losses first; smaller is better.
    """
    return int(best_of_each(loss, lams, ties))


def best_of_each(loss: FloatArray, lams: FloatArray, ties: FloatArray | None = None) -> IntArray:
    """Return `best_lambda` of each of several candidates, the last axis being that of lambdas."""
    best = _least(loss)
    if ties is not None:
        best &= _least(np.where(best, ties, np.inf))
    places = np.argmax(np.where(best, np.nan_to_num(lams), -np.inf), axis=-1)
    return np.asarray(places, dtype=np.int64)


def _least(values: FloatArray) -> NDArray[np.bool_]:
    """Which values are the least up to rounding."""
    known = np.where(np.isnan(values), np.inf, values)
    least = known.min(axis=-1, keepdims=True)
    room = np.where(np.isfinite(least), _ROUNDING * np.abs(least), 0.0)
    return np.asarray(known <= least + room)
