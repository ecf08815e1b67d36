r"""The search for the best kernel of a family, for infinite kernel learning.

One question is answered again and again: which kernel has the largest

.. math:: Q(\theta) = \lambda\, \beta_t(K_\theta) + \tfrac12 z'K_\theta z

for the coefficients z of the present machine. A grid is scanned, whose matrices and eigenvalues are
made once, and the best places are climbed from by the gradient
:math:`\lambda \sum_j v_j'K'v_j / \mathrm{tr} K + z'K'z / 2`, v being the t leading eigenvectors;
all kernels here have unit diagonal, so that the trace does not change.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.optimize

from ..._support.arrays import FloatArray
from ...kernels import ARDGaussian, Gaussian, Kernel
from .._bases import Bases, BaseStack
from .._clock import check
from .._methods.gmkl import distance_sums
from .._methods.principal_proportions import leading_eigenpairs, principal_proportions
from .._prepare import CONSTANT

_GRID = 25  # points of the scan
_CLIMBS = 6  # places of the scan to climb from, at most
_LEVEL = 1e-9  # scores closer than this, relative to the largest, are level
_STEPS = 50  # most steps of one climb
_APART = 0.1  # of the range of rates, how far a random start may be from the best common rate


@dataclass
class Score:
    """What a kernel is judged by: lam, t, and the coefficients z (columns x n)."""

    lam: float
    t: int
    z: FloatArray

    def forms(self, stack: BaseStack) -> FloatArray:
        """``z'K_k z / 2`` for all kernels of a stack."""
        return np.asarray(0.5 * np.einsum("kcn,cn->k", stack.products(self.z), self.z))


class FamilySearch(ABC):
    """A family on given rows."""

    @abstractmethod
    def start(self) -> Kernel:
        """Return the kernel to begin with, from the middle of the range."""

    @abstractmethod
    def varies(self) -> bool:
        """Whether any kernel tells rows apart, as K = 11' does not."""

    @abstractmethod
    def best(self, score: Score, known: Sequence[Kernel]) -> tuple[Kernel, float]:
        """Find the kernel with the largest score; `known` are places worth a climb."""


