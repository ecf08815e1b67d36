"""Kernel expressions with other parameters than their own, and derivatives by differences.

The parameters are given as the vector that refinement moves: in the order in which the expression
is written, factors and weights after what they belong to.
"""

from __future__ import annotations

import mpmath
import numpy as np

from . import kernels
from .numbers import exp, extended


def expression(kernel, x, values):
    """Matrix of a kernel of the library, with the next values in place of its parameters."""
    kind = type(kernel).__name__
    if kind == "OnColumns":
        places = kernel._taken().columns.places(x.shape[1])
        return expression(kernel.kernel, x[:, places], values)
    if kind == "Scaled":
        inner = expression(kernel.kernel, x, values)
        return next(values) * inner
    if kind == "WeightedSum":
        total = 0
        for term in kernel.kernels:
            inner = expression(term, x, values)
            total = total + next(values) * inner
        return total
    if kind == "Normalized":
        return kernels.normalized(expression(kernel.kernel, x, values))
    if kind in ("Sum", "Product"):
        found = [expression(term, x, values) for term in kernel.terms]
        total = found[0]
        for term in found[1:]:
            total = total + term if kind == "Sum" else total * term
        return total
    return _FAMILIES[kind](kernel, x, values)


def _scaled(kernel, x, values):
    """Rows in units of the length scale, or of one for every column."""
    if not isinstance(kernel.length_scale, tuple):
        return x / next(values)
    return x / np.array([next(values) for _ in kernel.length_scale], dtype=object)


def _ard(kernel, x, values):
    rates = np.array([next(values) for _ in kernel.gammas], dtype=object)
    return exp(-((x[:, None, :] - x[None, :, :]) ** 2 * rates).sum(-1))


def _rational(kernel, x, values):
    alpha = next(values)
    return kernels.rational_quadratic(_scaled(kernel, x, values), alpha, 1)


def _polynomial(kernel, x, values):
    gamma = next(values)
    return kernels.polynomial(x, kernel.degree, gamma, next(values) if kernel.coef0 > 0 else 0)


_FAMILIES = {
    "Gaussian": lambda kernel, x, values: kernels.gaussian(x, next(values)),
    "ARDGaussian": _ard,
    "Laplacian": lambda kernel, x, values: kernels.laplacian(x, next(values)),
    "Matern": lambda kernel, x, values: kernels.matern(_scaled(kernel, x, values), kernel.nu, 1),
    "RationalQuadratic": _rational,
    "Periodic": lambda kernel, x, values: kernels.periodic(x, next(values), next(values)),
    "Polynomial": _polynomial,
    "Linear": lambda kernel, x, values: kernels.linear(x),
}


def slopes(kernel, logarithms, x, criterion):
    """Value of ``criterion(matrix, lam)`` and its derivatives in the logarithms, lambda's last.

    Central differences at 50 digits, whose error of h^2 is beyond those of a double.
    """
    with mpmath.workdps(50):
        rows, h = extended(x), mpmath.mpf(10) ** -15

        def value(point):
            numbers = iter([mpmath.exp(entry) for entry in point])
            matrix = expression(kernel, rows, numbers)
            return criterion(matrix, next(numbers))

        here = [mpmath.mpf(entry) for entry in logarithms]
        found = []
        for place in range(len(here)):
            ends = []
            for step in (h, -h):
                moved = list(here)
                moved[place] += step
                ends.append(value(moved))
            found.append(float((ends[0] - ends[1]) / (2 * h)))
        return float(value(here)), np.array(found)
