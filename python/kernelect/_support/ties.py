"""One rule for lambdas that are equally good: the larger one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray

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
    best = _least(loss)
    if ties is not None:
        best &= _least(np.where(best, ties, np.inf))
    return int(np.argmax(np.where(best, np.nan_to_num(lams), -np.inf)))


def _least(values: FloatArray) -> NDArray[np.bool_]:
    """Which values are the least up to rounding."""
    known = np.where(np.isnan(values), np.inf, values)
    least = known.min()
    room = _ROUNDING * abs(least) if np.isfinite(least) else 0.0
    return np.asarray(known <= least + room)
