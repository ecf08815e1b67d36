r"""Finite kernel learning (FKL) and SimpleMKL.

.. math:: \min_d\; W(K_d) - \lambda\, d'\beta, \qquad K_d = \sum_k d_k K_k,\; d \ge 0,\; \sum_k d_k
= 1

with the value W of the machine and the principal eigenvalue proportions :math:`\beta_k` (the share
of the t largest eigenvalues in the trace of :math:`K_k`) [1]_. SimpleMKL [2]_ is :math:`\lambda =
0`. The problem is convex; at its optimum :math:`g_k = \lambda \beta_k + z'K_k z / 2` is largest and
equal on all kernels in use, and :math:`\max_k g_k - d'g` is the duality gap.

References
----------
.. [1] Y. Liu, S. Liao, H. Lin, Y. Yue and W. Wang, "Infinite kernel learning: generalization bounds
   and algorithms", AAAI 2017.
.. [2] A. Rakotomamonjy, F. Bach, S. Canu and Y. Grandvalet, "SimpleMKL", JMLR 9, 2008.
"""

from __future__ import annotations

import numpy as np

from ..._support.arrays import FloatArray
from ..._support.deadline import TimeUp
from .._solvers.convex import Learned, Oracle, Point, SimplexPenalty, minimize
from .._solvers.simplex import clip_and_normalise
from .cross_validation import choose
from .principal_proportions import principal_proportions
from .weight_problem import WeightProblem

# Of the descent as printed: the tolerance of its machines, the relative decrease that ends it, how
# steps grow and shrink, and the shortest one.
_MACHINE, _LEVEL = 1e-5, 1e-9
_LONGER, _SHORTER, _SHORTEST = 2.0, 0.3, 1e-10


def learn_simple(problem: WeightProblem) -> Learned:
    """SimpleMKL."""
    return _learn(problem, np.zeros(problem.stack.size), problem.uniform())


def learn_fkl(problem: WeightProblem) -> Learned:
    """FKL, with lam and t as given or chosen by cross-validation."""
    lam, t, start = choose(problem)
    problem.notes.update(lam=lam, t=min(t, problem.stack.n - 1))
    beta = principal_proportions(problem.stack, [t])[:, 0] if lam > 0.0 else 0.0
    c = np.zeros(problem.stack.size) - lam * beta
    if problem.settings.projection == "paper":
        return _learn_as_printed(problem, c)
    return _learn(problem, c, start)


def _learn(problem: WeightProblem, c: FloatArray, start: FloatArray) -> Learned:
    oracle = Oracle(problem.stack, problem.machine)
    _, learned = minimize(
        oracle,
        SimplexPenalty(c),
        oracle.point(start),
        tol=problem.tol,
        max_iter=problem.max_iter,
    )
    return learned


def _learn_as_printed(problem: WeightProblem, c: FloatArray) -> Learned:
    """Gradient descent with the paper's projection; ends where its steps stop to descend."""
    penalty = SimplexPenalty(c)
    oracle = Oracle(problem.stack, problem.machine)
    oracle.tol = _MACHINE
    point = oracle.point(problem.uniform())
    path = [penalty.objective(point)]
    step = 1.0
    late = False
    while len(oracle.history) < problem.max_iter:
        try:
            better = _printed_step(oracle, penalty, point, step, problem.max_iter)
        except TimeUp:
            late = True
            break
        if better is None:
            break
        point, step = better
        path.append(penalty.objective(point))
        if path[-2] - path[-1] <= _LEVEL * max(1.0, abs(path[-1])):
            break
    gap = path[-1] + point.solution.slack - max(penalty.bound(p) for p in oracle.history)
    converged = gap <= problem.tol * max(1.0, abs(path[-1]))
    trained = len(oracle.history)
    stuck = trained < problem.max_iter
    return Learned(
        point.weights, path, gap, trained, converged, point.solution, stuck=stuck, late=late
    )


def _printed_step(
    oracle: Oracle, penalty: SimplexPenalty, point: Point, step: float, budget: int
) -> tuple[Point, float] | None:
    objective = penalty.objective(point)
    gradient = penalty.c - point.forms
    step *= _LONGER
    while step > _SHORTEST and len(oracle.history) < budget:
        trial = oracle.point(clip_and_normalise(point.weights - step * gradient))
        if penalty.objective(trial) < objective - point.solution.slack:
            return trial, step
        step *= _SHORTER
    return None
