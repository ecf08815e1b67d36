r"""Weights that minimise k-KS, cross-validation plus kernel stability, of the sum of kernels.

.. math:: \mathrm{k\text{-}KS}(K) = \mathrm{CV}_k(K) + \frac{\eta}{n}\, \max_i \|K - K^i\|_2

with the squared k-fold loss of the least-squares SVM (closed form, ridge 1/(2C)) and
:math:`\|K - K^i\|_2 = (K_{ii} + \sqrt{K_{ii}^2 + 4 \sum_{j \ne i} K_{ji}^2}) / 2` [1]_. With the
residual maker P of the ridge system, :math:`e_F = P_{FF}^{-1} \alpha_F`,
:math:`\alpha^{(-F)} = \alpha - P_{:,F} e_F` and
:math:`\partial e_F / \partial\mu_q = -P_{FF}^{-1} P_{F,:} K_q\, \alpha^{(-F)}`.

The maximum over the points is smoothed by a log-sum-exp whose temperature is a thousandth of the
value at equal weights, so that a gradient exists; the reported objective is the smoothed one, which
is above k-KS by at most ``0.001 log(n)`` of its stability term. The problem is not convex: descents
start from equal weights and from the best single kernel.

References
----------
.. [1] Y. Liu and S. Liao, "Preventing over-fitting of cross-validation with kernel stability", ECML
   PKDD 2014.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.special import logsumexp, softmax

from ..._data.folds import make_fold_sets
from ..._support.arguments import check_number
from ..._support.arrays import TINY, FloatArray
from .._clock import step
from .._solvers.cholesky import factorise, inverse_of
from .._solvers.convex import Learned
from .._solvers.simplex import check_norm
from .several_starts import learn_from_several_starts
from .weight_problem import WeightProblem

_TEMPERATURE = 1e-3


class StabilityObjective:
    """k-KS of a kernel matrix and its derivative in that matrix."""

    def __init__(self, problem: WeightProblem) -> None:
        settings = problem.settings
        self.eta = check_number(settings.eta, "eta", zero=True)
        self.targets = problem.machine.targets.T
        self.rho = 0.5 / problem.machine.C
        sets = make_fold_sets(settings.folds, problem.target)
        self.folds = [test for tests in sets for test in tests]
        self.temperature = 0.0
        norms = self._norms(problem.stack.combine(problem.uniform()))[0]
        self.temperature = _TEMPERATURE * float(norms.max())

    def _norms(self, K: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Spectral norms of K - K^i for all i, and the root in them."""
        diagonal = np.diagonal(K)
        others = np.einsum("ij,ij->i", K, K) - diagonal**2
        root = np.sqrt(diagonal**2 + 4.0 * np.maximum(others, 0.0))
        return 0.5 * (diagonal + root), root

    def stability(self, K: FloatArray) -> tuple[float, FloatArray]:
        """Return the smoothed largest norm and its derivative."""
        norms, root = self._norms(K)
        value = self.temperature * float(logsumexp(norms / self.temperature))
        share = softmax(norms / self.temperature)
        root = np.maximum(root, TINY)
        half = (share / root)[:, None] * K
        G = half + half.T
        np.fill_diagonal(G, 0.5 * share * (1.0 + np.diagonal(K) / root))
        return value, G

    def cross_validation(self, K: FloatArray) -> tuple[float, FloatArray]:
        """Mean squared held-out residual and its derivative."""
        n, columns = self.targets.shape
        factor = factorise(K + self.rho * np.eye(n))
        R = inverse_of(factor)
        sums = R.sum(axis=1)
        P = R - np.outer(sums, sums) / sums.sum()
        alpha = P @ self.targets
        count = sum(len(fold) for fold in self.folds)
        left, right, total = [], [], 0.0
        for fold in self.folds:
            block = scipy.linalg.cho_factor(P[np.ix_(fold, fold)], lower=True)
            residuals = scipy.linalg.cho_solve(block, alpha[fold])
            total += float((residuals**2).sum())
            left.append(P[:, fold] @ scipy.linalg.cho_solve(block, residuals))
            right.append(alpha - P[:, fold] @ residuals)
        G = -np.concatenate(left, axis=1) @ np.concatenate(right, axis=1).T
        return total / (count * columns), (G + G.T) / (count * columns)

    @step()
    def __call__(self, K: FloatArray) -> tuple[float, FloatArray]:
        """Value and derivative of k-KS."""
        loss, loss_gradient = self.cross_validation(K)
        norm, norm_gradient = self.stability(K)
        factor = self.eta / len(K)
        return loss + factor * norm, loss_gradient + factor * norm_gradient


def learn_ks(problem: WeightProblem) -> Learned:
    """Minimise k-KS."""
    p = check_norm(problem.settings.p, 1.0)
    objective = StabilityObjective(problem)
    stack = problem.stack

    def function(mu: FloatArray) -> tuple[float, FloatArray, None]:
        value, G = objective(stack.combine(mu))
        return value, stack.inner(G), None

    return learn_from_several_starts(problem, function, singles=1, p=p)
