"""Generalisation bounds of the principal eigenvalue proportion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._support.arguments import check_fraction, check_numbers, check_positive, check_whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .._support.arrays import FloatArray

__all__ = [
    "pep_bound",
]


def pep_bound(
    empirical_risk: ArrayLike,
    pep: ArrayLike,
    n: ArrayLike,
    *,
    t: int,
    norm_bound: float,
    loss_bound: float,
    weights: ArrayLike | None = None,
    k: ArrayLike | None = None,
    lipschitz: float = 1.0,
    kappa: float = 1.0,
    delta: float = 0.05,
    population: bool = False,
) -> FloatArray:
    """Bound the risk by the principal eigenvalue proportion of one kernel or a combination.

    Parameters
    ----------
    empirical_risk : array_like
        Mean training loss.
    pep : array_like
        ``beta_t``, in [0, 1]. With `weights` the last axis holds the kernels that are combined.
    n : array_like
        Sample size.
    t : int
        The number of leading eigenvalues in `pep`.
    norm_bound : float
        Delta, the bound on the norm of the weight vector.
    loss_bound : float
        M, the largest value of the loss.
    weights : array_like, optional
        Non-negative weights ``d`` of the combined kernels, which sum to 1: the corollaries.
    k : array_like, optional
        Any number above 1; by default ``ln n``, which gives the rate ``ln(n) / n``.
    lipschitz : float, default=1.0
        L, the Lipschitz constant of the loss (1 for the hinge and the epsilon-insensitive loss).
    kappa : float, default=1.0
        The largest value of ``k(x, x)``.
    delta : float, default=0.05
        The bound holds with probability ``1 - delta``.
    population : bool, default=False
        Whether `pep` is that of the integral operator (Theorem 1) instead of the one of the kernel
        matrix (Theorem 2).

    Returns
    -------
    ndarray
        ``k / (k - 1) Rhat + c1 k (1 - beta) / n + c2 k / n``. For the matrix
        ``c1 = 40 Delta^2 L^2 kappa`` and ``c2 = (14 + 2 M) ln(1 / delta) + 40 L^2 t``, for the
        operator ``c1 = 20 Delta^2 L^2 kappa`` and ``c2 = (4 + 11 M) ln(1 / delta) + 20 L^2 t``;
        with `weights`, ``1 - beta`` is their weighted mean.

    Notes
    -----
    The corollaries print one more factor k in the last constant than the theorems that they follow
    from; it is left out here.

    References
    ----------
    Y. Liu, S. Liao, H. Lin, Y. Yue, W. Wang: Infinite kernel learning: generalization bounds and
    algorithms, AAAI 2017, Theorems 1-2 and Corollaries 1-2.

    Examples
    --------
    >>> from kernelect.bounds import pep_bound
    >>> float(pep_bound(0.1, 0.8, 10_000, t=4, norm_bound=1.0, loss_bound=2.0).round(4))
    0.3166
    >>> combined = pep_bound(
    ...     0.1, [0.8, 0.4], 10_000, t=4, norm_bound=1.0, loss_bound=2.0, weights=[0.75, 0.25]
    ... )
    >>> float(combined.round(4))
    0.3203
    """
    risk = check_numbers(empirical_risk, "empirical_risk", least=0.0)
    beta = check_numbers(pep, "pep", least=0.0, most=1.0)
    size = check_numbers(n, "n", least=2.0)
    t = check_whole(t, "t", least=1)
    radius, largest = (
        check_positive(norm_bound, "norm_bound"),
        check_positive(loss_bound, "loss_bound"),
    )
    slope, diagonal = check_positive(lipschitz, "lipschitz"), check_positive(kappa, "kappa")
    doubt = np.log(1.0 / check_fraction(delta, "delta"))
    if k is None and (np.log(size) <= 1.0).any():
        raise ValueError("k must be above 1 and finite, not ln n, for which n must be at least 3")
    factor = np.log(size) if k is None else check_numbers(k, "k", above=1.0)
    tail = 1.0 - beta
    if weights is not None:
        d = check_numbers(weights, "weights", least=0.0)
        if d.ndim != 1 or d.shape[0] != (beta.shape[-1] if beta.ndim else 1):
            raise ValueError(f"weights must have one entry per kernel, not the shape {d.shape}")
        if abs(d.sum() - 1.0) > 1e-9:
            raise ValueError(f"weights must sum to 1, not to {d.sum():g}")
        tail = np.atleast_1d(tail) @ d
    if population:
        c1 = 20.0 * radius**2 * slope**2 * diagonal
        c2 = (4.0 + 11.0 * largest) * doubt + 20.0 * slope**2 * t
    else:
        c1 = 40.0 * radius**2 * slope**2 * diagonal
        c2 = (14.0 + 2.0 * largest) * doubt + 40.0 * slope**2 * t
    return np.asarray(factor / (factor - 1.0) * risk + factor * (c1 * tail + c2) / size)
