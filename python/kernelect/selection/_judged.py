"""The model behind the winner's score, with what others need to know to be the same."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from .._data.target import Target
from .._evidence.regularisation import Regularisation
from .._evidence.ridge import scan
from .._evidence.signal import unit_of
from .._evidence.work import CallOptions
from .._support.arrays import FloatArray
from .._support.deadline import TimeUp
from ..results import RidgeModel, Selection
from ._problem import Problem


def judged_model(problem: Problem, made: Regularisation, chosen: Selection) -> RidgeModel:
    """Return the model of the winner; of a regression with sizes of what it has found.

    These take one more fit of the winner, which there is none of where its matrix has passed by or
    is too large, or time is up.
    """
    lam = float(made.values[0]) if chosen.lam is None else chosen.lam
    model = RidgeModel.of(problem.target, lam, mean=made.mean, bias=made.bias)
    late = problem.deadline is not None and problem.deadline.reached
    once = problem.candidates.one_shot or chosen.landmarks is not None
    if problem.target.task == "classification" or once or late:
        return model
    single = replace(made, values=np.array([lam]), single=True, relative=False)
    with suppress(TimeUp):
        return sized(model, problem.target, *_solved(problem, chosen.index, single))
    return model


def sized(
    model: RidgeModel, target: Target, residuals: FloatArray, coefficients: FloatArray
) -> RidgeModel:
    """Return a model with the sizes of its residuals, left out, its signal and coefficients."""
    if not (np.isfinite(residuals).all() and np.isfinite(coefficients).all()):
        return model
    unit = model.unit
    weights = np.ones(target.size) if target.weights is None else target.weights
    spread = weights @ np.mean((residuals / unit) ** 2, axis=1) / weights.sum()
    signal = float(np.sqrt(np.mean(unit_of(residuals, coefficients) ** 2)))
    size = unit * float(np.sqrt(np.mean((coefficients / unit) ** 2)))
    return replace(model, residual=unit * float(np.sqrt(spread)), signal=signal, coefficient=size)


def _solved(
    problem: Problem, index: int, regularisation: Regularisation
) -> tuple[FloatArray, FloatArray]:
    """Return leave-one-out residuals and coefficients of one candidate, rows x targets."""
    tick = None if problem.deadline is None else problem.deadline.tick(None)
    _, work = next(problem.works(tick, [index]))
    found = scan(work, CallOptions(regularisation), fit=True, loo=True, outputs=True)
    return problem.target.columns() - found["loo"]["outputs"][0, 0], found["alpha"][0, 0]
