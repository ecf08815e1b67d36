r"""The :math:`\ell_p`-norm multiple-kernel learning of Kloft and others (GLMKL).

.. math:: \min_d\; W\Big(\sum_k d_k K_k\Big), \qquad d \ge 0,\; \|d\|_p \le 1,\; p \ge 1

The weights of one machine give better ones in closed form [1]_,

.. math:: d_k \propto \|w_k\|^{2/(p+1)}, \qquad \|w_k\|^2 = d_k^2\, z'K_k z,

scaled to :math:`\|d\|_p = 1`. That never ascends but creeps for p near 1, so a Newton step on the
Lagrangian is tried first. The dual bound is :math:`h(a) - \|q\|_{p^*}`, :math:`1/p + 1/p^* = 1`,
:math:`q_k = z'K_k z / 2`. With p = 1 the problem is SimpleMKL, and its solver is used.

References
----------
.. [1] M. Kloft, U. Brefeld, S. Sonnenburg and A. Zien, "lp-norm multiple kernel learning", JMLR 12,
   2011.
"""

from __future__ import annotations

import math

import numpy as np

from ..._support.arrays import FloatArray
from ..._support.deadline import TimeUp
from .._solvers.convex import Learned, Oracle, Point
from .._solvers.simplex import check_norm
from .fkl import learn_simple
from .weight_problem import WeightProblem

# Share of the gap that a Newton step must close, else the closed form is tried too.
_ENOUGH = 1e-4
# What is added to the curvature, as a share of its trace, so that it has an inverse.
_RIDGE = 1e-12
# Share of itself that a weight keeps in a Newton step at least.
_LEAST = 0.1


def learn_lp(problem: WeightProblem) -> Learned:
    """Learn weights of lp-norm 1; p is 2 unless given."""
    p = check_norm(problem.settings.p, 2.0)
    if p == 1.0:
        return learn_simple(problem)
    oracle = Oracle(problem.stack, problem.machine)
    point = oracle.point(_normalise(np.ones(problem.stack.size), p))
    bound = -math.inf
    path, late = [point.value], False
    while True:
        bound = max(
            bound, point.solution.h - _norm(point.forms, p / (p - 1.0) if p < math.inf else 1)
        )
        gap = max(point.value + point.solution.slack - bound, 0.0)
        allowed = problem.tol * max(1.0, abs(point.value))
        if gap <= allowed or len(oracle.history) >= problem.max_iter:
            break
        if oracle.too_loose(point, allowed):
            try:
                point = oracle.point(point.weights)
            except TimeUp:
                late = True
                break
            continue
        try:
            better = oracle.point(_newton(point, p))
            if better.value > point.value - _ENOUGH * gap:
                other = oracle.point(_closed_form(point, p))
                better = other if other.value < better.value else better
        except TimeUp:
            late = True
            break
        if better.value >= point.value and not oracle.tighten():
            break
        point = better
        path.append(point.value)
    trained = len(oracle.history)
    return Learned(
        point.weights,
        path,
        gap,
        trained,
        gap <= allowed,
        point.solution,
        stuck=trained < problem.max_iter,
        late=late,
    )


def _norm(v: FloatArray, p: float) -> float:
    return float(np.linalg.norm(v, ord=np.inf if p == math.inf else p))


def _normalise(v: FloatArray, p: float) -> FloatArray:
    return v / _norm(v, p)


def _closed_form(point: Point, p: float) -> FloatArray:
    if p == math.inf:
        return np.ones_like(point.weights)
    squares = point.weights**2 * np.maximum(point.forms, 0.0)
    return _normalise((squares / squares.max()) ** (1.0 / (p + 1.0)), p)


def _newton(point: Point, p: float) -> FloatArray:
    """Minimise the quadratic model of ``W(d) + mu (|d|_p^p - 1) / p`` along the sphere.

    The multiplier is ``mu = d'q`` at ``|d|_p = 1``. Weights fall to a tenth at most in one step,
    and never to 0, from where there would be no return.
    """
    d = point.weights
    if p == math.inf:
        return _closed_form(point, p)
    normal = d ** (p - 1.0)
    mu = float(d @ point.forms)
    H = point.curvature + np.diag(mu * (p - 1.0) * d ** (p - 2.0))
    H += _RIDGE * float(np.trace(H)) * np.eye(len(d))
    both = np.linalg.solve(H, np.column_stack([point.forms, normal]))
    step = both[:, 0] - both[:, 1] * (normal @ both[:, 0]) / (normal @ both[:, 1])
    return _normalise(np.maximum(d + step, _LEAST * d), p)
