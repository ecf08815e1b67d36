"""Grids of candidate kernels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._data.rows import Rows, is_sparse
from .._support.arguments import check_number
from ._base import Kernel
from ._families import Gaussian, Polynomial

__all__ = ["gaussian_grid", "polynomial_grid"]

# Candidates that one grid may have.
_MOST = 10_000
# Of a family by its name: degrees of polynomials, and factors of a width, by powers of two.
_DEGREES, _EITHER_WAY = range(1, 5), 8.0
# Entries of rows whose distances are taken at a time.
_ENTRIES = 2**22
# Quantiles of the squared distances that "auto" spans, as powers of two in the range of numbers,
# and how many powers it goes beyond them.
_NEAR, _FAR, _LARGEST, _BEYOND = 0.05, 0.95, 995.0, 5


def gaussian_grid(
    low: float = -15, high: float = 15, step: float = 1, base: float = 2
) -> list[Gaussian]:
    """Gaussian kernels with tau = base**low, ..., base**high.

    Parameters
    ----------
    low, high : float, default=-15 and 15
        First and last exponent.
    step : float, default=1
        Step of the exponent.
    base : float, default=2
        Base. Powers of two, also fractional ones such as ``step=0.5``, are the fastest: halving
        tau squares the kernel entry by entry.

    Returns
    -------
    list of Gaussian
        In ascending order of tau.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.gaussian_grid(-1, 1)
    [Gaussian(tau=0.5), Gaussian(tau=1.0), Gaussian(tau=2.0)]
    >>> len(ke.gaussian_grid())
    31
    """
    for name, value in (("low", low), ("high", high), ("step", step), ("base", base)):
        check_number(value, f"gaussian_grid: {name}")
    if low > high:
        raise ValueError(f"gaussian_grid: low = {low} must not exceed high = {high}")
    if step <= 0:
        raise ValueError(f"gaussian_grid: step must be positive, not {step}")
    if base <= 1:
        raise ValueError(f"gaussian_grid: base must be above 1, not {base}")
    count = math.floor((high - low) / step + 1e-9) + 1
    if count > _MOST:
        raise ValueError(f"gaussian_grid: {count} candidates are too many; take a larger step")
    try:
        return [Gaussian(float(base) ** (low + k * step)) for k in range(count)]
    except (OverflowError, ValueError) as error:
        raise ValueError(
            f"gaussian_grid: {base}**{low} to {base}**{high} leaves the range of floating point"
        ) from error


def polynomial_grid(
    low: int = 1, high: int = 4, *, gamma: float = 1.0, coef0: float = 1.0
) -> list[Kernel]:
    """Polynomial kernels of degree low, ..., high.

    Parameters
    ----------
    low, high : int, default=1 and 4
        First and last degree.
    gamma, coef0 : float, default=1.0
        Shared by all; see `Polynomial`.

    Returns
    -------
    list of Polynomial
        In ascending order of degree.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.polynomial_grid(1, 2)
    [Polynomial(degree=1), Polynomial(degree=2)]
    """
    first, last = Polynomial(low).degree, Polynomial(high).degree
    if first > last:
        raise ValueError(f"polynomial_grid: low = {low} must not exceed high = {high}")
    return [Polynomial(d, gamma, coef0) for d in range(first, last + 1)]


def family_grid(kind: type[Kernel], rows: Rows) -> list[Kernel]:
    """Candidates of a family that is called by its name.

    Of the Gaussians the 31 of `gaussian_grid`, of polynomials the degrees 1 to 4, of others 2^-8 ..
    2^8 times the width that the scale of the data gives, of one without a width itself.
    """
    if kind is Gaussian:
        return [*gaussian_grid()]
    own = kind._of_data(rows, None)
    if kind is Polynomial:
        return [replace(own, degree=degree) for degree in _DEGREES]  # type: ignore[type-var]
    if kind._axis is None:
        return [own]
    name = kind._axis.parameter
    factors = np.exp2(np.arange(-_EITHER_WAY, _EITHER_WAY + 1.0))
    return [replace(own, **{name: getattr(own, name) * float(f)}) for f in factors]  # type: ignore[type-var]


def squared_distance_quantiles(
    rows: Rows, quantiles: list[float], pairs: int = 4096
) -> tuple[list[float], int] | None:
    """Quantiles of the squared distances of pairs of distinct rows, up to a power of two.

    The quantiles are the numbers times ``2**exponent``: squares of very large and very small
    distances leave the range of floating point. A fixed pseudo-random sample of pairs is looked at;
    None if the rows of each are equal.
    """
    n = rows.shape[0]
    random = np.random.default_rng(0)
    i = random.integers(0, n, pairs)
    j = (i + random.integers(1, max(n, 2), pairs)) % n
    entries = rows.data if is_sparse(rows) else rows
    high, low = entries.max(axis=0, initial=0.0), entries.min(axis=0, initial=0.0)
    _, exponent = math.frexp(float(np.max(np.maximum(high, -low))))
    squared = []
    # Pairs at a time, for rows of very many entries; sparse ones have few, however wide they are.
    width = rows.nnz // n + 1 if is_sparse(rows) else rows.shape[1]
    step = max(1, _ENTRIES // width)
    for k in range(0, pairs, step):
        first, second = i[k : k + step], j[k : k + step]
        ends = scaled(rows[np.concatenate([first, second])], -exponent)
        squared.append(_squared_norms(ends[: len(first)] - ends[len(first) :]))
    positive = np.concatenate(squared)
    positive = positive[positive > 0]
    if not len(positive):
        return None
    return np.quantile(positive, quantiles).tolist(), 2 * exponent


def _squared_norms(rows: Rows) -> NDArray[np.float64]:
    """Squared norm of each row."""
    if not is_sparse(rows):
        return np.asarray(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()


def scaled(rows: Rows, exponent: int) -> Rows:
    """Rows times 2**exponent, which may itself be out of range."""
    if not is_sparse(rows):
        return np.ldexp(rows, exponent)
    rows.data = np.ldexp(rows.data, exponent)
    return rows


def auto_grid(rows: Rows) -> list[Gaussian]:
    """Dyadic Gaussians that span the data's own distances.

    From a thirty-second of the 5% quantile of the squared distances, where hardly any pair is
    similar, to thirty-two times the 95% quantile, where hardly any pair differs.
    """
    found = squared_distance_quantiles(rows, [_NEAR, _FAR])
    if found is None:
        raise ValueError(
            'kernels="auto" needs rows that differ, and all rows given are equal; pass candidates'
        )
    span, exponent = found
    low, high = (min(max(math.log2(value) + exponent, -_LARGEST), _LARGEST) for value in span)
    return gaussian_grid(math.floor(low) - _BEYOND, math.ceil(high) + _BEYOND)
