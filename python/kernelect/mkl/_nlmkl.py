r"""Non-linear multiple-kernel learning (NLMKL): the entrywise square of a sum of kernels.

.. math:: \min_\mu\; W\big((\textstyle\sum_k \mu_k K_k)^{\circ 2}\big), \qquad \mu \ge 0,\;
    \|\mu\|_p = 1,\; p \in \{1, 2\}

The derivative is :math:`-z'[(\sum_q \mu_q K_q) \circ K_k] z` [1]_. The problem is not convex: descents
start from equal weights and from the best single kernels, and the best end is taken.

References
----------
.. [1] C. Cortes, M. Mohri and A. Rostamizadeh, "Learning non-linear combinations of kernels", NIPS
   2009.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._convex import Learned
from ._gradient import Descent, descend
from ._machines import Solution
from ._problem import Problem
from ._simplex import project_ball, project_simplex

FloatArray = NDArray[np.float64]

# Single kernels to start from besides equal weights.
_SINGLES = 2


def learn_nlmkl(problem: Problem) -> Learned:
    """NLMKL; p is 1 unless given."""
    p = 1 if problem.settings.p is None else problem.settings.p
    if p not in (1, 2):
        raise ValueError(f"nlmkl needs p = 1 or p = 2, not {problem.settings.p!r}")
    project = project_simplex if p == 1 else project_ball
    stack = problem.stack

    def function(mu: FloatArray) -> tuple[float, FloatArray, Solution]:
        total = stack.combine(mu)
        solution = problem.machine.solve_to(total**2, 0.01 * problem.tol)
        G = total * (solution.z.T @ solution.z)
        value = solution.h - 0.5 * float((G * total).sum())
        return value, -stack.inner(G), solution

    starts = [problem.uniform() * (1.0 if p == 1 else np.sqrt(stack.size))]
    if stack.size > 1:
        corners = np.eye(stack.size)
        values = [function(corner)[0] for corner in corners]
        starts += [corners[k] for k in np.argsort(values, kind="stable")[:_SINGLES]]
    ends: list[Descent[Solution]] = [
        descend(function, project, start, tol=problem.tol, max_iter=problem.max_iter)
        for start in starts
    ]
    best = min(ends, key=lambda end: end.path[-1])
    return Learned(best.x, best.path, best.length, best.evaluations, best.converged, best.state)
