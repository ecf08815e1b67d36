"""Bandwidths without a search: what a criterion has to beat."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._data.rows import Rows, check_rows, is_sparse
from ._families import Gaussian
from .grids import scaled, squared_distance_quantiles

__all__ = ["median", "scale"]

# The least number whose inverse is finite.
_LEAST = 1e-307


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
    tau, exponent = _tau(check_rows(X, "X"), sample_weight)
    return _gaussian(tau, exponent)


def width(rows: Rows, sample_weight: Any = None) -> float:
    """Sigma of `scale`, for kernels that take no squares of it."""
    tau, exponent = _tau(rows, sample_weight)
    return _number(math.sqrt(tau), exponent // 2, "distances")


def _tau(rows: Rows, sample_weight: Any) -> tuple[float, int]:
    """Find tau of `scale`, up to a power of four: squares may be out of the range of numbers."""
    weights = np.ones(rows.shape[0]) if sample_weight is None else np.asarray(sample_weight)
    weights = weights / (weights.sum() * rows.shape[1])
    entries = rows.data if is_sparse(rows) else rows
    exponent = int(np.frexp(np.abs(entries).max(initial=0.0))[1])
    if is_sparse(rows):
        rows = scaled(rows.copy(), -exponent)
        mean = float(weights @ np.asarray(rows.sum(axis=1)).ravel())
        zeros = (rows.shape[1] - np.diff(rows.indptr)) * mean**2
        rows.data = (rows.data - mean) ** 2
        variance = float(weights @ (np.asarray(rows.sum(axis=1)).ravel() + zeros))
    else:
        rows = scaled(rows, -exponent)
        mean = float(weights @ rows.sum(axis=1))
        variance = float(weights @ ((rows - mean) ** 2).sum(axis=1))
    if not variance > 0:
        return 0.5, 0  # gamma = 1, as scikit-learn does for constant data
    return rows.shape[1] * variance / 2.0, 2 * exponent


def _gaussian(tau: float, exponent: int) -> Gaussian:
    """Gaussian kernel of ``tau * 2**exponent``, if there is one."""
    return Gaussian(_number(tau, exponent, "squares of distances"))


def _number(factor: float, exponent: int, what: str) -> float:
    """Return ``factor * 2**exponent``, if that and its inverse are in the range of numbers."""
    with np.errstate(over="ignore", under="ignore"):
        found = float(np.ldexp(factor, exponent))
    if not _LEAST < found < 1.0 / _LEAST:
        size = "large" if exponent > 0 else "small"
        raise ValueError(
            f"X has entries so {size} that {what} leave the range of floating point; standardize "
            "its columns"
        )
    return found


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
    return _gaussian(middle, exponent)
