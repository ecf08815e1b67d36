"""Bandwidths without a search: what a criterion has to beat."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._data.rows import check_rows, is_sparse
from ._families import Gaussian
from .grids import squared_distance_quantiles

__all__ = ["median", "scale"]


def scale(X: Any, sample_weight: Any = None) -> Gaussian:
    """Gaussian kernel of scikit-learn's ``gamma="scale"``, 1 / (n_features * X.var()).

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, n_features)
        Rows.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows in the variance.

    Returns
    -------
    Gaussian
        The kernel that ``SVC()`` would use.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.heuristics.scale([[0.0, 0.0], [2.0, 2.0]])
    Gaussian(tau=1.0)
    """
    rows = check_rows(X, "X")
    weights = np.ones(rows.shape[0]) if sample_weight is None else np.asarray(sample_weight)
    weights = weights / (weights.sum() * rows.shape[1])
    if is_sparse(rows):
        variance = weights @ rows.multiply(rows).sum(axis=1) - (weights @ rows.sum(axis=1)) ** 2
        variance = float(np.asarray(variance).ravel()[0])
    else:
        mean = float(weights @ rows.sum(axis=1))
        variance = float(weights @ ((rows - mean) ** 2).sum(axis=1))
    if not variance > 0:
        return Gaussian(gamma=1.0)  # as scikit-learn does for constant data
    return Gaussian(float(rows.shape[1] * variance) / 2.0)


def median(X: Any) -> Gaussian:
    """Gaussian kernel whose width sigma is the median distance of pairs of rows.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, n_features)
        Rows; a fixed sample of 4096 pairs is looked at, pairs of equal rows left out.

    Returns
    -------
    Gaussian
        ``Gaussian(tau=median distance squared)``.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.heuristics.median([[0.0], [3.0]])
    Gaussian(tau=9.0)
    """
    found = squared_distance_quantiles(check_rows(X, "X"), [0.5])
    if found is None:
        raise ValueError("the median distance needs rows that differ, and all rows are equal")
    (middle,), exponent = found
    return Gaussian(float(np.ldexp(middle, exponent)))
