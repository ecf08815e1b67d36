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
from numpy.typing import NDArray

from ..._support.arrays import FloatArray
from ..._support.deadline import TimeUp
from ...kernels import Kernel
from .._bases import Bases, BaseStack
from .._machines import Machine
from .._methods.principal_proportions import principal_proportions
from .._solvers.convex import Learned, Oracle, Point, SimplexPenalty, minimize
from .searches import FamilySearch, Score

# Weights below this are dropped with their kernels after each round.
_UNUSED = 1e-7
# Share of the tolerance that weights are found to, so that the rest is left to the kernels.
_OF_TOL = 0.1


@dataclass
class Generated:
    """Kernels found, and their weights."""

    kernels: list[Kernel]
    learned: Learned


@dataclass(frozen=True)
class Terms:
    """What is to be minimised, and when that is done."""

    lam: float
    t: int
    tol: float
    max_rounds: int
    max_iter: int


def generate(
    X: FloatArray, machine: Machine, searches: list[FamilySearch], terms: Terms, threads: int
) -> Generated:
    """Learn kernels and weights until no kernel of the families could lower the objective.

    The gap is the duality gap of the infinite problem, as far as the searches find its maximum.
    """
    if not any(search.varies() for search in searches):
        raise ValueError(
            "every kernel of the family is constant on these rows (K = 11'), so there is nothing "
            "to learn from; give a family with narrower kernels, or rows that differ"
        )
    generation = _Generation(X, machine, searches, terms, threads)
    for _ in range(terms.max_rounds):
        try:
            generation.learn_weights()
        except TimeUp:
            if not generation.path:
                raise
            generation.late = True
            break
        if not generation.add_kernels():
            break
    return generation.result()


class _Generation:
    """The kernels at hand and their weights, round by round."""

    learned: Learned
    point: Point
    forms: FloatArray  # Q of the kernels at hand
    gap: float

    def __init__(
        self,
        X: FloatArray,
        machine: Machine,
        searches: list[FamilySearch],
        terms: Terms,
        threads: int,
    ) -> None:
        self._X, self._machine, self._searches = X, machine, searches
        self._terms, self._threads = terms, threads
        self._known: dict[Kernel, float] = {}  # proportions, an eigendecomposition each
        self.kernels: list[Kernel] = [search.start() for search in searches]
        self.weights = np.full(len(searches), 1.0 / len(searches))
        self.path: list[float] = []
        self.trained = 0
        self.late = False

    def learn_weights(self) -> None:
        """Solve the master problem: the weights of the kernels at hand."""
        terms = self._terms
        stack = Bases(self.kernels, self._X, {}, self._threads).stack()
        if terms.lam > 0.0:
            self._add_proportions(stack)
        beta = np.array([self._known.get(k, 0.0) for k in self.kernels])
        penalty = SimplexPenalty(-terms.lam * beta)
        oracle = Oracle(stack, self._machine)
        start = oracle.point(self.weights)
        self.point, self.learned = minimize(
            oracle, penalty, start, tol=_OF_TOL * terms.tol, max_iter=terms.max_iter
        )
        self.forms = self.point.forms + terms.lam * beta
        self.trained += self.learned.n_iter
        self.path.append(penalty.objective(self.point))

    def add_kernels(self) -> bool:
        """Drop kernels without weight and add the best of the families; False where that is all."""
        solution, weights = self.point.solution, self.point.weights
        try:
            score = Score(self._terms.lam, self._terms.t, solution.z)
            offers = [search.best(score, self.kernels) for search in self._searches]
        except TimeUp:
            offers, self.late = [], True
        largest = max([float(self.forms.max()), *(value for _, value in offers)])
        # The bound of this machine over the whole family, or over the kernels at hand.
        self.gap = max(self.path[-1] + solution.slack - (solution.h - largest), 0.0)
        used = weights > _UNUSED
        self._keep(used, weights[used] / weights[used].sum())
        if self._closed or self.late:
            return False
        level = float(weights @ self.forms)
        added = [k for k, value in offers if value > level and k not in self.kernels]
        self.kernels = self.kernels + added
        self.weights = np.concatenate([self.weights, np.zeros(len(added))])
        return bool(added)

    def result(self) -> Generated:
        """Return the kernels that have a weight."""
        used = self.weights > 0.0
        self._keep(used, self.weights[used])
        late = self.late or self.learned.late
        learned = Learned(
            self.weights,
            self.path,
            self.gap,
            self.trained,
            self._closed and not late,
            self.point.solution,
            stuck=len(self.path) < self._terms.max_rounds and self.learned.stuck,
            late=late,
        )
        return Generated(self.kernels, learned)

    @property
    def _closed(self) -> bool:
        return self.gap <= self._terms.tol * max(1.0, abs(self.path[-1]))

    def _keep(self, used: NDArray[np.bool_], weights: FloatArray) -> None:
        self.kernels = [k for k, use in zip(self.kernels, used, strict=True) if use]
        self.weights = weights

    def _add_proportions(self, stack: BaseStack) -> None:
        """Find the proportions of those kernels of a stack that are not known yet."""
        new = [k for k in self.kernels if k not in self._known]
        if new:
            places = np.array([self.kernels.index(k) for k in new])
            found = principal_proportions(stack, [self._terms.t], places)[:, 0]
            self._known.update(zip(new, (float(v) for v in found), strict=True))
