"""Spectra of integral operators, for the eigenvalue perturbation criterion (EP).

The eigenvalues of ``K / n`` estimate those of ``(T f)(x) = int k(x, x') f(x') dp(x')``. For
translation-invariant kernels the operator's are known in two cases: the uniform measure on a torus
(by Fourier transform) and, for the Gaussian kernel, a Gaussian measure. Every function here returns
the ``count`` largest, descending and repeated by multiplicity, ready to be compared with the
eigenvalues of ``K / n``.
"""

from __future__ import annotations

from math import inf, lgamma, log, pi
from typing import TYPE_CHECKING

import numpy as np

from .._support.arguments import check_number, check_whole, shown
from .._support.arrays import FloatArray
from ._largest_eigenvalues import (
    geometric,
    largest_products,
    lattice_counts,
    radial,
    useful_powers,
)
from ._torus import torus_period

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


__all__ = [
    "gaussian_measure_eigenvalues",
    "gaussian_torus_eigenvalues",
    "laplacian_torus_eigenvalues",
    "lattice_counts",
    "matern_torus_eigenvalues",
    "spectral_distance",
    "torus_period",
]


def gaussian_torus_eigenvalues(
    count: int, *, tau: float, period: float, dim: int = 1
) -> FloatArray:
    """Eigenvalues of the periodised Gaussian kernel under the uniform measure on a torus.

    Parameters
    ----------
    count : int
        How many of the largest eigenvalues.
    tau : float
        Squared length of the kernel ``exp(-|x - x'|^2 / (2 tau))``.
    period : float
        Length of the torus in each coordinate, see `torus_period`.
    dim : int, default=1
        Number of coordinates.

    Returns
    -------
    ndarray of shape (count,)
        Descending.

    Notes
    -----
    ``lambda_m = (sqrt(2 pi tau) / T)^d exp(-2 pi^2 tau |m|^2 / T^2)`` for ``m`` in ``Z^d``; they
    sum to ``sum_q k(q T)``, the diagonal of the periodised kernel.

    References
    ----------
    Y. Liu, S. Jiang, S. Liao: Eigenvalues perturbation of integral operator for kernel selection,
    CIKM 2013 (the operator's eigenvalues by Fourier transform).

    Examples
    --------
    >>> from kernelect.kernels.operator_spectra import gaussian_torus_eigenvalues
    >>> gaussian_torus_eigenvalues(4, tau=1.0, period=10.0, dim=2).round(5).tolist()
    [0.06283, 0.05158, 0.05158, 0.05158]
    """
    count, dim = check_whole(count, "count", least=1), check_whole(dim, "dim", least=1)
    tau, period = (
        check_number(tau, "tau", positive=True),
        check_number(period, "period", positive=True),
    )
    log_first = dim * (0.5 * log(2.0 * pi * tau) - log(period))
    rate = 2.0 * pi**2 * tau / period**2
    return radial(count, dim, lambda squares: np.exp(log_first - rate * squares))


def matern_torus_eigenvalues(
    count: int, *, nu: float, length_scale: float, period: float, dim: int = 1
) -> FloatArray:
    """Eigenvalues of the periodised Matern kernel under the uniform measure on a torus.

    Parameters
    ----------
    count : int
        How many of the largest eigenvalues.
    nu : float
        Smoothness; 0.5 is the exponential kernel ``exp(-|x - x'| / length_scale)`` of the Euclidean
        distance, infinity the Gaussian with ``tau = length_scale^2``.
    length_scale : float
        Length scale of the kernel.
    period : float
        Length of the torus in each coordinate.
    dim : int, default=1
        Number of coordinates.

    Returns
    -------
    ndarray of shape (count,)
        Descending.

    Notes
    -----
    ``lambda_m = T^-d khat(2 pi m / T)`` with the transform ``khat(w) = (4 pi)^(d/2)
    Gamma(nu + d/2) / Gamma(nu) a^nu (a + |w|^2)^-(nu + d/2)``, ``a = 2 nu / length_scale^2``.

    References
    ----------
    C. E. Rasmussen, C. K. I. Williams: Gaussian Processes for Machine Learning, MIT Press 2006,
    equation 4.15.

    Examples
    --------
    >>> from kernelect.kernels.operator_spectra import matern_torus_eigenvalues
    >>> matern_torus_eigenvalues(3, nu=0.5, length_scale=1.0, period=10.0).round(5).tolist()
    [0.2, 0.14339, 0.14339]
    """
    count, dim = check_whole(count, "count", least=1), check_whole(dim, "dim", least=1)
    length_scale, period = (
        check_number(length_scale, "length_scale", positive=True),
        check_number(period, "period", positive=True),
    )
    if nu == inf:
        return gaussian_torus_eigenvalues(count, tau=length_scale**2, period=period, dim=dim)
    nu = check_number(nu, "nu", positive=True)
    a = 2.0 * nu / length_scale**2
    log_scale = 0.5 * dim * log(4.0 * pi) + lgamma(nu + 0.5 * dim) - lgamma(nu) + nu * log(a)
    log_scale -= dim * log(period)
    step = (2.0 * pi / period) ** 2
    return radial(
        count,
        dim,
        lambda squares: np.exp(log_scale - (nu + 0.5 * dim) * np.log(a + step * squares)),
    )


