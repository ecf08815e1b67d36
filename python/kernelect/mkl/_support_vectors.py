r"""SVM and SVR: LIBSVM, then exact steps of an active-set method from where it stopped."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, SVR

from .._support.arrays import FloatArray, IntArray
from .._support.patience import patiently
from .._support.quiet import quietly
from ._clock import check, step
from ._machines import FINE, ColumnSolution, FreeSystem, Machine, Solution

# Steps of LIBSVM at most, per row and at least; the exact steps go on from wherever it stopped.
_STEPS_PER_ROW, _STEPS = 200, 100_000
# Exact steps: as long as LIBSVM can still be asked for more, and at its finest tolerance.
_ROUNDS, _LAST_ROUNDS = 5, 100
# From this many rows on LIBSVM may take seconds.
_MANY = 1000
# Violation of the KKT conditions, relative to the target, that counts as rounding.
_EXACT = 1e-10


class _BoxMachine(Machine):
    """A dual with bounds: each coefficient lies between 0 and C, or -C and 0, as its side tells."""

    @abstractmethod
    def _libsvm(self, K: FloatArray, target: FloatArray, tol: float) -> tuple[FloatArray, float]:
        """Coefficients and constant from LIBSVM."""

    @abstractmethod
    def _side(self, target: FloatArray, z: FloatArray, errors: FloatArray) -> FloatArray:
        """Sign that each coefficient has or, where it is 0, would take."""

    @abstractmethod
    def _wanted(self, target: FloatArray, side: FloatArray) -> FloatArray:
        """Return the outputs where coefficients of these signs are free."""

    @abstractmethod
    def _losses(self, target: FloatArray, outputs: FloatArray) -> FloatArray:
        """Losses of outputs."""

    @abstractmethod
    def _linear(self, target: FloatArray, z: FloatArray) -> float:
        """Value of h(a)."""

    @step()
    def solve(self, K: FloatArray, tol: float) -> Solution:
        rounds = _ROUNDS if tol > FINE else _LAST_ROUNDS
        columns, linear, slack = [], 0.0, 0.0
        for target in self.targets:
            column = self._refine(K, target, *self._libsvm(K, target, tol), rounds)
            f = K @ column.z
            loss = self.C * float(self._losses(target, f + column.bias).sum())
            h = self._linear(target, column.z)
            slack += max(float(column.z @ f) + loss - h, 0.0)  # primal minus dual
            linear += h
            columns.append(column)
        return Solution(columns, linear, 0.0, slack)

    def _refine(
        self, K: FloatArray, target: FloatArray, z: FloatArray, bias: float, rounds: int
    ) -> ColumnSolution:
        """Go on by an active-set method: an exact step on the free coefficients in every round.

        A step ends at the first bound it meets, and the coefficients there are free no longer.
        After a step that met none, the bounded coefficient that violates its condition most is set
        free.
        """
        z, f = z.copy(), K @ z
        entering = np.zeros(len(z), dtype=bool)
        system: FreeSystem | None = None
        exact = _EXACT * max(1.0, float(np.abs(target).max()))
        for _ in range(rounds):
            check()
            side = self._side(target, z, target - f - bias)
            low, high = np.where(side > 0, 0.0, -self.C), np.where(side > 0, self.C, 0.0)
            residual = self._wanted(target, side) - f
            free = np.flatnonzero((z > low) & (z < high) | entering)
            entering[:] = False
            if len(free) > 1:
                system = FreeSystem(free, K[np.ix_(free, free)])
                shift, stopped = _step(system, residual[free], z[free], low[free], high[free])
                z[free] += shift
                z[free] = np.clip(z[free], low[free], high[free])
                # Exactly on the bound, so that the next round counts these as bounded.
                z[free[stopped]] = np.where(shift > 0.0, high[free], low[free])[stopped]
                moved = shift @ K[free]
                f, residual = f + moved, residual - moved
                if stopped.any():
                    continue
            if not len(free):
                # Any constant between the outputs that may rise and those that may fall will do;
                # where there is none, the worst pair is set free, because the sum stays 0.
                rise, fall = self._slopes(target, z, f, 1.0), self._slopes(target, z, f, -1.0)
                bias = 0.5 * float(rise.max() + fall.min())
                if rise.max() - fall.min() <= exact:
                    break
                entering[[rise.argmax(), fall.argmin()]] = True
                continue
            bias = float(residual[free].mean())
            violation = np.where(z < high, residual - bias, bias - residual)
            violation[free] = 0.0
            if violation.max() <= exact:
                break
            entering[violation.argmax()] = True
        free = np.flatnonzero((z != 0.0) & (np.abs(z) < self.C))
        if len(free):
            bias = float(np.mean((self._wanted(target, np.sign(z)) - K @ z)[free]))
        if system is None or not np.array_equal(free, system.free):
            system = FreeSystem(free, K[np.ix_(free, free)])
        return ColumnSolution(z, bias, system)

    def _slopes(self, target: FloatArray, z: FloatArray, f: FloatArray, way: float) -> FloatArray:
        """Derive the dual for raising (way 1) or lowering (-1) z; infinite where it cannot go."""
        side = self._side(target, z, np.full(len(z), way))
        end = np.where(side > 0, self.C, 0.0) if way > 0 else np.where(side > 0, 0.0, -self.C)
        return np.where(z == end, -way * np.inf, self._wanted(target, side) - f)


def _step(
    system: FreeSystem, residual: FloatArray, z: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Step of the free coefficients to the optimum of the dual on them, or to the first bound.

    It solves ``[K_FF 1; 1' 0] [s; b] = [r; 0]`` for the residuals r, which is a direction of ascent
    even where K_FF had to be regularised, and its length is exact. The second result says which
    coefficients met a bound.
    """
    step = system.solve(residual)
    step -= step.mean()  # exactly 1'z = 0, also where the system is nearly singular
    gain, curve = float(residual @ step), float(step @ (system.matrix @ step))
    # Where K_FF is singular rounding may leave no curvature: the way up then ends at a bound only.
    length = 0.0 if gain <= 0.0 else 1.0 if curve <= 0.0 else min(1.0, gain / curve)
    room = np.full(len(step), np.inf)
    up, down = step > 0.0, step < 0.0
    room[up] = (high - z)[up] / step[up]
    room[down] = (low - z)[down] / step[down]
    stopped = room <= min(length, float(room.min()))
    return min(length, float(room.min())) * step, stopped


