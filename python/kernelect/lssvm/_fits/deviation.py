r"""Deviations of predictions: the ridge system read as a Gaussian process.

With the covariance :math:`s^2 k(x, x')`, noise of variance :math:`s^2 \lambda` and a constant that
may be anything, the prediction for a new row is that of least squares, and an observation there has
the variance [1]_

.. math:: s^2 \Big(\lambda + k(x, x) - k_x' A^{-1} k_x
    + \frac{(1 - 1'A^{-1} k_x)^2}{1'A^{-1}1}\Big), \qquad A = K + \lambda I

(without the last term where there is no bias). The variance of row i left out is
:math:`s^2 / P_{ii}` with the inverse P of the whole system, and its residual is :math:`\alpha_i /
P_{ii}`: held-out residuals have the size that they are said to have at :math:`s^2 = \sum_i e_i
\alpha_i / n`. (With lambda per row, a model without one has a smaller ridge, and this holds but for
a share of 1/n.) Several models together are no Gaussian process. Deviations of a committee have the
form that one member gives them, and the size that its own residuals :math:`e_i` of unseen rows
want, :math:`s^2 = \sum_i e_i^2 P_{ii} / n` with P of that member.

References
----------
.. [1] C. E. Rasmussen, C. K. I. Williams, "Gaussian processes for machine learning", 2006, 2.7.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import scipy.linalg

from ..._support.arrays import FloatArray
from ...kernels import Kernel
from ...kernels._chunks import row_chunks
from .cholesky import lower_factor

# Rows and columns of a block of the factorisation, so that the caller is heard between blocks.
_BLOCK = 512
# Work of one triangular solve, for the same reason.
_OPERATIONS = 2e10
# New rows taken together, of which some kernels make a matrix to find its diagonal.
_TOGETHER = 2048


class Deviations:
    """Standard deviations of observations at new rows, of one or several targets.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    rows : ndarray or sparse matrix
        Training rows.
    ridges : ndarray of shape (n_targets,)
        The ridge of a row of weight 1; targets of equal ridge share a factorisation.
    units : ndarray of shape (n_targets,)
        s of every target.
    weights : ndarray of shape (n,)
        Weights of the training rows.
    jitter : float
        What else is on the diagonal.
    bias : bool
        Whether there is a constant.
    """

    def __init__(
        self,
        kernel: Kernel,
        rows: Any,
        ridges: FloatArray,
        units: FloatArray,
        *,
        weights: FloatArray,
        jitter: float,
        bias: bool,
    ) -> None:
        self._units = units
        known, self._places = np.unique(ridges, return_inverse=True)
        self._parts = [
            _UnitDeviation(kernel, rows, ridge / weights + jitter, ridge + jitter, bias)
            for ridge in known
        ]

    def sized_by(self, residuals: FloatArray) -> Deviations:
        """Return them at the size that residuals of unseen rows want, NaN where there is none."""
        precisions = np.column_stack([part.precisions() for part in self._parts])
        ratios = residuals**2 * precisions[:, self._places]
        sized = copy(self)
        sized._units = np.sqrt(np.nanmean(ratios, axis=0))
        return sized

    def __call__(self, X: Any) -> FloatArray:
        """Deviations at checked rows, rows x targets."""
        return self._units * np.column_stack([part(X) for part in self._parts])[:, self._places]


class _UnitDeviation:
    """Deviations at s = 1, from the Cholesky factor L of the kernel matrix plus its ridge.

    A new row has the ridge `noise`.
    """

    def __init__(
        self, kernel: Kernel, rows: Any, ridge: FloatArray, noise: float, bias: bool
    ) -> None:
        self._kernel, self._rows, self._noise = kernel, rows, noise
        matrix = np.array(kernel(rows), order="C")
        matrix[np.diag_indices(len(ridge))] += ridge
        self._factor = cholesky_in_blocks(matrix)
        self._ones = self._half(np.ones((len(ridge), 1)))[:, 0] if bias else None

    def precisions(self) -> FloatArray:
        """Return the diagonal of P: one over the variance of each training row when left out."""
        n = len(self._factor)
        own = np.empty(n)
        for first in range(0, n, _BLOCK):  # columns of the inverse factor begin on the diagonal
            last = min(first + _BLOCK, n)
            unit = np.eye(n - first, last - first)
            corner = self._factor[first:, first:]
            column = scipy.linalg.solve_triangular(corner, unit, lower=True, check_finite=False)
            own[first:last] = np.einsum("ij,ij->j", column, column)
        if self._ones is None:
            return own
        solved = scipy.linalg.solve_triangular(
            self._factor, self._ones, lower=True, trans="T", check_finite=False
        )
        return np.asarray(own - solved**2 / float(self._ones @ self._ones))

    def _half(self, right: FloatArray) -> FloatArray:
        return np.asarray(
            scipy.linalg.solve_triangular(self._factor, right, lower=True, check_finite=False)
        )

    def __call__(self, X: Any) -> FloatArray:
        """Deviations of observations at checked rows, a few rows at a time."""
        n = len(self._factor)
        against = max(n, _TOGETHER, int(8.0 * n * n / _OPERATIONS * 1e6))
        return np.concatenate([self._part(X[part]) for part in row_chunks(X.shape[0], against)])

    def _part(self, X: Any) -> FloatArray:
        half = self._half(self._kernel(self._rows, X))
        own = self._kernel.diag(X)
        # The difference is not negative but for rounding.
        variance = np.maximum(own - np.einsum("ij,ij->j", half, half), 0.0)
        if self._ones is not None:
            variance += (1.0 - self._ones @ half) ** 2 / float(self._ones @ self._ones)
        return np.asarray(np.sqrt(self._noise + variance))


def cholesky_in_blocks(matrix: FloatArray) -> FloatArray:
    """Turn a positive definite matrix into its Cholesky factor L, in place.

    Above the diagonal blocks the matrix stays as it was.
    """
    n = len(matrix)
    for first in range(0, n, _BLOCK):
        last = min(first + _BLOCK, n)
        for top in range(first, n, _BLOCK):
            bottom = min(top + _BLOCK, n)
            block = matrix[top:bottom, first:last]
            block -= matrix[top:bottom, :first] @ matrix[first:last, :first].T
            if top == first:
                block[:] = lower_factor(block)
                corner = block
            else:
                block[:] = scipy.linalg.solve_triangular(
                    corner, block.T, lower=True, check_finite=False
                ).T
    return matrix