def laplacian_torus_eigenvalues(
    count: int, *, gamma: float, period: float, dim: int = 1
) -> FloatArray:
    """Eigenvalues of the periodised Laplacian kernel under the uniform measure on a torus.

    Parameters
    ----------
    count : int
        How many of the largest eigenvalues.
    gamma : float
        Rate of the kernel ``exp(-gamma |x - x'|_1)``, of the sum of the coordinate distances.
    period : float
        Length of the torus in each coordinate.
    dim : int, default=1
        Number of coordinates.

    Returns
    -------
    ndarray of shape (count,)
        Descending.

    Notes
    -----
    The kernel is a product over coordinates, each with ``lambda_m = (1 / T) 2 gamma /
    (gamma^2 + (2 pi m / T)^2)``. For the exponential kernel of the Euclidean distance see
    `matern_torus_eigenvalues` with ``nu=0.5``.

    Examples
    --------
    >>> from kernelect.kernels.operator_spectra import laplacian_torus_eigenvalues
    >>> laplacian_torus_eigenvalues(3, gamma=1.0, period=10.0, dim=2).round(5).tolist()
    [0.04, 0.02868, 0.02868]
    """
    count, dim = check_whole(count, "count", least=1), check_whole(dim, "dim", least=1)
    gamma, period = (
        check_number(gamma, "gamma", positive=True),
        check_number(period, "period", positive=True),
    )
    m = np.arange(count // 2 + 1, dtype=np.float64)
    line = 2.0 * gamma / (period * (gamma**2 + (2.0 * pi * m / period) ** 2))
    times = np.full(len(m), 2, dtype=np.int64)
    times[0] = 1
    return largest_products(count, [(line, times)] * dim)


def gaussian_measure_eigenvalues(
    count: int, *, tau: float, variance: ArrayLike = 1.0, dim: int | None = None
) -> FloatArray:
    """Eigenvalues of the Gaussian kernel under a Gaussian measure.

    Parameters
    ----------
    count : int
        How many of the largest eigenvalues.
    tau : float
        Squared length of the kernel ``exp(-|x - x'|^2 / (2 tau))``.
    variance : float or array_like of shape (d,), default=1.0
        Variance of the measure, the same in every coordinate or one for each.
    dim : int, optional
        Number of coordinates; needed when `variance` is one number.

    Returns
    -------
    ndarray of shape (count,)
        Descending; all of them sum to 1.

    Notes
    -----
    Per coordinate, with ``a = 1 / (4 s2)``, ``b = 1 / (2 tau)`` and ``c = sqrt(a^2 + 2 a b)``,
    ``lambda_k = sqrt(2 a / (a + b + c)) (b / (a + b + c))^k``; several coordinates multiply.

    References
    ----------
    H. Zhu, C. K. I. Williams, R. Rohwer, M. Morciniec: Gaussian regression and optimal finite
    dimensional linear models, in: Neural Networks and Machine Learning, Springer 1998.

    Examples
    --------
    >>> from kernelect.kernels.operator_spectra import gaussian_measure_eigenvalues
    >>> gaussian_measure_eigenvalues(4, tau=2.0, dim=2).round(4).tolist()
    [0.5359, 0.1436, 0.1436, 0.0385]
    """
    count, tau = check_whole(count, "count", least=1), check_number(tau, "tau", positive=True)
    s2 = np.atleast_1d(np.asarray(variance, dtype=np.float64))
    if s2.ndim != 1 or not (np.isfinite(s2) & (s2 > 0)).all():
        raise ValueError(f"variance must hold positive finite numbers, not {shown(variance)}")
    if dim is None and np.ndim(variance) == 0:
        raise ValueError("dim must be given when variance is one number")
    if dim is not None and check_whole(dim, "dim", least=1) != len(s2):
        if len(s2) > 1:
            raise ValueError(f"variance has {len(s2)} entries, but dim is {dim}")
        s2 = np.full(dim, s2[0])
    a, b = 1.0 / (4.0 * s2), 1.0 / (2.0 * tau)
    total = a + b + np.sqrt(a) * np.sqrt(a + 2.0 * b)  # a^2 would overflow
    first, ratio = np.sqrt(2.0 * a / total), b / total
    if (s2 == s2[0]).all():
        return geometric(count, len(s2), float(first[0]), float(ratio[0]))
    factors = []
    for start, rate in zip(first, ratio, strict=True):
        powers = useful_powers(count, float(rate))
        factors.append((start * rate ** np.arange(powers), np.ones(powers, dtype=np.int64)))
    return largest_products(count, factors)


def spectral_distance(sample: ArrayLike, operator: ArrayLike, *, p: float = 2.0) -> float:
    """Distance of two descending spectra, the penalty of the eigenvalue perturbation criterion.

    Parameters
    ----------
    sample : array_like of shape (n,)
        Eigenvalues of ``K / n``, in any order.
    operator : array_like of shape (n,)
        The n largest eigenvalues of the operator, in any order.
    p : float, default=2.0
        Exponent, at least 1: 2 is the Hoffman-Wielandt distance, 1 the sum of the differences.

    Returns
    -------
    float
        ``(sum_i |lambda_i(K / n) - lambda_i(T)|^p)^(1/p)`` after sorting both.

    Examples
    --------
    >>> from kernelect.kernels.operator_spectra import spectral_distance
    >>> spectral_distance([0.5, 0.1], [0.2, 0.5])
    0.1
    >>> spectral_distance([0.7, 0.0], [0.4, 0.4], p=1)
    0.7
    """
    ours = np.sort(np.asarray(sample, dtype=np.float64))
    theirs = np.sort(np.asarray(operator, dtype=np.float64))
    if ours.ndim != 1 or ours.shape != theirs.shape:
        raise ValueError(
            f"the spectra must be vectors of one length, not of shapes {ours.shape} and "
            f"{theirs.shape}"
        )
    if not p >= 1:
        raise ValueError(f"p must be at least 1, not {shown(p)}")
    return float(np.linalg.norm(ours - theirs, ord=p))
