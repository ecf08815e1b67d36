"""Families of kernels with a parameter, for infinite kernel learning."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._support.arguments import shown
from ..._support.arrays import FloatArray
from ...kernels import Polynomial, normalized
from .searches import FamilySearch, ListSearch, RatesSearch, WidthSearch


class Family(ABC):
    """A set of kernels."""

    @abstractmethod
    def search(self, X: FloatArray, threads: int, random: np.random.Generator) -> FamilySearch:
        """Prepare the search on given rows."""


def _interval(values: Any, name: str) -> tuple[float, float]:
    """Check the ends of a range of positive numbers."""
    try:
        low, high = (float(v) for v in values)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be a pair (low, high) of numbers, not {shown(values)}"
        ) from None
    if not (math.isfinite(low) and math.isfinite(high) and low > 0):
        raise ValueError(f"{name} must be a pair of positive finite numbers, not {shown(values)}")
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

    def search(self, X: FloatArray, threads: int, random: np.random.Generator) -> FamilySearch:
        return WidthSearch(X, self.gamma, threads)


@dataclass(frozen=True)
class PolynomialFamily(Family):
    r"""Polynomial kernels :math:`(1 + x \cdot x')^d`, scaled to unit diagonal, for whole degrees d.

    Degrees in between are left out: such a power of a kernel is not positive semidefinite in
    general.

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
                f"PolynomialFamily: degrees must be whole numbers, not {shown(self.degree)}"
            )
        object.__setattr__(self, "degree", (int(low), int(high)))

    def search(self, X: FloatArray, threads: int, random: np.random.Generator) -> FamilySearch:
        kernels = [normalized(Polynomial(d)) for d in range(self.degree[0], self.degree[1] + 1)]
        return ListSearch(X, kernels, threads)


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

    def search(self, X: FloatArray, threads: int, random: np.random.Generator) -> FamilySearch:
        return RatesSearch(X, self.gamma, threads, random)


FAMILIES: dict[str, tuple[Family, ...]] = {
    "gaussian": (GaussianFamily(),),
    "polynomial": (PolynomialFamily(),),
    "both": (GaussianFamily(), PolynomialFamily()),
    "ard": (ARDGaussianFamily(),),
}


def check_families(family: Any) -> list[Family]:
    """Make families of a name, a family or a list of families."""
    wanted = f"family must be one of {', '.join(FAMILIES)}, a family or a list of families"
    if isinstance(family, str):
        if family not in FAMILIES:
            raise ValueError(f"{wanted}, not {shown(family)}")
        return list(FAMILIES[family])
    listed = [family] if isinstance(family, Family) else family
    if not isinstance(listed, (list, tuple)) or not all(isinstance(f, Family) for f in listed):
        raise TypeError(f"{wanted}, not {shown(family)}")
    if not listed:
        raise ValueError("family is an empty list; give at least one family")
    return list(listed)
