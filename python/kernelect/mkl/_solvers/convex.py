r"""Newton's method for weights of a sum of kernels.

.. math:: \min_{d \in D}\; J(d) = W\Big(\sum_k d_k K_k\Big) + r(d)

with the value W of a machine, which is convex and decreasing in d, a convex penalty r, and D the
simplex or the orthant. One step trains the machine once, gets all ``q_k = z'K_k z / 2`` and the
second derivative from one pass over the kernels, and minimises the quadratic model over D exactly
[1]_. Any trained machine also bounds the optimum from below,

.. math:: J^* \ge h(a) + \min_{d \in D}\, [\, r(d) - d'q \,],

because a is feasible for every d; the difference is the duality gap.

References
----------
.. [1] O. Chapelle and A. Rakotomamonjy, "Second order optimization of kernel parameters", NIPS
   workshop on kernel learning, 2008.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ..._support.arrays import TINY, FloatArray
from ..._support.deadline import TimeUp
from .._bases import BaseStack
from .._clock import check
from .._machines import FINE, FINER, LOOSE, Machine, Solution
from .line_search import ARMIJO, shorter
from .quadratic import minimize_quadratic

# Longest step on the orthant, in units of the largest weight.
_LONGEST = 10.0
# Shortest step that is tried, and the share of the largest weight that is none.
_SHORTEST, _NONE = 1e-8, 1e-12
# A machine is trained further where it leaves more of the allowed gap open than this.
_OPEN = 0.3


@dataclass
class Learned:
    """What a method found.

    Attributes
    ----------
    weights : ndarray
        One per base kernel.
    path : list of float
        Objective after each iteration.
    gap : float
        Duality gap, or length of the projected gradient, at the end.
    n_iter : int
        Iterations.
    converged : bool
        Whether the gap came below the tolerance.
    solution : Solution, optional
        The machine trained with these weights, where the method has one.
    stuck : bool
        Whether the search ended because no step gained anything, and not for want of iterations.
    late : bool
        Whether time was up before the search ended.
    """

    weights: FloatArray
    path: list[float]
    gap: float
    n_iter: int
    converged: bool
    solution: Solution | None = None
    stuck: bool = False
    late: bool = False


@dataclass
class Point:
    """A machine trained with given weights, and what that says about other weights."""

    weights: FloatArray
    solution: Solution
    forms: FloatArray  # q_k = z'K_k z / 2
    curvature: FloatArray  # second derivative of W

    @property
    def value(self) -> float:
        """W at the weights, up to the slack of the machine."""
        return self.solution.h - float(self.weights @ self.forms)


class Oracle:
    """Trains the machine where it is asked and remembers the answers."""

    def __init__(self, stack: BaseStack, machine: Machine) -> None:
        self._stack, self._machine = stack, machine
        self.tol = LOOSE
        self.history: list[Point] = []

    def point(self, weights: FloatArray) -> Point:
        """Train with the given weights."""
        check()
        solution = self._machine.solve(self._stack.combine(weights), self.tol)
        products = self._stack.products(solution.z)
        forms, curvature = solution.quadratic_forms(products), solution.curvature(products)
        solution.release()
        point = Point(weights, solution, forms, curvature)
        self.history.append(point)
        return point

    def tighten(self) -> bool:
        """Ask the machine for more accuracy; False where it has no more to give."""
        if self.tol <= FINE:
            return False
        self.tol = max(FINER * self.tol, FINE)
        return True

    def too_loose(self, point: Point, allowed: float) -> bool:
        """Whether a machine must be trained further, and can be, for a gap to be closed."""
        return point.solution.slack > _OPEN * allowed and self.tighten()


class Penalty(ABC):
    """What is added to W, and the set of the weights."""

    simplex: bool

    @abstractmethod
    def value(self, d: FloatArray) -> float:
        """Value of r(d)."""

    @abstractmethod
    def gradient(self, d: FloatArray) -> FloatArray:
        """Its gradient."""

    @abstractmethod
    def curvature(self) -> float:
        """Second derivative, the same in all weights."""

    @abstractmethod
    def bound(self, point: Point) -> float:
        """Lower bound of the optimum from one trained machine."""

    def objective(self, point: Point) -> float:
        """Value of J at a point."""
        return point.value + self.value(point.weights)


class SimplexPenalty(Penalty):
    """A linear penalty on the simplex: ``r(d) = c'd``; SimpleMKL with c = 0, FKL with -lam beta."""

    simplex = True

    def __init__(self, c: FloatArray) -> None:
        self.c = c

    def value(self, d: FloatArray) -> float:
        return float(self.c @ d)

    def gradient(self, d: FloatArray) -> FloatArray:
        return self.c

    def curvature(self) -> float:
        return 0.0

    def bound(self, point: Point) -> float:
        return point.solution.h + float((self.c - point.forms).min())


