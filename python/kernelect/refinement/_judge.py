"""Whether a refinement is worth anything: halves of the rows, of which each judges the other's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .._data.splits import Splits
from .._data.target import Target
from .._evidence.regularisation import AUTO_FACTORS
from .._evidence.ridge import scan
from .._evidence.work import CallOptions, Work
from .._support.arrays import FloatArray
from ..kernels import Kernel
from ..selection._problem import Problem

# More rows than these refine on a sample, and twice as many judge: widths are known by then, and
# steps would take minutes.
MANY = 2000
# Standard errors by which refined kernels must be better on unseen rows, and the share of the
# start's loss that they must save. docs/guide/beyond.rst tells how they were chosen.
ENOUGH, LEAST = 1.5, 0.01

Model = tuple[Kernel, float | None]  # a kernel, and its lambda unless the best is to be taken


@dataclass(frozen=True)
class Verdict:
    """Mean squared residuals of unseen rows, with the standard error of their difference."""

    loss: float
    start_loss: float
    error: float

    @property
    def gain(self) -> float:
        """By how many standard errors refined kernels are better."""
        return (self.start_loss - self.loss) / self.error if self.error > 0.0 else 0.0

    @property
    def enough(self) -> bool:
        """Whether that is more than chance would give, and worth it."""
        return self.gain >= ENOUGH and self.loss <= (1.0 - LEAST) * self.start_loss

    @property
    def compared(self) -> str:
        """By how much refined kernels are better, or worse."""
        saved = 1.0 - self.loss / self.start_loss if self.start_loss > 0.0 else 0.0
        word = "better" if saved > 0.0 else "worse"
        return (
            f"{abs(saved):.1%} {word} than the start (loss {self.loss:.4g} against "
            f"{self.start_loss:.4g}, {abs(self.gain):.2g} standard errors)"
        )


def halves(target: Target, splits: Splits) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows in two parts: of each class every other one, or whole folds where rows are related.

    Of a mere number of folds each half has its share of every one.
    """
    if splits.related:
        first = np.zeros(target.size, dtype=bool)
        first[np.concatenate(splits.sets(target)[0][::2])] = True
        return np.flatnonzero(first), np.flatnonzero(~first)
    order = target.shuffled_by_class()
    return np.sort(order[::2]), np.sort(order[1::2])


def divides(target: Target, splits: Splits) -> bool:
    """Whether each half has rows to hold out, and others to train on."""
    if not splits.related:
        return True
    for places in halves(target, splits):
        sets = splits.of_part(target, places).sets(target.part(places))
        if not sets or any(len(fold) == len(places) for folds in sets for fold in folds):
            return False
    return True


def on_part(problem: Problem, options: CallOptions, places: NDArray[np.int64]) -> CallOptions:
    """Return the options of a call for some of its rows."""
    if not options.splits.given:
        return options
    return replace(options, splits=options.splits.of_part(problem.target, places))


def at_lambda(
    options: CallOptions, lam: float | None, rows: int, single: bool = True
) -> CallOptions:
    """Return the options at one lambda; at all that a search on rows looks at where it is None."""
    made = options.regularisation
    if lam is None:
        made = replace(made, values=AUTO_FACTORS, single=False, relative=True).of_rows(rows)
    else:
        made = replace(made, values=np.array([lam]), single=single, relative=False)
    return replace(options, regularisation=made)


def outputs(problem: Problem, model: Model, options: CallOptions) -> FloatArray:
    """Held-out outputs of every row and column of the target; NaN of rows never held out."""
    kernel, lam = model
    target = problem.target
    own = at_lambda(options, lam, target.size)
    sets = own.splits.sets(target) if own.splits.given else []
    tick = None if problem.deadline is None else problem.deadline.tick(None)
    work = Work.of([kernel], problem.candidates.rows, target, threads=problem.threads, tick=tick)
    found = scan(work, own, fold_sets=sets, loo=not sets, outputs=True)
    parts = found["cv"] if sets else [found["loo"]]
    known = parts[0]["outputs"][0]
    for part in parts[1:]:
        known = np.where(np.isnan(known), part["outputs"][0], known)
    losses = [
        weighed_mean(((each - target.columns()) ** 2).mean(axis=1), target.weights)
        for each in known
    ]
    best = int(np.nanargmin(losses)) if np.isfinite(losses).any() else 0
    return np.asarray(known[best])


def squares(problem: Problem, model: Model, options: CallOptions) -> FloatArray:
    """Squared held-out residual of every row, the mean over columns."""
    residuals = outputs(problem, model, options) - problem.target.columns()
    return np.asarray((residuals**2).mean(axis=1))


def weighed_mean(values: FloatArray, weights: FloatArray | None) -> float:
    """Mean over the rows that have a value."""
    counted = np.isfinite(values)
    if not counted.any():
        return float("nan")
    return float(np.average(values[counted], weights=None if weights is None else weights[counted]))


def verdict(
    parts: Sequence[tuple[FloatArray, FloatArray]], weights: FloatArray | None
) -> Verdict | None:
    """Compare residuals of refined kernels with those of the start; None where some are missing.

    Parameters
    ----------
    parts : sequence of (ndarray, ndarray)
        Squares of refined kernels and of the start, of some rows each.
    weights : ndarray or None
        Of all those rows, in the same order.
    """
    refined, start = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    counted = np.isfinite(start)
    if not counted.any() or not np.isfinite(refined[counted]).all():
        return None
    own = np.ones(len(start)) if weights is None else weights
    own = own[counted] / own[counted].mean()
    less = own * (start - refined)[counted]
    scale = float(np.abs(less).max()) or 1.0  # squares of very large or small targets have no room
    error = scale * float(np.std(less / scale)) / np.sqrt(max(len(less) - 1, 1))
    loss, start_loss = (weighed_mean(each, weights) for each in (refined, start))
    return Verdict(loss, start_loss, error)


def sampled(problem: Problem, options: CallOptions, most: int) -> tuple[Problem, CallOptions]:
    """Return problem and options for this many rows, of which classes keep their shares."""
    size = problem.target.size
    if size <= most:
        return problem, options
    order = problem.target.shuffled_by_class()
    places = np.sort(order[np.linspace(0, size - 1, most).astype(np.int64)])
    return problem.part(places), on_part(problem, options, places)
