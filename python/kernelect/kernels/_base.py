"""What every kernel can do, and the algebra on kernels."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._dispatch import core
from .._rows import Tables, check_rows, column_names, make_sample
from .._threads import resolve_threads

if TYPE_CHECKING:
    from .._rows import Program

FloatArray = NDArray[np.float64]


class Kernel(ABC):
    """A positive semidefinite function of two rows.

    Kernels are immutable, hashable, comparable and picklable. Called on arrays they give the kernel
    matrix, so that any scikit-learn estimator which accepts a callable accepts a kernel. ``k1 + k2``,
    ``2 * k`` and ``k1 * k2`` are kernels again.
    """

    @abstractmethod
    def _program(self, tables: Tables) -> Program:
        """Write the kernel as a postfix expression over tables of rows."""

    def _bind(self, names: Sequence[str]) -> Kernel:
        """Remember where columns that the kernel knows by name stand in a data frame."""
        return self

    @property
    def in_core(self) -> bool:
        """Whether the compiled core can evaluate this kernel by itself."""
        return True

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
        """Kernel matrix between the rows of `X` and those of `Y` (of `X` itself without `Y`).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.
        Y : array-like or sparse matrix of shape (m, n_features), optional
            Other rows.

        Returns
        -------
        ndarray of shape (n, n) or (n, m)
            The kernel matrix.
        """
        if not self.in_core:
            return self._from_parts(X, Y)
        tables = Tables()
        program = self._bound_to(X)._program(tables)
        left = make_sample(tables.of(check_rows(X, "X")))
        right = None
        if Y is not None:
            rows = check_rows(Y, "Y", like=X)
            right = make_sample(tables.of(rows))
        return core.gram(program, left, right, threads=resolve_threads(None), progress=None)

    def _bound_to(self, X: object) -> Kernel:
        names = column_names(X)
        return self if names is None else self._bind(names)

    def diag(self, X: ArrayLike) -> FloatArray:
        """Diagonal of the kernel matrix of `X`, without the matrix.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n,)
            ``k(x, x)`` for every row.
        """
        if not self.in_core:
            return self._diag_from_parts(X)
        tables = Tables()
        program = self._bound_to(X)._program(tables)
        return core.diagonal(program, make_sample(tables.of(check_rows(X, "X"))))

    def _from_parts(self, X: ArrayLike, Y: ArrayLike | None) -> FloatArray:
        """Kernel matrix of an expression with parts that the core does not know."""
        raise TypeError(f"{self!r} cannot be evaluated on rows")

    def _diag_from_parts(self, X: ArrayLike) -> FloatArray:
        """Diagonal of such a kernel matrix."""
        raise TypeError(f"{self!r} cannot be evaluated on rows")

    def params_for(self, estimator: object) -> dict[str, Any]:
        """Parameters that make a scikit-learn estimator use this kernel.

        Parameters
        ----------
        estimator : object
            An estimator (or its class) with a ``kernel`` parameter.

        Returns
        -------
        dict
            For ``estimator.set_params(**...)``: scikit-learn's own kernel where it has the same one,
            this callable otherwise.
        """
        names = _parameter_names(estimator)
        if "kernel" not in names:
            name = getattr(estimator, "__name__", type(estimator).__name__)
            raise ValueError(f"{name} has no 'kernel' parameter to put {self!r} into")
        own = self._params_for(names)
        if own:
            return own
        if "optimizer" in names:  # a Gaussian process, whose kernels are objects of their own
            from ._gaussian_process import FixedKernel

            return {"kernel": FixedKernel(self)}
        return {"kernel": self}

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        """Scikit-learn's own parameters for this kernel; empty where it has none."""
        return {}

    def __add__(self, other: object) -> Kernel:
        if not isinstance(other, Kernel):
            return NotImplemented
        return Sum(_terms(self, Sum) + _terms(other, Sum))

    def __mul__(self, other: object) -> Kernel:
        if isinstance(other, Kernel):
            return Product(_terms(self, Product) + _terms(other, Product))
        if isinstance(other, (int, float, np.integer, np.floating)):
            return Scaled(float(other), self)
        return NotImplemented

    __rmul__ = __mul__

    def __repr__(self) -> str:
        shown = []
        for item in fields(self):  # type: ignore[arg-type]
            value = getattr(self, item.name)
            if not item.kw_only or value != item.default:
                prefix = f"{item.name}="
                shown.append(f"{prefix}{value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


def _terms(kernel: Kernel, kind: type) -> tuple[Kernel, ...]:
    return (
        kernel.terms if isinstance(kernel, (Sum, Product)) and type(kernel) is kind else (kernel,)
    )


def _parameter_names(estimator: object) -> set[str]:
    instance = estimator() if isinstance(estimator, type) else estimator
    get_params = getattr(instance, "get_params", None)
    return set(get_params(deep=False)) if get_params else set()


def positive(name: str, value: object, kernel: str, *, zero: bool = False) -> float:
    """Check a kernel parameter and return it as a float."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise TypeError(f"{kernel}: {name} must be a number, not {value!r}")
    number = float(value)
    if not math.isfinite(number) or number < 0 or (number == 0 and not zero):
        wanted = "zero or a positive finite number" if zero else "a positive finite number"
        raise ValueError(f"{kernel}: {name} must be {wanted}, not {value!r}")
    return number


def _wrapped(kernel: Kernel, *kinds: type) -> str:
    text = repr(kernel)
    return f"({text})" if isinstance(kernel, kinds) else text


@dataclass(frozen=True, repr=False)
class Sum(Kernel):
    """Sum of kernels; written ``k1 + k2``."""

    terms: tuple[Kernel, ...]

    def _bind(self, names: Sequence[str]) -> Kernel:
        return Sum(tuple(term._bind(names) for term in self.terms))

    @property
    def in_core(self) -> bool:
        return all(term.in_core for term in self.terms)

    def _program(self, tables: Tables) -> Program:
        parts = [term._program(tables) for term in self.terms]
        return [*(node for part in parts for node in part), ("sum", 0.0, 0.0, len(parts), 0)]

    def _from_parts(self, X: ArrayLike, Y: ArrayLike | None) -> FloatArray:
        return np.asarray(np.sum([term(X, Y) for term in self.terms], axis=0))

    def _diag_from_parts(self, X: ArrayLike) -> FloatArray:
        return np.asarray(np.sum([term.diag(X) for term in self.terms], axis=0))

    def __repr__(self) -> str:
        return " + ".join(repr(term) for term in self.terms)


@dataclass(frozen=True, repr=False)
class Product(Kernel):
    """Entrywise product of kernels; written ``k1 * k2``."""

    terms: tuple[Kernel, ...]

    def _bind(self, names: Sequence[str]) -> Kernel:
        return Product(tuple(term._bind(names) for term in self.terms))

    @property
    def in_core(self) -> bool:
        return all(term.in_core for term in self.terms)

    def _program(self, tables: Tables) -> Program:
        parts = [term._program(tables) for term in self.terms]
        return [*(node for part in parts for node in part), ("product", 0.0, 0.0, len(parts), 0)]

    def _from_parts(self, X: ArrayLike, Y: ArrayLike | None) -> FloatArray:
        return np.asarray(np.prod([term(X, Y) for term in self.terms], axis=0))

    def _diag_from_parts(self, X: ArrayLike) -> FloatArray:
        return np.asarray(np.prod([term.diag(X) for term in self.terms], axis=0))

    def __repr__(self) -> str:
        return " * ".join(_wrapped(term, Sum) for term in self.terms)


@dataclass(frozen=True, repr=False)
class Scaled(Kernel):
    """A kernel times a non-negative number; written ``2 * k``."""

    weight: float
    kernel: Kernel

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", positive("weight", self.weight, "Scaled", zero=True))

    def _bind(self, names: Sequence[str]) -> Kernel:
        return Scaled(self.weight, self.kernel._bind(names))

    @property
    def in_core(self) -> bool:
        return self.kernel.in_core

    def _program(self, tables: Tables) -> Program:
        return [*self.kernel._program(tables), ("scale", self.weight, 0.0, 0, 0)]

    def _from_parts(self, X: ArrayLike, Y: ArrayLike | None) -> FloatArray:
        return self.weight * self.kernel(X, Y)

    def _diag_from_parts(self, X: ArrayLike) -> FloatArray:
        return self.weight * self.kernel.diag(X)

    def __repr__(self) -> str:
        return f"{self.weight!r} * {_wrapped(self.kernel, Sum)}"


@dataclass(frozen=True, repr=False)
class Normalized(Kernel):
    """A kernel scaled to unit diagonal, ``k(x, x') / sqrt(k(x, x) k(x', x'))``."""

    kernel: Kernel

    def _bind(self, names: Sequence[str]) -> Kernel:
        return Normalized(self.kernel._bind(names))

    @property
    def in_core(self) -> bool:
        return self.kernel.in_core

    def _program(self, tables: Tables) -> Program:
        return [*self.kernel._program(tables), ("normalize", 0.0, 0.0, 0, 0)]

    def _from_parts(self, X: ArrayLike, Y: ArrayLike | None) -> FloatArray:
        left = _inverse_roots(self.kernel.diag(X))
        right = left if Y is None else _inverse_roots(self.kernel.diag(Y))
        return self.kernel(X, Y) * left[:, None] * right

    def _diag_from_parts(self, X: ArrayLike) -> FloatArray:
        return (self.kernel.diag(X) > 0).astype(np.float64)

    def __repr__(self) -> str:
        return f"normalized({self.kernel!r})"


def _inverse_roots(diagonal: FloatArray) -> FloatArray:
    """1 / sqrt(d), and 0 where a row has no length."""
    inverse = np.zeros_like(diagonal)
    np.divide(1.0, np.sqrt(np.maximum(diagonal, 0.0)), out=inverse, where=diagonal > 0)
    return inverse


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
    if not isinstance(kernel, Kernel):
        raise TypeError(f"normalized needs a kernel, not {kernel!r}")
    return kernel if isinstance(kernel, Normalized) else Normalized(kernel)
