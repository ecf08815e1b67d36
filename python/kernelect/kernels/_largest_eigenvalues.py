"""The largest of infinitely many eigenvalues: over a lattice, of products, of powers."""

from __future__ import annotations

from math import ceil, exp, isqrt, log
from typing import TYPE_CHECKING

import numpy as np

from .._support.arguments import check_whole
from .._support.arrays import FloatArray

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

# Products closer than this share of them are one value.
_ROUNDING = 1e-13
# exp(-700) is near the smallest normal number.
_LOGARITHMS = 700.0


def lattice_counts(dim: int, count: int) -> NDArray[np.int64]:
    """Count the points of the integer lattice at each squared distance from the origin.

    Parameters
    ----------
    dim : int
        Dimension of the lattice, at least 2 (in one dimension the squares are too sparse to list).
    count : int
        How many points are needed; counts are cut off at this number.

    Returns
    -------
    ndarray of shape (s + 1,)
        Entry ``j`` is the number of integer points with ``|m|^2 = j``; the array is long enough to
        hold `count` points.

    Notes
    -----
    The counts are the `dim`-fold convolution of the one-dimensional ones: one point at 0, two at
    every square. In many dimensions a few distances already hold very many points.

    Examples
    --------
    >>> from kernelect.kernels.operator_spectra import lattice_counts
    >>> lattice_counts(2, 9).tolist()
    [1, 4, 4, 0, 4]
    """
    dim, count = check_whole(dim, "dim", least=2), check_whole(count, "count", least=1)
    size = 4
    while True:
        counts = np.zeros(size + 1, dtype=np.int64)
        counts[0] = 1
        for _ in range(dim):
            wider = counts.copy()
            for m in range(1, isqrt(size) + 1):
                wider[m * m :] += 2 * counts[: size + 1 - m * m]
            counts = np.minimum(wider, count)
        if counts.sum() >= count:
            return counts
        size *= 2


def radial(count: int, dim: int, value: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Return the largest values of a decreasing function of |m|^2 over the integer lattice."""
    if dim == 1:
        m = (np.arange(count) + 1) // 2  # 0, 1, 1, 2, 2, ...
        return value(m.astype(np.float64) ** 2)
    counts = lattice_counts(dim, count)
    squares = np.flatnonzero(counts)
    return np.repeat(value(squares.astype(np.float64)), counts[squares])[:count]


def largest_products(count: int, factors: list[tuple[FloatArray, NDArray[np.int64]]]) -> FloatArray:
    """Return the largest products of one entry per factor, each a (values, multiplicities) pair."""
    values, times = np.ones(1), np.ones(1, dtype=np.int64)
    for factor, multiplicity in factors:
        product = np.multiply.outer(values, factor).ravel()
        repeats = np.minimum(np.multiply.outer(times, multiplicity).ravel(), count)
        order = np.argsort(-product, kind="stable")
        product, repeats = product[order], repeats[order]
        # Products that differ by rounding only are one value with a larger multiplicity.
        first = np.flatnonzero(np.r_[True, product[1:] < product[:-1] * (1 - _ROUNDING)])
        values, times = product[first], np.minimum(np.add.reduceat(repeats, first), count)
        needed = int(np.searchsorted(np.cumsum(times), count)) + 1
        values, times = values[:needed], times[:needed]
    return np.repeat(values, times)[:count]


def useful_powers(count: int, ratio: float) -> int:
    """Return how many powers of the ratio stay above the smallest normal number."""
    return min(count, 1 + ceil(_LOGARITHMS / -log(ratio)) if ratio < 1.0 else count)


def geometric(count: int, dim: int, first: float, ratio: float) -> FloatArray:
    """Return first^d ratio^k with multiplicity C(k + d - 1, d - 1); the k of coordinates add up."""
    values: list[float] = []
    times: list[int] = []
    degree, multiplicity, found = 0, 1, 0
    while found < count:
        values.append(exp(dim * log(first) + degree * log(ratio)))
        times.append(min(multiplicity, count - found))
        found += times[-1]
        degree += 1
        multiplicity = multiplicity * (degree + dim - 1) // degree
    return np.repeat(values, times)
