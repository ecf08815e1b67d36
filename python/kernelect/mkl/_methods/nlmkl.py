r"""Non-linear multiple-kernel learning (NLMKL): the entrywise square of a sum of kernels.

.. math:: \min_\mu\; W\big((\textstyle\sum_k \mu_k K_k)^{\circ 2}\big), \qquad \mu \ge 0,\;
    \|\mu\|_p = 1,\; p \in \{1, 2\}

The derivative is :math:`-z'[(\sum_q \mu_q K_q) \circ K_k] z` [1]_. W falls as :math:`\mu` grows, so
nothing is lost on the sphere, and both norms become one search over the simplex, :math:`\mu = v /
\|v\|_p`. The problem is not convex: descents start from equal weights and from the best single
kernels, and the best end is taken.

References
----------
.. [1] C. Cortes, M. Mohri and A. Rostamizadeh, "Learning non-linear combinations of kernels", NIPS
   2009.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..._support.arguments import shown
from ..._support.arrays import FloatArray
from .._machines import Solution
from .._solvers.convex import Learned
from .._solvers.descent import Descent, best_end, descend
from .weight_problem import WeightProblem

# Single kernels to start from besides equal weights.
_SINGLES = 2


def learn_nlmkl(problem: WeightProblem) -> Learned:
    """NLMKL; p is 1 unless given."""
    p = 1 if problem.settings.p is None else problem.settings.p
    if p not in (1, 2):
        raise ValueError(f"nlmkl needs p = 1 or p = 2, not {shown(problem.settings.p)}")
    stack = problem.stack

    def function(v: FloatArray) -> tuple[float, FloatArray, Solution]:
        length = float(np.linalg.norm(v, ord=p))
        mu = v / length
        total = stack.combine(mu)
        solution = problem.machine.solve_to(total**2, 0.01 * problem.tol)
        G = total * (solution.z.T @ solution.z)
        value = solution.h - 0.5 * float((G * total).sum())
        slope = -stack.inner(G)
        # The norm of v is a gauge: what changes it changes nothing.
        return value, (slope - (mu @ slope) * mu ** (p - 1)) / length, solution

    singles: list[float] = []

    def ends() -> Iterator[Descent[Solution]]:
        how: dict[str, Any] = {"simplex": True, "tol": problem.tol, "max_iter": problem.max_iter}
        yield descend(function, problem.uniform(), **how)
        corners = np.eye(stack.size)
        for corner in corners:
            singles.append(function(corner)[0])
        for k in np.argsort(singles, kind="stable")[:_SINGLES]:
            yield descend(function, corners[k], **how)

    best, trained = best_end(ends())
    weights = best.x / np.linalg.norm(best.x, ord=p)
    return Learned(
        weights,
        best.path,
        best.length,
        len(singles) + trained,
        best.converged,
        best.state,
        stuck=best.stuck,
        late=best.late,
    )
