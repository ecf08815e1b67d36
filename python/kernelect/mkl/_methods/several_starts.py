"""Problems that are not convex: descents from several weights, of which the best end is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..._support.arrays import FloatArray
from .._machines import Solution
from .._solvers.convex import Learned
from .._solvers.descent import Descent, best_end, descend
from .weight_problem import WeightProblem

Function = Callable[[FloatArray], tuple[float, FloatArray, Solution | None]]


def learn_from_several_starts(
    problem: WeightProblem, function: Function, *, singles: int, p: float
) -> Learned:
    """Minimise over the simplex from equal weights and from the best single kernels.

    Parameters
    ----------
    problem : WeightProblem
        Kernels, tolerance and the most steps.
    function : callable
        Value, derivative and trained machine, if any, at some weights.
    singles : int
        From how many single kernels to start.
    p : float
        The norm that is 1 of the weights returned.
    """
    losses: list[float] = []

    def ends() -> Iterator[Descent[Solution | None]]:
        how: dict[str, Any] = {"simplex": True, "tol": problem.tol, "max_iter": problem.max_iter}
        yield descend(function, problem.uniform(), **how)
        corners = np.eye(problem.stack.size)
        for corner in corners:
            losses.append(function(corner)[0])
        for k in np.argsort(losses, kind="stable")[:singles]:
            yield descend(function, corners[k], **how)

    end, evaluations = best_end(ends())
    return Learned(
        end.x / np.linalg.norm(end.x, ord=p),
        end.path,
        end.length,
        len(losses) + evaluations,
        end.converged,
        end.state,
        stuck=end.stuck,
        late=end.late,
    )
