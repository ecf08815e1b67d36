"""Projected gradient descent, for objectives without a useful second derivative."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
State = TypeVar("State")

_ARMIJO = 1e-4
_SHORTEST, _LONGEST = 1e-12, 1e12


@dataclass
class Descent(Generic[State]):
    """Where a descent ended.

    Attributes
    ----------
    x : ndarray
        The point.
    path : list of float
        Objective after each step.
    length : float
        Largest entry of the projected gradient, ``|project(x - g) - x|``.
    converged : bool
        Whether that length came below the tolerance.
    evaluations : int
        Calls of the function.
    state : object
        What the function gave beside value and gradient at `x`.
    """

    x: FloatArray
    path: list[float]
    length: float
    converged: bool
    evaluations: int
    state: State


def descend(
    function: Callable[[FloatArray], tuple[float, FloatArray, State]],
    project: Callable[[FloatArray], FloatArray],
    start: FloatArray,
    *,
    tol: float,
    max_iter: int,
    scale: float | None = None,
) -> Descent[State]:
    """Spectral projected gradient descent [1]_ with Armijo's rule.

    Stops when no entry of the projected gradient exceeds ``tol * max(1, |f|)``, or `scale` in place of
    the maximum, or after `max_iter` evaluations of the function.

    References
    ----------
    .. [1] E. G. Birgin, J. M. Martinez and M. Raydan, "Nonmonotone spectral projected gradient methods
       on convex sets", SIAM Journal on Optimization 10, 2000.
    """
    x = project(start)
    value, gradient, state = function(x)
    path, evaluations = [value], 1
    step = 1.0 / max(float(np.abs(project(x - gradient) - x).max()), 1e-300)
    while True:
        length = float(np.abs(project(x - gradient) - x).max())
        allowed = tol * (max(1.0, abs(value)) if scale is None else scale)
        if length <= allowed or evaluations >= max_iter:
            break
        direction = project(x - step * gradient) - x
        slope = float(gradient @ direction)
        moved = False
        share = 1.0
        while slope < 0.0 and evaluations < max_iter and share > 1e-12:
            trial = x + share * direction
            new_value, new_gradient, new_state = function(trial)
            evaluations += 1
            change = new_value - value
            if change <= _ARMIJO * share * slope:
                moved = True
                break
            best = -0.5 * slope * share**2 / max(change - slope * share, 1e-300)
            share = min(max(best, 0.1 * share), 0.5 * share)
        if not moved:
            break
        # Barzilai and Borwein: the step that the last change of the gradient suggests.
        shift, turn = trial - x, new_gradient - gradient
        curve = float(shift @ turn)
        step = float(shift @ shift) / curve if curve > 0.0 else _LONGEST
        step = min(max(step, _SHORTEST), _LONGEST)
        x, value, gradient, state = trial, new_value, new_gradient, new_state
        path.append(value)
    return Descent(x, path, length, length <= allowed, evaluations, state)
