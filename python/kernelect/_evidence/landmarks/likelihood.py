"""What the marginal likelihood of a landmark model is made of."""

from __future__ import annotations

import numpy as np

from ..._support.arrays import FloatArray
from .landmark_work import LandmarkWork
from .model import LandmarkRidge


def likelihood(
    work: LandmarkWork, model: LandmarkRidge, ridges: FloatArray, *, bias: bool
) -> tuple[FloatArray, FloatArray]:
    """Return log |A|, with the term of the bias, of each ridge, and y'Py of each column beside it.

    A = G G' + rho W^-1 has the eigenvalues of G'WG + rho in the place of m of those of rho W^-1,
    with a bias those around the mean. y'Py is the least of sum w (y - f)^2 / rho + |beta|^2, where
    beta = L'a.
    """
    values, m = model.model.eigenvalues, model.landmarks.size
    constant = -float(np.log(work.weights(np.arange(work.size))).sum())
    if bias:
        constant += float(np.log(work.total_weight))
    logs = np.log(np.maximum(values, 0.0) + ridges[:, None]).sum(axis=1)
    lower = work.coordinates(model.landmarks, model.landmarks.numbers)
    beta = np.einsum("ji,rjc->ric", lower, model.coefficients(ridges)[0])
    squares = model.model.spread(list(ridges))[0]
    energies = squares / ridges[:, None] + (beta**2).sum(axis=1)
    return constant + (work.size - m - bias) * np.log(ridges) + logs, energies
