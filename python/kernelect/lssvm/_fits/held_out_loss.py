"""Which lambda of several has the least held-out loss."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._support.arrays import FloatArray, IntArray
from ..._support.ties import best_lambda


def mean_squares(parts: Sequence[FloatArray], weights: FloatArray | None) -> FloatArray:
    """Mean squared residuals of each lambda and column over all that is held out.

    Parts are lambdas x rows x columns, NaN where a row is not held out; weights are of the rows.
    """
    residuals = np.concatenate(parts, axis=1)
    each = np.ones(parts[0].shape[1]) if weights is None else weights
    counted = np.where(np.isnan(residuals), 0.0, np.tile(each, len(parts))[:, None])
    count = counted.sum(axis=1)
    total = np.sum(counted * residuals**2, axis=1, where=counted > 0.0)
    return np.asarray(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0.0))


def best_lambdas(
    squared: FloatArray, lams: FloatArray, per_target: bool, failures: Sequence[str]
) -> IntArray:
    """Return the place of the best lambda for each column: of its own, or of all together."""
    if not np.isfinite(squared).any():
        raise ValueError(
            next((text for text in failures if text), "no fit is finite; give a larger lam")
        )
    if len(lams) == 1:
        return np.zeros(squared.shape[1], dtype=np.int64)
    losses = squared if per_target else np.tile(squared.mean(axis=1)[:, None], squared.shape[1])
    return np.array([best_lambda(loss, lams) for loss in losses.T], dtype=np.int64)
