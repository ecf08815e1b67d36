"""Bandwidths without a search: what a criterion has to beat."""

from __future__ import annotations

from typing import Any

from ._rows import check_rows, is_sparse
from .grids import squared_distance_quantiles
from .kernels import Gaussian


def scale(X: Any) -> Gaussian:
    """Gaussian kernel of scikit-learn's ``gamma="scale"``, 1 / (n_features * X.var()).

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, n_features)
        Rows.

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
    if is_sparse(rows):
        entries = float(rows.shape[0]) * rows.shape[1]
        variance = rows.multiply(rows).sum() / entries - (rows.sum() / entries) ** 2
    else:
        variance = rows.var()
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
    rows = check_rows(X, "X")
    middle = squared_distance_quantiles(rows, 0.5)
    if middle is None:
        raise ValueError("the median distance needs rows that differ, and all rows are equal")
    return Gaussian(2.0 ** float(middle))