def _fit(model: Any, K: FloatArray, target: FloatArray) -> tuple[FloatArray, float]:
    """Run LIBSVM; where its steps run out, the slack of the solution tells how much is missing."""
    model.max_iter = max(_STEPS, _STEPS_PER_ROW * len(target))

    def run() -> None:
        # Matrix and target are our own; of few rows checking them takes longer than LIBSVM.
        with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
            model.fit(K, target)

    with quietly(ConvergenceWarning):
        try:
            if len(target) < _MANY:
                run()
            else:
                patiently(run, check)
        except ValueError as error:
            raise ValueError(
                f"the SVM finds no finite solution for a kernel matrix with entries up to "
                f"{np.abs(K).max():.0e}; bring the kernels to one size with scaling='diagonal', or "
                "scale X"
            ) from error
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

    def _side(self, target: FloatArray, z: FloatArray, errors: FloatArray) -> FloatArray:
        return target

    def _wanted(self, target: FloatArray, side: FloatArray) -> FloatArray:
        return target

    def _losses(self, target: FloatArray, outputs: FloatArray) -> FloatArray:
        return np.maximum(0.0, 1.0 - target * outputs)

    def _linear(self, target: FloatArray, z: FloatArray) -> float:
        return float(target @ z)


class SVRMachine(_BoxMachine):
    """SVR, insensitive loss: ``max t'a - eps |a|_1 - a'Ka / 2``, ``|a| <= C``, ``1'a = 0``."""

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

    def _side(self, target: FloatArray, z: FloatArray, errors: FloatArray) -> FloatArray:
        return np.where(z != 0.0, np.sign(z), np.where(errors > 0.0, 1.0, -1.0))

    def _wanted(self, target: FloatArray, side: FloatArray) -> FloatArray:
        return target - self.epsilon * side

    def _losses(self, target: FloatArray, outputs: FloatArray) -> FloatArray:
        return np.maximum(0.0, np.abs(target - outputs) - self.epsilon)

    def _linear(self, target: FloatArray, z: FloatArray) -> float:
        return float(target @ z) - self.epsilon * float(np.abs(z).sum())
