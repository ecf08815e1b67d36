"""Weights of rows: how much each counts, and which take part at all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import shown
from .._support.arrays import FloatArray

# Weights less than this part of the largest are lost in rounding, and weights less than that, or
# larger than its inverse, in squares of their sums.
_APART, _SMALL = 1e-15, 1e-100


def rows_that_count(weights: Any, n: int) -> NDArray[np.bool_] | None:
    """Which of n rows have a positive weight; None where all of them take part.

    A row of weight zero is left out: its ridge would be infinite. Weights of another shape are for
    whoever takes them to refuse.
    """
    if weights is None:
        return None
    counts = np.asarray(weights) > 0
    return None if counts.shape != (n,) or counts.all() else counts


def check_weights(given: Any, n: int) -> FloatArray | None:
    """Check the weights of n rows; None where all are 1, which is to say nothing."""
    if given is None:
        return None
    wanted = "sample_weight must hold a number of at least zero for each row"
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{wanted}, not {shown(given)}") from None
    if weights.ndim == 0:
        raise TypeError(f"{wanted}, not {shown(given)}")
    if weights.shape != (n,):
        raise ValueError(f"{wanted}; y has {n} entries, but sample_weight has {weights.shape}")
    if not (np.isfinite(weights) & (weights >= 0.0)).all():
        bad = weights[~(np.isfinite(weights) & (weights >= 0.0))][0]
        raise ValueError(f"{wanted}, not {bad:g}")
    count = int((weights > 0.0).sum())
    if count < 2:
        raise ValueError(
            f"sample_weight leaves {'one row' if count else 'no row'} of {n}; give at least two a "
            "positive weight"
        )
    refuse_far_apart(weights)
    return None if (weights == 1.0).all() else weights


def refuse_far_apart(weights: FloatArray) -> None:
    """Refuse positive weights so far apart that the least are lost in rounding, or all are."""
    some = weights[weights > 0.0]
    low, high = some.min(initial=np.inf), some.max(initial=0.0)
    if low < _APART * high:
        raise ValueError(
            f"sample_weight has {low:.3g} beside {high:.3g}, too small to make a difference; "
            "set such weights to 0"
        )
    if len(some) and (low < _SMALL or high > 1.0 / _SMALL):
        raise ValueError(
            f"sample_weight has {high if high > 1.0 else low:.3g}, too "
            f"{'large' if high > 1.0 else 'small'} for sums in floating point; divide weights by "
            "their mean"
        )
