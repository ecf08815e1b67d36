"""Kernels that come from elsewhere: callables and stored matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._rows import Tables
from ._base import Kernel

if TYPE_CHECKING:
    from .._rows import Program


@dataclass(frozen=True, repr=False)
class Function(Kernel):
    """A kernel given as a function of two arrays of rows.

    Parameters
    ----------
    function : callable
        ``function(X, Y)`` gives the kernel matrix; scikit-learn's Gaussian-process kernels and its
        pairwise functions are of that form.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.metrics.pairwise import cosine_similarity
    >>> ke.kernels.Function(cosine_similarity)
    Function(cosine_similarity)
    """

    function: Callable[..., Any]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"Function needs a callable, not {self.function!r}")

    @property
    def in_core(self) -> bool:
        return False

    def _program(self, tables: Tables) -> Program:
        raise TypeError(f"{self!r} cannot be part of a compiled kernel expression")

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> NDArray[np.float64]:
        matrix = np.asarray(self.function(X, X if Y is None else Y), dtype=np.float64)
        rows, columns = np.shape(X)[0], np.shape(X if Y is None else Y)[0]
        if matrix.shape != (rows, columns):
            raise ValueError(
                f"{self!r} gave an array of shape {matrix.shape} for {rows} and {columns} rows; "
                "it must give the kernel matrix of two arrays of rows"
            )
        return matrix

    def diag(self, X: ArrayLike) -> NDArray[np.float64]:
        own = getattr(self.function, "diag", None)
        if own is not None:
            return np.asarray(own(X), dtype=np.float64)
        return np.diagonal(self(X)).copy()

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        from sklearn.gaussian_process.kernels import Kernel as GaussianProcessKernel

        if "optimizer" in names and isinstance(self.function, GaussianProcessKernel):
            return {"kernel": self.function}
        return {}

    def __hash__(self) -> int:
        try:
            return hash((Function, self.function))
        except TypeError:  # scikit-learn's kernels compare by value but have no hash
            return hash((Function, repr(self.function)))

    def __repr__(self) -> str:
        name = getattr(self.function, "__name__", None) or repr(self.function)
        return f"Function({name})"


@dataclass(frozen=True, repr=False)
class Precomputed(Kernel):
    """A candidate that was given as a matrix; it stands for its place in the list.

    Parameters
    ----------
    index : int
        Position among the candidates.
    """

    index: int

    @property
    def in_core(self) -> bool:
        return False

    def _program(self, tables: Tables) -> Program:
        raise TypeError(f"{self!r} is a stored matrix, not a function of rows")

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> NDArray[np.float64]:
        raise TypeError(
            f"{self!r} is a stored matrix and has no values on new rows; pass the matrix itself to "
            'an estimator with kernel="precomputed"'
        )

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        return {"kernel": "precomputed"}

    def __repr__(self) -> str:
        return f"Precomputed({self.index})"
