"""Criteria of ridge systems by honest retraining: every held-out part is fitted without, anew."""

from __future__ import annotations

import mpmath
import numpy as np

from .moments import stability
from .numbers import (
    ROUNDING,
    WORST_OF_MAX,
    WORST_OF_MIN,
    as_type_of,
    log,
    log_determinant,
    number_like,
    root,
    solve,
)
from .targets import columns, indicators


def fit(k, targets, ridges, bias=True):
    """Coefficients and bias by solving the bordered system as it stands."""
    n = len(k)
    system = as_type_of(k, np.zeros((n + bias, n + bias)))
    system[:n, :n] = k
    system[range(n), range(n)] += ridges
    system[:n, n:] = system[n:, :n] = 1
    zeros = as_type_of(k, np.zeros((int(bias), targets.shape[1])))
    solution = solve(system, np.vstack([targets, zeros]))
    return solution[:n], solution[n] if bias else as_type_of(k, np.zeros(targets.shape[1]))


def retrained(k, targets, test, lam=1, *, mean=False, bias=True, weights=None):
    """Outputs at `test` of a model that never saw it."""
    train = np.setdiff1d(np.arange(len(k)), test)
    ridges = np.full(len(train), len(train) * lam if mean else lam)
    if weights is not None:
        ridges = ridges / weights[train]
    alpha, b = fit(k[np.ix_(train, train)], targets[train], ridges, bias)
    return k[np.ix_(test, train)] @ alpha + b


def held_out(k, targets, tests, **how):
    """Outputs where each row is in a test part, NaN elsewhere."""
    outputs = np.full(targets.shape, np.nan, dtype=k.dtype)
    for test in tests:
        outputs[test] = retrained(k, targets, test, **how)
    return outputs


def outputs_and_targets(k, y, tests, task="classification", **how):
    """Honest outputs beside the columns that were fitted."""
    targets = columns(k, y, task)
    return held_out(k, targets, tests, **how), targets


def singles(n):
    return [np.array([i]) for i in range(n)]


def parts(folds):
    """The rows of each fold, from a number per row."""
    return [np.flatnonzero(folds == fold) for fold in np.unique(folds)]


def mean_loss(k, y, outputs, task, loss="squared"):
    """Of held-out outputs: the mean square over rows and columns, or the share of wrong ones."""
    targets = columns(k, y, task)
    if loss == "squared":
        return ((targets - outputs) ** 2).sum() / targets.size
    if targets.shape[1] > 1:
        return (outputs.argmax(axis=1) != indicators(k, y).argmax(axis=1)).mean()
    agreement = (outputs * targets)[:, 0]
    return (agreement < 0).mean() + (agreement == 0).mean() / 2


def loo(k, y, *, loss="squared", task="classification", **how):
    outputs = held_out(k, columns(k, y, task), singles(len(k)), **how)
    return mean_loss(k, y, outputs, task, loss)


def cv(k, y, *, folds, loss="squared", task="classification", **how):
    outputs = held_out(k, columns(k, y, task), parts(folds), **how)
    return mean_loss(k, y, outputs, task, loss)


def hat(k, ridges, bias=True):
    """The matrix that maps targets to fitted values."""
    alpha, b = fit(k, as_type_of(k, np.eye(len(k))), ridges, bias)
    return k @ alpha + b


def gcv(k, y, *, task="classification", lam=1, bias=True, mean=False):
    """The mean square of residuals over (1 - tr H / n)^2."""
    n, targets = len(k), columns(k, y, task)
    fitted = hat(k, np.full(n, n * lam if mean else lam), bias)
    residuals = targets - fitted @ targets
    return (residuals**2).sum() / targets.size / (1 - np.trace(fitted) / n) ** 2


def training_loss(k, y, task="classification", *, lam=1, bias=True, mean=False):
    targets = columns(k, y, task)
    n = len(k)
    alpha, b = fit(k, targets, np.full(n, n * lam if mean else lam), bias)
    return ((targets - k @ alpha - b) ** 2).sum() / targets.size / variance(k, y, task)


def variance(k, y, task):
    """Of a regression's target, in units of which losses stand beside penalties; 1 for classes."""
    if task != "regression":
        return 1
    t = as_type_of(k, y)
    return ((t - t.sum() / len(t)) ** 2).sum() / len(t)


def evidence(k, y, *, variance=None, task="classification", lam=1, bias=True, mean=False):
    """Log density of the targets; with a bias that of contrasts, which do not know it.

    For the mean z_0 = 1'y / sqrt(n) beside orthonormal contrasts a bias b of density 1 is
    z_0 / sqrt(n) of density 1, so that integrating it out leaves 1 / sqrt(n).
    """
    n, targets = len(k), columns(k, y, task)
    covariance = k + as_type_of(k, np.eye(n)) * number_like(k, n * lam if mean else lam)
    constant = number_like(k, 0)
    if bias:
        contrasts = as_type_of(k, np.tril(np.ones((n, n)), -1)[1:] - np.diag(np.arange(n))[1:])
        contrasts = contrasts / root((contrasts**2).sum(axis=1))[:, None]
        covariance, targets = contrasts @ covariance @ contrasts.T, contrasts @ targets
        constant = log(number_like(k, n)) / 2
    m, total = len(targets), number_like(k, 0)
    for energy in (targets * solve(covariance, targets)).sum(axis=0):
        if variance is None and energy <= ROUNDING * abs(targets).max() ** 2:
            return WORST_OF_MAX  # a constant
        s = energy / m if variance is None else number_like(k, variance)
        logs = m * log(2 * number_like(k, mpmath.pi) * s) + log_determinant(covariance)
        total -= (logs + energy / s) / 2 + constant
    return total


