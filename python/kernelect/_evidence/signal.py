r"""The size of the signal, found from held-out residuals.

A ridge system is a Gaussian process of covariance :math:`s^2 k(x, x')` and noise :math:`s^2
\lambda`. The variance of row i left out is :math:`s^2 / P_{ii}` with the inverse P of the whole
system, and its residual is :math:`e_i = \alpha_i / P_{ii}`: held-out residuals have the size that
they are said to have at :math:`s^2 = \sum_i e_i \alpha_i / n`.
"""

from __future__ import annotations

import numpy as np

from .._support.arrays import FloatArray


def unit_of(residuals: FloatArray, dual_coef: FloatArray) -> FloatArray:
    """Return s of every column: at it standardised leave-one-out residuals have unit variance."""
    # Both have one sign and their product the unit of y squared, which may leave the range.
    sizes = np.sqrt(np.abs(residuals)) * np.sqrt(np.abs(dual_coef))
    largest = np.maximum(sizes.max(axis=0), np.finfo(float).tiny)
    return np.asarray(largest * np.sqrt(np.mean((sizes / largest) ** 2, axis=0)))
