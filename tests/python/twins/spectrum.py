"""Criteria of eigenvalues from full decompositions."""

from __future__ import annotations

import itertools

import numpy as np

from .moments import sm_columns
from .numbers import ROUNDING, WORST_OF_MAX, WORST_OF_MIN, eigenpairs
from .ridge import training_loss


def eigenvalues(k):
    """Largest first."""
    return eigenpairs(k)[0]


def pep(k, t=4):
    values = eigenvalues(k)
    return values[:t].sum() / values.sum()


def er_ratio(k, t=4):
    values = eigenvalues(k)
    rest = values[t:].sum()
    nothing = 0 if k.dtype == object else 1e-14 * values.sum()
    return WORST_OF_MIN if rest <= nothing else values[:t].sum() / rest


def er(k, y, *, t=4, eta=1, task="classification", **how):
    return training_loss(k, y, task, **how) + eta * (1 - pep(k, t))


def gaussian_operator(count, tau, variance, dim):
    """The largest eigenvalues of a Gaussian kernel on normal data, by listing all products."""
    a, b = 1 / (4 * variance), 1 / (2 * tau)
    total = a + b + (a * a + 2 * a * b) ** 0.5
    first, ratio = (2 * a / total) ** 0.5, b / total
    products, degree = [], 0
    while len(products) < count:
        ways = itertools.combinations_with_replacement(range(dim), degree)
        products += [first**dim * ratio**degree for _ in ways]
        degree += 1
    return np.array(products[:count])


def ep(k, y, *, x, kernel, eta=1, p=2, task="classification", **how):
    """With the Gaussian measure, of the mean variance of the features."""
    if x is None or type(kernel).__name__ != "Gaussian":
        return WORST_OF_MIN
    n, dim = x.shape
    variance = ((x - x.sum(axis=0) / n) ** 2).sum() / x.size
    expected = gaussian_operator(n, kernel.tau, variance, dim)
    differences = abs(eigenvalues(k) / n - expected)
    distance = (differences**p).sum() ** (1 / p)
    return training_loss(k, y, task, **how) + eta * distance


def label_measure(k, y, phi, *, normalization="trace", weighted=True, task="classification"):
    """(1/n) w' phi(N) w, the mean over label vectors, N = K / tr K or K / 1'K1."""
    scale = np.trace(k) if normalization == "trace" else k.sum()
    if scale <= ROUNDING * np.trace(k):
        return WORST_OF_MAX
    values, vectors = eigenpairs(k)
    values = values / scale
    w = sm_columns(k, y, weighted, task)
    energies = ((vectors.T @ w) ** 2).sum(axis=1) / w.shape[1]
    return (energies * phi(np.where(values > 0, values, 0))).sum() / len(k)


def sm_hinge(k, y, *, h=None, normalization="trace", weighted=True, task="classification"):
    threshold = (1 / len(k) if h is None else h) * (1 + 1e-8)  # equal to eight digits is equal
    return label_measure(
        k,
        y,
        lambda v: np.where(v > threshold, v, 0),
        normalization=normalization,
        weighted=weighted,
        task=task,
    )


def sm_phi(k, y, *, phi, steps=30, normalization="trace", weighted=True, task="classification"):
    """All eigenvalues: what quadrature tends to as its steps grow."""
    return label_measure(k, y, phi, normalization=normalization, weighted=weighted, task=task)
