r"""Deviations of the predictions of a landmark model, read as a Gaussian process.

In coordinates g = L^-1 k(x, Z) the model is a ridge regression: :math:`\beta` has the posterior
covariance :math:`s^2 \rho\,(C + \rho I)^{-1}` with C the weighted sums of squares around the mean
:math:`\mu` of the coordinates, and what landmarks do not see of the kernel stays as it was before
any row was looked at (deterministic training conditional [1]_). A new observation has the variance

.. math:: s^2 \Big(\rho + \frac{\rho}{W} + \rho\,u'(C + \rho I)^{-1}u + k(x, x) - |g|^2\Big),
    \qquad u = g - \mu

(without the second term, and with :math:`\mu = 0`, where there is no bias). Row i left out has the
variance :math:`s^2 (\rho / (w_i (1 - h_i)) + k(x_i, x_i) - |g_i|^2)`, which gives s: at it
held-out residuals have the size that they are said to have, as those of the whole machine.

References
----------
.. [1] J. Quinonero-Candela, C. E. Rasmussen, "A unifying view of sparse approximate Gaussian
   process regression", Journal of Machine Learning Research 6 (2005) 1939-1959.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from ..._dispatch import core
from ..._evidence.landmarks.model import Landmarks
from ..._evidence.landmarks.sums import moments_of
from ..._evidence.own_values import own_values
from ..._support.arrays import FloatArray, aligned
from ..._support.threads import limit_blas
from ...kernels import Kernel
from ...kernels._chunks import row_chunks
from .cholesky import lower_factor


@dataclass(frozen=True, eq=False)
class Posterior:
    """What deviations take from the training rows.

    Attributes
    ----------
    centre : ndarray of shape (m,)
        Mean coordinates; zeros where there is no bias.
    squares : ndarray of shape (m (m + 1) / 2,)
        Lower triangle of C, column after column.
    weight : float
        Sum of the weights of all rows; infinite where there is no bias.
    units : ndarray of shape (n_targets,)
        s of every target.
    """

    centre: FloatArray
    squares: FloatArray
    weight: float
    units: FloatArray

    def __post_init__(self) -> None:
        m = len(self.centre)
        shapes = (self.centre.shape, self.squares.shape, self.units.ndim)
        if shapes != ((m,), (m * (m + 1) // 2,), 1) or not self.weight > 0.0:
            raise ValueError("the parts of a posterior do not fit together")

    @classmethod
    def of(
        cls, landmarks: Landmarks, sums: core.LandmarkSums, units: FloatArray, *, bias: bool
    ) -> Posterior:
        """Take the sums over all training rows."""
        squares, first, weight = moments_of(sums)
        if bias:
            centre = landmarks.origin + first / weight
            squares -= np.outer(first, first) / weight
        else:
            centre = np.zeros(len(first))
            shift = np.outer(landmarks.origin, first)
            squares += shift + shift.T + weight * np.outer(landmarks.origin, landmarks.origin)
        packed = np.concatenate([squares[j:, j] for j in range(len(first))])
        return cls(centre, packed, weight if bias else np.inf, units)

    def factor(self, ridge: float) -> FloatArray:
        """Return the Cholesky factor of C + ridge I."""
        m = len(self.centre)
        whole = np.empty((m, m), order="F")
        start = 0
        for j in range(m):
            whole[j:, j] = self.squares[start : start + m - j]
            start += m - j
        whole[np.diag_indices(m)] += ridge
        with limit_blas(1):
            return lower_factor(whole, overwrite=True)

    def leverages(self, coordinates: FloatArray, factor: FloatArray) -> FloatArray:
        """Return h of rows of weight 1."""
        with limit_blas(1):
            half = scipy.linalg.solve_triangular(
                factor, (coordinates - self.centre).T, lower=True, check_finite=False
            )
        return np.asarray(1.0 / self.weight + np.einsum("ij,ij->j", half, half))


def _rest(own: FloatArray, coordinates: FloatArray) -> FloatArray:
    """Return what landmarks do not see, which is not negative but for rounding."""
    return np.asarray(np.maximum(own - np.einsum("ij,ij->i", coordinates, coordinates), 0.0))


class LandmarkDeviations:
    """Standard deviations of observations at new rows, of one or several targets.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    rows : ndarray or sparse matrix
        The landmarks.
    ridges : ndarray of shape (n_targets,)
        The ridge of a row of weight 1.
    posterior : Posterior
        What the training rows tell.
    """

    def __init__(self, kernel: Kernel, rows: Any, ridges: FloatArray, posterior: Posterior) -> None:
        zeros = np.zeros(rows.shape[0])
        numbers = np.arange(rows.shape[0])
        self._landmarks = Landmarks(kernel, rows, numbers, aligned(zeros), zeros)
        self._posterior = posterior
        self._ridges, self._places = np.unique(ridges, return_inverse=True)
        self._factors = [posterior.factor(float(ridge)) for ridge in self._ridges]

    def __call__(self, X: Any) -> FloatArray:
        """Deviations at checked rows, rows x targets, a few rows at a time."""
        parts = row_chunks(X.shape[0], self._landmarks.size)
        return np.concatenate([self._part(X[part]) for part in parts])

    def _part(self, X: Any) -> FloatArray:
        g = self._landmarks.coordinates(X)
        rest = _rest(own_values(self._landmarks.kernel, X), g)
        variances = [
            ridge * (1.0 + self._posterior.leverages(g, factor)) + rest
            for ridge, factor in zip(self._ridges, self._factors, strict=True)
        ]
        found = np.sqrt(np.column_stack(variances))[:, self._places]
        return np.asarray(self._posterior.units * found)
