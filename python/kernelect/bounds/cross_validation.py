"""Variance of cross-validation, bounded by kernel stability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._support.arguments import check_numbers, check_positive, check_whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .._support.arrays import FloatArray

__all__ = [
    "krr_cv_variance_bound",
    "lssvm_cv_variance_unproven",
    "svm_cv_variance_bound",
]


def _training_size(n: ArrayLike, folds: int) -> FloatArray:
    folds = check_whole(folds, "folds", least=2)
    return np.asarray((folds - 1) * check_numbers(n, "n", least=float(folds)) / folds)


def krr_cv_variance_bound(
    stability: ArrayLike,
    n: ArrayLike,
    *,
    folds: int,
    lam: ArrayLike,
    kappa: ArrayLike = 1.0,
    target_bound: ArrayLike = 1.0,
) -> FloatArray:
    """Bound the variance of k-fold cross-validation of kernel ridge regression.

    Parameters
    ----------
    stability : array_like
        beta, the kernel stability ``max_i |K - K^i|_2``.
    n : array_like
        Sample size.
    folds : int
        Number of folds k; each fit sees ``m = (k - 1) n / k`` points.
    lam : array_like
        Regularisation of the mean convention, ``K + m lam I``.
    kappa : array_like, default=1.0
        The largest value of ``k(x, x)``.
    target_bound : array_like, default=1.0
        M, the largest ``|y|``.

    Returns
    -------
    ndarray
        ``16 (kappa^2 M^2 / (lam^3 m) + kappa M^2 / (lam^2 m))^2 beta^2``.

    Notes
    -----
    The paper prints 8 for 16, and ``(k - 1) k / n`` for m.

    References
    ----------
    Y. Liu, S. Liao: Preventing over-fitting of cross-validation with kernel stability, ECML 2014,
    Theorem 1.

    Examples
    --------
    >>> from kernelect.bounds import krr_cv_variance_bound
    >>> float(krr_cv_variance_bound(2.0, 1000, folds=5, lam=1.0))
    0.0004
    """
    beta, m = check_positive(stability, "stability"), _training_size(n, folds)
    ridge, diagonal = check_positive(lam, "lam"), check_positive(kappa, "kappa")
    largest = check_positive(target_bound, "target_bound")
    inner = diagonal**2 * largest**2 / (ridge**3 * m) + diagonal * largest**2 / (ridge**2 * m)
    return np.asarray(16.0 * inner**2 * beta**2)


def lssvm_cv_variance_unproven(
    stability: ArrayLike, n: ArrayLike, *, folds: int, lam: ArrayLike, kappa: ArrayLike = 1.0
) -> FloatArray:
    """Compute the paper's expression for the variance of cross-validation of an LSSVM: NOT a bound.

    Parameters
    ----------
    stability : array_like
        beta, the kernel stability ``max_i |K - K^i|_2``.
    n : array_like
        Sample size.
    folds : int
        Number of folds k; each fit sees ``m = (k - 1) n / k`` points.
    lam : array_like
        Regularisation of the mean convention.
    kappa : array_like, default=1.0
        The largest value of ``k(x, x)``.

    Returns
    -------
    ndarray
        ``16 ((kappa + 1)^2 / (lam^3 m) + (kappa + 1) / (lam^2 m))^2 beta^2``.

    Notes
    -----
    The printed proof bounds the inverse of the bordered matrix ``[K + m lam I, 1; 1', 0]`` by
    ``1 / (m lam)``, which is false (K = 11', m = 10, lam = 1: 2.05 against 0.1). Whether the
    statement holds is open, so nothing is guaranteed. The paper also prints 4 for 16.

    References
    ----------
    Y. Liu, S. Liao: Preventing over-fitting of cross-validation with kernel stability, ECML 2014,
    Theorem 2.

    Examples
    --------
    >>> from kernelect.bounds import lssvm_cv_variance_unproven
    >>> float(lssvm_cv_variance_unproven(2.0, 1000, folds=5, lam=1.0))
    0.0036
    """
    beta, m = check_positive(stability, "stability"), _training_size(n, folds)
    ridge, diagonal = check_positive(lam, "lam"), check_positive(kappa, "kappa") + 1.0
    return np.asarray(
        16.0 * (diagonal**2 / (ridge**3 * m) + diagonal / (ridge**2 * m)) ** 2 * beta**2
    )


def svm_cv_variance_bound(
    stability: ArrayLike, *, lam: ArrayLike, kappa: ArrayLike = 1.0
) -> FloatArray:
    """Bound the variance of k-fold cross-validation of a support vector machine.

    Parameters
    ----------
    stability : array_like
        beta, the kernel stability ``max_i |K - K^i|_2``.
    lam : array_like
        Regularisation of the mean convention, ``mean hinge + lam |f|^2``.
    kappa : array_like, default=1.0
        The largest value of ``k(x, x)``.

    Returns
    -------
    ndarray
        ``8 C0^2 kappa^(3/2) beta^(1/2) (1 + (beta / (4 kappa))^(1/4))^2``
        with ``C0 = 1 / (2 lam)``.

    Notes
    -----
    The paper writes lam for C0; the lemma that it uses is for ``|w|^2 / 2 + C0 mean hinge``.

    References
    ----------
    Y. Liu, S. Liao: Preventing over-fitting of cross-validation with kernel stability, ECML 2014,
    Theorem 3. C. Cortes, M. Mohri, A. Talwalkar: On the impact of kernel approximation on learning
    accuracy, AISTATS 2010, Proposition 2.

    Examples
    --------
    >>> from kernelect.bounds import svm_cv_variance_bound
    >>> float(svm_cv_variance_bound(4.0, lam=0.5))
    64.0
    """
    beta = check_positive(stability, "stability")
    box, diagonal = 1.0 / (2.0 * check_positive(lam, "lam")), check_positive(kappa, "kappa")
    growth = (1.0 + (beta / (4.0 * diagonal)) ** 0.25) ** 2
    return np.asarray(8.0 * box**2 * diagonal**1.5 * np.sqrt(beta) * growth)
