r"""The machines inside multiple-kernel learning: SVM, SVR and least squares.

All of them are, for one kernel matrix K and summed over the columns of the target,

.. math:: W = \max_a\; h(a) - \tfrac12 z'Kz, \qquad f(x) = k(x)'z + b,

with a concave h that does not depend on K: ``1'a`` with ``z = y * a`` for the SVM, ``t'a - eps |a|_1``
for the SVR, ``y'a - rho |a|^2 / 2`` for least squares, and ``1'z = 0``. Hence W is convex in K and its
derivative is ``-zz'/2``.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, SVR

from .._dispatch import core

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Rounds of exact steps on the free coefficients after LIBSVM has stopped.
_ROUNDS = 5
# Tolerance of LIBSVM to begin with, and the finest that is asked of it: the exact steps do the rest,
# and on kernels of low rank LIBSVM may run for minutes to gain nothing.
LOOSE, FINE = 1e-3, 1e-6
# Steps of LIBSVM at most, per row and at least; it is told to take more only by larger samples.
_STEPS_PER_ROW, _STEPS = 1000, 1_000_000


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
        # Solutions add up to 0, so a multiple of 11' may be added without changing them: a kernel of
        # low rank then also has the direction of the constant.
        return factorise(self.matrix + float(np.trace(self.matrix)) / len(self.matrix))

    @cached_property
    def _ones(self) -> FloatArray:
        return self._raw(np.ones(len(self.free)))

    def _raw(self, right: FloatArray) -> FloatArray:
        return np.asarray(scipy.linalg.cho_solve((self._factor, True), right, check_finite=False))

    def solve(self, right: FloatArray) -> FloatArray:
        """Solve ``[K_FF 1; 1' 0] [s; b] = [right; 0]`` for s."""
        ones = self._ones
        return np.asarray(self._raw(right) - np.multiply.outer(ones, ones @ right) / ones.sum())


@dataclass
class Column:
    """Solution of one column of the target: coefficients, constant, and the free ones' equations."""

    z: FloatArray
    bias: float
    system: FreeSystem | None


@dataclass
class Solution:
    """A machine trained on one kernel matrix.

    Attributes
    ----------
    columns : list of Column
        One per column of the target.
    linear, square : float
        ``h(s a) = s * linear - s**2 * square`` for 0 <= s <= 1.
    slack : float
        Bound on how far the value is below the true maximum.
    """

    columns: list[Column]
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


def factorise(matrix: FloatArray) -> FloatArray:
    """Cholesky factor, with as little added to the diagonal as rounding asks for."""
    mean = float(np.trace(matrix)) / max(len(matrix), 1)
    mean = mean if mean > 0.0 else 1.0  # the zero matrix, where all weights are 0
    jitter = 1e-11 * mean
    while True:
        padded = matrix + jitter * np.eye(len(matrix))
        try:
            return np.asarray(scipy.linalg.cholesky(padded, lower=True, check_finite=False))
        except np.linalg.LinAlgError:
            if jitter > 1e-4 * mean:
                raise ValueError(
                    "the combined kernel is not positive semidefinite; check kernel matrices and "
                    "callables, every one must be positive semidefinite by itself"
                ) from None
            jitter *= 100.0


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

    @abstractmethod
    def subset(self, index: IntArray) -> Machine:
        """Make the same learner for some of the rows."""

    @abstractmethod
    def solve(self, K: FloatArray, tol: float) -> Solution:
        """Train on a kernel matrix; `tol` is the tolerance of the KKT conditions."""

    def solve_to(self, K: FloatArray, slack: float) -> Solution:
        """Train until the value is known to `slack`, relative to its size, or as well as can be."""
        tol = LOOSE
        while True:
            solution = self.solve(K, tol)
            if solution.slack <= slack * max(1.0, abs(solution.h)) or tol <= FINE:
                return solution
            tol *= 0.1

    @abstractmethod
    def loss(self, outputs: FloatArray) -> float:
        """Mean loss, of this machine's own kind, of outputs (columns x n) for its target."""


class _BoxMachine(Machine):
    """SVM and SVR: LIBSVM, then a few exact steps on the free coefficients."""

    @abstractmethod
    def _libsvm(self, K: FloatArray, target: FloatArray, tol: float) -> tuple[FloatArray, float]:
        """Coefficients and constant from LIBSVM."""

    @abstractmethod
    def _box(self, target: FloatArray, z: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Bounds of the coefficients, and what the output must be where they are free."""

    @abstractmethod
    def _losses(self, target: FloatArray, outputs: FloatArray) -> FloatArray:
        """Losses of outputs."""

    @abstractmethod
    def _linear(self, target: FloatArray, z: FloatArray) -> float:
        """Value of h(a)."""

    def solve(self, K: FloatArray, tol: float) -> Solution:
        columns, linear, slack = [], 0.0, 0.0
        for target in self.targets:
            column = self._refine(K, target, *self._libsvm(K, target, tol))
            f = K @ column.z
            loss = self.C * float(self._losses(target, f + column.bias).sum())
            h = self._linear(target, column.z)
            slack += max(float(column.z @ f) + loss - h, 0.0)  # primal minus dual
            linear += h
            columns.append(column)
        return Solution(columns, linear, 0.0, slack)

    def _refine(self, K: FloatArray, target: FloatArray, z: FloatArray, bias: float) -> Column:
        """Move the free coefficients to the optimum of the dual on them, as far as the box allows.

        The step solves ``[K_FF 1; 1' 0] [s; b] = [r; 0]`` for the residuals r; it is a direction of
        ascent even where K_FF had to be regularised, and its length is exact.
        """
        for _ in range(_ROUNDS):
            low, high, wanted = self._box(target, z)
            free = np.flatnonzero((z > low) & (z < high))
            system = FreeSystem(free, K[np.ix_(free, free)])
            if not len(free):
                break
            residual = wanted[free] - K[free] @ z
            step = system.solve(residual)
            step -= step.mean()  # exactly 1'z = 0, also where the system is nearly singular
            gain, curve = float(residual @ step), float(step @ (system.matrix @ step))
            length = min(1.0, gain / curve) if gain > 0.0 and curve > 0.0 else 0.0
            room = np.full(len(free), np.inf)
            up, down = step > 0.0, step < 0.0
            room[up] = (high[free] - z[free])[up] / step[up]
            room[down] = (low[free] - z[free])[down] / step[down]
            length = min(length, float(room.min()))
            stopped = room <= length
            z = z.copy()
            z[free] += length * step
            # Exactly on the bound, so that the next round counts these as bounded.
            z[free[stopped & up]] = high[free[stopped & up]]
            z[free[stopped & down]] = low[free[stopped & down]]
            z[free] = np.clip(z[free], low[free], high[free])
            inside = free[~stopped]
            if len(inside):
                bias = float(np.mean(wanted[inside] - K[inside] @ z))
            if not stopped.any():
                break
        return Column(z, bias, system)


def _fit(model: Any, K: FloatArray, target: FloatArray) -> tuple[FloatArray, float]:
    """Run LIBSVM; where its steps run out, the slack of the solution tells how much is missing."""
    model.set_params(max_iter=max(_STEPS, _STEPS_PER_ROW * len(target)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(K, target)
    z = np.zeros(len(target))
    z[model.support_] = model.dual_coef_[0]
    return z, float(model.intercept_[0])


class SVMMachine(_BoxMachine):
    """C-SVM, hinge loss: ``max 1'a - z'Kz / 2``, ``z = y * a``, ``0 <= a <= C``, ``1'z = 0``."""

    def subset(self, index: IntArray) -> SVMMachine:
        return SVMMachine(self.targets[:, index], self.C)

    def loss(self, outputs: FloatArray) -> float:
        return float(np.mean(np.maximum(0.0, 1.0 - self.targets * outputs)))

    def _libsvm(self, K: FloatArray, target: FloatArray, tol: float) -> tuple[FloatArray, float]:
        return _fit(SVC(C=self.C, kernel="precomputed", tol=tol), K, target)

    def _box(self, target: FloatArray, z: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return np.where(target > 0, 0.0, -self.C), np.where(target > 0, self.C, 0.0), target

    def _losses(self, target: FloatArray, outputs: FloatArray) -> FloatArray:
        return np.maximum(0.0, 1.0 - target * outputs)

    def _linear(self, target: FloatArray, z: FloatArray) -> float:
        return float(target @ z)


class SVRMachine(_BoxMachine):
    """SVR with the insensitive loss: ``max t'a - eps |a|_1 - a'Ka / 2``, ``|a| <= C``, ``1'a = 0``."""

    def __init__(self, targets: FloatArray, C: float, epsilon: float) -> None:
        super().__init__(targets, C)
        self.epsilon = epsilon

    def subset(self, index: IntArray) -> SVRMachine:
        return SVRMachine(self.targets[:, index], self.C, self.epsilon)

    def loss(self, outputs: FloatArray) -> float:
        return float(np.mean((self.targets - outputs) ** 2))

    def _libsvm(self, K: FloatArray, target: FloatArray, tol: float) -> tuple[FloatArray, float]:
        model = SVR(C=self.C, epsilon=self.epsilon, kernel="precomputed", tol=tol)
        return _fit(model, K, target)

    def _box(self, target: FloatArray, z: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        # A coefficient keeps its sign; one that is 0 stands on both of its bounds.
        low, high = np.where(z < 0, -self.C, 0.0), np.where(z > 0, self.C, 0.0)
        return low, high, target - self.epsilon * np.sign(z)

    def _losses(self, target: FloatArray, outputs: FloatArray) -> FloatArray:
        return np.maximum(0.0, np.abs(target - outputs) - self.epsilon)

    def _linear(self, target: FloatArray, z: FloatArray) -> float:
        return float(target @ z) - self.epsilon * float(np.abs(z).sum())


class LeastSquaresMachine(Machine):
    """Least-squares SVM: squared loss, ``[K + rho I, 1; 1', 0] [a; b] = [y; 0]``, rho = 1 / (2 C)."""

    def subset(self, index: IntArray) -> LeastSquaresMachine:
        return LeastSquaresMachine(self.targets[:, index], self.C)

    def loss(self, outputs: FloatArray) -> float:
        return float(np.mean((self.targets - outputs) ** 2))

    @property
    def rho(self) -> float:
        """What is added to the diagonal of K."""
        return 0.5 / self.C

    def solve(self, K: FloatArray, tol: float) -> Solution:
        z, bias = ridge_fit(K, self.targets, self.rho)
        system = FreeSystem(np.arange(len(K)), K + self.rho * np.eye(len(K)))
        columns = [Column(row, float(b), system) for row, b in zip(z, bias, strict=True)]
        return Solution(
            columns, float((self.targets * z).sum()), 0.5 * self.rho * float((z**2).sum()), 0.0
        )


def ridge_fit(K: FloatArray, targets: FloatArray, rho: float) -> tuple[FloatArray, FloatArray]:
    """Coefficients (columns x n) and constants of least-squares machines, by the ridge system."""
    request = core.RidgeRequest(
        targets=np.ascontiguousarray(targets.T),
        lambdas=[rho],
        mean=False,
        bias=True,
        weights=np.zeros(0),
        fit=True,
        gcv=False,
        loo=False,
        fold_sets=[],
        cv=False,
        bif_order=0,
        zero_one=False,
        outputs=False,
        shortcuts=False,
        eigen=False,
    )
    found = core.ridge([K], request, n_threads=1, progress=None)
    if found["error"][0][0]:
        raise ValueError(found["error"][0][0])
    return found["alpha"][0, 0].T, found["bias"][0, 0]
