"""Small convex quadratic programs over the simplex and the orthant."""

from __future__ import annotations

import numpy as np

from ..._support.arrays import TINY, FloatArray

# A trace of curvature makes flat directions, such as two equal kernels, well posed: its share of
# the largest curvature, or of this much of the largest slope where there is none.
_RIDGE, _FLAT = 1e-11, 1e-12
# Reduced gradients below this share of the largest slope are rounding.
_ROUNDING = 1e-13


def minimize_quadratic(
    c: FloatArray, H: FloatArray, *, simplex: bool, start: FloatArray | None = None
) -> FloatArray:
    """Minimise ``c'x + x'Hx / 2`` over ``x >= 0``, and ``sum x = 1`` if `simplex`.

    H is positive semidefinite. An active-set method that lets in the variable with the most
    negative reduced gradient and throws out those that would turn negative, as Lawson and Hanson do
    for non-negative least squares. It begins with the positive variables of `start` where these are
    few, else with one vertex (with 0 without `simplex`), so that its work grows with the number of
    positive variables and not with that of all of them.
    """
    size = len(c)
    scale = max(float(np.abs(np.diag(H)).max()), _FLAT * float(np.abs(c).max()), TINY)
    H = H + _RIDGE * scale * np.eye(size)
    x = np.zeros(size)
    inside: list[int] = []
    entering = -1
    if start is not None and np.count_nonzero(start) <= size // 2:
        x[:] = start
        inside = [int(k) for k in np.flatnonzero(start)]
        inside = _settle(c, H, x, inside, entering, simplex=simplex)
    elif simplex:
        inside = [int(np.argmin(c + 0.5 * np.diag(H)))]
        x[inside] = 1.0
    threshold = _ROUNDING * max(float(np.abs(c).max()), scale)
    for _ in range(10 * size + 10):
        reduced = c + H @ x
        if simplex:
            reduced = reduced - reduced[inside].mean()
        reduced[inside] = 0.0
        entering = int(np.argmin(reduced))
        if reduced[entering] >= -threshold:
            break
        inside = _settle(c, H, x, [*inside, entering], entering, simplex=simplex)
        if entering in inside and x[entering] == 0.0:
            break  # the new variable would not grow: rounding has used up the descent
    return x / x.sum() if simplex else x


def _settle(
    c: FloatArray, H: FloatArray, x: FloatArray, inside: list[int], entering: int, *, simplex: bool
) -> list[int]:
    """Move x to the minimum over some variables and those of them that stay positive, in place."""
    while inside:
        target = _stationary(c, H, x, inside, simplex)
        if (target > 0.0).all():
            x[inside] = target
            break
        if inside[-1] == entering and target[-1] <= 0.0 and x[entering] == 0.0:
            break
        here = x[inside]
        falling = target <= 0.0
        ratio = np.full(len(inside), np.inf)
        ratio[falling] = here[falling] / (here[falling] - target[falling])
        step = float(ratio.min())
        moved = here + step * (target - here)
        moved[ratio <= step] = 0.0
        x[inside] = np.maximum(moved, 0.0)
        inside = [k for k, value in zip(inside, moved, strict=True) if value > 0.0]
    return inside


def _stationary(
    c: FloatArray, H: FloatArray, x: FloatArray, inside: list[int], simplex: bool
) -> FloatArray:
    """Minimiser over the given variables alone, whatever their signs.

    Found as a step from x, and once more from there: H may be singular up to its trace of
    curvature, and the first solution then has an error that is small beside the step only.
    """
    count = len(inside)
    part, linear, here = H[np.ix_(inside, inside)], c[inside], x[inside]
    system = np.zeros((count + simplex, count + simplex))
    system[:count, :count] = part
    # The border in the units of the matrix.
    system[count:, :count] = system[:count, count:] = np.trace(part) / count
    gradient = np.zeros(count + simplex)
    for _ in range(2):
        gradient[:count] = linear + part @ here
        if simplex:
            gradient[:count] -= gradient[:count].mean()
        here = here - np.linalg.solve(system, gradient)[:count]
    return here