class ListSearch(FamilySearch):
    """A finite family: its matrices are made once, its eigenvalues when they are first needed."""

    def __init__(self, X: FloatArray, kernels: list[Kernel], threads: int) -> None:
        self.kernels = kernels
        self.stack = Bases(kernels, X, {}, threads).stack()
        self._proportions: dict[int, FloatArray] = {}

    def start(self) -> Kernel:
        return self.kernels[len(self.kernels) // 2]

    def varies(self) -> bool:
        traces = self.stack.traces()
        return bool((self.stack.centred_traces() > CONSTANT * traces).any())

    def scores(self, score: Score) -> FloatArray:
        """Score of every kernel of the list."""
        values = score.forms(self.stack)
        if score.lam > 0.0:
            if score.t not in self._proportions:
                found = principal_proportions(self.stack, [score.t])
                self._proportions[score.t] = found[:, 0]
            values = values + score.lam * self._proportions[score.t]
        return values

    def best(self, score: Score, known: Sequence[Kernel]) -> tuple[Kernel, float]:
        values = self.scores(score)
        k = int(np.argmax(values))
        return self.kernels[k], float(values[k])


class GaussianSearch(FamilySearch):
    """A scan over one common rate, then climbs in the logarithms of the rates."""

    def __init__(self, X: FloatArray, interval: tuple[float, float], threads: int) -> None:
        self.X, self.threads = X - X.mean(axis=0), threads
        self.low, self.high = (math.log(end) for end in interval)
        self.grid = np.linspace(self.low, self.high, _GRID if self.high > self.low else 1)
        self.scan = ListSearch(X, [Gaussian(gamma=math.exp(v)) for v in self.grid], threads)

    @abstractmethod
    def kernel(self, logs: FloatArray) -> Kernel:
        """Make the kernel of the given logarithms of rates."""

    def start(self) -> Kernel:
        return self.scan.start()

    def varies(self) -> bool:
        return self.scan.varies()

    def value_and_slopes(self, score: Score, logs: FloatArray) -> tuple[float, FloatArray]:
        """Score of one kernel and its derivative in the logarithm of every feature's rate."""
        check()
        K = self.kernel(logs)(self.X)
        rates = np.exp(np.broadcast_to(logs, self.X.shape[1]))
        G = 0.5 * (score.z.T @ score.z)
        value = float((G * K).sum())
        if score.lam > 0.0:
            count = min(score.t, len(K) - 1)
            values, vectors = leading_eigenpairs(K, count, self.threads)
            trace = float(np.trace(K))
            value += score.lam * float(values.sum()) / trace
            G = G + (score.lam / trace) * (vectors @ vectors.T)
        return value, -rates * distance_sums(G * K, self.X)

    def climb(
        self, score: Score, start: FloatArray, bounds: list[tuple[float, float]]
    ) -> tuple[FloatArray, float]:
        """Climb from a place within bounds; one logarithm stands for all rates, or one for each."""
        size = len(start)

        def function(logs: FloatArray) -> tuple[float, FloatArray]:
            value, slopes = self.value_and_slopes(score, logs)
            return -value, -(
                slopes if size > 1 or self.X.shape[1] == 1 else slopes.sum(keepdims=True)
            )

        end = scipy.optimize.minimize(
            function, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": _STEPS}
        )
        return np.asarray(end.x), -float(end.fun)

    def peaks(self, score: Score) -> tuple[FloatArray, list[int]]:
        """Scan the grid: all scores, and the places of the highest local maxima."""
        values = self.scan.scores(score)
        padded = np.concatenate([[-np.inf], values, [-np.inf]])
        # A plateau, as of ever narrower kernels that are all the identity, counts once.
        level = _LEVEL * float(np.abs(values).max())
        tops = np.flatnonzero((values > padded[:-2] + level) & (values >= padded[2:] - level))
        order = sorted(tops, key=lambda k: -values[k])
        return values, [int(k) for k in order[:_CLIMBS]]


class WidthSearch(GaussianSearch):
    """Gaussians with one rate for all features."""

    def kernel(self, logs: FloatArray) -> Kernel:
        return Gaussian(gamma=math.exp(float(logs[0])))

    def best(self, score: Score, known: Sequence[Kernel]) -> tuple[Kernel, float]:
        values, tops = self.peaks(score)
        chosen, value = self.scan.kernels[tops[0]], float(values[tops[0]])
        for k in tops:
            bounds = [(self.grid[max(k - 1, 0)], self.grid[min(k + 1, len(self.grid) - 1)])]
            logs, climbed = self.climb(score, self.grid[k : k + 1], bounds)
            if climbed > value:
                chosen, value = self.kernel(logs), climbed
        return chosen, value


class RatesSearch(GaussianSearch):
    """Gaussians with a rate for each feature."""

    def __init__(
        self,
        X: FloatArray,
        interval: tuple[float, float],
        threads: int,
        random: np.random.Generator,
    ) -> None:
        super().__init__(X, interval, threads)
        self.random = random

    def kernel(self, logs: FloatArray) -> Kernel:
        return ARDGaussian(np.exp(np.broadcast_to(logs, self.X.shape[1])))

    def start(self) -> Kernel:
        return self.kernel(self.grid[len(self.grid) // 2 : len(self.grid) // 2 + 1])

    def best(self, score: Score, known: Sequence[Kernel]) -> tuple[Kernel, float]:
        values, tops = self.peaks(score)
        features = self.X.shape[1]
        chosen, value = self.kernel(self.grid[tops[0] : tops[0] + 1]), float(values[tops[0]])
        starts = [np.full(features, self.grid[k]) for k in tops[:2]]
        starts += [np.log(k.gammas) for k in known if isinstance(k, ARDGaussian)][-1:]
        # A random direction away from the best common rate, because all rates equal is a symmetric
        # place from which features that look alike would never part.
        spread = _APART * (self.high - self.low)
        starts.append(starts[0] + self.random.uniform(-spread, spread, features))
        bounds = [(self.low, self.high)] * features
        for start in starts:
            inside = np.clip(start, self.low, self.high)
            logs, climbed = self.climb(score, inside, bounds)
            if climbed > value:
                chosen, value = self.kernel(logs), climbed
        return chosen, value
