r"""C by exact leave-one-out.

A machine minimises ``C sum(loss) + |f|^2 / 2`` and a ridge system ``sum(loss) + ridge |f|^2``: with
the same kernel both weigh losses alike at C = 1 / (2 ridge), and leave-one-out of the ridge system
is known for any number of ridges from one eigendecomposition.
"""

from __future__ import annotations

import numpy as np

from .._dispatch import core
from .._evidence.regularisation import AUTO_FACTORS
from .._support.arrays import FloatArray
from .._support.ties import best_lambda
from ._clock import tick

# Of the largest number on the diagonal: a spread of no more is that of a constant matrix.
_CONSTANT = 1e-14


def best_c(K: FloatArray, targets: FloatArray) -> float:
    """Return the C whose ridge has the least leave-one-out loss of least squares.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        A kernel matrix.
    targets : ndarray of shape (n_columns, n)
        What is to be predicted.

    Returns
    -------
    float
        1 / (2 ridge) for one of the ridges 2^-10 .. 2^10 times the mean of the centred diagonal; 1
        where K is constant, and where no ridge has a finite loss.
    """
    n = len(K)
    size = float(np.trace(K) - K.sum() / n) / n
    if not size > _CONSTANT * float(np.abs(np.diag(K)).max()):
        return 1.0
    ridges = AUTO_FACTORS * size
    request = core.RidgeRequest(
        targets=np.ascontiguousarray(targets.T), lambdas=list(ridges), loo=True
    )
    losses = core.ridge([K], request, threads=1, progress=tick())["loo"]["squared"][0].sum(axis=1)
    if not np.isfinite(losses).any():
        return 1.0
    return 0.5 / float(ridges[best_lambda(losses, ridges)])
