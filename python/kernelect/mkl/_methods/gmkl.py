r"""Generalised multiple-kernel learning (GMKL) of Varma and Babu.

.. math:: \min_{d \ge 0}\; W(K_d) + r(d)

for a sum :math:`K_d = \sum_k d_k K_k`, which is convex, or a product of one Gaussian per feature,
:math:`K_d = \exp(-\sum_j d_j (x_j - x'_j)^2)`, which is not; with the penalty :math:`r =
\sigma\,1'd` ("l1") or :math:`r = \sigma \|d - 1\|^2 / (2 \cdot 0.1)` ("l2") [1]_.

References
----------
.. [1] M. Varma and B. R. Babu, "More generality in efficient multiple kernel learning", ICML 2009.
"""

from __future__ import annotations

import numpy as np

from ..._support.arguments import check_choice, check_number
from ..._support.arrays import TINY, FloatArray
from ...kernels import ARDGaussian
from .._clock import check
from .._machines import Solution
from .._solvers.convex import Learned, Oracle, Penalty, Point, minimize
from .._solvers.descent import descend
from .weight_problem import WeightProblem

# Centre and variance of the authors' quadratic penalty.
_CENTRE, _VARIANCE = 1.0, 0.1
# Variances of features up to this, and down to its inverse, have squares in floating point.
_WIDEST = 1e140


class _OrthantPenalty(Penalty):
    """A penalty on weights of any size."""

    simplex = False

    def __init__(self, weight: float) -> None:
        self.weight = weight


class L1Penalty(_OrthantPenalty):
    """``r(d) = sigma 1'd``. The dual asks for q <= sigma, which shrinking a fulfils."""

    def value(self, d: FloatArray) -> float:
        return self.weight * float(d.sum())

    def gradient(self, d: FloatArray) -> FloatArray:
        return np.full_like(d, self.weight)

    def curvature(self) -> float:
        return 0.0

    def bound(self, point: Point) -> float:
        solution = point.solution
        share = min(1.0, float(np.sqrt(self.weight / max(point.forms.max(), TINY))))
        return share * solution.linear - share**2 * solution.square


class L2Penalty(_OrthantPenalty):
    """``r(d) = sigma |d - 1|^2 / 0.2``; ``r(d) - d'q`` is least at ``d = 1 + 0.1 q / sigma``."""

    def value(self, d: FloatArray) -> float:
        return self.weight * float(((d - _CENTRE) ** 2).sum()) / (2.0 * _VARIANCE)

    def gradient(self, d: FloatArray) -> FloatArray:
        return self.weight * (d - _CENTRE) / _VARIANCE

    def curvature(self) -> float:
        return self.weight / _VARIANCE

    def bound(self, point: Point) -> float:
        q = point.forms
        half = 0.5 * _VARIANCE / self.weight
        return point.solution.h - float((_CENTRE * q + half * q**2).sum())


def _penalty(problem: WeightProblem) -> _OrthantPenalty:
    weight = check_number(problem.settings.penalty_weight, "penalty_weight", positive=True)
    kinds = {"l1": L1Penalty, "l2": L2Penalty}
    return kinds[check_choice(problem.settings.penalty, "penalty", kinds)](weight)


def learn_sum(problem: WeightProblem) -> Learned:
    """GMKL with a sum of kernels."""
    oracle = Oracle(problem.stack, problem.machine)
    _, learned = minimize(
        oracle,
        _penalty(problem),
        oracle.point(problem.uniform()),
        tol=problem.tol,
        max_iter=problem.max_iter,
    )
    return learned


def learn_product(problem: WeightProblem, X: FloatArray) -> Learned:
    """GMKL with one Gaussian factor per feature; the weights are the rates of the features."""
    penalty = _penalty(problem)
    moving = X.max(axis=0) != X.min(axis=0)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        centred = X - X.mean(axis=0)
        spread = centred.var(axis=0)
    outside = moving & ~((spread >= 1.0 / _WIDEST) & (spread <= _WIDEST))
    if outside.any():
        raise ValueError(
            f"gmkl with form='product' learns rates of about 1 / variance, and column "
            f"{np.flatnonzero(outside)[0]} is too large or too small for that; scale X, for "
            "example with StandardScaler"
        )

    def function(d: FloatArray) -> tuple[float, FloatArray, Solution]:
        check()
        K = ARDGaussian(d)(centred)
        solution = problem.machine.solve_to(K, problem.slack)
        G = K * (solution.z.T @ solution.z)
        value = solution.h - 0.5 * float(G.sum())
        # dW/dd_j = -z'(dK/dd_j)z / 2 = sum_ab G_ab (x_aj - x_bj)^2 / 2
        gradient = 0.5 * distance_sums(G, centred)
        return value + penalty.value(d), gradient + penalty.gradient(d), solution

    start = np.zeros(X.shape[1])
    start[moving] = 1.0 / (float(moving.sum()) * spread[moving])
    end = descend(function, start, simplex=False, tol=problem.tol, max_iter=problem.max_iter)
    return Learned(
        end.x,
        end.path,
        end.length,
        end.evaluations,
        end.converged,
        end.state,
        stuck=end.stuck,
        late=end.late,
    )


def distance_sums(G: FloatArray, X: FloatArray) -> FloatArray:
    """``sum_ab G_ab (x_aj - x_bj)^2`` for every feature j and a symmetric G."""
    return np.asarray(2.0 * (G.sum(axis=1) @ X**2 - np.einsum("aj,aj->j", X, G @ X)))
