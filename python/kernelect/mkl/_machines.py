r"""The machines inside multiple-kernel learning: SVM, SVR and least squares.

All of them are, for one kernel matrix K and summed over the columns of the target,

.. math:: W = \max_a\; h(a) - \tfrac12 z'Kz, \qquad f(x) = k(x)'z + b,

with a concave h that does not depend on K: ``1'a`` with ``z = y * a`` for the SVM, ``t'a - eps
|a|_1`` for the SVR, ``y'a - rho |a|^2 / 2`` for least squares, and ``1'z = 0``. Hence W is convex
in K and its derivative is ``-zz'/2``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._dispatch import core
from .._support.arrays import FloatArray, IntArray
from .._support.deadline import TimeUp
from ._clock import step, tick
from ._solvers.cholesky import factorise, solve_factorised

# Tolerance of the KKT conditions to begin with, the finest that is asked for, and how much finer
# each is: exact steps do the rest, and on kernels of low rank LIBSVM may run for minutes to gain
# nothing.
LOOSE, FINE, FINER = 1e-3, 1e-6, 0.1


class FreeSystem:
    """The equations of the coefficients that no bound holds.

    Parameters
    ----------
    free : ndarray of int
        Their rows.
    matrix : ndarray
        The kernel, with its ridge, on those rows; factorised when it is first needed.
    """

    def __init__(self, free: IntArray, matrix: FloatArray) -> None:
        self.free, self.matrix = free, matrix

    @cached_property
    def _factor(self) -> FloatArray:
        # Solutions add up to 0, so a multiple of 11' may be added without changing them: a kernel
        # of low rank then also has the direction of the constant.
        return factorise(self.matrix + float(np.trace(self.matrix)) / len(self.matrix))

    @cached_property
    def _ones(self) -> FloatArray:
        return self._raw(np.ones(len(self.free)))

    def _raw(self, right: FloatArray) -> FloatArray:
        return solve_factorised(self._factor, right)

    def solve(self, right: FloatArray) -> FloatArray:
        """Solve ``[K_FF 1; 1' 0] [s; b] = [right; 0]`` for s."""
        ones = self._ones
        return np.asarray(self._raw(right) - np.multiply.outer(ones, ones @ right) / ones.sum())


@dataclass
class ColumnSolution:
    """Solution of one column of the target: coefficients, constant, equations of the free ones."""

    z: FloatArray
    bias: float
    system: FreeSystem | None


@dataclass
class Solution:
    """A machine trained on one kernel matrix.

    Attributes
    ----------
    columns : list of ColumnSolution
        One per column of the target.
    linear, square : float
        ``h(s a) = s * linear - s**2 * square`` for 0 <= s <= 1.
    slack : float
        Bound on how far the value is below the true maximum.
    """

    columns: list[ColumnSolution]
    linear: float
    square: float
    slack: float

    @property
    def z(self) -> FloatArray:
        """Coefficients, columns x n."""
        return np.array([column.z for column in self.columns])

    @property
    def bias(self) -> FloatArray:
        """The constants."""
        return np.array([column.bias for column in self.columns])

    @property
    def h(self) -> float:
        """The part of the dual value that does not depend on the kernel."""
        return self.linear - self.square

    def quadratic_forms(self, products: FloatArray) -> FloatArray:
        """``z'K_k z / 2``, summed over columns, from the products kernels x columns x n."""
        return np.asarray(0.5 * np.einsum("kcn,cn->k", products, self.z))

    def curvature(self, products: FloatArray) -> FloatArray:
        """Second derivative of W in the weights of the kernels.

        While the free set stays, ``dz/dd_l`` solves the system of the free rows for ``-K_l z``, and
        ``d2W / dd_k dd_l = (K_k z)_F' M^-1 (K_l z)_F`` summed over columns [1]_.

        References
        ----------
        .. [1] O. Chapelle and A. Rakotomamonjy, "Second order optimization of kernel parameters",
           NIPS workshop on kernel learning, 2008.
        """
        size = products.shape[0]
        total = np.zeros((size, size))
        for c, column in enumerate(self.columns):
            if column.system is not None and len(column.system.free):
                parts = products[:, c, column.system.free].T
                total += parts.T @ column.system.solve(parts)
        return 0.5 * (total + total.T)

    def release(self) -> None:
        """Let go of the factorised systems, which are large."""
        for column in self.columns:
            column.system = None


class Machine(ABC):
    """A learner with the target that it is trained for.

    Parameters
    ----------
    targets : ndarray of shape (n_columns, n)
        Labels of +1 and -1, one row per one-vs-rest column, or numbers.
    C : float
        Weight of the losses against half the squared norm.
    """

    def __init__(self, targets: FloatArray, C: float) -> None:
        self.targets, self.C = targets, C

    def at(self, C: float) -> Machine:
        """Make the same learner with another weight of the losses."""
        other = copy(self)
        other.C = C
        return other

    @abstractmethod
    def subset(self, index: IntArray) -> Machine:
        """Make the same learner for some of the rows."""

    @abstractmethod
    def solve(self, K: FloatArray, tol: float) -> Solution:
        """Train on a kernel matrix; `tol` is the tolerance of the KKT conditions."""

    def solve_to(self, K: FloatArray, slack: float) -> Solution:
        """Train until the value is known to `slack`, relative to its size, or as well as can be."""
        tol, solution = LOOSE, None
        while True:
            try:
                solution = self.solve(K, tol)
            except TimeUp:
                if solution is None:
                    raise
                return solution
            if solution.slack <= slack * max(1.0, abs(solution.h)) or tol <= FINE:
                return solution
            tol *= FINER

    @abstractmethod
    def loss(self, outputs: FloatArray) -> float:
        """Mean loss, of this machine's own kind, of outputs (columns x n) for its target."""


class LeastSquaresMachine(Machine):
    """Least-squares SVM: ``[K + rho I, 1; 1', 0] [a; b] = [y; 0]`` with rho = 1 / (2 C)."""

    def subset(self, index: IntArray) -> LeastSquaresMachine:
        return LeastSquaresMachine(self.targets[:, index], self.C)

    def loss(self, outputs: FloatArray) -> float:
        return float(np.mean((self.targets - outputs) ** 2))

    @property
    def rho(self) -> float:
        """What is added to the diagonal of K."""
        return 0.5 / self.C

    @step()
    def solve(self, K: FloatArray, tol: float) -> Solution:
        z, bias = ridge_fit(K, self.targets, self.rho)
        system = FreeSystem(np.arange(len(K)), K + self.rho * np.eye(len(K)))
        columns = [ColumnSolution(row, float(b), system) for row, b in zip(z, bias, strict=True)]
        return Solution(
            columns, float((self.targets * z).sum()), 0.5 * self.rho * float((z**2).sum()), 0.0
        )


def ridge_fit(K: FloatArray, targets: FloatArray, rho: float) -> tuple[FloatArray, FloatArray]:
    """Coefficients (columns x n) and constants of least-squares machines, by the ridge system."""
    found = _ridge_system(K, targets, rho, fit=True)
    return found["alpha"][0, 0].T, found["bias"][0, 0]


def ridge_left_out(K: FloatArray, targets: FloatArray, rho: float) -> FloatArray:
    """Return outputs (n x columns) of least-squares machines that did not see the row."""
    found = _ridge_system(K, targets, rho, loo=True)
    return np.asarray(found["loo"]["outputs"][0, 0])


def _ridge_system(
    K: FloatArray, targets: FloatArray, rho: float, *, fit: bool = False, loo: bool = False
) -> core._RidgeResults:
    request = core.RidgeRequest(
        targets=np.ascontiguousarray(targets.T),
        lambdas=[rho],
        fit=fit,
        loo=loo,
        outputs=loo,
        shortcuts=False,
        eigen=False,
    )
    found = core.ridge([K], request, threads=1, progress=tick())
    if found["error"][0][0]:
        raise ValueError(found["error"][0][0])
    return found
