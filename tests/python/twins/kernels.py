"""Kernel matrices by their definitions, and the parameters with which the tests use them.

A new family is a function with the name of its class in lower case, and lines in `EXAMPLES` and
`EXTREMES`; the tests of values, sparse rows, grids, pictures, advice, hand-over, pickles, JSON and
of every criterion then include it.
"""

from __future__ import annotations

import mpmath
import numpy as np

from .numbers import exp


def _differences(x, z):
    return x[:, None, :] - (x if z is None else z)[None, :, :]


def gaussian(x, tau, z=None):
    return exp(-(_differences(x, z) ** 2).sum(-1) / (2 * tau))


def laplacian(x, gamma, z=None):
    return exp(-abs(_differences(x, z)).sum(-1) * gamma)


def matern(x, nu, length_scale, z=None):
    squared = (_differences(x, z) ** 2).sum(-1) / length_scale**2
    if nu == 0.5:
        return exp(-(squared**0.5))
    if nu == 1.5:
        a = (3 * squared) ** 0.5
        return (1 + a) * exp(-a)
    if nu == 2.5:
        a = (5 * squared) ** 0.5
        return (1 + a + a**2 / 3) * exp(-a)
    raise ValueError(f"no closed form is written here for nu = {nu}")


def rational_quadratic(x, alpha, length_scale, z=None):
    squared = (_differences(x, z) ** 2).sum(-1) / length_scale**2
    return (1 + squared / (2 * alpha)) ** -alpha


def periodic(x, length_scale, periodicity, z=None):
    turns = (_differences(x, z) ** 2).sum(-1) ** 0.5 / periodicity
    sine = np.frompyfunc(mpmath.sinpi, 1, 1)(turns) if x.dtype == object else np.sin(np.pi * turns)
    return exp(-2 * sine**2 / length_scale**2)


def polynomial(x, degree, gamma=1, coef0=1, z=None):
    return (gamma * linear(x, z) + coef0) ** degree


def linear(x, z=None):
    return x @ (x if z is None else z).T


def normalized(k):
    """Unit diagonal: K_ij / sqrt(K_ii K_jj)."""
    diagonal = np.diag(k)
    return k / (diagonal[:, None] * diagonal[None, :]) ** 0.5


EXAMPLES = [
    ("Gaussian", (0.3,)),
    ("Gaussian", (4.0,)),
    ("Laplacian", (0.4,)),
    ("Matern", (0.5, 1.7)),
    ("Matern", (1.5, 0.8)),
    ("Matern", (2.5, 2.5)),
    ("RationalQuadratic", (0.7, 1.3)),
    ("RationalQuadratic", (40.0, 0.6)),
    ("Periodic", (1.3, 2.5)),
    ("Periodic", (0.4, 30.0)),
    ("Polynomial", (3, 0.5, 1.0)),
    ("Polynomial", (2, 1.0, 0.0)),
    ("Polynomial", (1, 1.0, 1.0)),
    ("Linear", ()),
]
# What does not hold for all families. Periodic kernels of Euclidean distances are positive
# semidefinite on one feature only, and eigenvalues and ridge systems refuse them on more.
NOT_DEFINITE = {"Periodic"}
# The rows may move, or turn, without changing any other kernel.
NOT_OF_DIFFERENCES = {"Polynomial", "Linear"}
NOT_OF_TURNED_ROWS = {"Laplacian"}
# Wide and narrow ones; Gaussians of all widths have tests of their own.
EXTREMES = [
    ("Laplacian", (2.0**-8,)),
    ("Laplacian", (2.0**-30,)),
    ("Matern", (0.5, 2.0**8)),
    ("Matern", (0.5, 2.0**30)),
    ("Matern", (1.5, 2.0**5)),
    ("Matern", (1.5, 2.0**10)),
    ("Matern", (1.5, 2.0**15)),
    ("Matern", (2.5, 2.0**5)),
    ("Matern", (2.5, 2.0**10)),
    ("Matern", (2.5, 2.0**15)),
    ("RationalQuadratic", (1.0, 2.0**8)),
    ("RationalQuadratic", (1.0, 2.0**25)),
    ("RationalQuadratic", (0.01, 2.0**10)),
    ("RationalQuadratic", (1e6, 2.0**15)),
    ("RationalQuadratic", (1.5, 2.0**-8)),
    ("RationalQuadratic", (20.0, 2.0**-12)),
    ("Periodic", (2.0**10, 3.0)),
    ("Periodic", (2.0**25, 0.7)),
    ("Periodic", (1.0, 2.0**15)),
    ("Periodic", (2.0**-4, 5.0)),
    ("Periodic", (2.0**-10, 1.1)),
]
