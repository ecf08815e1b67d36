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
            target = _stationary(c, H, x, inside, simplex)
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


def _stationary(
    c: FloatArray, H: FloatArray, x: FloatArray, inside: list[int], simplex: bool
) -> FloatArray:
    """Minimiser over the given variables alone, whatever their signs.

    Found as a step from x, and once more from there: H may be singular up to its trace of curvature, and
    the first solution then has an error that is small beside the step only.
    """
    count = len(inside)
    part, here = H[np.ix_(inside, inside)], x[inside]
    if simplex:
        unit = float(np.trace(part)) / count
        part = np.block([[part, np.full((count, 1), unit)], [np.full((1, count), unit), 0.0]])
    for _ in range(2):
        gradient = c[inside] + H[np.ix_(inside, inside)] @ here
        if simplex:
            gradient = np.append(gradient - gradient.mean(), 0.0)
        here = here - np.linalg.solve(part, gradient)[:count]
    return here
