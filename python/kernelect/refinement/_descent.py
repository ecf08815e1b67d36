"""The way down: L-BFGS in the logarithms of a kernel's parameters and of lambda."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import minimize

from .._evidence.objective import Objective, Slopes
from .._support.arrays import FloatArray
from .._support.deadline import TimeUp
from .._support.progress import Tick
from .._support.threads import limit_blas
from ..criteria import Criterion, Goal
from ..kernels import Kernel
from ..kernels._parameters import Parameters

# Steps, and what none is worth taking for: a gain in nats per row, and slopes of a parameter's
# logarithm by that unit. Halves see a gain from 5e-3 on (`_judge.LEAST`).
MOST = 60
_LEAST_GAIN, _LEAST_SLOPE = 2e-4, 1e-3
# What a point without a value is worse by than the start, in nats per row.
_OUT_OF_RANGE = 10.0


@dataclass(frozen=True)
class Way:
    """How a kernel is refined.

    Attributes
    ----------
    criterion : Criterion
        What is to become better.
    goal : Goal
        Its derivatives.
    penalty : float
        Times the sum of squares of the log widths of columns around their mean, in nats: a normal
        prior on them, beside which the rows count the more the more there are.
    bounds : tuple of float
        By which factors a parameter may become smaller or larger.
    free : bool
        Whether lambda moves too, where there is one.
    weaker : float or None
        A penalty to go on with where unseen rows say so.
    evaluations : int or None
        How many values and gradients may be computed, but for the last step, which may need a few
        more.
    """

    criterion: Criterion
    goal: Goal
    penalty: float
    bounds: tuple[float, float]
    free: bool = True
    weaker: float | None = None
    evaluations: int | None = None


@dataclass(frozen=True)
class Step:
    """A kernel on the way, with its lambda, the value of the criterion and the jitter it took.

    Where they are known, the slopes there too, without the penalty.
    """

    kernel: Kernel
    lam: float
    value: float
    jitter: float = 0.0
    slopes: Slopes | None = None

    def times(self, unit: float) -> Step:
        """Return the step with its lambda in another unit."""
        return replace(self, lam=unit * self.lam)


@dataclass(frozen=True)
class Path:
    """The steps that were taken, the start first, and what they cost."""

    steps: list[Step]
    evaluations: int
    late: bool = False  # time was up before the end

    @property
    def end(self) -> Step:
        """Where it led."""
        return self.steps[-1]


class _Descent:
    """The function that is minimised, and the steps on the way."""

    def __init__(
        self, objective: Objective, way: Way, start: Kernel, lam: float, tick: Tick | None
    ) -> None:
        self._objective, self._way, self._tick = objective, way, tick
        self._parameters = Parameters(start)
        self._ridge = way.goal.ridge is not None
        self._lam = lam
        self.point = self._parameters.logarithms
        if self._ridge:
            self.point = np.append(self.point, math.log(lam))
        self._known: dict[bytes, Step] = {}
        self.steps: list[Step] = []
        self.evaluations = 0
        # Told from the start: the search takes a gain as small beside the value where that is above
        # 1, and the value of logarithms of losses depends on the unit of y.
        self._origin = 0.0
        self.first: Slopes | None = None  # of the point to begin with, if they are known

    def __call__(self, point: FloatArray) -> tuple[float, FloatArray]:
        size = len(self._parameters.items)
        kernel = self._parameters.kernel_at(point[:size])
        lam = float(np.exp(point[-1])) if self._ridge else self._lam
        if self._tick is not None:  # small systems are solved before the core says anything
            self._tick(len(self.steps) / (MOST + 1))
        found, self.first = self.first, None
        try:
            if found is None:
                self.evaluations += 1
                found = self._objective(kernel, lam, self._listening())
            loss, slopes = in_nats(self._way, found, self._objective.target.columns().size)
        except (ValueError, ArithmeticError):
            return _OUT_OF_RANGE, np.zeros(len(point))
        self._known[point.tobytes()] = Step(kernel, lam, found.value, found.jitter, found)
        gradient = (
            np.append(slopes.by_parameters, slopes.by_lam)
            if self._ridge
            else (slopes.by_parameters)
        )
        spread, pull = self._spread(point[:size])
        gradient = gradient + np.append(pull, np.zeros(len(point) - size))
        if not self.steps:
            self.taken(point)
            self._origin = loss + spread
        return loss + spread - self._origin, gradient

    def _spread(self, logarithms: FloatArray) -> tuple[float, FloatArray]:
        """Penalty of widths that differ from column to column, and its derivatives."""
        total, pull = 0.0, np.zeros(len(logarithms))
        for group in self._parameters.columnwise:
            powers = np.array([-0.5 * self._parameters.items[place].power for place in group])
            widths = powers * logarithms[group]
            apart = widths - widths.mean()
            total += float(apart @ apart)
            pull[group] = 2.0 * powers * apart
        share = self._way.penalty / self._objective.target.size  # of a row
        return share * total, share * pull

    def _listening(self) -> Tick | None:
        if self._tick is None:
            return None
        shown, done = self._tick, len(self.steps) / (MOST + 1)
        return lambda _: shown(done)

    def taken(self, point: FloatArray) -> None:
        """Remember a step."""
        self.steps.append(self._known[np.asarray(point).tobytes()])
        self._known.clear()


def in_nats(way: Way, found: Slopes, entries: int) -> tuple[float, Slopes]:
    """Return what is minimised, on the scale of log probabilities per entry of the target.

    Half the logarithm of a squared loss is, up to a constant, the surprise of a normal residual.
    """
    better = way.criterion.direction
    if not np.isfinite([found.value, found.by_lam, *found.by_parameters]).all():
        raise ValueError("the criterion has no value or no slope here")
    if not way.goal.logarithmic:
        factor = -better / (entries if way.goal.ridge == "evidence" else 1.0)
        loss = factor * found.value
    else:
        if found.value <= 0.0:
            raise ValueError("the criterion is not positive here")
        factor = -0.5 * better / found.value
        loss = -0.5 * better * math.log(found.value)
    return loss, replace(
        found, by_parameters=factor * found.by_parameters, by_lam=factor * found.by_lam
    )


def between(steps: list[Step], ridge: bool) -> FloatArray:
    """Return the point in the middle of some steps."""
    points = [Parameters(step.kernel).logarithms for step in steps]
    if ridge:
        points = [np.append(p, math.log(s.lam)) for p, s in zip(points, steps, strict=True)]
    return np.asarray(np.mean(points, axis=0))


def middle(steps: list[Step], ridge: bool) -> Step:
    """Return the kernel and the lambda in the middle of some steps, without a value."""
    point = between(steps, ridge)
    parameters = Parameters(steps[0].kernel)
    kernel = parameters.kernel_at(point[: len(parameters.items)])
    return Step(kernel, math.exp(point[-1]) if ridge else steps[0].lam, float("nan"))


def descend(
    objective: Objective,
    way: Way,
    start: Kernel,
    lam: float,
    tick: Tick | None,
    *,
    known: list[Step] | None = None,
) -> Path | None:
    """Refine a kernel and its lambda; None where there is no value to set out from.

    Where other rows have shown the way, it begins in the middle of where that led; from a single
    step of the same rows it goes on with what is known there.
    """
    descent = _Descent(objective, way, start, lam, tick)
    if known is not None and len(known) == 1:
        descent.first = known[0].slopes
    first = descent.point if not known else between(known, way.goal.ridge is not None)
    low, high = np.log(way.bounds)
    bounds = [(place + low, place + high) for place in descent.point]
    if way.goal.ridge is not None and not way.free:
        bounds[-1] = (math.log(lam), math.log(lam))
    late = False
    search: Any = minimize  # stubs know no such callback
    settings = {"maxiter": MOST, "ftol": _LEAST_GAIN, "gtol": _LEAST_SLOPE}
    if way.evaluations is not None:
        settings["maxfun"] = way.evaluations
    try:
        with limit_blas(1):  # threads for a handful of numbers are slower than the rest together
            search(
                descent,
                first,
                jac=True,
                method="L-BFGS-B",
                bounds=bounds,
                callback=descent.taken,
                options=settings,
            )
    except TimeUp:
        if not descent.steps:
            raise
        late = True
    if not descent.steps:
        return None
    steps = [Step(start, lam, float("nan")), *descent.steps] if known else descent.steps
    return Path(steps, descent.evaluations, late)
