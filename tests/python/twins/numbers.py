"""The same lines in doubles and in mpmath's arithmetic: what NumPy lacks for the latter."""

from __future__ import annotations

import math

import mpmath
import numpy as np

WORST_OF_MAX, WORST_OF_MIN = -math.inf, math.inf
ROUNDING = 1e-12


def extended(a):
    """The same numbers, as an array of mpmath's."""
    return np.frompyfunc(mpmath.mpf, 1, 1)(np.asarray(a, dtype=float))


def exp(a):
    return np.frompyfunc(mpmath.exp, 1, 1)(a) if a.dtype == object else np.exp(a)


def log(value):
    """Of one number."""
    return mpmath.log(value) if isinstance(value, mpmath.mpf) else math.log(value)


def as_type_of(k, a):
    return extended(a) if k.dtype == object else np.asarray(a, dtype=float)


def number_like(k, value):
    """One number in the arithmetic of the matrix."""
    return mpmath.mpf(value) if k.dtype == object else float(value)


def solve(a, b):
    """The solution of ``a x = b`` for the columns of b, by elimination with row pivots."""
    if a.dtype != object:
        return np.linalg.solve(a, b)
    n = len(a)
    work = np.hstack([a, b])
    for i in range(n):
        pivot = i + int(np.argmax(abs(work[i:, i])))
        work[[i, pivot]] = work[[pivot, i]]
        work[i + 1 :] = work[i + 1 :] - np.outer(work[i + 1 :, i] / work[i, i], work[i])
    x = work[:, n:]
    for i in reversed(range(n)):
        x[i] = (x[i] - work[i, i + 1 : n] @ x[i + 1 :]) / work[i, i]
    return x


def root(a):
    return np.frompyfunc(mpmath.sqrt, 1, 1)(a) if a.dtype == object else np.sqrt(a)


def log_determinant(a):
    """Of a positive definite matrix: the sum of the logarithms of its pivots."""
    work, total = a.copy(), number_like(a, 0)
    for i in range(len(a)):
        total += log(work[i, i])
        work[i + 1 :] = work[i + 1 :] - np.outer(work[i + 1 :, i] / work[i, i], work[i])
    return total


_LAST = {}


def eigenpairs(k):
    """Eigenvalues, largest first, and the eigenvectors as columns; the last ones are remembered."""
    known = _LAST.get("matrix")
    if known is None or _LAST["digits"] != mpmath.mp.dps or not np.array_equal(known, k):
        _LAST.update(matrix=k.copy(), digits=mpmath.mp.dps, pairs=_decomposed(k))
    return _LAST["pairs"]


def _decomposed(k):
    if k.dtype != object:
        values, vectors = np.linalg.eigh(k)
    else:
        found, basis = mpmath.eigsy(mpmath.matrix(k.tolist()))
        values = np.array(list(found), dtype=object)
        vectors = np.array(basis.tolist(), dtype=object).reshape(k.shape)
    order = np.argsort(values)[::-1]
    return values[order], vectors[:, order]
