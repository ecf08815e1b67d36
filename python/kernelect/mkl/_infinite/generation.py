r"""Infinite kernel learning: base kernels found one by one in a continuous family.

.. math:: \max_a\; h(a) - \xi \quad \text{such that} \quad
    Q(\theta; a) = \lambda \beta_t(K_\theta) + \tfrac12 z'K_\theta z \le \xi \;\; \text{for all}\;
    \theta

is the dual of FKL with every kernel of the family as a base kernel (IFKL [1]_; IKL [2]_ is
:math:`\lambda = 0`). Column generation: learn weights of the kernels at hand, look for the one with
the largest Q, stop when it is not above :math:`\xi` by more than the tolerance, else add it.

References
----------
.. [1] Y. Liu, S. Liao, H. Lin, Y. Yue and W. Wang, "Infinite kernel learning: generalization bounds
   and algorithms", AAAI 2017.
.. [2] P. V. Gehler and S. Nowozin, "Infinite kernel learning", Max Planck Institute for Biological
   Cybernetics, technical report 178, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._support.arrays import FloatArray
from ..._support.deadline import TimeUp
from ...kernels import Kernel
from .._bases import Bases, BaseStack
from .._machines import Machine
from .._methods.principal_proportions import principal_proportions
from .._solvers.convex import Learned, Oracle, SimplexPenalty, minimize
from .searches import FamilySearch, Score

# Weights below this are dropped with their kernels after each round.
_UNUSED = 1e-7


@dataclass
class Generated:
    """Kernels found, and their weights."""

    kernels: list[Kernel]
    learned: Learned


def generate(
    X: FloatArray,
    machine: Machine,
    searches: list[FamilySearch],
    *,
    lam: float,
    t: int,
    tol: float,
    max_rounds: int,
    max_iter: int,
    threads: int,
) -> Generated:
    """Learn kernels and weights until no kernel of the families could lower the objective.

    The gap is the duality gap of the infinite problem, as far as the searches find its maximum.
    """
    if not any(search.varies() for search in searches):
        raise ValueError(
            "every kernel of the family is constant on these rows (K = 11'), so there is nothing "
            "to learn from; give a family with narrower kernels, or rows that differ"
        )
    kernels: list[Kernel] = [search.start() for search in searches]
    weights = np.full(len(kernels), 1.0 / len(kernels))
    known: dict[Kernel, float] = {}  # proportions, which cost an eigendecomposition each
    path: list[float] = []
    trained, late = 0, False
    for _ in range(max_rounds):
        try:
            stack = Bases(kernels, X, {}, threads).stack()
            if lam > 0.0:
                _add_proportions(known, kernels, stack, t)
            beta = np.array([known.get(k, 0.0) for k in kernels])
            penalty = SimplexPenalty(-lam * beta)
            oracle = Oracle(stack, machine)
            # The master problem to a tenth of the tolerance, so that the rest is left to the
            # kernels.
            point, learned = minimize(
                oracle, penalty, oracle.point(weights), tol=0.1 * tol, max_iter=max_iter
            )
        except TimeUp:
            if not path:
                raise
            late = True
            break
        trained += learned.n_iter
        objective = penalty.objective(point)
        path.append(objective)
        try:
            score = Score(lam, t, point.solution.z)
            offers = [search.best(score, kernels) for search in searches]
        except TimeUp:
            offers, late = [], True
        largest = max([float((point.forms + lam * beta).max()), *(value for _, value in offers)])
        # The bound of this machine over the whole family, or over the kernels at hand.
        gap = max(objective + point.solution.slack - (point.solution.h - largest), 0.0)
        allowed = tol * max(1.0, abs(objective))
        used = point.weights > _UNUSED
        kernels = [k for k, use in zip(kernels, used, strict=True) if use]
        weights = point.weights[used] / point.weights[used].sum()
        if gap <= allowed or late:
            break
        level = float(point.weights @ (point.forms + lam * beta))
        added = [k for k, value in offers if value > level and k not in kernels]
        if not added:
            break
        kernels, weights = kernels + added, np.concatenate([weights, np.zeros(len(added))])
    used = weights > 0.0
    kernels = [k for k, use in zip(kernels, used, strict=True) if use]
    stuck = len(path) < max_rounds and learned.stuck
    late = late or learned.late
    converged = gap <= allowed and not late
    learned = Learned(
        weights[used], path, gap, trained, converged, point.solution, stuck=stuck, late=late
    )
    return Generated(kernels, learned)


def _add_proportions(
    known: dict[Kernel, float], kernels: list[Kernel], stack: BaseStack, t: int
) -> None:
    """Find the proportions of those kernels of a stack that are not known yet."""
    new = [k for k in kernels if k not in known]
    if new:
        places = np.array([kernels.index(k) for k in new])
        found = principal_proportions(stack, [t], places)[:, 0]
        known.update(zip(new, (float(v) for v in found), strict=True))
