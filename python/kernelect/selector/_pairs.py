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
- numbers, 1,000 rows or fewer, C alone: 43.1 and 43.1 % of the variance of six even, 24.2 and
  24.2 % of five odd sets.
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
from ..results import Selection
from ._fold_rows import AsMatrices, Rows
from ._judged_pairs import STEPS, JudgedPairs, Pair, strides
from ._larger_class import is_in_doubt, warn_unless_better

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
# narrower, and its C smaller by as much: folds walk that way, and back, by large strides while
# their loss falls. With 4,000 rows errors of phishing, skin_nonskin and w8a (splits 11 and 12) were
# 1.98 % with that and 2.22 % without; of a9a, mushrooms, pendigits and shuttle (split 13), in view
# when two classes were also asked for no more wrong decisions, 4.41 % both. A machine of numbers
# keeps its C on that way, which leads to narrower kernels alone, and then tries larger ones: of
# cadata, cpusmall, kin40k and protein, 4,000 rows, 20.2 % of the variance with that and 22.2 %
# without (splits 5 to 7; there are no more sets of that size).
MANY = 1000
# Rows held out that are enough to judge a classifier: of many, one fold, which is also enough to
# judge a machine of numbers where rows are many.
ENOUGH = 300
# From this many rows on a fit may take long enough to be asked to stop.
_LONG = 1000
# Iterations times rows, some tenths of a second, or iterations a row: a machine that took more of
# both with its C is not asked for a larger one, which takes several times as many (1,000 rows of
# cpusmall: 94 a row, and 334).
_COSTLY, _COSTLY_A_ROW = 1e7, 5.0


def judge_pairs(
    machine: Any,
    rows: Rows,
    options: dict[str, Any],
    deadline: Deadline | None,
    ways: Sequence[Sequence[float]] = (),
    *,
    elected: Selection | None = None,
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
    elected : Selection or None
        The election. Where it leaves no doubt that the larger class does worse, a machine of which
        nothing else is judged is not compared with that class.

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
    classifies, many = is_classifier(machine), len(rows.y) > MANY
    ways = [way for way in (ways if classifies else ways[:1]) if len(way) > 0]
    pairs = _pairs(machine, rows, [way[0] for way in ways])
    walked = many and (bool(ways) or not classifies)
    chosen = len(pairs) > 1 or walked
    warned = classifies and not rows.several and not many
    if warned and not chosen and elected is not None:
        warned = is_in_doubt(elected, rows.y)
    parts = _parts(rows, options) if chosen or warned else None
    if parts is None:
        return None
    names = set(machine.get_params(deep=False))
    plain = {"probability": False, "decision_function_shape": "ovo"}
    fresh = clone(machine).set_params(**{name: plain[name] for name in names & set(plain)})
    known = AsMatrices(rows)
    judged = JudgedPairs(
        partial(_judge, fresh, known, parts, deadline),
        rows,
        np.concatenate([test for _, test in parts]),
        two_classes=classifies and not rows.several,
    )
    try:
        with quietly():  # the fit of all rows says what there is to say
            judged.add(pairs[0])
            if judged.costly[0]:
                pairs = [pair for pair in pairs if pair["C"] <= machine.C]
            for pair in pairs[1:]:
                judged.add(pair)
            if walked:
                _walk(judged, machine, ways)
    except TimeUp:
        assert deadline is not None
        warn_caller(
            f"time_limit={deadline.seconds:g} seconds was reached before folds of "
            f"{type(machine).__name__} had judged C; it is that of the election"
        )
        return None
    if not chosen:
        warn_unless_better(machine, rows, judged.losses[0], judged.tested)
        return None
    gains = [judged.standard_errors(place) for place in range(len(judged.pairs))]
    scores = np.array(judged.scores)
    best = int(np.argmin(judged.means()))
    if classifies:
        warn_unless_better(machine, rows, judged.losses[best], judged.tested)
    elif not many:
        best = int(np.argmax(gains))
        best = best if gains[best] > CLEARLY else 0
    pairs = judged.pairs
    return {
        **{name: np.array([pair[name] for pair in pairs]) for name in pairs[0]},
        "split_test_score": scores,
        "mean_test_score": scores.mean(axis=1),
        "standard_errors": np.array(gains),
        "best_index": best,
    }


def _pairs(machine: Any, rows: Rows, gammas: Sequence[float]) -> list[Pair]:
    """Return what is judged whatever comes of it, the elected pair first."""
    several = is_classifier(machine) and rows.several
    few, many = len(rows.y) <= _FEW, len(rows.y) > MANY
    pairs = [{"C": factor * machine.C} for factor in (FACTORS if few else FACTORS[:1])]
    beside = bool(gammas) and is_classifier(machine) and (few or several)
    if gammas and (beside or many):
        pairs = [{**pair, "gamma": machine.gamma} for pair in pairs]
    return pairs + [{"C": machine.C, "gamma": gamma} for gamma in gammas if beside]


def _walk(judged: JudgedPairs, machine: Any, ways: Sequence[Sequence[float]]) -> None:
    """Go on to other kernels, of numbers also to larger C, while the loss falls."""
    C, gamma = machine.C, machine.gamma
    if is_classifier(machine):
        for way in ways:
            steps = strides(gamma, way)
            judged.walk(0, ({"C": C * gamma / other, "gamma": other} for other in steps))
        return
    place = 0
    for way in ways:
        place = judged.walk(0, ({"C": C, "gamma": other} for other in strides(gamma, way)))
    judged.walk(place, _larger(judged, place))


def _larger(judged: JudgedPairs, place: int) -> Iterator[Pair]:
    """Yield pairs with ever larger C, unless fits with the last one took long."""
    pair = judged.pairs[place]
    for _ in range(STEPS):
        if judged.costly[place]:
            return
        pair = {**pair, "C": FACTORS[-1] * pair["C"]}
        yield pair
        place = -1


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
    if splits.given:
        return parts
    if target.task == "regression":
        return parts[:1] if len(rows.y) > MANY else parts
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


def _judge(
    machine: Any,
    known: AsMatrices,
    parts: list[tuple[IntArray, IntArray]],
    deadline: Deadline | None,
    pair: Pair,
) -> tuple[FloatArray, FloatArray, bool]:
    """Judge a pair by folds.

    Returns
    -------
    losses : ndarray
        Of all tested rows.
    scores : ndarray
        Of every fold: R^2, or minus the mean loss.
    costly : bool
        Whether the last fit took long.
    """
    machine.set_params(**pair)

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
    return np.concatenate(losses), np.array(scores), _is_costly(machine)


def _is_costly(machine: Any) -> bool:
    """Whether the last fit took long, where the machine counts its iterations."""
    counted, fitted = getattr(machine, "n_iter_", None), getattr(machine, "shape_fit_", None)
    if counted is None or fitted is None:
        return False
    work = float(np.sum(counted)) * fitted[0]
    return bool(work > max(_COSTLY, _COSTLY_A_ROW * fitted[0] ** 2))
