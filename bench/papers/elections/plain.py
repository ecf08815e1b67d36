"""Criteria in plain NumPy, the way a paper describes them: for the run times only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def _matrices(X: np.ndarray, taus: Sequence[float]) -> Iterator[np.ndarray]:
    squares = (X * X).sum(axis=1)
    D2 = np.maximum(squares[:, None] + squares[None, :] - 2.0 * (X @ X.T), 0.0)
    for tau in taus:
        yield np.exp(D2 * (-0.5 / tau))


def _fit(K: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """LSSVM with bias and lambda = 1."""
    factor = cho_factor(K + np.eye(len(y)))
    one = cho_solve(factor, np.ones(len(y)))
    alpha = cho_solve(factor, y)
    bias = alpha.sum() / one.sum()
    return alpha - bias * one, float(bias)


def spectral_measure(X: np.ndarray, y: np.ndarray, taus: Sequence[float]) -> np.ndarray:
    n = len(y)
    labels = np.where(y > 0, n / (y > 0).sum(), -n / (y < 0).sum())
    values = []
    for K in _matrices(X, taus):
        N = K / np.trace(K)
        u = N @ labels
        values.append(u @ (N @ u) / n)
    return np.array(values)


def centred_alignment(X: np.ndarray, y: np.ndarray, taus: Sequence[float]) -> np.ndarray:
    z = y - y.mean()
    values = []
    for K in _matrices(X, taus):
        centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
        values.append(z @ centred @ z / (np.linalg.norm(centred) * (z @ z)))
    return np.array(values)


def separability(X: np.ndarray, y: np.ndarray, taus: Sequence[float]) -> np.ndarray:
    up, down = y > 0, y < 0
    values = []
    for K in _matrices(X, taus):
        d = K[:, up].mean(axis=1) - K[:, down].mean(axis=1)
        spread = d[up].std(ddof=1) + d[down].std(ddof=1)
        values.append(spread / (d[up].mean() - d[down].mean()))
    return np.array(values)


def leave_one_out(X: np.ndarray, y: np.ndarray, taus: Sequence[float]) -> np.ndarray:
    values = []
    for K in _matrices(X, taus):
        R = np.linalg.inv(K + np.eye(len(y)))
        row = R.sum(axis=0)
        alpha = R @ y - row * (row @ y) / row.sum()
        values.append(np.mean((alpha / (np.diag(R) - row**2 / row.sum())) ** 2))
    return np.array(values)


def five_fold(X: np.ndarray, y: np.ndarray, taus: Sequence[float]) -> np.ndarray:
    parts = np.array_split(np.random.default_rng(0).permutation(len(y)), 5)
    values = []
    for K in _matrices(X, taus):
        total = 0.0
        for test in parts:
            train = np.setdiff1d(np.arange(len(y)), test)
            alpha, bias = _fit(K[np.ix_(train, train)], y[train])
            total += float(((y[test] - K[np.ix_(test, train)] @ alpha - bias) ** 2).sum())
        values.append(total / len(y))
    return np.array(values)


CRITERIA: dict[str, Callable[[np.ndarray, np.ndarray, Sequence[float]], np.ndarray]] = {
    "SM": spectral_measure,
    "CV": five_fold,
    "ELOO": leave_one_out,
    "CKTA": centred_alignment,
    "FSM": separability,
}
