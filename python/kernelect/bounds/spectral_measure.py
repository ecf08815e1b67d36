"""Generalisation bounds of the spectral measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._support.arguments import check_fraction, check_numbers, check_positive

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .._support.arrays import FloatArray

__all__ = [
    "MarginTerm",
    "margin_term",
    "sm_lssvm_bound",
    "sm_svm_bound",
]


class MarginTerm(NamedTuple):
    """The part of a margin bound that does not depend on the kernel, and where it is attained."""

    value: FloatArray
    theta: FloatArray


def margin_term(n: ArrayLike, *, delta: ArrayLike = 0.05, extra: ArrayLike = 0.0) -> MarginTerm:
    """Minimise the sample-size term of the margin bounds over the margin theta in (0, 1].

    Parameters
    ----------
    n : array_like
        Sample size, at least 5.
    delta : array_like, default=0.05
        The bound holds with probability ``1 - delta``.
    extra : array_like, default=0.0
        Added to the constant 6 in the numerator.

    Returns
    -------
    MarginTerm
        ``value = inf_theta theta + (7 mu + 3 sqrt(3 mu) + 6 + extra) / (3 n) + sqrt(3 mu / n)``
        with ``mu = 8 ln(n) ln(2 n) / theta^2 + ln(2 n / delta)``, and the minimising ``theta``.

    Notes
    -----
    The term is convex in theta, so a golden section finds its minimum. It is about 8.5, 3.2, 1.6,
    0.97 and 0.57 for n = 1e2, 1e3, 1e4, 1e5 and 1e6: vacuous until n is near 1e5.

    References
    ----------
    W. Gao, Z.-H. Zhou: On the doubt about margin explanation of boosting, Artificial Intelligence
    203, 2013, Theorem 8.

    Examples
    --------
    >>> from kernelect.bounds import margin_term
    >>> margin_term([1e4, 1e6]).value.round(2).tolist()
    [1.64, 0.57]
    """
    size = check_numbers(n, "n", least=5.0)
    doubt = check_fraction(delta, "delta")
    more = check_numbers(extra, "extra", least=0.0)
    size, doubt, more = np.broadcast_arrays(size, doubt, more)

    def term(theta: FloatArray) -> FloatArray:
        mu = 8.0 * np.log(size) * np.log(2.0 * size) / theta**2 + np.log(2.0 * size / doubt)
        rest = (7.0 * mu + 3.0 * np.sqrt(3.0 * mu) + 6.0 + more) / (3.0 * size)
        return np.asarray(theta + rest + np.sqrt(3.0 * mu / size))

    golden = (np.sqrt(5.0) - 1.0) / 2.0
    low, high = np.full(size.shape, 1e-6), np.ones(size.shape)
    for _ in range(80):
        width = golden * (high - low)
        left, right = high - width, low + width
        keep_left = term(left) < term(right)
        low, high = np.where(keep_left, low, left), np.where(keep_left, right, high)
    theta = np.asarray((low + high) / 2.0)
    theta = np.where(term(np.ones(size.shape)) <= term(theta), 1.0, theta)
    return MarginTerm(term(theta), theta)


def sm_lssvm_bound(
    sm: ArrayLike, n: ArrayLike, *, scale: ArrayLike, lam: ArrayLike, delta: ArrayLike = 0.05
) -> FloatArray:
    """Bound the error of a bias-free LSSVM by the spectral measure (Theorem 1).

    Parameters
    ----------
    sm : array_like
        Unweighted spectral measure ``(1/n) y' phi(K / C) y`` with ``0 <= phi(t) <= t``.
    n : array_like
        Sample size, at least 5.
    scale : array_like
        The normaliser C of ``K / C``: the sum of the entries, or the trace.
    lam : array_like
        Regularisation of the sum convention, ``K + lam I``.
    delta : array_like, default=0.05
        The bound holds with probability ``1 - delta``.

    Returns
    -------
    ndarray
        ``1 - c0 SM + margin_term(n)`` with ``c0 = C / (C + lam)``.

    Notes
    -----
    The theorem assumes ``|f|_K <= 1``. The paper prints ``c0 = C lam / (C + lam)``, which its own
    lemma contradicts for lam > 1; both agree at the paper's lam = 1.

    References
    ----------
    Y. Liu, S. Liao, H. Lin, Y. Yue, W. Wang: Efficient kernel selection via spectral analysis,
    IJCAI 2017, Theorem 1.

    Examples
    --------
    >>> from kernelect.bounds import sm_lssvm_bound
    >>> float(sm_lssvm_bound(0.4, 100_000, scale=1e5, lam=1.0).round(3))
    1.572
    """
    measure = check_numbers(sm, "sm", least=0.0)
    total, ridge = check_positive(scale, "scale"), check_positive(lam, "lam")
    return np.asarray(1.0 - total / (total + ridge) * measure + margin_term(n, delta=delta).value)


def sm_svm_bound(
    sm: ArrayLike,
    n: ArrayLike,
    *,
    scale: ArrayLike,
    lam: ArrayLike,
    entry_sum: ArrayLike | None = None,
    delta: ArrayLike = 0.05,
) -> FloatArray:
    """Bound the error of a bias-free SVM by the spectral measure (Theorem 2).

    Parameters
    ----------
    sm : array_like
        Unweighted spectral measure ``(1/n) y' phi(K / C) y`` with ``0 <= phi(t) <= t``.
    n : array_like
        Sample size, at least 5.
    scale : array_like
        The normaliser C of ``K / C``: the sum of the entries, or the trace.
    lam : array_like
        Regularisation of the sum convention; the box of the dual is ``1 / (2 lam)``.
    entry_sum : array_like, optional
        Sum of the (non-negative) entries of K; by default `scale`, as in the paper.
    delta : array_like, default=0.05
        The bound holds with probability ``1 - delta``.

    Returns
    -------
    ndarray
        ``1 - C SM + inf [theta + (7 mu + 3 sqrt(3 mu) + 6 + 3 S b) / (3 n) + sqrt(3 mu / n)]`` with
        ``S`` the entry sum and ``b = max(1, 1 / (2 lam) - 1)``.

    Notes
    -----
    The paper prints ``3 / (2 lam) + 3 b`` for ``6 + 3 C b``. The factor C varies with the kernel,
    so the bound does not literally justify a ranking by SM.

    References
    ----------
    Y. Liu, S. Liao, H. Lin, Y. Yue, W. Wang: Efficient kernel selection via spectral analysis,
    IJCAI 2017, Theorem 2.

    Examples
    --------
    >>> from kernelect.bounds import sm_svm_bound
    >>> float(sm_svm_bound(0.01, 100_000, scale=50.0, lam=1.0).round(3))
    1.473
    """
    measure = check_numbers(sm, "sm", least=0.0)
    total, ridge = check_positive(scale, "scale"), check_positive(lam, "lam")
    entries = total if entry_sum is None else check_positive(entry_sum, "entry_sum")
    b = np.maximum(1.0, 1.0 / (2.0 * ridge) - 1.0)
    return np.asarray(
        1.0 - total * measure + margin_term(n, delta=delta, extra=3.0 * entries * b).value
    )
