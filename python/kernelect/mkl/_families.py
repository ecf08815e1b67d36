r"""Families of kernels with a continuous parameter, for infinite kernel learning.

A family answers one question again and again: which of its kernels has the largest

.. math:: Q(\theta) = \lambda\, \beta_t(K_\theta) + \tfrac12 z'K_\theta z

for the coefficients z of the present machine. It scans a grid, whose matrices and eigenvalues are made
once, and climbs from the best places by the gradient
:math:`\lambda \sum_j v_j'K'v_j / \mathrm{tr} K + z'K'z / 2`, v being the t leading eigenvectors; all
kernels here have unit diagonal, so that the trace does not change.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from ..kernels import ARDGaussian, Gaussian, Kernel, Polynomial, normalized
from ._bases import Bases, Stack
from ._gmkl import distance_sums
from ._prepare import CONSTANT
from ._spectra import leading_eigenpairs, principal_proportions

FloatArray = NDArray[np.float64]

_GRID = 25  # points of the scan
_CLIMBS = 3  # places of the scan to climb from
_STEPS = 50  # most steps of one climb


@dataclass
class Score:
    """What a kernel is judged by: lam, t, and the coefficients z (columns x n)."""

    lam: float
    t: int
    z: FloatArray

    def forms(self, stack: Stack) -> FloatArray:
        """``z'K_k z / 2`` for all kernels of a stack."""
        return np.asarray(0.5 * np.einsum("kcn,cn->k", stack.products(self.z), self.z))


class Search(ABC):
    """A family on given rows."""

    @abstractmethod
    def start(self) -> Kernel:
        """Give the kernel to begin with, from the middle of the range."""

    @abstractmethod
    def varies(self) -> bool:
        """Whether any kernel tells rows apart, as K = 11' does not."""

    @abstractmethod
    def best(self, score: Score, known: Sequence[Kernel]) -> tuple[Kernel, float]:
        """Find the kernel with the largest score; `known` are places worth a climb."""


class Family(ABC):
    """A set of kernels."""

    @abstractmethod
    def search(self, X: FloatArray, threads: int, random: np.random.Generator) -> Search:
        """Prepare the search on given rows."""


def _interval(values: Any, name: str) -> tuple[float, float]:
    """Check the ends of a range of positive numbers."""
    try:
        low, high = (float(v) for v in values)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a pair (low, high) of numbers, not {values!r}") from None
    if not (math.isfinite(low) and math.isfinite(high) and low > 0):
        raise ValueError(f"{name} must be a pair of positive finite numbers, not {values!r}")
    if low > high:
        raise ValueError(
            f"{name} = ({low:g}, {high:g}) is an empty interval; the first number must not exceed "
            "the second"
        )
    return low, high


@dataclass(frozen=True)
class GaussianFamily(Family):
    r"""Gaussian kernels :math:`\exp(-\gamma \|x - x'\|^2)` with all gamma of an interval.

    Parameters
    ----------
    gamma : (float, float), default=(2**-10, 2**10)
        The interval.

    Examples
    --------
    >>> from kernelect.mkl import GaussianFamily
    >>> GaussianFamily((0.01, 10.0))
    GaussianFamily(gamma=(0.01, 10.0))
    """

    gamma: tuple[float, float] = (2.0**-10, 2.0**10)

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", _interval(self.gamma, "GaussianFamily: gamma"))

    def search(self, X: FloatArray, threads: int, random: np.random.Generator) -> Search:
        return _WidthSearch(X, self.gamma, threads)


@dataclass(frozen=True)
class PolynomialFamily(Family):
    r"""Polynomial kernels :math:`(1 + x \cdot x')^d`, scaled to unit diagonal, for whole degrees d.

    Degrees in between are left out: such a power of a kernel is not positive semidefinite in general.

    Parameters
    ----------
    degree : (int, int), default=(1, 20)
        Least and largest degree.

    Examples
    --------
    >>> from kernelect.mkl import PolynomialFamily
    >>> PolynomialFamily((1, 4))
    PolynomialFamily(degree=(1, 4))
    """

    degree: tuple[int, int] = (1, 20)

    def __post_init__(self) -> None:
        low, high = _interval(self.degree, "PolynomialFamily: degree")
        if low != int(low) or high != int(high):
            raise ValueError(
                f"PolynomialFamily: degrees must be whole numbers, not {self.degree!r}"
            )
        object.__setattr__(self, "degree", (int(low), int(high)))

    def search(self, X: FloatArray, threads: int, random: np.random.Generator) -> Search:
        kernels = [normalized(Polynomial(d)) for d in range(self.degree[0], self.degree[1] + 1)]
        return _ListSearch(X, kernels, threads)


