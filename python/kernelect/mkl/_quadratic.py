"""Small convex quadratic programs over the simplex and the orthant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def minimize_quadratic(c: FloatArray, H: FloatArray, *, simplex: bool) -> FloatArray:
    """Minimise ``c'x + x'Hx / 2`` over ``x >= 0``, and ``sum x = 1`` if `simplex`.

    H is positive semidefinite. An active-set method that lets in the variable with the most negative
    reduced gradient and throws out those that would turn negative, as Lawson and Hanson do for
    non-negative least squares. It starts from one vertex (from 0 without `simplex`), so that its work
    grows with the number of positive variables and not with that of all of them.
    """
    size = len(c)
    # A trace of curvature makes flat directions, such as two equal kernels, well posed.
    scale = max(float(np.abs(np.diag(H)).max()), 1e-12 * float(np.abs(c).max()), 1e-300)
    H = H + 1e-11 * scale * np.eye(size)
    x = np.zeros(size)
    inside: list[int] = []
    if simplex:
        inside = [int(np.argmin(c + 0.5 * np.diag(H)))]
        x[inside] = 1.0
    threshold = 1e-13 * max(float(np.abs(c).max()), scale)
    for _ in range(10 * size + 10):
        reduced = c + H @ x
        if simplex:
            reduced = reduced - reduced[inside].mean()
        reduced[inside] = 0.0
        entering = int(np.argmin(reduced))
        if reduced[entering] >= -threshold:
            break
        inside.append(entering)
        while True:
            target = _stationary(c, H, inside, simplex)
            if (target > 0.0).all():
                x[inside] = target
                break
            if target[-1] <= 0.0 and inside[-1] == entering and x[entering] == 0.0:
                # The new variable would not grow: rounding has used up the descent.
                inside.pop()
                return _tidy(x, simplex)
            here = x[inside]
            falling = target <= 0.0
            ratio = np.full(len(inside), np.inf)
            ratio[falling] = here[falling] / (here[falling] - target[falling])
            step = float(ratio.min())
            moved = here + step * (target - here)
            moved[ratio <= step] = 0.0
            x[inside] = np.maximum(moved, 0.0)
            inside = [k for k, value in zip(inside, moved, strict=True) if value > 0.0]
    return _tidy(x, simplex)


def _tidy(x: FloatArray, simplex: bool) -> FloatArray:
    return x / x.sum() if simplex else x


def _stationary(c: FloatArray, H: FloatArray, inside: list[int], simplex: bool) -> FloatArray:
    """Minimiser over the given variables alone, whatever their signs."""
    part = H[np.ix_(inside, inside)]
    if not simplex:
        return np.asarray(np.linalg.solve(part, -c[inside]), dtype=np.float64)
    both = np.linalg.solve(part, np.column_stack([-c[inside], np.ones(len(inside))]))
    free, push = both.T
    return np.asarray(free + push * (1.0 - free.sum()) / push.sum())
