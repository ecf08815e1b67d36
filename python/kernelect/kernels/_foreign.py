"""Kernels that come from elsewhere: callables and stored matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._data.objects import Objects, as_objects, holds_objects
from .._data.rows import Rows, Tables, real_matrix
from .._support.arguments import check_flag, check_whole, shown
from .._support.arrays import FloatArray
from .._support.memory import refuse_matrix
from ._base import Kernel

if TYPE_CHECKING:
    from .._data.rows import Program


@dataclass(frozen=True, repr=False)
class Function(Kernel):
    """A kernel given as a function of two arrays of rows.

    Parameters
    ----------
    function : callable
        ``function(X, Y)`` gives the kernel matrix; scikit-learn's Gaussian-process kernels and its
        pairwise functions are of that form. Where rows are no numbers (strings, graphs, anything in
        a list), X and Y are lists of them.
    pairwise : bool, default=False
        Whether ``function(x, y)`` is of two single rows instead, and is called for every pair.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.metrics.pairwise import cosine_similarity
    >>> ke.kernels.Function(cosine_similarity)
    Function(cosine_similarity)

    Kernels of strings:

    >>> def common(s, t):
    ...     return len(set(s) & set(t))
    >>> letters = ke.kernels.Function(common, pairwise=True)
    >>> letters(["abc", "bcd"], ["cde", "xyz"])
    array([[1., 0.],
           [2., 0.]])
    """

    function: Callable[..., Any]
    pairwise: bool = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"Function needs a callable, not {shown(self.function)}")
        check_flag(self.pairwise, "Function: pairwise")

    def __call__(self, X: Any, Y: Any = None) -> FloatArray:
        if not holds_objects(X):
            return super().__call__(X, Y)
        return self._matrix(as_objects(X), None if Y is None else as_objects(Y))

    @property
    def in_core(self) -> bool:
        return False

    def _program(self, tables: Tables) -> Program:
        raise TypeError(f"{self!r} cannot be part of a compiled kernel expression")

    def _matrix(self, left: Rows, right: Rows | None) -> FloatArray:
        # A Gaussian-process kernel means another thing by k(X) than by k(X, X) where it has noise.
        alone = right is None and hasattr(self.function, "theta")
        other = left if right is None else right
        remedy = "give fewer rows, or a kernel of this library, of which a part is made at a time"
        refuse_matrix(f"the matrix of {self!r}", left.shape[0], other.shape[0], remedy)
        if self.pairwise:
            made: Any = self._of_pairs(left, right)
        else:
            made = self.function(_bare(left)) if alone else self.function(_bare(left), _bare(other))
        matrix = real_matrix(made, f"what {self!r} gave")
        if matrix.shape != (left.shape[0], other.shape[0]):
            raise ValueError(
                f"{self!r} gave an array of shape {matrix.shape} for {left.shape[0]} and "
                f"{other.shape[0]} rows; it must give the kernel matrix of two arrays of rows"
            )
        return matrix

    def _of_pairs(self, left: Rows, right: Rows | None) -> list[list[Any]]:
        rows, others = _bare(left), _bare(left if right is None else right)
        if right is not None:
            return [[self.function(x, y) for y in others] for x in rows]
        half = [[self.function(x, y) for y in others[: i + 1]] for i, x in enumerate(rows)]
        return [[half[max(i, j)][min(i, j)] for j in range(len(half))] for i in range(len(half))]

    def _diagonal(self, rows: Rows) -> FloatArray:
        own = getattr(self.function, "diag", None)
        if own is not None:
            return np.asarray(own(rows), dtype=np.float64)
        return np.diagonal(self._matrix(rows, None)).copy()

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


def _bare(rows: Rows) -> Any:
    """Return rows as a function is given them."""
    return rows.items if isinstance(rows, Objects) else rows


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", check_whole(self.index, "Precomputed: index"))

    def _program(self, tables: Tables) -> Program:
        raise TypeError(
            f"{self!r} is a stored matrix and has no values on rows; pass the matrix itself to an "
            'estimator with kernel="precomputed"'
        )

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "optimizer" in names:
            raise ValueError(f"a Gaussian process needs a function of rows, not {self!r}")
        return {"kernel": "precomputed"}

    def __repr__(self) -> str:
        return f"Precomputed({self.index})"