@dataclass(frozen=True)
class ARDGaussianFamily(Family):
    r"""Gaussian kernels :math:`\exp(-\sum_j \gamma_j (x_j - x'_j)^2)` with a rate per feature.

    Parameters
    ----------
    gamma : (float, float), default=(2**-10, 2**10)
        The interval of every rate.

    Examples
    --------
    >>> from kernelect.mkl import ARDGaussianFamily
    >>> ARDGaussianFamily((0.01, 10.0))
    ARDGaussianFamily(gamma=(0.01, 10.0))
    """

    gamma: tuple[float, float] = (2.0**-10, 2.0**10)

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", _interval(self.gamma, "ARDGaussianFamily: gamma"))

    def search(self, X: FloatArray, threads: int, random: np.random.Generator) -> Search:
        return _RatesSearch(X, self.gamma, threads, random)


class _ListSearch(Search):
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


class _GaussianSearch(Search):
    """A scan over one common rate, then climbs in the logarithms of the rates."""

    def __init__(self, X: FloatArray, interval: tuple[float, float], threads: int) -> None:
        self.X, self.threads = X - X.mean(axis=0), threads
        self.low, self.high = (math.log(end) for end in interval)
        self.grid = np.linspace(self.low, self.high, _GRID if self.high > self.low else 1)
        self.scan = _ListSearch(X, [Gaussian(gamma=math.exp(v)) for v in self.grid], threads)

    @abstractmethod
    def kernel(self, logs: FloatArray) -> Kernel:
        """Make the kernel of the given logarithms of rates."""

    def start(self) -> Kernel:
        return self.scan.start()

    def varies(self) -> bool:
        return self.scan.varies()

    def value_and_slopes(self, score: Score, logs: FloatArray) -> tuple[float, FloatArray]:
        """Score of one kernel and its derivative in the logarithm of every feature's rate."""
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
        tops = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]))
        order = sorted(tops, key=lambda k: -values[k])
        return values, [int(k) for k in order[:_CLIMBS]]


class _WidthSearch(_GaussianSearch):
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


class _RatesSearch(_GaussianSearch):
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
        spread = 0.1 * (self.high - self.low)
        starts.append(starts[0] + self.random.uniform(-spread, spread, features))
        bounds = [(self.low, self.high)] * features
        for start in starts:
            inside = np.clip(start, self.low, self.high)
            logs, climbed = self.climb(score, inside, bounds)
            if climbed > value:
                chosen, value = self.kernel(logs), climbed
        return chosen, value


FAMILIES: dict[str, tuple[Family, ...]] = {
    "gaussian": (GaussianFamily(),),
    "polynomial": (PolynomialFamily(),),
    "both": (GaussianFamily(), PolynomialFamily()),
    "ard": (ARDGaussianFamily(),),
}


def check_families(family: Any) -> list[Family]:
    """Make families of a name, a family or a list of families."""
    if isinstance(family, str):
        if family not in FAMILIES:
            raise ValueError(
                f"family must be one of {', '.join(FAMILIES)}, a family or a list of families, "
                f"not {family!r}"
            )
        return list(FAMILIES[family])
    listed = [family] if isinstance(family, Family) else family
    if not isinstance(listed, (list, tuple)) or not all(isinstance(f, Family) for f in listed):
        raise TypeError(
            f"family must be one of {', '.join(FAMILIES)}, a family or a list of families, "
            f"not {family!r}"
        )
    if not listed:
        raise ValueError("family is an empty list; give at least one family")
    return list(listed)
