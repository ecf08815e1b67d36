r"""Weights from centred alignment with the target: no machine is trained to find them.

With :math:`a_k = \langle HK_kH, T\rangle`, :math:`M_{kl} = \langle HK_kH, HK_lH\rangle` and the
target matrix T (``yy'``, one term per class, or the centred numbers) [1]_:

``align``         :math:`\eta_k` proportional to the alignment of each kernel by itself
``alignf``        :math:`\eta \propto \arg\min_{v \ge 0} v'Mv - 2v'a`, the best alignment of a sum
``align_linear``  :math:`\eta \propto M^{-1}a`, signs free; the sum may then be indefinite

all scaled to :math:`\|\eta\|_2 = 1`.

References
----------
.. [1] C. Cortes, M. Mohri and A. Rostamizadeh, "Algorithms for learning kernels based on centered
   alignment", JMLR 13, 2012.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..._support.arrays import FloatArray
from ..._support.warning import warn_caller
from .._solvers.cholesky import is_semidefinite
from .._solvers.convex import Learned
from .._solvers.quadratic import minimize_quadratic
from .weight_problem import WeightProblem

# Added to M, as a share of its diagonal: many narrow kernels are all nearly the identity.
_RIDGE = 1e-10
# Eigenvalues of a sum below minus this share of their mean size are not rounding.
_INDEFINITE = 1e-10


class _Alignments:
    """The numbers a and M, in units in which every kernel has norm 1."""

    def __init__(self, problem: WeightProblem) -> None:
        centred = problem.machine.targets - problem.machine.targets.mean(axis=1, keepdims=True)
        products = problem.stack.products(centred)
        M = problem.stack.centred_products()
        self.norms = np.sqrt(np.diagonal(M))
        self.target = float(np.linalg.norm(centred @ centred.T))
        self.M = M / np.outer(self.norms, self.norms)
        self.a = np.einsum("kcn,cn->k", products, centred) / self.norms

    def of(self, weights: FloatArray) -> float:
        """Alignment of the target with the sum of kernels of the given weights."""
        v = weights * self.norms
        length = float(np.sqrt(v @ self.M @ v))
        return float(v @ self.a) / (length * self.target) if length > 0.0 else 0.0

    def conic(self) -> FloatArray:
        """Weights of ``alignf``."""
        ridged = self.M + _RIDGE * np.eye(len(self.a))
        v = minimize_quadratic(-2.0 * self.a, 2.0 * ridged, simplex=False)
        return _unit(v / self.norms)

    def linear(self) -> FloatArray:
        """Weights of ``align_linear``."""
        ridged = self.M + _RIDGE * np.eye(len(self.a))
        v = scipy.linalg.solve(ridged, self.a, assume_a="pos")
        return _unit(v / self.norms)


def _unit(v: FloatArray) -> FloatArray:
    length = float(np.linalg.norm(v))
    if length == 0.0:
        raise ValueError(
            "no kernel is aligned with y, so alignment gives no weights; use another method, for "
            "example method='simple'"
        )
    return v / length


def _learned(alignments: _Alignments, weights: FloatArray) -> Learned:
    return Learned(weights, [alignments.of(weights)], 0.0, 1, True)


def learn_align(problem: WeightProblem) -> Learned:
    """Weights proportional to the alignment of each kernel."""
    alignments = _Alignments(problem)
    return _learned(alignments, _unit(np.maximum(alignments.a, 0.0)))


def learn_alignf(problem: WeightProblem) -> Learned:
    """Non-negative weights of the best aligned sum."""
    alignments = _Alignments(problem)
    return _learned(alignments, alignments.conic())


def learn_align_linear(problem: WeightProblem) -> Learned:
    """Weights of the best aligned sum, or those of ``alignf`` where that sum is indefinite."""
    alignments = _Alignments(problem)
    weights = alignments.linear()
    if (weights < 0.0).any() and not is_semidefinite(problem.stack.combine(weights), _INDEFINITE):
        warn_caller(
            "the weights of align_linear make an indefinite sum of kernels; the non-negative "
            "weights of alignf are used instead"
        )
        weights = alignments.conic()
    return _learned(alignments, weights)
