"""Cholesky's method for matrices that may be large, a few columns at a time.

LAPACK cannot be stopped: between two blocks of columns the caller is heard and the clock looked at.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.linalg.lapack

from ..._support.arrays import FloatArray
from .._clock import check

# Columns that are done at once; up to twice as many LAPACK does alone.
_BLOCK = 512
# What is added to the diagonal, in shares of its mean: at first, times this each time, up to this.
_JITTER, _MORE, _TOO_MUCH = 1e-11, 100.0, 1e-4


def factorise(matrix: FloatArray) -> FloatArray:
    """Cholesky factor, with as little added to the diagonal as rounding asks for."""
    mean = float(np.trace(matrix)) / max(len(matrix), 1)
    mean = mean if mean > 0.0 else 1.0  # the zero matrix, where all weights are 0
    jitter = _JITTER * mean
    while True:
        try:
            return cholesky(matrix, jitter)
        except np.linalg.LinAlgError:
            if jitter > _TOO_MUCH * mean:
                raise ValueError(
                    "the combined kernel is not positive semidefinite; check kernel matrices and "
                    "callables, every one must be positive semidefinite by itself"
                ) from None
            jitter *= _MORE


def is_semidefinite(K: FloatArray, share: float) -> bool:
    """Whether no eigenvalue is below minus this share of their mean size, by Cholesky's method."""
    level = share * float(np.linalg.norm(K)) / np.sqrt(len(K))
    try:
        cholesky(K, level)
    except np.linalg.LinAlgError:
        return False
    return True


def cholesky(matrix: FloatArray, level: float) -> FloatArray:
    """Lower factor of a matrix with a number added to its diagonal."""
    padded = matrix + level * np.eye(len(matrix))
    if len(padded) <= 2 * _BLOCK:
        return np.asarray(scipy.linalg.cholesky(padded, lower=True, check_finite=False))
    for first in range(0, len(padded), _BLOCK):
        check()
        last = min(first + _BLOCK, len(padded))
        done, own = padded[first:, :first], padded[first:, first:last]
        own -= done @ done[: last - first].T
        own[: last - first] = scipy.linalg.cholesky(
            own[: last - first], lower=True, check_finite=False
        )
        padded[:first, first:last] = 0.0
        own[last - first :] = scipy.linalg.solve_triangular(
            own[: last - first], own[last - first :].T, lower=True, check_finite=False
        ).T
    return padded


def inverse_of(factor: FloatArray) -> FloatArray:
    """Inverse of the matrix that a factor is of, by a third of the work that its columns take."""
    if len(factor) > 2 * _BLOCK:
        return solve_factorised(factor, np.eye(len(factor)))
    found, fault = scipy.linalg.lapack.dpotri(factor, lower=True)
    assert fault == 0  # the diagonal of a factor is positive
    below = np.tril(found, -1)
    return np.asarray(below + below.T + np.diag(np.diagonal(found)))


def solve_factorised(factor: FloatArray, right: FloatArray) -> FloatArray:
    """Solve for one or many columns, of which some are done at once."""
    if right.ndim == 1 or right.shape[1] <= 2 * _BLOCK:
        return np.asarray(scipy.linalg.cho_solve((factor, True), right, check_finite=False))
    found = np.empty_like(right)
    for first in range(0, right.shape[1], _BLOCK):
        check()
        columns = slice(first, first + _BLOCK)
        found[:, columns] = scipy.linalg.cho_solve(
            (factor, True), right[:, columns], check_finite=False
        )
    return found
