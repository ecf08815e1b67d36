"""The margin behind the five universal measures, and their common form."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._support.arguments import check_numbers, check_positive, check_whole, shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .._support.arrays import FloatArray

__all__ = [
    "Decomposition",
    "expected_margin_bound",
    "unified_decomposition",
    "unified_decomposition_of_gram",
]


def expected_margin_bound(
    margin: ArrayLike, *, coefficient_bound: ArrayLike, kernel_bound: ArrayLike
) -> FloatArray:
    """Bound the error of a kernel expansion by its expected margin.

    Parameters
    ----------
    margin : array_like
        ``E[y h(x)]`` of the hypothesis ``h(x) = E[alpha' y' k(x, x')]``, ``alpha >= 0``.
    coefficient_bound : array_like
        A, the largest coefficient alpha.
    kernel_bound : array_like
        B, the largest value of ``|k(x, x')|``.

    Returns
    -------
    ndarray
        ``1 - margin / (A B)``, an upper bound of the probability of ``y h(x) < 0``.

    Notes
    -----
    The margin is the distribution's, not the sample's: with the sample's in its place the number is
    an estimate. If the coefficients are independent of ``y' k(x, x')``, the sample's margin is
    ``E(alpha) A_u(K)``, see `unified_decomposition`.

    References
    ----------
    P. Wang, D. Cai: Comparative study of universal kernel evaluation measures, Journal of Software
    26(11), 2015, Theorem 1 (in Chinese).

    Examples
    --------
    >>> from kernelect.bounds import expected_margin_bound
    >>> float(expected_margin_bound(0.6, coefficient_bound=1.0, kernel_bound=1.0))
    0.4
    """
    mean = np.asarray(margin, dtype=np.float64)
    limit = check_positive(coefficient_bound, "coefficient_bound") * check_positive(
        kernel_bound, "kernel_bound"
    )
    if not np.all(np.abs(mean) <= limit * (1 + 1e-12)):
        raise ValueError(
            "margin must not exceed coefficient_bound * kernel_bound in magnitude, "
            f"not {shown(margin)} with a product of {limit.max():g}"
        )
    return np.asarray(1.0 - mean / limit)


class Decomposition(NamedTuple):
    """One measure as ``value = coefficient * alignment``."""

    coefficient: FloatArray
    alignment: FloatArray
    value: FloatArray


def unified_decomposition(
    *,
    positive: int,
    negative: int,
    alignment: ArrayLike,
    centered_alignment: ArrayLike,
    norm: ArrayLike,
    centered_norm: ArrayLike,
    spread: ArrayLike,
    within_scatter: ArrayLike,
) -> dict[str, Decomposition]:
    """Write the five universal measures as a coefficient times an unnormalised alignment.

    Parameters
    ----------
    positive, negative : int
        Class sizes.
    alignment, centered_alignment : array_like
        ``<K, yy'>`` and ``<K_c, yy'>``.
    norm, centered_norm : array_like
        Frobenius norms of K and of the centred ``K_c``.
    spread : array_like
        ``s+ + s-``, the sample standard deviations of ``d_i = mean_{j in +} K_ij - mean_{j in -}
        K_ij`` inside the classes.
    within_scatter : array_like
        ``Tr S_W``, the scatter inside the classes.

    Returns
    -------
    dict of str to Decomposition
        Keys ``kta``, ``ekta``, ``ckta`` (the survey's normalisation), ``1/fsm`` and ``kcsm``. Where
        the coefficient is infinite the value is infinite, or 0 if the alignment is 0 too.

    Notes
    -----
    ``measure = E(alpha) A_u`` with ``A_u(K) = <K, yy'> / n^2``: all five measure the mean margin of
    one linear hypothesis in feature space and differ in the normaliser only. With
    ``bal = n^2 / (4 n+ n-)`` the coefficients are ``n / |K|`` (kta), ``bal n / |K|`` (ekta),
    ``n / |K_c|`` (ckta), ``bal n^2 / (n+ n- (s+ + s-))`` (1/fsm) and ``bal n / Tr S_W`` (kcsm); kta
    takes the alignment of K, the others that of ``K_c``.

    References
    ----------
    P. Wang, D. Cai: Comparative study of universal kernel evaluation measures, Journal of Software
    26(11), 2015, Table 1 (in Chinese), with 1/l for its 1/l+ and 1/l- in KCSM.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelect.bounds import unified_decomposition_of_gram
    >>> y = np.array([1, 1, -1, -1])
    >>> table = unified_decomposition_of_gram(np.eye(4) + np.outer(y, y), y)
    >>> {name: float(row.value.round(4)) for name, row in table.items()}
    {'kta': 0.9449, 'ekta': 0.9449, 'ckta': 0.9623, '1/fsm': inf, 'kcsm': 2.5}
    """
    for name, size in (("positive", positive), ("negative", negative)):
        check_whole(size, name, least=1)
    n = positive + negative
    plain = np.asarray(alignment, dtype=np.float64) / n**2
    centred = np.asarray(centered_alignment, dtype=np.float64) / n**2
    if not (np.isfinite(plain).all() and np.isfinite(centred).all()):
        raise ValueError("alignment and centered_alignment must be finite")
    size_k = check_numbers(norm, "norm", least=0.0)
    size_c = check_numbers(centered_norm, "centered_norm", least=0.0)
    spreads = check_numbers(spread, "spread", least=0.0)
    within = check_numbers(within_scatter, "within_scatter", least=0.0)
    balance = n**2 / (4.0 * positive * negative)

    def row(numerator: float, denominator: FloatArray, part: FloatArray) -> Decomposition:
        with np.errstate(divide="ignore", invalid="ignore"):
            coefficient = np.asarray(numerator / denominator)
            value = np.where(part == 0.0, 0.0, coefficient * part)
        return Decomposition(coefficient, part, value)

    return {
        "kta": row(n, size_k, plain),
        "ekta": row(balance * n, size_k, centred),
        "ckta": row(n, size_c, centred),
        "1/fsm": row(balance * n**2 / (positive * negative), spreads, centred),
        "kcsm": row(balance * n, within, centred),
    }


def unified_decomposition_of_gram(K: ArrayLike, y: ArrayLike) -> dict[str, Decomposition]:
    """Decompose the five universal measures of one kernel matrix.

    Parameters
    ----------
    K : array_like of shape (n, n)
        A symmetric kernel matrix.
    y : array_like of shape (n,)
        Labels +1 and -1.

    Returns
    -------
    dict of str to Decomposition
        See `unified_decomposition`.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelect.bounds import unified_decomposition_of_gram
    >>> table = unified_decomposition_of_gram(np.eye(6), [1, 1, 1, -1, -1, -1])
    >>> float(table["kcsm"].value)  # 1 / (n - 2)
    0.25
    """
    gram, labels = np.asarray(K, dtype=np.float64), np.asarray(y, dtype=np.float64)
    n = len(labels)
    if labels.ndim != 1 or gram.shape != (n, n) or not np.isfinite(gram).all():
        raise ValueError(f"K must be finite and {n} x {n} to match y, not of shape {gram.shape}")
    plus, minus = labels == 1, labels == -1
    if not np.all(plus | minus) or not plus.any() or not minus.any():
        raise ValueError("y must hold +1 and -1, both at least once")
    centred = gram - gram.mean(axis=0) - gram.mean(axis=1)[:, None] + gram.mean()
    direction = gram[:, plus].mean(axis=1) - gram[:, minus].mean(axis=1)
    spread = within = 0.0
    for members in (plus, minus):
        size = int(members.sum())
        spread += float(direction[members].std(ddof=min(1, size - 1)))
        within += (
            float(gram[members, members].sum()) - float(gram[np.ix_(members, members)].sum()) / size
        )
    return unified_decomposition(
        positive=int(plus.sum()),
        negative=int(minus.sum()),
        alignment=labels @ gram @ labels,
        centered_alignment=labels @ centred @ labels,
        norm=np.linalg.norm(gram),
        centered_norm=np.linalg.norm(centred),
        spread=spread,
        within_scatter=max(within, 0.0),
    )
