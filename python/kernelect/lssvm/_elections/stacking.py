r"""Weights of models by their held-out outputs.

With the held-out residuals :math:`R_m` of the models, non-negative weights that add up to 1 leave
the residuals :math:`\sum_m w_m R_m`, and the best ones minimise the quadratic form :math:`w'Gw`
with :math:`G_{ml} = \langle R_m, R_l\rangle` [1]_. Fitted weights look better than they are. So the
residuals :math:`U` of weights that have not seen the rows tell how far to go from the elected
model, which is found without weights: its residuals :math:`R_e` and U between them are least at the
share

.. math:: s = \frac{\langle R_e, R_e - U\rangle}{\|R_e - U\|^2}.

From one half on the whole way gains, and it is taken. Below, as on small samples without much to be
gained, weights are shrunk towards the elected model until s of them is left, and at 0 it stays
alone.

References
----------
.. [1] L. Breiman, "Stacked regressions", Machine Learning 24, 1996.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._support.arrays import FloatArray
from ...mkl._solvers.quadratic import minimize_quadratic

MOST = 5  # members of a committee
_LEAST = 0.02  # weight of a member
_HOPELESS = 1e4  # times the least loss, with which a model has no weight that counts
_WHOLE = 0.5  # the least share of which the whole way gains
_SAME = 1e-20  # squares that differ by less than this share of them do so by rounding


def residual_products(residuals: FloatArray, rows: NDArray[np.int64] | None = None) -> FloatArray:
    """G of some rows: inner products of residuals, models x rows x columns of the target."""
    part = residuals if rows is None else residuals[:, rows]
    flat = part.reshape(len(part), -1)
    return np.asarray(flat @ flat.T)


def stack(products: FloatArray, elected: int) -> FloatArray:
    """Weigh models by the products of their residuals; the elected one wins ties."""
    losses = products.diagonal()
    least = float(losses.min())
    if least <= 0.0:  # a model without a residual, up to rounding
        best = elected if losses[elected] <= 0.0 else int(np.argmin(losses))
        return np.asarray(np.eye(len(products))[best])
    chosen = np.flatnonzero(losses <= _HOPELESS * least)
    while True:
        own = products[np.ix_(chosen, chosen)] / least
        weights = minimize_quadratic(np.zeros(len(chosen)), 2.0 * own, simplex=True)
        order = np.argsort(-weights, kind="stable")[:MOST]
        few = np.sort(order[weights[order] >= _LEAST])
        if len(few) == len(chosen):
            break
        chosen = chosen[few]
    whole = np.zeros(len(products))
    whole[chosen] = weights
    return whole


def share_kept(unseen: FloatArray, elected: FloatArray) -> float:
    """Return how much of the way from the elected model to be taken gains on unseen rows."""
    less = elected - unseen
    apart = float((less**2).sum())
    if apart <= _SAME * float((elected**2).sum()):
        return 0.0
    share = float((elected * less).sum()) / apart
    return 1.0 if share >= _WHOLE else max(share, 0.0)


def shrink(weights: FloatArray, kept: float, elected: int) -> FloatArray:
    """Keep a share of the weights, the elected model has the rest; members stay few."""
    whole = kept * weights
    whole[elected] += 1.0 - kept
    whole[whole < _LEAST] = 0.0
    if np.count_nonzero(whole) > MOST:  # since the elected model came back
        others = np.flatnonzero(whole)
        whole[min(others[others != elected], key=lambda place: whole[place])] = 0.0
    return np.asarray(whole / whole.sum())


def cross_fitted(residuals: FloatArray, folds: list[NDArray[np.int64]], elected: int) -> FloatArray:
    """Residuals of stacks whose weights have not seen the rows that they are of.

    Parameters
    ----------
    residuals : ndarray of shape (models, n, columns)
        Held-out residuals.
    folds : list of ndarray
        Rows that are held out together; every row once.
    elected : int
        The model that wins ties.
    """
    whole = residual_products(residuals)
    found = np.empty(residuals.shape[1:])
    for fold in folds:
        weights = stack(whole - residual_products(residuals, fold), elected)
        found[fold] = np.tensordot(weights, residuals[:, fold], 1)
    return found
