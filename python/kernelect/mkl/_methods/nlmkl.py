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

import numpy as np

from ..._support.arguments import shown
from ..._support.arrays import FloatArray
from .._machines import Solution
from .._solvers.convex import Learned
from .several_starts import learn_from_several_starts
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
        solution = problem.machine.solve_to(total**2, problem.slack)
        G = total * (solution.z.T @ solution.z)
        value = solution.h - 0.5 * float((G * total).sum())
        slope = -stack.inner(G)
        # The norm of v is a gauge: what changes it changes nothing.
        return value, (slope - (mu @ slope) * mu ** (p - 1)) / length, solution

    return learn_from_several_starts(problem, function, singles=_SINGLES, p=p)
