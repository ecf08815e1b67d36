"""What every kernel can do."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from .._data.rows import Rows, Tables, check_rows, column_names, make_sample
from .._dispatch import core
from .._support.arguments import check_number
from .._support.arrays import FloatArray
from .._support.threads import resolve_threads
from ._facts import Facts
from ._parameters import Parameter

if TYPE_CHECKING:
    from .._data.rows import Program

# The numbers after a parameter's name in what a kernel prints.
_NUMBERS = re.compile(r"(?<==)\d+\.\d*(?:e[+-]?\d+)?(?=[,)])")


class Kernel(Facts, ABC):
    """A positive semidefinite function of two rows.

    Kernels are immutable, hashable, comparable and picklable. Their ``repr`` is how they are
    written; ``str`` and tables show large and small powers of two as such, ``tau=2^-15``. Called on
    arrays they give the kernel matrix, so that any scikit-learn estimator which accepts a
    callable accepts a kernel. ``k1 + k2``, ``2 * k`` and ``k1 * k2`` are kernels again.
    """

    # Operators with NumPy numbers and arrays are decided here, not entry by entry by NumPy.
    __array_ufunc__ = None

    @abstractmethod
    def _program(self, tables: Tables) -> Program:
        """Write the kernel as a postfix expression over tables of rows."""

    def _bind(self, names: Sequence[str]) -> Kernel:
        """Remember where columns that the kernel knows by name stand in a data frame."""
        return self

    def _bound_to(self, X: object) -> Kernel:
        names = column_names(X)
        return self if names is None else self._bind(names)

    def _parameters(self, start: int) -> list[Parameter]:
        """List the positive numbers that may be refined; `start` is where the program begins."""
        return [
            Parameter(name, value, start, powers)
            for name, powers in self._powers.items()
            if (value := getattr(self, name)) > 0.0
        ]

    def _with_values(self, values: Iterator[float]) -> Kernel:
        """Make the kernel with the next values in place of those of its `_parameters`."""
        names = [item.name for item in self._parameters(0)]
        return replace(self, **{name: next(values) for name in names})  # type: ignore[type-var]

    def _per_column(self, count: int) -> Kernel:
        """Make the same kernel with a width of its own for each of the columns."""
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
            The kernel matrix. Two single rows, arrays of shape (n_features,), give their value as
            an array without axes; scikit-learn's pairwise functions ask for that, pair by pair.
        """
        if Y is not None and getattr(X, "ndim", 2) == 1 == getattr(Y, "ndim", 2):
            return self(np.asarray(X)[None, :], np.asarray(Y)[None, :]).reshape(())
        left = check_rows(X, "X")
        right = None if Y is None else check_rows(Y, "Y", like=left)
        return self._bound_to(X)._matrix(left, right)

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
        return self._bound_to(X)._diagonal(check_rows(X, "X"))

    def _matrix(self, left: Rows, right: Rows | None) -> FloatArray:
        """Kernel matrix of checked rows."""
        tables = Tables()
        program = self._program(tables)
        sample = make_sample(tables.of(left))
        other = None if right is None else make_sample(tables.of(right), like=sample)
        return core.gram(program, sample, other, threads=resolve_threads(None), progress=None)

    def _diagonal(self, rows: Rows) -> FloatArray:
        """Diagonal of the kernel matrix of checked rows."""
        tables = Tables()
        program = self._program(tables)
        return core.diagonal(program, make_sample(tables.of(rows)))

    def params_for(self, estimator: object) -> dict[str, Any]:
        """Parameters that make a scikit-learn estimator use this kernel.

        Parameters
        ----------
        estimator : object
            An estimator (or its class) with a ``kernel`` or ``affinity`` parameter.

        Returns
        -------
        dict
            For ``estimator.set_params(**...)``: scikit-learn's own kernel where it has the same
            one, in Gaussian processes with its parameters fixed at the given values; otherwise this
            kernel, in the form that the estimator calls once for all rows.
        """
        names = parameter_names(estimator)
        place = "affinity" if {"affinity", "gamma"} <= names else "kernel"
        if place not in names:
            name = getattr(estimator, "__name__", type(estimator).__name__)
            raise ValueError(f"{name} has no 'kernel' parameter to put {self!r} into")
        params = self._params_for(names) or {"kernel": self._callable_for(names)}
        return {place if name == "kernel" else name: value for name, value in params.items()}

    def _callable_for(self, names: set[str]) -> Any:
        """Return this kernel in the form that an estimator with these parameters calls."""
        if not names & {"optimizer", "kernel_params"}:
            return self
        from ._gaussian_process import FixedKernel

        return FixedKernel(self)

    def __add__(self, other: object) -> Kernel:
        from ._algebra import Sum

        return Sum((self, other)) if isinstance(other, Kernel) else NotImplemented

    def __radd__(self, other: object) -> Kernel:
        # sum() of a list of kernels begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __mul__(self, other: object) -> Kernel:
        from ._algebra import Product, Scaled

        if isinstance(other, Kernel):
            return Product((self, other))
        if isinstance(other, (int, float, np.integer, np.floating)):
            return Scaled(float(other), self)
        return NotImplemented

    __rmul__ = __mul__

    def __repr__(self) -> str:
        shown = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __str__(self) -> str:
        """Return the kernel for reading: large and small powers of two as such, tau=2^-15."""
        return _NUMBERS.sub(_as_power, repr(self))


def _as_power(found: re.Match[str]) -> str:
    mantissa, exponent = math.frexp(float(found.group()))
    power = exponent - 1
    return f"2^{power}" if mantissa == 0.5 and abs(power) > 4 else found.group()


def parameter_names(estimator: object) -> set[str]:
    """Return the names of the parameters of an estimator or its class."""
    kind: Any = estimator if isinstance(estimator, type) else type(estimator)
    if kind is estimator or getattr(kind, "get_params", None) is BaseEstimator.get_params:
        return set(_names_of(kind))
    get_params = getattr(estimator, "get_params", None)
    return set(get_params(deep=False)) if get_params else set()


@lru_cache(maxsize=64)
def _names_of(kind: type) -> tuple[str, ...]:
    """Names of the parameters of a class, which scikit-learn finds by looking at its signature."""
    names = getattr(kind, "_get_param_names", None)
    return tuple(names() if names else signature(kind).parameters)


def positive(name: str, value: object, kernel: str, *, zero: bool = False) -> float:
    """Check a kernel parameter and return it as a float."""
    return check_number(value, f"{kernel}: {name}", positive=True, zero=zero)
