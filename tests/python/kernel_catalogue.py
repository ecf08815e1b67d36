"""Kernels in both worlds: the library's objects and their slow twins.

Families and their parameters come from `twins.kernels`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import twins

import kernelect as ke


@dataclass(frozen=True)
class Kernel:
    """A family by its name; the twin has the same name in lower case."""

    name: str
    arguments: tuple

    def __str__(self):
        return f"{self.name}{self.arguments}"

    def build(self):
        return getattr(ke, self.name)(*self.arguments)

    def matrix(self, x, z=None):
        twin = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", self.name).lower()
        return getattr(twins.kernels, twin)(x, *self.arguments, z=z)


@dataclass(frozen=True)
class Expression:
    """Kernels put together, with the function of two arrays of rows that they stand for."""

    kernel: ke.Kernel
    twin: Callable

    def __str__(self):
        return repr(self.kernel)

    def build(self):
        return self.kernel

    def matrix(self, x, z=None):
        return self.twin(x, x if z is None else z)


FAMILIES = [Kernel(*example) for example in twins.kernels.EXAMPLES]
EXTREMES = [Kernel(*example) for example in twins.kernels.EXTREMES]


def _without(names):
    return [kernel for kernel in FAMILIES if kernel.name not in names]


DEFINITE = _without(twins.kernels.NOT_DEFINITE)
# The rows may move, or turn, without changing such a kernel.
OF_DIFFERENCES = _without(twins.kernels.NOT_OF_DIFFERENCES)
OF_TURNED_ROWS = _without(twins.kernels.NOT_OF_TURNED_ROWS)


def _gaussian(tau):
    return lambda x, z: twins.gaussian(x, tau, z)


def _cubic(x, z):
    return twins.polynomial(x, 3, 0.5, 2.0, z)


def unit_diagonal(twin):
    """The twin of a normalised kernel."""

    def normalised(x, z):
        left, right = (np.diag(twin(rows, rows)) for rows in (x, z))
        return twin(x, z) / np.outer(left, right) ** 0.5

    return normalised


ALGEBRA = [
    Expression(ke.Gaussian(3.0) + ke.Linear(), lambda x, z: _gaussian(3.0)(x, z) + x @ z.T),
    Expression(2 * ke.Linear(), lambda x, z: 2 * (x @ z.T)),
    Expression(ke.Gaussian(3.0) * 0.25, lambda x, z: 0.25 * _gaussian(3.0)(x, z)),
    Expression(
        ke.Gaussian(3.0) * ke.Polynomial(3, 0.5, 2.0),
        lambda x, z: _gaussian(3.0)(x, z) * _cubic(x, z),
    ),
    Expression(ke.normalized(ke.Polynomial(3, 0.5, 2.0)), unit_diagonal(_cubic)),
    Expression(
        2 * ke.normalized(ke.Linear() + 3 * ke.Gaussian(1.0)) * ke.Laplacian(0.1) + ke.Linear(),
        lambda x, z: (
            2
            * unit_diagonal(lambda a, b: a @ b.T + 3 * _gaussian(1.0)(a, b))(x, z)
            * twins.laplacian(x, 0.1, z)
            + x @ z.T
        ),
    ),
    Expression(
        ke.on_columns([0, 2], ke.Gaussian(1.0)) + 0.5 * ke.on_columns([1], ke.Linear()),
        lambda x, z: (
            twins.gaussian(x[:, [0, 2]], 1.0, z[:, [0, 2]]) + 0.5 * x[:, [1]] @ z[:, [1]].T
        ),
    ),
    Expression(0.0 * ke.Gaussian(1.0), lambda x, z: np.zeros((len(x), len(z)))),
]
EVERY_KERNEL = FAMILIES + ALGEBRA
