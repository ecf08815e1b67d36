"""Means over held-out points, each with its weight."""

from __future__ import annotations

import numpy as np

from .._data.target import Target
from .._support.arrays import TINY, FloatArray
from ._predictions import HeldOut


def joined(parts: list[HeldOut], name: str) -> FloatArray:
    """Put the points of several repetitions one after another."""
    points: list[FloatArray] = [getattr(part, name) for part in parts]
    return points[0] if len(points) == 1 else np.concatenate(points, axis=-1)


def weights_of(parts: list[HeldOut], target: Target) -> FloatArray | None:
    """Weights of the points of several parts; None where all count alike."""
    return None if target.weights is None else np.tile(target.weights, len(parts))


def means(points: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Means over held-out points; NaN, without a warning, for a candidate that has none."""
    held_out = ~np.isnan(points)
    if weights is None and points.size and held_out.all():  # the usual case: the same, sooner
        return np.asarray(points.sum(axis=-1) / points.shape[-1])
    if weights is None:
        count = held_out.sum(axis=-1)
        total = np.sum(points, axis=-1, where=held_out)
    else:
        count = held_out @ weights
        total = np.sum(points * weights, axis=-1, where=held_out)
    return np.asarray(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0))


def standard_errors(
    points: FloatArray, weights: FloatArray | None = None, mean: FloatArray | None = None
) -> FloatArray:
    r"""Estimate standard errors of means over held-out points, which may be known already.

    Of a weighted mean :math:`(\sum_i w_i^2 (l_i - \bar l)^2)^{1/2} / \sum_i w_i` times
    :math:`(n / (n - 1))^{1/2}`, which without weights is the usual one.
    """
    count = np.maximum((~np.isnan(points)).sum(axis=-1), 2)
    with np.errstate(invalid="ignore", over="ignore"):  # of losses that are not finite
        mean = means(points, weights) if mean is None else mean
        apart = points - mean[..., None]
        # Losses of very large or small targets have no room for squares.
        _, exponent = np.frexp(np.max(np.abs(apart), axis=-1, initial=0.0, where=~np.isnan(apart)))
        squares = np.ldexp(apart, -exponent[..., None]) ** 2
        variance = means(squares, None if weights is None else weights**2)
    if weights is not None:
        held_out = ~np.isnan(points)
        # What the mean of squares is divided by is the effective number of points, not n.
        effective = (held_out @ weights) ** 2 / np.maximum(held_out @ weights**2, TINY)
        variance = variance * count / np.maximum(effective, 1.0)
    return np.asarray(np.ldexp(np.sqrt(variance / (count - 1.0)), exponent))
