"""From what the caller gives as kernels to scaled base kernels on a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._data.rows import Rows
from .._support.arguments import check_choice
from .._support.arrays import FloatArray
from .._support.warning import warn_caller
from ..kernels import (
    Gaussian,
    Kernel,
    Polynomial,
    Precomputed,
    Scaled,
    normalized,
)
from ..kernels._candidates import Candidates
from ._bases import LARGEST, Bases
from ._solvers.cholesky import is_semidefinite

SCALINGS = ("diagonal", "none", "trace", "centered")
# Eigenvalues of a given matrix below minus this share of their mean size are not rounding.
_INDEFINITE = 1e-6
# Below this share of its trace a centred kernel is nothing but rounding.
CONSTANT = 1e-12
# A diagonal varies where its numbers differ by more than this share of the first.
_VARIES = 1e-12


def default_kernels() -> list[Kernel]:
    """Candidates of the FKL paper: 21 Gaussians, gamma = 2^-10 .. 2^10, and 20 polynomials.

    Returns
    -------
    list of Kernel
        ``Gaussian(gamma=2**i)`` for i = -10 .. 10, then ``Polynomial(d)`` for d = 1 .. 20.

    Examples
    --------
    >>> from kernelect.mkl import default_kernels
    >>> len(default_kernels())
    41
    """
    gaussians: list[Kernel] = [Gaussian(gamma=2.0**i) for i in range(-10, 11)]
    return [*gaussians, *(Polynomial(d) for d in range(1, 21))]


@dataclass(frozen=True)
class Prepared:
    """Scaled base kernels, without repetitions and constant ones.

    Attributes
    ----------
    bases : Bases
        The kernels.
    places : list of int
        Their places among the candidates given.
    count : int
        Number of candidates given.
    """

    bases: Bases
    places: list[int]
    count: int

    @property
    def stored(self) -> bool:
        """Whether the kernels are nothing but matrices."""
        return all(_is_stored(kernel) for kernel in self.bases.kernels)


def _is_stored(kernel: Kernel) -> bool:
    return isinstance(kernel.kernel if isinstance(kernel, Scaled) else kernel, Precomputed)


def prepare(
    kernels: Any,
    rows: Rows | None,
    n: int,
    *,
    scaling: str,
    threads: int,
    names: Sequence[str] | None,
) -> Prepared:
    """Make base kernels of what the caller gave."""
    check_choice(scaling, "scaling", SCALINGS)
    candidates = Candidates(default_kernels() if kernels is None else kernels, rows, n, names)
    found: dict[int, Kernel] = dict(candidates.core)
    matrices: dict[int, FloatArray] = {}
    for index, kernel, matrix in candidates.stream():
        found[index] = kernel
        if matrix is not None:
            matrices[index] = matrix
    if not found:
        raise ValueError("kernels gave no candidate; give at least one")
    bases = Bases([found[k] for k in sorted(found)], rows, matrices, threads)
    stored = [isinstance(kernel, Precomputed) for kernel in bases.kernels]
    if any(stored) and not all(stored):
        raise ValueError(
            f"{sum(stored)} of the {len(stored)} kernels are matrices and the others are not, so "
            "new rows could be given neither as rows nor as matrices; give all kernels as "
            "matrices, or none"
        )
    for k, matrix in bases.matrices.items():
        if not matrix.any():
            raise ValueError(f"{bases.kernels[k]!r} is zero for all rows; leave it out")
        if not is_semidefinite(matrix, _INDEFINITE):
            raise ValueError(
                f"{bases.kernels[k]!r} is not positive semidefinite; clip its negative "
                "eigenvalues, or add a number to its diagonal"
            )
    count = len(bases.kernels)
    if scaling == "diagonal":  # which brings matrices that overflow back into range
        bases, usable = _usable(_scaled(bases, scaling), np.inf)
    elif scaling == "none":
        bases, usable = _usable(bases, LARGEST)
    else:
        bases, usable = _usable(bases, np.inf)
        bases = _scaled(bases, scaling)
    keep = _distinct(bases)
    bases = bases.of(keep)
    varying = _not_constant(bases, count)
    if count == 1:
        warn_caller(
            f"there is nothing to combine: {bases.kernels[0]!r} is the only kernel given; give "
            "several, or train an SVM with it directly"
        )
    return Prepared(bases.of(varying), [usable[keep[k]] for k in varying], count)


def _usable(bases: Bases, largest: float) -> tuple[Bases, list[int]]:
    """Leave out the kernels whose entries cannot be computed with, and say which stay."""
    kept, places = bases.of_usable(largest)
    count = len(bases.kernels)
    if not len(places):
        raise ValueError(
            "every kernel has entries too large or too small to compute with on these rows, so "
            "there is nothing to learn from; scale X, for example with StandardScaler"
        )
    left_out = np.setdiff1d(np.arange(count), places).tolist()
    if left_out:
        warn_caller(
            f"{len(left_out)} of the {count} kernels have entries too large or too small to "
            f"compute with on these rows and were left out: {_listed(bases, left_out)}; scale X to "
            "keep them"
        )
    return kept, places.tolist()


def _listed(bases: Bases, places: Sequence[int]) -> str:
    """Name the first of some kernels."""
    names = [repr(bases.kernels[k]) for k in places[:3]]
    return ", ".join(names) + (", ..." if len(places) > 3 else "")


def _scaled(bases: Bases, scaling: str) -> Bases:
    if scaling == "none":
        return bases
    if scaling == "diagonal":
        bases.kernels = [_unit_diagonal(bases, k) for k in range(len(bases.kernels))]
        return bases
    stack = bases.stack()
    spread = stack.traces() if scaling == "trace" else stack.centred_traces()
    floor = CONSTANT * stack.traces()
    return bases.times(
        np.where(spread > floor, stack.n / np.where(spread > floor, spread, 1.0), 1.0)
    )


def _unit_diagonal(bases: Bases, k: int) -> Kernel:
    kernel = bases.kernels[k]
    if kernel._has_unit_diagonal:
        return kernel
    if k not in bases.matrices:
        return normalized(kernel)
    matrix = bases.matrices[k]
    diagonal = np.diagonal(matrix)
    if (diagonal < 0).any():
        raise ValueError(
            f"{kernel!r} has a negative number on its diagonal and is not a kernel; check "
            "the matrix"
        )
    if not isinstance(kernel, Precomputed):
        roots = np.zeros(len(diagonal))
        np.divide(1.0, np.sqrt(diagonal), out=roots, where=diagonal > 0)
        bases.matrices[k] = matrix * roots[:, None] * roots
        return normalized(kernel)
    # New rows come without their k(x, x), so only a constant diagonal can be scaled for them too.
    first = float(diagonal[0])
    if first <= 0 or np.abs(diagonal - first).max() > _VARIES * first:
        raise ValueError(
            f"{kernel!r} has a diagonal that varies, and a matrix between new and old rows does "
            "not tell how to scale it to 1; normalise the matrices beforehand, or pass "
            "scaling='trace'"
        )
    bases.matrices[k] = matrix / first
    return kernel if first == 1.0 else (1.0 / first) * kernel


def _distinct(bases: Bases) -> list[int]:
    seen: dict[Kernel, int] = {}
    for k, kernel in enumerate(bases.kernels):
        if kernel not in seen:
            seen[kernel] = k
    repeated = len(bases.kernels) - len(seen)
    if repeated:
        warn_caller(
            f"{repeated} of the {len(bases.kernels)} kernels are repetitions of others and were "
            "left out; equal kernels share one weight"
        )
    return sorted(seen.values())


def _not_constant(bases: Bases, count: int) -> list[int]:
    """Find the kernels that tell rows apart, which one such as K = 11' does not."""
    stack = bases.stack()
    flat = stack.centred_traces() <= CONSTANT * np.maximum(stack.traces(), 0.0)
    varying = [int(k) for k in np.flatnonzero(~flat)]
    if not varying:
        raise ValueError(
            "every kernel is constant on these rows (K = 11'), so there is nothing to learn from; "
            "give narrower kernels, or rows that differ"
        )
    if flat.any():
        left_out = np.flatnonzero(flat).tolist()
        warn_caller(
            f"{len(left_out)} of the {count} kernels are constant on these rows "
            f"(K = 11') and were left out: {_listed(bases, left_out)}"
        )
    return varying
