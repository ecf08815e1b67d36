"""Sums, products, multiples and normalisations of kernels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .._data.rows import Rows, Tables
from .._support.arguments import shown
from .._support.arrays import FloatArray
from ._base import Kernel, positive
from ._parameters import Parameter, parameters_of_parts, parts_with_values, size_of

if TYPE_CHECKING:
    from .._data.rows import Program


class Composite(Kernel):
    """A kernel made of others; parts from outside the core are combined as matrices."""

    @property
    @abstractmethod
    def _parts(self) -> tuple[Kernel, ...]:
        """What it is made of."""

    @abstractmethod
    def _with_parts(self, parts: tuple[Kernel, ...]) -> Kernel:
        """Make the same of other parts."""

    @abstractmethod
    def _combine(self, values: list[FloatArray]) -> FloatArray:
        """Do the same with matrices or diagonals."""

    def _bind(self, names: Sequence[str]) -> Kernel:
        return self._with_parts(tuple(part._bind(names) for part in self._parts))

    def _parameters(self, start: int) -> list[Parameter]:
        return parameters_of_parts(self._parts, start)

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return self._with_parts(parts_with_values(self._parts, values))

    def _per_column(self, count: int) -> Kernel:
        return self._with_parts(tuple(part._per_column(count) for part in self._parts))

    @property
    def in_core(self) -> bool:
        return all(part.in_core for part in self._parts)

    def _then(self, tables: Tables, name: str, number: float = 0.0, count: int = 0) -> Program:
        """Write the parts one after the other, and what the core does with them."""
        parts = (part._program(tables) for part in self._parts)
        return [*(node for part in parts for node in part), (name, number, 0.0, count, 0)]

    def _matrix(self, left: Rows, right: Rows | None) -> FloatArray:
        if self.in_core:
            return super()._matrix(left, right)
        return self._combine([part._matrix(left, right) for part in self._parts])

    def _diagonal(self, rows: Rows) -> FloatArray:
        if self.in_core:
            return super()._diagonal(rows)
        return self._combine([part._diagonal(rows) for part in self._parts])


def _need_kernel(owner: str, value: object) -> None:
    if not isinstance(value, Kernel):
        raise TypeError(f"{owner} needs a kernel, not {shown(value)}")


def _wrapped(kernel: Kernel, *kinds: type) -> str:
    text = repr(kernel)
    return f"({text})" if isinstance(kernel, kinds) else text


@dataclass(frozen=True, repr=False)
class _OfTerms(Composite):
    """Two or more kernels, those of inner ones of the same kind in their place."""

    terms: tuple[Kernel, ...]

    _operation: ClassVar[str]

    def __post_init__(self) -> None:
        kind = type(self)
        flat: list[Kernel] = []
        for term in self.terms:
            flat += term.terms if isinstance(term, kind) else [term]
        for term in flat:
            _need_kernel(kind.__name__, term)
        if len(flat) < 2:
            raise ValueError(f"{kind.__name__} needs at least two kernels, not {len(flat)}")
        object.__setattr__(self, "terms", tuple(flat))

    @property
    def _parts(self) -> tuple[Kernel, ...]:
        return self.terms

    def _with_parts(self, parts: tuple[Kernel, ...]) -> Kernel:
        return type(self)(parts)

    def _program(self, tables: Tables) -> Program:
        return self._then(tables, self._operation, count=len(self.terms))


@dataclass(frozen=True, repr=False)
class Sum(_OfTerms):
    """Sum of kernels; written ``k1 + k2``."""

    _operation: ClassVar[str] = "sum"

    def _combine(self, values: list[FloatArray]) -> FloatArray:
        return reduce(np.add, values)

    def __repr__(self) -> str:
        return " + ".join(repr(term) for term in self.terms)


@dataclass(frozen=True, repr=False)
class Product(_OfTerms):
    """Entrywise product of kernels; written ``k1 * k2``."""

    _operation: ClassVar[str] = "product"

    @property
    def _has_unit_diagonal(self) -> bool:
        return all(term._has_unit_diagonal for term in self.terms)

    def _combine(self, values: list[FloatArray]) -> FloatArray:
        return reduce(np.multiply, values)

    def __repr__(self) -> str:
        return " * ".join(_wrapped(term, Sum, Scaled) for term in self.terms)


@dataclass(frozen=True, repr=False)
class Scaled(Composite):
    """A kernel times a non-negative number; written ``2 * k``."""

    weight: float
    kernel: Kernel

    def __post_init__(self) -> None:
        _need_kernel("Scaled", self.kernel)
        object.__setattr__(self, "weight", positive("weight", self.weight, "Scaled", zero=True))

    @property
    def _parts(self) -> tuple[Kernel, ...]:
        return (self.kernel,)

    def _with_parts(self, parts: tuple[Kernel, ...]) -> Kernel:
        return Scaled(self.weight, *parts)

    def _parameters(self, start: int) -> list[Parameter]:
        own = Parameter("weight", self.weight, start + size_of(self.kernel), (1.0, 0.0))
        return [*super()._parameters(start), *([own] if self.weight > 0.0 else [])]

    def _with_values(self, values: Iterator[float]) -> Kernel:
        (kernel,) = parts_with_values(self._parts, values)
        return Scaled(next(values) if self.weight > 0.0 else 0.0, kernel)

    def _program(self, tables: Tables) -> Program:
        return self._then(tables, "scale", self.weight)

    def _combine(self, values: list[FloatArray]) -> FloatArray:
        return self.weight * values[0]

    def __repr__(self) -> str:
        return f"{self.weight!r} * {_wrapped(self.kernel, Sum, Product, Scaled)}"


@dataclass(frozen=True, repr=False)
class Normalized(Composite):
    """A kernel scaled to unit diagonal, ``k(x, x') / sqrt(k(x, x) k(x', x'))``."""

    kernel: Kernel

    def __post_init__(self) -> None:
        _need_kernel("normalized", self.kernel)
        if isinstance(self.kernel, Normalized):  # once is enough
            object.__setattr__(self, "kernel", self.kernel.kernel)

    @property
    def _parts(self) -> tuple[Kernel, ...]:
        return (self.kernel,)

    def _with_parts(self, parts: tuple[Kernel, ...]) -> Kernel:
        return Normalized(*parts)

    def _program(self, tables: Tables) -> Program:
        return self._then(tables, "normalize")

    @property
    def _has_unit_diagonal(self) -> bool:
        return True

    def _combine(self, values: list[FloatArray]) -> FloatArray:
        return np.where(values[0] > 0, 1.0, 0.0)  # of the diagonal

    def _matrix(self, left: Rows, right: Rows | None) -> FloatArray:
        if self.in_core:
            return super()._matrix(left, right)
        scales = [self._scales(rows) for rows in (left, left if right is None else right)]
        return self.kernel._matrix(left, right) * np.outer(*scales)

    def _scales(self, rows: Rows) -> FloatArray:
        diagonal = self.kernel._diagonal(rows)
        positive_part = diagonal > 0
        return np.where(positive_part, 1.0 / np.sqrt(np.where(positive_part, diagonal, 1.0)), 0.0)

    def __repr__(self) -> str:
        return f"normalized({self.kernel!r})"


def normalized(kernel: Kernel) -> Kernel:
    """Scale a kernel to unit diagonal.

    Parameters
    ----------
    kernel : Kernel
        Any kernel.

    Returns
    -------
    Kernel
        ``k(x, x') / sqrt(k(x, x) k(x', x'))``; 0 where a row has ``k(x, x) = 0``.

    Examples
    --------
    >>> import kernelect as ke
    >>> k = ke.normalized(ke.Polynomial(2))
    >>> k([[1.0], [2.0]]).round(3)
    array([[1. , 0.9],
           [0.9, 1. ]])
    """
    return Normalized(kernel)
