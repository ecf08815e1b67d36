"""Cholesky's method a few columns at a time, beside LAPACK's own."""

import numpy as np
import pytest

from kernelect.mkl import _clock
from kernelect.mkl._solvers import cholesky


@pytest.mark.parametrize("n", [9, 16, 17, 23])
def test_blocks(n, monkeypatch):
    monkeypatch.setattr(cholesky, "_BLOCK", 4)
    random = np.random.default_rng(n)
    A = random.normal(size=(n, n))
    A = A @ A.T + np.eye(n)
    before = A.copy()
    factor = cholesky.cholesky(A, 0.5)
    assert factor == pytest.approx(np.linalg.cholesky(A + 0.5 * np.eye(n)))
    assert (before == A).all()
    right = random.normal(size=(n, n + 3))
    wanted = np.linalg.solve(A + 0.5 * np.eye(n), right)
    assert cholesky.solve_factorised(factor, right) == pytest.approx(wanted)
    assert cholesky.solve_factorised(factor, right[:, 0]) == pytest.approx(wanted[:, 0])
    inverse = np.linalg.inv(A + 0.5 * np.eye(n))
    for block in (4, n):  # by columns, and at once
        monkeypatch.setattr(cholesky, "_BLOCK", block)
        found = cholesky.inverse_of(factor)
        assert found == pytest.approx(inverse)
        assert found == pytest.approx(found.T)
    assert cholesky.is_semidefinite(A, 1e-10)
    assert not cholesky.is_semidefinite(A - 2.0 * np.linalg.norm(A, 2) * np.eye(n), 1e-10)


def test_the_clock_is_looked_at_between_blocks(monkeypatch):
    monkeypatch.setattr(cholesky, "_BLOCK", 4)
    looks = iter([False, True])
    monkeypatch.setattr(_clock.Clock, "over", lambda clock: next(looks))
    message = "no machine was trained within time_limit=100 seconds; allow more time"
    with pytest.raises(TimeoutError, match=message), _clock.limited(100.0):
        cholesky.cholesky(np.eye(20), 0.0)
    assert next(looks, None) is None
    with _clock.limited(None):
        assert _clock.tick() is None
