"""Criteria that are sums over the kernel matrix, by the formulas of the papers.

A denominator at rounding level gives the worst value, -inf where larger is better, else +inf.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from .numbers import ROUNDING, WORST_OF_MAX, WORST_OF_MIN, as_type_of
from .targets import indicators, signs


def center(k):
    """H K H with H = I - 11'/n: subtract the means of rows and columns, add the grand mean."""
    n = len(k)
    return k - k.sum(0)[None, :] / n - k.sum(1)[:, None] / n + k.sum() / n**2


def inner(a, b):
    return (a * b).sum()


def norm(a):
    return inner(a, a) ** 0.5


def _quotient(numerator, denominator, floor, worst):
    return worst if denominator <= floor else numerator / denominator


def _cosine(k, target, scale):
    """<K, T> / (|K| |T|), with |K| judged against the trace of the uncentred matrix."""
    norm_k = norm(k)
    return WORST_OF_MAX if norm_k <= scale else inner(k, target) / (norm_k * norm(target))


def _floor(k):
    return ROUNDING * np.trace(k)


# Spectral measure ------------------------------------------------------------------------------


def sm_columns(k, y, weighted=True, task="classification"):
    """The vectors whose quadratic forms SM averages, as columns."""
    n = len(k)
    if task == "regression":
        t = as_type_of(k, y)
        t = t - t.sum() / n
        return (t * (n / inner(t, t)) ** 0.5)[:, None]
    z = indicators(k, y)
    if not weighted:
        return 2 * z - 1
    size = z.sum(0)
    return n * z / size - n * (1 - z) / (n - size)


def sm(k, y, *, r=2, normalization="trace", weighted=True, relative=False, task="classification"):
    """mean over columns of (1/n) u' N^r u, N = K / tr K or K / 1'K1; relative to that of K = I."""
    n = len(k)
    columns = sm_columns(k, y, weighted, task)
    if task == "classification" and columns.shape[1] == 2:
        columns = columns[:, :1]  # binary: one column, the other is its negative
    scale = np.trace(k) if normalization == "trace" else k.sum()
    if scale <= _floor(k):
        return WORST_OF_MAX
    # N = I/n at K = I, so relative to it the powers of N are those of nN: no underflow.
    n_matrix = n * k / scale if relative else k / scale
    powers = columns
    for _ in range(r):
        powers = n_matrix @ powers
    unit = inner(columns, columns) if relative else n * columns.shape[1]
    return inner(columns, powers) / unit


def ncut(k, y, variant="ratio"):
    s = signs(k, y)
    degree = k.sum(1)
    floor = _floor(k)
    if variant == "ratio":
        laplacian_form = (s * degree * s).sum() - s @ k @ s
        return _quotient(laplacian_form, (s * degree * s).sum(), floor, WORST_OF_MIN)
    z = indicators(k, y)
    cut = z[:, 0] @ k @ z[:, 1]
    volumes = [z[:, 0] @ degree, z[:, 1] @ degree]
    return sum(_quotient(cut, volume, floor, WORST_OF_MIN) for volume in volumes)


def mmd(k, y):
    """Squared distance of the two class means in feature space (the biased estimate)."""
    z = indicators(k, y)
    if z.shape[1] != 2:
        raise ValueError(f"two classes are wanted, got {z.shape[1]}")
    w = z[:, 0] / z[:, 0].sum() - z[:, 1] / z[:, 1].sum()
    return w @ k @ w


# Alignment -------------------------------------------------------------------------------------


def kta_target(k, y, task="classification"):
    if task == "regression":
        t = as_type_of(k, y)
        t = t - t.sum() / len(t)
        return np.outer(t, t)
    z = indicators(k, y)
    c = z.shape[1]
    if c == 2:
        return np.outer(signs(k, y), signs(k, y))
    same = z @ z.T
    return same - (1 - same) / (c - 1)


def kta(k, y, task="classification"):
    return _cosine(k, kta_target(k, y, task), _floor(k))


def ekta_target(k, y):
    """sum_k w_k w_k' with w_k = z_k/n_k - (1/c) sum_q z_q/n_q."""
    z = indicators(k, y)
    means = z / z.sum(0)
    w = means - means.sum(1)[:, None] / z.shape[1]
    return w @ w.T


def ekta_binary(k, y):
    z = indicators(k, y)
    y_e = z[:, 0] / z[:, 0].sum() - z[:, 1] / z[:, 1].sum()
    return _cosine(k, np.outer(y_e, y_e), _floor(k))


def ekta(k, y):
    if len(np.unique(y)) == 2:
        return ekta_binary(k, y)
    return _cosine(k, ekta_target(k, y), _floor(k))


def ckta_target(k, y, task="classification"):
    if task == "regression":
        t = as_type_of(k, y)
        return np.outer(t, t)
    z = indicators(k, y)
    return np.outer(signs(k, y), signs(k, y)) if z.shape[1] == 2 else z @ z.T


def ckta(k, y, variant="cortes", task="classification"):
    centred = center(k)
    if variant == "survey":
        s = signs(k, y)
        return _quotient(s @ centred @ s, norm(centred) * len(k), _floor(k) * len(k), WORST_OF_MAX)
    return _cosine(centred, center(ckta_target(k, y, task)), _floor(k))


# Separability ----------------------------------------------------------------------------------


def _sample_std(d):
    mean = d.sum() / len(d)
    return (((d - mean) ** 2).sum() / (len(d) - 1)) ** 0.5


def fsm_pair(k, first, second):
    """FSM of two classes, given as boolean masks."""
    if min(first.sum(), second.sum()) < 2:
        return WORST_OF_MIN
    d = k[:, first].sum(1) / int(first.sum()) - k[:, second].sum(1) / int(second.sum())
    distance = d[first].sum() / int(first.sum()) - d[second].sum() / int(second.sum())
    spread = _sample_std(d[first]) + _sample_std(d[second])
    return _quotient(spread, distance, _floor(k) / len(k), WORST_OF_MIN)


def fsm(k, y):
    masks = [np.asarray(y) == label for label in np.unique(y)]
    values = [fsm_pair(k, a, b) for a, b in itertools.combinations(masks, 2)]
    return sum(values) / len(values)


def scatter(k, y):
    """Traces of the between-class and within-class scatter in feature space."""
    z = indicators(k, y)
    n = len(k)
    between = within = 0
    for z_k in z.T:
        to_grand_mean = z_k / z_k.sum() - as_type_of(k, np.ones(n)) / n
        between += z_k.sum() * (to_grand_mean @ k @ to_grand_mean)
        members = z_k == 1
        within += np.trace(center(k[np.ix_(members, members)]))
    return between, within


def kcsm(k, y, bounded=False):
    between, within = scatter(k, y)
    floor = _floor(k)
    if bounded:
        return _quotient(between, between + within, floor, WORST_OF_MAX)
    if within <= floor:
        return math.inf if between > floor else WORST_OF_MAX
    return between / within


# Kernel stability ------------------------------------------------------------------------------


def stability(k, y=None):
    """max_i of (K_ii + sqrt(K_ii^2 + 4 sum_{j != i} K_ji^2)) / 2 (Theorem 4)."""
    diagonal = np.diag(k)
    off_diagonal = k.copy()
    np.fill_diagonal(off_diagonal, 0)
    others = (off_diagonal * off_diagonal).sum(0)
    return max((diagonal + (diagonal**2 + 4 * others) ** 0.5) / 2)
