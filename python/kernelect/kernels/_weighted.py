"""Weighted sums of kernels: what multiple-kernel learning gives back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .._data.rows import Tables
from .._support.arrays import FloatArray
from ._algebra import Composite
from ._base import Kernel
from ._parameters import Parameter, size_of

if TYPE_CHECKING:
    from .._data.rows import Program


@dataclass(frozen=True, repr=False, init=False)
class WeightedSum(Composite):
    r"""Weighted sum of kernels :math:`\sum_k w_k\, k_k(x, x')`.

    Parameters
    ----------
    kernels : sequence of Kernel
        The terms.
    weights : sequence of float
        Their weights.
    signed : bool, default=False
        Allow negative weights. The sum is then a kernel only where the caller knows it to be
        positive semidefinite.

    Examples
    --------
    >>> import kernelect as ke
    >>> k = ke.kernels.WeightedSum([ke.Gaussian(2.0), ke.Linear()], [0.25, 0.75])
    >>> k
    0.25 * Gaussian(tau=2.0) + 0.75 * Linear()
    >>> k([[1.0]], [[3.0]]).round(4)
    array([[2.342]])
    """

    kernels: tuple[Kernel, ...]
    weights: tuple[float, ...]
    signed: bool = field(default=False, kw_only=True)

    def __init__(
        self, kernels: Sequence[Kernel], weights: Sequence[float] | ArrayLike, signed: bool = False
    ) -> None:
        terms = tuple(kernels)
        for term in terms:
            if not isinstance(term, Kernel):
                raise TypeError(f"WeightedSum adds kernels, not {term!r}")
        numbers = tuple(float(w) for w in np.asarray(weights, dtype=np.float64).ravel())
        if not terms or len(terms) != len(numbers):
            raise ValueError(
                f"WeightedSum has {len(terms)} kernels and {len(numbers)} weights; give one weight "
                "per kernel and at least one kernel"
            )
        for number in numbers:
            if not math.isfinite(number):
                raise ValueError(f"WeightedSum: weights must be finite, not {number!r}")
            if number < 0 and not signed:
                raise ValueError(
                    f"WeightedSum: weights must not be negative, but one is {number!r}; such a sum "
                    "is not a kernel in general (signed=True accepts it)"
                )
        object.__setattr__(self, "kernels", terms)
        object.__setattr__(self, "weights", numbers)
        object.__setattr__(self, "signed", bool(signed))

    def _bind(self, names: Sequence[str]) -> Kernel:
        return WeightedSum([term._bind(names) for term in self.kernels], self.weights, self.signed)

    @property
    def _parts(self) -> tuple[Kernel, ...]:
        return self.kernels

    def _with_parts(self, parts: tuple[Kernel, ...]) -> Kernel:
        return WeightedSum(parts, self.weights, self.signed)

    def _parameters(self, start: int) -> list[Parameter]:
        found: list[Parameter] = []
        for term, weight in zip(self.kernels, self.weights, strict=True):
            found += term._parameters(start)
            start += size_of(term)
            if weight > 0.0:
                found.append(Parameter("weights", weight, start, (1.0, 0.0)))
            start += 1
        return found

    def _with_values(self, values: Iterator[float]) -> Kernel:
        terms, weights = [], []
        for term, weight in zip(self.kernels, self.weights, strict=True):
            terms.append(term._with_values(values))
            weights.append(next(values) if weight > 0.0 else weight)
        return WeightedSum(terms, weights, self.signed)

    def _program(self, tables: Tables) -> Program:
        program: Program = []
        for term, weight in zip(self.kernels, self.weights, strict=True):
            program += [*term._program(tables), ("scale", weight, 0.0, 0, 0)]
        return [*program, ("sum", 0.0, 0.0, len(self.kernels), 0)]

    def _combine(self, values: list[FloatArray]) -> FloatArray:
        total = self.weights[0] * values[0]
        for weight, value in zip(self.weights[1:], values[1:], strict=True):
            total += weight * value
        return total

    def __repr__(self) -> str:
        shown = []
        for weight, term in zip(self.weights, self.kernels, strict=True):
            text = repr(term)
            shown.append(f"{weight:.6g} * " + (f"({text})" if " + " in text else text))
        return " + ".join(shown)
