"""Quasi-Newton descent on the simplex or the orthant, for objectives without a second derivative.

SciPy's SLSQP solves the same problems, but an evaluation here is a trained machine: the descent
counts them, keeps the machine of the best point, and stops at the projected gradient that the
caller asked for, none of which SLSQP offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from ..._support.arrays import TINY, FloatArray
from ..._support.deadline import TimeUp
from .line_search import ARMIJO, shorter
from .quadratic import minimize_quadratic
from .simplex import project_simplex

State = TypeVar("State")

# Values closer than this, relative to them, differ by rounding.
_ROUNDING = 1e-14
# Shortest share of a step that is tried.
_SHORTEST = 1e-10
# Least share of the model's curvature that a new pair may show, else it is damped (Powell).
_DAMPING = 0.2


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
    stuck : bool
        Whether it ended because no step gained anything.
    late : bool
        Whether it ended because time was up.
    """

    x: FloatArray
    path: list[float]
    length: float
    converged: bool
    evaluations: int
    state: State
    stuck: bool
    late: bool = False


def descend(
    function: Callable[[FloatArray], tuple[float, FloatArray, State]],
    start: FloatArray,
    *,
    simplex: bool,
    tol: float,
    max_iter: int,
) -> Descent[State]:
    """Sequential quadratic programming with damped BFGS updates [1]_ and Armijo's rule.

    Where values are equal up to rounding, the slope takes their place in that rule [2]_.

    Every step minimises the quadratic model over the set exactly, so that weights reach their
    bounds and leave them again. Stops when no entry of the projected gradient exceeds ``tol *
    max(1, |f|)``, or after `max_iter` evaluations of the function.

    References
    ----------
    .. [1] M. J. D. Powell, "A fast algorithm for nonlinearly constrained optimization
       calculations", Numerical Analysis, Dundee 1977.
    .. [2] W. W. Hager and H. Zhang, "A new conjugate gradient method with guaranteed descent and an
       efficient line search", SIAM Journal on Optimization 16, 2005.
    """
    project = project_simplex if simplex else _project_orthant
    x = project(start)
    value, gradient, state = function(x)
    path, evaluations = [value], 1
    curvature: FloatArray | None = None
    late = False
    while True:
        shifted = project(x - gradient) - x
        length = float(np.abs(shifted).max())
        if length <= tol * max(1.0, abs(value)) or evaluations >= max_iter:
            break
        fresh = curvature is None
        if curvature is None:
            # Nothing known yet: a gradient step that is long for weights of the order of 1.
            curvature = max(length, TINY) * np.eye(len(x))
        linear = gradient - curvature @ x
        direction = minimize_quadratic(linear, curvature, simplex=simplex, start=x) - x
        slope = float(gradient @ direction)
        share, moved = 1.0, False
        while slope < 0.0 and evaluations < max_iter and share > _SHORTEST:
            trial = x + share * direction
            try:
                new_value, new_gradient, new_state = function(trial)
            except TimeUp:
                late = True
                break
            evaluations += 1
            change = new_value - value
            # Where values only differ by rounding, the slope at the trial says if it is a descent.
            level = change <= _ROUNDING * max(1.0, abs(value)) and (
                abs(float(new_gradient @ direction)) <= (1.0 - 2.0 * ARMIJO) * -slope
            )
            if change <= ARMIJO * share * slope or level:
                moved = True
                break
            share = shorter(share, slope, change)
        if not moved:
            if fresh or late:
                break
            curvature = None  # start the model anew
            continue
        curvature = _updated(curvature, trial - x, new_gradient - gradient, fresh, simplex)
        x, value, gradient, state = trial, new_value, new_gradient, new_state
        path.append(value)
    converged = length <= tol * max(1.0, abs(value))
    stuck = evaluations < max_iter
    return Descent(x, path, length, converged, evaluations, state, stuck, late)


def best_end(ends: Iterable[Descent[State]]) -> tuple[Descent[State], int]:
    """Take the lowest of descents that are made one after the other, as many as there is time for.

    Returns it, late where one of them was or was not begun, and the evaluations of all.
    """
    made: list[Descent[State]] = []
    late = False
    try:
        for end in ends:
            made.append(end)
            late = late or end.late
    except TimeUp:
        if not made:
            raise
        late = True
    best = min(made, key=lambda end: end.path[-1])
    return replace(best, late=late), sum(end.evaluations for end in made)


def _updated(
    B: FloatArray, shift: FloatArray, turn: FloatArray, fresh: bool, simplex: bool
) -> FloatArray:
    """BFGS update of the curvature by one step and the change of the gradient along it."""
    if simplex:
        turn = turn - turn.mean()  # a constant is felt by no step on the simplex
    curve = float(shift @ turn)
    if fresh and curve > 0.0:
        B = float(turn @ turn) / curve * np.eye(len(shift))
    known = B @ shift
    modelled = float(shift @ known)
    if curve < _DAMPING * modelled:
        mix = (1.0 - _DAMPING) * modelled / (modelled - curve)
        turn = mix * turn + (1.0 - mix) * known
        curve = float(shift @ turn)
    return np.asarray(B + np.outer(turn, turn) / curve - np.outer(known, known) / modelled)


def _project_orthant(v: FloatArray) -> FloatArray:
    return np.maximum(v, 0.0)