def minimize(
    oracle: Oracle, penalty: Penalty, start: Point, *, tol: float, max_iter: int
) -> tuple[Point, Learned]:
    """Minimise J from a trained start until the gap is at most ``tol * max(1, |J|)``.

    Returns the last point and its summary, whose `n_iter` counts the trained machines.
    """
    point = start
    bound = max(penalty.bound(known) for known in oracle.history)
    path = [penalty.objective(point)]
    evaluations, late = 1, False
    while True:
        objective = penalty.objective(point)
        gap = max(objective + point.solution.slack - bound, 0.0)
        allowed = tol * max(1.0, abs(objective))
        if gap <= allowed or evaluations >= max_iter:
            break
        try:
            if oracle.too_loose(point, allowed):
                better = oracle.point(point.weights)
            else:
                direction = _newton_direction(point, penalty)
                better, trained = _line_search(
                    oracle, penalty, point, direction, max_iter - evaluations
                )
                evaluations += trained - 1
                if better is point and not oracle.tighten():
                    break
                if better is point:
                    better = oracle.point(point.weights)
        except TimeUp:
            late = True
            break
        evaluations += 1
        for known in oracle.history[-evaluations:]:
            bound = max(bound, penalty.bound(known))
        point = better
        path.append(penalty.objective(point))
    learned = Learned(
        point.weights,
        path,
        gap,
        evaluations,
        gap <= allowed,
        point.solution,
        stuck=evaluations < max_iter,
        late=late,
    )
    return point, learned


def _newton_direction(point: Point, penalty: Penalty) -> FloatArray:
    d = point.weights
    H = point.curvature + penalty.curvature() * np.eye(len(d))
    gradient = penalty.gradient(d) - point.forms
    linear = gradient - H @ d
    direction = minimize_quadratic(linear, H, simplex=penalty.simplex, start=d) - d
    if penalty.simplex:
        return direction
    # The model knows only the present free set. Few free coefficients leave it flat in some
    # directions, where its minimum is as good as at infinity.
    most = _LONGEST * max(float(d.max()), 1.0 / len(d))
    return direction * min(1.0, most / max(float(np.abs(direction).max()), TINY))


def _line_search(
    oracle: Oracle, penalty: Penalty, point: Point, direction: FloatArray, budget: int
) -> tuple[Point, int]:
    """Walk along a direction of descent; the point itself where nothing is gained.

    Values are known up to the slack of the machine, so a step is refused only for a larger rise.
    """
    objective = penalty.objective(point)
    slope = float((penalty.gradient(point.weights) - point.forms) @ direction)
    if slope >= 0.0:
        return point, 0
    length = 1.0
    for trained in range(1, max(budget, 1) + 1):
        weights = point.weights + length * direction
        weights[weights < _NONE * weights.max()] = 0.0
        if penalty.simplex:
            weights /= weights.sum()
        trial = oracle.point(weights)
        change = penalty.objective(trial) - objective
        if change <= ARMIJO * length * slope + point.solution.slack:
            return trial, trained
        length = shorter(length, slope, change)
        if length < _SHORTEST:
            break
    return point, trained