def left_out_variance(k, i, lam=1, *, mean=False, bias=True, weights=None):
    """Of a target given the others: with a bias the variance of universal kriging."""
    n = len(k)
    train = np.delete(np.arange(n), i)
    ridges = np.full(n, number_like(k, len(train) * lam if mean else lam))
    if weights is not None:
        ridges = ridges / weights
    a = k[np.ix_(train, train)] + np.diag(ridges[train])
    solved = solve(a, np.column_stack([k[train, i], as_type_of(k, np.ones(n - 1))]))
    found = k[i, i] + ridges[i] - k[train, i] @ solved[:, 0]
    return found + (1 - solved[:, 0].sum()) ** 2 / solved[:, 1].sum() if bias else found


def log_probability(k, y, *, task="classification", **how):
    """Minus the mean log density of left-out targets, at the scale of each column that is best."""
    outputs, targets = outputs_and_targets(k, y, singles(len(k)), task, **how)
    variances = [left_out_variance(k, i, **how) for i in range(len(k))]
    return mean_surprise(targets - outputs, np.array(variances))


def mean_surprise(differences, variances):
    """Minus the mean log density of residuals of these variances, up to a scale of each column."""
    total = number_like(variances, 0)
    for residuals in differences.T:
        s = (residuals**2 / variances).sum() / len(variances)
        for e, variance in zip(residuals, variances, strict=True):
            pi = number_like(variances, mpmath.pi)
            density = log(2 * pi * s * variance) + e**2 / (s * variance)
            total += density / 2 / differences.size
    return total


def br(k, y, *, kernel, task="classification", **how):
    """(n/2) log Q + (1/2) log Omega: half the squared residuals, half the squared 1/(2 tau)."""
    gamma = getattr(kernel, "gamma", None)
    if type(kernel).__name__ != "Gaussian" or gamma is None:
        return WORST_OF_MIN
    n = len(k)
    squares = loo(k, y, task=task, **how) * columns(k, y, task).size
    return n * log(squares / 2) / 2 + log(number_like(k, gamma) ** 2 / 2) / 2


def ks(k, y, *, folds, eta=1, task="classification", **how):
    loss = cv(k, y, folds=folds, task=task, **how) / variance(k, y, task)
    return loss + eta * stability(k) / len(k)


def influence_expansion(k, y, fold, *, lam, order, bias=True):
    """Outputs at one fold by the series, written with the operator L and its right-hand sides."""
    n, size = len(k), len(fold)
    alpha, b = fit(k, y[:, None], np.full(n, n * lam), bias)
    f, b = k @ alpha[:, 0], b[0]
    g, inside = y - f - b, as_type_of(k, np.isin(np.arange(n), fold))
    one = as_type_of(k, np.ones((n, 1)))
    operator = np.block([[lam * np.eye(n) + k / n, k @ one / n], [one.T / n, one[:1]]])
    if not bias:
        operator = operator[:n, :n]

    def values(function, constant):
        """The solution of L h = (function, constant), at the rows."""
        right = np.append(function, constant) if bias else function
        h = solve(operator, right[:, None])[:, 0]
        return h[:n] + (h[n] if bias else 0)

    eps = -number_like(k, size) / (n - size)
    term, output = None, f + b
    for s in range(1, order + 1):
        if s == 1:
            term = eps * values(k @ (inside * g) / size - lam * f, (inside @ g) / size)
        else:
            right = k @ term / n - k @ (inside * term) / size
            term = eps * values(right, term.sum() / n - (inside @ term) / size)
        output = output + term
    return output[fold]


def bif(k, y, *, folds, order=3, loss="squared", task="classification", lam=1, bias=True):
    """lambda in the sum convention, of which the series takes the n-th part."""
    n, targets = len(k), columns(k, y, task)
    diagonal, off_diagonal = np.diag(k), k - np.diag(np.diag(k))
    mean_is_small = off_diagonal.sum() / (n - 1) < diagonal.sum() / n
    if mean_is_small and (off_diagonal**2).sum() / (n - 1) < (diagonal**2).sum() / n:
        return WORST_OF_MIN  # too near the identity
    outputs = np.full(targets.shape, np.nan, dtype=k.dtype)
    lam = number_like(k, lam) / n
    for fold in parts(folds):
        for c, column in enumerate(targets.T):
            outputs[fold, c] = influence_expansion(k, column, fold, lam=lam, order=order, bias=bias)
    return mean_loss(k, y, outputs, task, loss)
