"""The last pairs of a kernel and C, judged by folds of the support vector machine itself.

In the election a ridge system stands for the machine. Its kernel is good for both, but its ridge
says C to a factor of a few only, and a few folds of the machine say which.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from .._data.folds import FoldSet
from .._data.splits import Splits
from .._data.target import Target, check_target
from .._data.weights import check_weights, rows_that_count
from .._support.arrays import FloatArray, IntArray
from .._support.deadline import Deadline, TimeUp
from .._support.patience import patiently
from .._support.warning import warn_caller

# What C is multiplied by; the first stays unless another is better by so many standard errors.
FACTORS, CLEARLY = (1.0, 0.25, 4.0), 1.645
# Folds where nobody says how many, and up to how many rows these are cheap beside the election.
_FOLDS, _MOST = 3, 10_000
# From this many rows on a fit may take long enough to be asked to stop.
_LONG = 1000


@dataclass(frozen=True)
class Rows:
    """Rows as a machine takes them.

    Attributes
    ----------
    rows : array-like
        Rows, or a kernel matrix of them.
    pairwise : bool
        Whether it is a matrix.
    y : ndarray
        Labels or numbers.
    fit_params : dict
        Metadata for the fit, such as sample_weight.
    weights : ndarray or None
        How much each row counts, by sample_weight and class_weight.
    """

    rows: Any
    pairwise: bool
    y: NDArray[Any]
    fit_params: dict[str, Any]
    weights: FloatArray | None

    def fit(self, machine: Any, train: IntArray) -> None:
        """Fit a machine to some of the rows."""
        given = {
            name: np.asarray(value)[train] if np.shape(value)[:1] == self.y.shape[:1] else value
            for name, value in self.fit_params.items()
        }
        rows = self.rows[np.ix_(train, train)] if self.pairwise else self.rows[train]
        machine.fit(rows, self.y[train], **given)

    def losses(self, machine: Any, train: IntArray, test: IntArray) -> FloatArray:
        """Squared errors, or 1 where the class is wrong, of rows that a machine has not seen."""
        rows = self.rows[np.ix_(test, train)] if self.pairwise else self.rows[test]
        found, wanted = machine.predict(rows), self.y[test]
        right = found == wanted if hasattr(machine, "classes_") else None
        return np.asarray((found - wanted) ** 2 if right is None else ~right, dtype=np.float64)

    def mean(self, values: FloatArray, places: IntArray) -> float:
        """Mean over some rows, as they count."""
        return float(
            np.average(values, weights=None if self.weights is None else self.weights[places])
        )


def judge_pairs(
    machine: Any, rows: Rows, options: dict[str, Any], deadline: Deadline | None
) -> dict[str, Any] | None:
    """Judge a few C by folds of the machine; None where there are too many rows, or no folds.

    Parameters
    ----------
    machine : estimator
        With the elected kernel and the C of its model.
    rows : Rows
        All that there are.
    options : dict
        Keywords of the election, of which those about folds are used.
    deadline : Deadline or None
        When to be done.

    Returns
    -------
    dict or None
        ``C``, ``split_test_score`` (pairs x folds), ``mean_test_score``, ``standard_errors`` by
        which a pair is better than the first, and ``best_index``.
    """
    if rows.y.ndim == 2 and rows.y.shape[1] == 1:
        rows = replace(rows, y=rows.y[:, 0])
    if len(rows.y) > _MOST or rows.y.ndim != 1:  # the machine itself refuses several targets
        return None
    parts = _parts(rows, options)
    if parts is None:
        return None
    if getattr(machine, "probability", False) is True:
        machine = clone(machine).set_params(probability=False)
    costs = [factor * machine.C for factor in FACTORS]
    try:
        with warnings.catch_warnings():  # the fit of all rows says what there is to say
            warnings.simplefilter("ignore")
            found = [
                _held_out(clone(machine).set_params(C=C), rows, parts, deadline) for C in costs
            ]
    except TimeUp:
        assert deadline is not None
        warn_caller(
            f"time_limit={deadline.seconds:g} seconds was reached before folds of "
            f"{type(machine).__name__} had judged C; it is that of the election"
        )
        return None
    tested = np.concatenate([test for _, test in parts])
    gains = [_standard_errors(rows, found[0][0] - losses, tested) for losses, _ in found]
    best = int(np.argmax(gains))
    scores = np.array([each for _, each in found])
    return {
        "C": np.array(costs),
        "split_test_score": scores,
        "mean_test_score": scores.mean(axis=1),
        "standard_errors": np.array(gains),
        "best_index": best if gains[best] > CLEARLY else 0,
    }


def _parts(rows: Rows, options: dict[str, Any]) -> list[tuple[IntArray, IntArray]] | None:
    """Rows to train on and rows to test of every fold, among those that count."""
    folds, groups = options["folds"], options["groups"]
    target = check_target(rows.y, options["task"], len(rows.y))
    weights = check_weights(rows.weights, target.size)
    kept = rows_that_count(weights, target.size)
    target = target.weighted(weights)
    splits = Splits(folds, groups, options["random_state"], kept)
    try:
        sets = splits.sets(target, None if splits.given else _FOLDS)
    except ValueError:
        if splits.given:
            raise
        return None  # a class of a single row
    places = np.arange(len(rows.y)) if kept is None else np.flatnonzero(kept)
    return [part for fold_set in sets for part in _of_set(fold_set, target, places)]


def _of_set(folds: FoldSet, target: Target, places: IntArray) -> list[tuple[IntArray, IntArray]]:
    everything = np.arange(target.size)
    tested = np.ones(target.size, dtype=bool) if folds.tested is None else folds.tested
    return [
        (places[np.setdiff1d(everything, fold)], places[fold[tested[fold]]])
        for fold in folds
        if tested[fold].any()
    ]


def _held_out(
    machine: Any,
    rows: Rows,
    parts: list[tuple[IntArray, IntArray]],
    deadline: Deadline | None,
) -> tuple[FloatArray, FloatArray]:
    """Losses of all tested rows, and the accuracy or R^2 of every fold."""

    def check() -> None:
        if deadline is not None and deadline.over():
            raise TimeUp

    losses, scores = [], []
    longest = 0.0
    for train, test in parts:
        if deadline is not None and deadline.left <= longest:
            raise TimeUp
        fresh, started = clone(machine), time.monotonic()
        if len(train) < _LONG:
            rows.fit(fresh, train)
        else:
            patiently(partial(rows.fit, fresh, train), check)
        own = rows.losses(fresh, train, test)
        longest = max(longest, time.monotonic() - started)
        losses.append(own)
        baseline = 1.0
        if not hasattr(fresh, "classes_"):
            y = np.asarray(rows.y[test], dtype=np.float64)
            baseline = rows.mean((y - rows.mean(y, test)) ** 2, test)
        scores.append(1.0 - rows.mean(own, test) / baseline if baseline > 0.0 else np.nan)
    return np.concatenate(losses), np.array(scores)


def _standard_errors(rows: Rows, gain: FloatArray, tested: IntArray) -> float:
    """By how many standard errors the mean of differences is above 0."""
    weights = np.ones(len(tested)) if rows.weights is None else rows.weights[tested]
    share = weights / weights.sum()
    mean = float(share @ gain)
    error = float(np.sqrt(np.sum((share * (gain - mean)) ** 2)))
    return mean / error if error > 0.0 else 0.0
