"""The prediction that looks at no row: what held-out predictions must beat.

It is the one that all rows suggest, those held out among them: the mean, the larger class. That
knows the answers by a share of 1/n; but a mean without the row held out moves away from it, and
beside that a kernel which tells nothing would look better than nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._data.target import Target
from .._support.arrays import FloatArray
from ._points import joined, means, standard_errors, weights_of
from ._predictions import HeldOut


def constant_outputs(target: Target) -> FloatArray:
    """Return the mean of every column of the target, for each row."""
    columns = target.columns()
    return np.broadcast_to(np.average(columns, axis=0, weights=target.weights), columns.shape)


def constant_losses(target: Target, loss: str) -> FloatArray:
    """Return the loss of every row, "squared" by the mean or "zero_one" by the larger class."""
    if loss == "zero_one":
        return np.asarray(target.codes != larger_class(target)[0], dtype=np.float64)
    with np.errstate(over="ignore"):  # of very large targets
        return np.asarray(((target.columns() - constant_outputs(target)) ** 2).mean(axis=1))


def larger_class(target: Target) -> tuple[int, float]:
    """Return the number of the class with most rows, and its share of them, by their weights."""
    sizes = np.bincount(target.codes, weights=target.weights)
    return int(sizes.argmax()), float(sizes.max() / sizes.sum())


def baselines(points: FloatArray, constant: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return the mean loss of the constant over the points that each candidate has."""
    missing = np.isnan(points)
    if missing.any():
        return means(np.where(missing, np.nan, constant), weights)
    return np.full(points.shape[:-1], means(constant, weights))


def beside_constant(
    parts: list[HeldOut],
    target: Target,
    *,
    by_outputs: bool = False,
    squared: FloatArray | None = None,
) -> dict[str, Any]:
    r"""Return what held-out predictions tell, whatever they are judged by.

    Parameters
    ----------
    parts : list of HeldOut
        Predictions, one part per repetition.
    target : Target
        What was to be predicted.
    by_outputs : bool, default=False
        Whether only the order and the direction of outputs count, as for most scores: evidence is
        then that of their correlation with the target, not of their squared loss.
    squared : ndarray, optional
        Squared losses of the constant at the points, where they are known already.

    Returns
    -------
    dict
        ``evidence``, by how many standard errors the points :math:`(y_i - \bar y)^2 - (y_i -
        f_i)^2`, or the products of standardised outputs and targets, are above zero in the mean;
        and ``held_out_scores``, accuracy or R^2.
    """
    weights = weights_of(parts, target)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        if by_outputs:
            points = np.concatenate([_products(part, target) for part in parts], axis=-1)
        else:
            if squared is None:
                squared = np.tile(constant_losses(target, "squared"), len(parts))
            points = squared - joined(parts, "squared")
        gain = means(points, weights)
        evidence = np.where(gain == 0.0, 0.0, gain / standard_errors(points, weights, gain))
    scores = None
    if target.task == "regression":
        scores = _r_squared(parts, target)
    elif all(part.decided for part in parts):
        scores = 1.0 - means(joined(parts, "zero_one"), weights)
    return {"evidence": evidence, "held_out_scores": scores}


def _products(part: HeldOut, target: Target) -> FloatArray:
    """Products of standardised outputs and targets, whose mean is their correlation."""
    outputs, columns = np.moveaxis(part.outputs, -1, -2), target.columns().T
    weights = target.weights
    rows = np.isfinite(outputs)
    truth = np.where(rows, columns, np.nan)
    products = _standardised(outputs, weights) * _standardised(truth, weights)
    return np.asarray(products.mean(axis=-2))


def _standardised(values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Centre and scale the last axis; zeros where all are equal."""
    centred = values - means(values, weights)[..., None]
    spread = np.sqrt(means(centred**2, weights))[..., None]
    return np.asarray(np.where(spread > 0.0, centred / spread, 0.0 * centred))


def _r_squared(parts: list[HeldOut], target: Target) -> FloatArray | None:
    """R^2, the mean over several targets; None where their losses are not known one by one."""
    squared, weights = joined(parts, "squared"), weights_of(parts, target)
    if len(target.values) == 1:
        losses = means(squared, weights)[..., None]
    else:
        known = [part.by_column for part in parts if part.by_column is not None]
        if weights is not None or len(known) < len(parts):
            return None
        losses = np.mean(known, axis=0)
    truth = np.where(
        np.isfinite(squared).any(axis=(0, 1)), np.tile(target.values, len(parts)), np.nan
    )
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        spread = means((truth - means(truth, weights)[:, None]) ** 2, weights)
        return np.asarray((1.0 - losses / spread).mean(axis=-1))
