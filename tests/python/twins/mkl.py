"""Kernel learning by a general solver, and derivatives by differences."""

from __future__ import annotations

import numpy as np
from scipy.optimize import LinearConstraint, NonlinearConstraint, minimize


def dual_optimum(K, target, *, C, epsilon=None, linear=None, p=1.0):
    """Optimum of MKL from its dual, by a general solver that knows nothing of machines.

    ``max h(a) - |(q_k + linear_k)|_{p*}`` with ``q_k = z'K_k z / 2``; the norm is written with one
    more variable for p = 1 (a maximum) and is smooth otherwise.
    """
    n, size = len(target), len(K)
    linear = np.zeros(size) if linear is None else linear
    # In units of the box, which the solver likes better.
    if epsilon is None:  # z = C y * a
        parts = [C * target]
        h = C * np.ones(n)
    else:  # z = C (a+ - a-)
        parts = [C * np.ones(n), -C * np.ones(n)]
        h = C * np.concatenate([target - epsilon, -target - epsilon])
    m = len(h)
    spread = np.concatenate([np.diag(part) for part in parts], axis=1)  # z = spread @ a
    forms = [spread.T @ k @ spread for k in K]
    balance = LinearConstraint(np.concatenate([spread.sum(axis=0), [0.0]])[None, :], 0.0, 0.0)
    bounds = [(0.0, 1.0)] * m + [(None, None)]
    start = np.concatenate([np.full(m, 0.1), [1.0]])

    def q(a):
        return np.array([0.5 * a @ form @ a for form in forms])

    if p == 1.0:
        largest = NonlinearConstraint(
            lambda v: v[-1] - q(v[:-1]) - linear,
            0.0,
            np.inf,
            jac=lambda v: np.array([np.concatenate([-form @ v[:-1], [1.0]]) for form in forms]),
        )
        found = minimize(
            lambda v: v[-1] - h @ v[:-1],
            start,
            jac=lambda v: np.concatenate([-h, [1.0]]),
            bounds=bounds,
            constraints=[balance, largest],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 2000},
        )
    else:
        star = p / (p - 1.0)

        def value(v):
            norm = np.linalg.norm(q(v[:-1]), ord=star)
            return norm - h @ v[:-1]

        def slope(v):
            forms_now = q(v[:-1])
            norm = np.linalg.norm(forms_now, ord=star)
            shares = (forms_now / norm) ** (star - 1.0)
            inner = sum(s * (form @ v[:-1]) for s, form in zip(shares, forms, strict=True))
            return np.concatenate([inner - h, [0.0]])

        found = minimize(
            value,
            start,
            jac=slope,
            bounds=bounds,
            constraints=[balance],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 2000},
        )
    return -found.fun


def numeric_gradient(function, x, step=1e-5):
    """Central differences."""
    gradient = np.zeros(len(x))
    for k in range(len(x)):
        shift = np.zeros(len(x))
        shift[k] = step
        gradient[k] = (function(x + shift) - function(x - shift)) / (2.0 * step)
    return gradient
