"""Candidates in all their forms, turned into kernels for the core or into matrices one at a time."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._rows import Rows
from .grids import auto_grid, gaussian_grid
from .kernels import Function, Gaussian, Kernel, Laplacian, Matern, Polynomial, Precomputed

Matrix = NDArray[np.float64]
_NAMES: dict[str, Callable[[Rows], list[Kernel]]] = {
    "auto": auto_grid,
    "gaussian": lambda rows: gaussian_grid(),
}


class Candidates:
    """The candidates of one call.

    `core` are those the core evaluates by itself, all at once; `stream()` gives the others one by
    one with their matrices, consuming a generator only as far as it has been worked through.
    """

    def __init__(
        self, kernels: Any, rows: Rows | None, n: int, names: Sequence[str] | None = None
    ) -> None:
        self._rows, self._n, self._names = rows, n, names
        self.core: list[tuple[int, Kernel]] = []
        self._others: Iterable[tuple[int, Any]] = ()
        self.one_shot = isinstance(kernels, Iterator)
        if self.one_shot:
            self._others = enumerate(kernels)
            return
        listed = list(enumerate(self._listed(kernels)))
        if not listed:
            raise ValueError("kernels is empty; give at least one candidate")
        items = [(index, self._kernel(index, item)) for index, item in listed]
        self.core = [(index, k) for index, k in items if isinstance(k, Kernel) and k.in_core]
        self._others = [(i, k) for i, k in items if not (isinstance(k, Kernel) and k.in_core)]
        if self.core and rows is None:
            raise ValueError(
                f"X is None, but {self.core[0][1]!r} needs rows; pass X, or only kernel matrices"
            )

    def _listed(self, kernels: Any) -> list[Any]:
        if kernels is None:
            if self._rows is None:
                raise ValueError("X is None, so kernels must be a list of kernel matrices")
            return list(gaussian_grid())
        if isinstance(kernels, str):
            if kernels not in _NAMES:
                near = difflib.get_close_matches(kernels, _NAMES, n=1, cutoff=0.4)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_NAMES)}"
                raise ValueError(f"unknown candidates {kernels!r}; {hint}")
            if self._rows is None:
                raise ValueError(f"X is None, and kernels={kernels!r} needs rows")
            return list(_NAMES[kernels](self._rows))
        if isinstance(kernels, np.ndarray):
            if kernels.ndim == 2 and kernels.dtype != object:
                return [kernels]
            if kernels.ndim == 3:
                return list(kernels)
        if isinstance(kernels, Kernel) or callable(kernels):
            return [kernels]
        if not isinstance(kernels, Iterable):
            raise TypeError(
                f"kernels must be kernels, callables or kernel matrices, not {kernels!r}"
            )
        return list(kernels)

    def _kernel(self, index: int, item: Any) -> Any:
        """Make a kernel of a candidate, or leave a matrix as it is."""
        if isinstance(item, Kernel):
            return item if self._names is None else item._bind(self._names)
        if callable(item):
            return Function(item)
        if isinstance(item, (str, bytes)) or np.ndim(item) != 2:
            raise TypeError(
                f"candidate {index} must be a kernel, a callable or a square matrix, not {item!r}"
                if np.ndim(item) == 0
                else f"candidate {index} must be a square matrix, but has shape {np.shape(item)}"
            )
        return item

    def others(self, only: Sequence[int] | None = None) -> list[tuple[int, Kernel]]:
        """List the candidates outside the core without their matrices; none of a generator."""
        if self.one_shot:
            return []
        return [
            (index, item if isinstance(item, Kernel) else Precomputed(index))
            for index, item in self._others
            if only is None or index in only
        ]

    def stream(self, only: Sequence[int] | None = None) -> Iterator[tuple[int, Kernel, Matrix]]:
        """Give each candidate outside the core with its checked matrix, or those at some places."""
        for index, raw in self._others:
            if only is not None and index not in only:
                continue
            item = self._kernel(index, raw) if self.one_shot else raw
            if isinstance(item, Kernel):
                if self._rows is None:
                    raise ValueError(
                        f"X is None, but {item!r} needs rows; pass X, or only kernel matrices"
                    )
                yield index, item, check_matrix(item(self._rows), self._n, repr(item))
            else:
                kernel = Precomputed(index)
                yield index, kernel, check_matrix(item, self._n, f"kernel matrix {index}")


def check_matrix(matrix: Any, n: int, name: str) -> Matrix:
    """Check a kernel matrix: n x n, finite, symmetric up to rounding. Not copied if it can be used."""
    try:
        checked = np.ascontiguousarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} has entries that are no numbers") from None
    if checked.ndim != 2 or checked.shape[0] != checked.shape[1]:
        raise ValueError(f"{name} must be square, but has shape {checked.shape}")
    if checked.shape[0] != n:
        raise ValueError(f"{name} has {checked.shape[0]} rows, but y has {n} entries")
    # Row by row, so that no second matrix is made.
    largest = difference = 0.0
    for start in range(0, n, 256):
        block = checked[start : start + 256]
        largest = max(largest, float(np.abs(block).max()))
        if not np.isfinite(largest):
            raise ValueError(f"{name} contains NaN or infinity")
        difference = max(difference, float(np.abs(block - checked[:, start : start + 256].T).max()))
    if difference > 1e-8 * largest:
        raise ValueError(
            f"{name} is not symmetric (entries differ by up to {difference:.3g}); "
            "pass (K + K.T) / 2 if that is rounding"
        )
    return checked


def order_of(kernels: list[Kernel]) -> NDArray[np.float64] | None:
    """Find the width along which candidates of one family form an ordered grid.

    None where they do not: fewer than three, several families, or not monotone.
    """
    if len(kernels) < 3:
        return None
    widths: dict[type, Callable[[Any], float]] = {
        Gaussian: lambda k: k.tau,
        Laplacian: lambda k: 1.0 / k.gamma,
        Matern: lambda k: k.length_scale,
        Polynomial: lambda k: -float(k.degree),
    }
    family = type(kernels[0])
    if family not in widths or any(type(kernel) is not family for kernel in kernels):
        return None
    if family is Matern and len({k.nu for k in kernels if isinstance(k, Matern)}) > 1:
        return None
    values = np.array([widths[family](kernel) for kernel in kernels])
    steps = np.diff(values)
    return values if (steps > 0).all() or (steps < 0).all() else None
