"""The last pairs of a kernel and C, judged by folds of the support vector machine itself.

In the election a ridge system stands for the machine. Its kernel is good for both, but its ridge
says C to a factor of a few only, and a machine of hinges may want a kernel that is a little
narrower or wider. A few folds of the machine say which. Classifiers are judged by the squared
hinge loss of rows that they have not seen, which is less coarse than the number of wrong classes.

What that gains is small, so that of many rows only what does gain is judged. The loss and the
pairs were chosen in view of all sets of ``bench/today.py``. What is judged at which size was
decided with two splits of each set that no result in ``bench/results`` is of, sets at even and at
odd places of the alphabet told apart, though both were in view; with folds and without:

- several classes, 1,000 rows, four sets (all even): 5.84 and 6.36 %, all of it by the next kernels;
- two classes, 1,000 rows: 14.22 and 13.40 % of two even sets, 8.18 and 8.23 % of six odd ones;
- two classes, 450 rows or fewer: 11.42 and 11.34 % of 15 even, 14.69 and 14.62 % of 14 odd sets;
- numbers, 1,000 rows or fewer: 43.1 and 43.1 % of the variance of six even, 24.2 and 24.2 % of
  five odd sets.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from .._data.folds import FoldSet
from .._data.splits import Splits
from .._data.target import Target, check_target
from .._data.weights import check_weights, rows_that_count
from .._support.arrays import FloatArray, IntArray
from .._support.deadline import Deadline, TimeUp
from .._support.patience import patiently
from .._support.quiet import quietly
from .._support.warning import warn_caller
from ._fold_rows import AsMatrices, Rows
from ._larger_class import warn_unless_better

# What C is multiplied by.
FACTORS = (1.0, 0.25, 4.0)
# In regression the first pair stays unless another is better by this many standard errors.
CLEARLY = 1.645
# Folds where nobody says how many, and up to how many rows these are cheap beside the election.
_FOLDS, _MOST = 3, 10_000
# Of more rows than this C is that of the election, and only the next kernels of several classes
# are judged; a machine of two classes only beside the larger one.
_FEW = 500
# Of more rows than this the election saw less than half. With more rows the best kernel is often
# narrower, and its C smaller by as much: folds walk that way, and back, by so large strides while
# their loss falls. With 4,000 rows errors of phishing, skin_nonskin and w8a (splits 11 and 12) were
# 1.98 % with that and 2.22 % without; of a9a, mushrooms, pendigits and shuttle (split 13), in view
# when two classes were also asked for no more wrong decisions, 4.41 % both.
MANY, _STRIDE, _STEPS = 1000, 3.9, 3
# Rows held out that are enough to judge a classifier: of many, one fold.
ENOUGH = 300
# From this many rows on a fit may take long enough to be asked to stop.
_LONG = 1000
# Iterations times rows, some tenths of a second: a machine that took more with its C is not asked
# for a larger one, which takes several times as many (1,000 rows of cpusmall: 94 a row, and 334).
_COSTLY = 1e7


def judge_pairs(
    machine: Any,
    rows: Rows,
    options: dict[str, Any],
    deadline: Deadline | None,
    ways: Sequence[Sequence[float]] = (),
) -> dict[str, Any] | None:
    """Judge a few pairs by folds of the machine; None where rows are many, or no folds.

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
    ways : sequence of sequence of float
        Gammas of other kernels that may be tried: of ever narrower ones, and of ever wider ones.

    Returns
    -------
    dict or None
        ``C``, with ways ``gamma``, ``split_test_score`` (pairs x folds), ``mean_test_score``,
        ``standard_errors`` by which a pair is better than the first, and ``best_index``.
    """
    if rows.y.ndim == 2 and rows.y.shape[1] == 1:
        rows = replace(rows, y=rows.y[:, 0])
    if len(rows.y) > _MOST or rows.y.ndim != 1:  # the machine itself refuses several targets
        return None
    ways = [way for way in ways if len(way) > 0]
    pairs = _pairs(machine, rows, [way[0] for way in ways])
    walks = ways if len(rows.y) > MANY else []
    chosen = len(pairs) > 1 or bool(walks)
    warned = is_classifier(machine) and not rows.several and len(rows.y) <= MANY
    parts = _parts(rows, options) if chosen or warned else None
    if parts is None:
        return None
    tested = np.concatenate([test for _, test in parts])
    names = set(machine.get_params(deep=False))
    plain = {"probability": False, "decision_function_shape": "ovo"}
    fresh = clone(machine).set_params(**{name: plain[name] for name in names & set(plain)})
    known = AsMatrices(rows)
    try:
        with quietly():  # the fit of all rows says what there is to say
            found = [_held_out(fresh.set_params(**pairs[0]), known, parts, deadline)]
            if _work(fresh) > _COSTLY:
                pairs = [pair for pair in pairs if pair["C"] <= machine.C]
            for pair in pairs[1:]:
                found.append(_held_out(fresh.set_params(**pair), known, parts, deadline))
            eligible = [True] * len(pairs)
            for way in walks:
                last = found[0][0]
                for gamma in _steps(machine.gamma, way):
                    pairs.append({"C": machine.C * machine.gamma / gamma, "gamma": gamma})
                    found.append(_held_out(fresh.set_params(**pairs[-1]), known, parts, deadline))
                    before, last = last, found[-1][0]
                    eligible.append(_is_better(rows, last, before, tested))
                    if not eligible[-1]:
                        break
    except TimeUp:
        assert deadline is not None
        warn_caller(
            f"time_limit={deadline.seconds:g} seconds was reached before folds of "
            f"{type(machine).__name__} had judged C; it is that of the election"
        )
        return None
    if not chosen:
        warn_unless_better(machine, rows, found[0][0], tested)
        return None
    gains = [_standard_errors(rows, found[0][0] - losses, tested) for losses, _ in found]
    scores = np.array([each for _, each in found])
    if hasattr(fresh, "classes_"):
        means = np.array([rows.mean(losses, tested) for losses, _ in found])
        best = int(np.argmin(np.where(eligible, means, np.inf)))
        warn_unless_better(machine, rows, found[best][0], tested)
    else:
        best = int(np.argmax(gains))
        best = best if gains[best] > CLEARLY else 0
    return {
        **{name: np.array([pair[name] for pair in pairs]) for name in pairs[0]},
        "split_test_score": scores,
        "mean_test_score": scores.mean(axis=1),
        "standard_errors": np.array(gains),
        "best_index": best,
    }


def _pairs(machine: Any, rows: Rows, gammas: Sequence[float]) -> list[dict[str, float]]:
    """Return what is judged, the elected pair first."""
    several = is_classifier(machine) and rows.several
    few = len(rows.y) <= _FEW
    pairs = [{"C": factor * machine.C} for factor in (FACTORS if few else FACTORS[:1])]
    if gammas and (few or several or len(rows.y) > MANY):
        pairs = [{**pair, "gamma": machine.gamma} for pair in pairs]
    if gammas and (few or several):
        pairs += [{"C": machine.C, "gamma": gamma} for gamma in gammas]
    return pairs


def _is_better(rows: Rows, losses: FloatArray, before: FloatArray, tested: IntArray) -> bool:
    """Whether a step is worth taking: the mean loss falls, and no more of two classes is wrong.

    A smaller C alone, which says less of all rows, lowers the loss of noisy ones.
    """
    falls = rows.mean(losses, tested) < rows.mean(before, tested)
    wrong, former = (rows.mean(np.where(each > 1.0, 1.0, 0.0), tested) for each in (losses, before))
    return falls and (rows.several or wrong <= former)


def _steps(gamma: float, way: Sequence[float]) -> Iterator[float]:
    """Yield the gammas of a way that are a stride apart, three at most."""
    taken = 0
    for other in way:
        if taken < _STEPS and max(other / gamma, gamma / other) > _STRIDE:
            yield other
            gamma, taken = other, taken + 1


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
    parts = [part for fold_set in sets for part in _of_set(fold_set, target, places)]
    if splits.given or target.task == "regression":
        return parts
    before = np.cumsum([0, *(len(test) for _, test in parts)])
    return [part for part, tested in zip(parts, before, strict=False) if tested < ENOUGH]


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
    known: AsMatrices,
    parts: list[tuple[IntArray, IntArray]],
    deadline: Deadline | None,
) -> tuple[FloatArray, FloatArray]:
    """Losses of all tested rows, and the score of every fold: R^2, or minus the mean loss."""

    def check() -> None:
        if deadline is not None and deadline.over():
            raise TimeUp

    rows = known.given(machine)
    losses, scores = [], []
    longest = 0.0
    for train, test in parts:
        if deadline is not None and deadline.left <= longest:
            raise TimeUp
        started = time.monotonic()
        if len(train) < _LONG:
            rows.fit(machine, train)
        else:
            patiently(partial(rows.fit, machine, train), check)
        own = rows.losses(machine, train, test)
        longest = max(longest, time.monotonic() - started)
        losses.append(own)
        if hasattr(machine, "classes_"):
            scores.append(-rows.mean(own, test))
            continue
        y = np.asarray(rows.y[test], dtype=np.float64)
        baseline = rows.mean((y - rows.mean(y, test)) ** 2, test)
        scores.append(1.0 - rows.mean(own, test) / baseline if baseline > 0.0 else np.nan)
    return np.concatenate(losses), np.array(scores)


def _work(machine: Any) -> float:
    """Multiply iterations of the last fit, where the machine counts them, by its rows."""
    counted, fitted = getattr(machine, "n_iter_", None), getattr(machine, "shape_fit_", None)
    return 0.0 if counted is None or fitted is None else float(np.sum(counted)) * fitted[0]


def _standard_errors(rows: Rows, gain: FloatArray, tested: IntArray) -> float:
    """By how many standard errors the mean of differences is above 0."""
    weights = np.ones(len(tested)) if rows.weights is None else rows.weights[tested]
    share = weights / weights.sum()
    mean = float(share @ gain)
    error = float(np.sqrt(np.sum((share * (gain - mean)) ** 2)))
    return mean / error if error > 0.0 else 0.0
