r"""Weights of models by their held-out outputs.

With the held-out residuals :math:`R_m` of the models, non-negative weights that add up to 1 leave
the residuals :math:`\sum_m w_m R_m`, and the best ones minimise the quadratic form :math:`w'Gw`
with :math:`G_{ml} = \langle R_m, R_l\rangle` [1]_. Fitted weights look better than they are: each
gains about one row's loss by chance. So they are shrunk towards one of the models, which is elected
without them, by the positive part of James and Stein's factor [2]_,

.. math:: s = \Big(1 - 2 p\, \frac{w'Gw / n}{G_{ee} - w'Gw}\Big)_+

with p other models: where the gain is not many times what chance gives, as it is on small samples,
the elected model stays alone.

References
----------
.. [1] L. Breiman, "Stacked regressions", Machine Learning 24, 1996.
.. [2] W. James, C. Stein, "Estimation with quadratic loss", 1961.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._support.arrays import FloatArray
from ..mkl._solvers.quadratic import minimize_quadratic

MOST = 5  # members of a committee
_LEAST = 0.02  # weight of a member
_HOPELESS = 1e4  # times the least loss, with which a model has no weight that counts
_CHANCE = 2.0  # times the expected gain by chance


@dataclass(frozen=True)
class Stack:
    """Weights, and how much of the distance from the elected model was kept."""

    weights: FloatArray
    kept: float


def residual_products(residuals: FloatArray, rows: NDArray[np.int64] | None = None) -> FloatArray:
    """G of some rows: inner products of residuals, models x rows x columns of the target."""
    part = residuals if rows is None else residuals[:, rows]
    flat = part.reshape(len(part), -1)
    return np.asarray(flat @ flat.T)


def stack(products: FloatArray, rows: int, elected: int) -> Stack:
    """Weigh models by the products of their residuals on this many rows."""
    losses = products.diagonal()
    least = float(losses.min())
    if least <= 0.0:  # a model without a residual, up to rounding
        best = elected if losses[elected] <= 0.0 else int(np.argmin(losses))
        return Stack(np.eye(len(products))[best], float(best != elected))
    chosen = np.flatnonzero(losses <= _HOPELESS * least)
    while True:
        own = products[np.ix_(chosen, chosen)] / least
        weights = minimize_quadratic(np.zeros(len(chosen)), 2.0 * own, simplex=True)
        order = np.argsort(-weights, kind="stable")[:MOST]
        few = np.sort(order[weights[order] >= _LEAST])
        if len(few) == len(chosen):
            break
        chosen = chosen[few]
    loss = float(weights @ own @ weights)
    gain = float(losses[elected]) / least - loss
    others = int((chosen != elected).sum())
    kept = 0.0
    if gain > 0.0:
        kept = max(0.0, 1.0 - _CHANCE * others * loss / rows / gain)
    whole = np.zeros(len(products))
    whole[chosen] = kept * weights
    whole[elected] += 1.0 - kept
    whole[whole < _LEAST] = 0.0
    if np.count_nonzero(whole) > MOST:  # since the elected model came back
        whole[chosen[np.argmin(weights)]] = 0.0
    whole /= whole.sum()
    return Stack(whole, kept)


def cross_fitted(residuals: FloatArray, folds: list[NDArray[np.int64]], elected: int) -> FloatArray:
    """Residuals of stacks whose weights have not seen the rows that they are of.

    Parameters
    ----------
    residuals : ndarray of shape (models, n, columns)
        Held-out residuals.
    folds : list of ndarray
        Rows that are held out together; every row once.
    elected : int
        The model that weights are shrunk towards.
    """
    whole = residual_products(residuals)
    found = np.empty(residuals.shape[1:])
    for fold in folds:
        others = residuals.shape[1] - len(fold)
        weights = stack(whole - residual_products(residuals, fold), others, elected).weights
        found[fold] = np.tensordot(weights, residuals[:, fold], 1)
    return found
