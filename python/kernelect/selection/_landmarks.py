"""Whether ridge systems are those of whole matrices or of landmarks, and of how many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from .._dask.rows import DaskRows
from .._evidence.landmarks import counts
from .._evidence.work import CallOptions, LandmarkOptions
from .._support.arguments import check_whole, is_whole, shown
from .._support.remedy import Remedy, advised
from .._support.warning import warn_caller
from ..criteria import Criterion, Needs
from ..results import Selection
from ._affordable import affordable
from ._more_landmarks import CONVERGED
from ._problem import Problem

# Fewer landmarks than these tell little, whatever the memory.
_FEWEST = 50


def check_landmarks(landmarks: Any, rows: int) -> None:
    """Refuse what is no number of landmarks for this many rows."""
    if landmarks is None or (isinstance(landmarks, str) and landmarks == "auto"):
        return
    if not is_whole(landmarks):
        raise TypeError(f"landmarks must be a whole number, 'auto' or None, not {shown(landmarks)}")
    if check_whole(landmarks, "landmarks", least=1) > rows:
        whole = "for models on whole kernel matrices"
        raise advised(
            ValueError,
            f"landmarks={landmarks} is more than the {rows} rows",
            Remedy(f"give fewer, or None {whole}", f"give fewer, or --landmarks none {whole}"),
        )


def with_landmarks(
    landmarks: Any,
    problem: Problem,
    criteria: Sequence[Criterion],
    options: CallOptions,
    *,
    random_state: Any = 0,
    by_size: bool = False,
) -> CallOptions:
    """Return the options with the landmarks that were asked for.

    ``"auto"`` takes some where there is no memory for whole matrices, or `by_size` where these
    would take more than minutes.
    """
    n = problem.target.size
    check_landmarks(landmarks, n)
    seed = seed_of(random_state)
    if landmarks is None:
        return options
    needs = Needs.of(criteria)
    if not isinstance(landmarks, str):
        refuse_all_rows(int(landmarks), n, by_folds=bool(needs.folds or needs.series))
        return replace(options, landmarks=LandmarkOptions(int(landmarks), seed))
    # Matrices that are there already are looked at whole.
    if not needs.ridge or problem.candidates.rows is None:
        return options
    lams = 1 if by_size else None  # the default election asks for a few at a time
    quick = n <= counts.WHOLE_ROWS or not by_size
    quick = quick and not isinstance(problem.candidates.rows, DaskRows)
    if quick and affordable(problem, criteria, options, lams) is not None:
        return options

    def with_count(count: int) -> CallOptions:
        return replace(options, landmarks=LandmarkOptions(count, seed, grows=by_size))

    def fits(count: int) -> bool:
        kernels = 1 if by_size else None  # which it looks at one after the other
        return affordable(problem, criteria, with_count(count), None, kernels) is not None

    by_folds = bool(needs.folds or needs.series)
    return with_count(count_that_fits(n, fits, by_folds=by_folds))


def refuse_all_rows(landmarks: int, rows: int, *, by_folds: bool) -> None:
    """Refuse landmarks that leave folds no row to score."""
    if by_folds and landmarks == rows:
        raise ValueError(
            f"landmarks={landmarks} are all rows, and folds score those that are no landmarks; "
            "give half of them at most, or leave landmarks out"
        )


def count_that_fits(rows: int, fits: Callable[[int], bool], *, by_folds: bool) -> int:
    """Return how many landmarks this many rows have unless somebody says, as memory allows.

    With folds half of the rows at most: these score rows that are no landmarks.
    """
    count = min(counts.landmark_count(rows), rows // 2 if by_folds else rows)
    while count > _FEWEST and not fits(count):
        count //= 2
    return count


def of_winner(options: CallOptions, chosen: Selection) -> CallOptions:
    """Return the options with as many landmarks as the winner was judged with."""
    asked = options.landmarks
    if asked is None or chosen.landmarks is None:
        return options
    count = asked.count
    while count < chosen.landmarks:  # twice as many each time
        count *= 2
    return replace(options, landmarks=replace(asked, count=count))


def seed_of(random_state: Any) -> int:
    """Return the seed itself, or a number that a generator draws."""
    if is_whole(random_state) and random_state >= 0:
        return int(random_state)
    try:
        return int(check_random_state(random_state).randint(2**31))
    except ValueError:
        raise ValueError(
            "random_state must be None, a whole number of at least zero or a RandomState, not "
            f"{shown(random_state)}"
        ) from None


def warn_if_not_converged(chosen: Selection) -> None:
    """Warn where more landmarks would predict better, and another kernel might win with them."""
    change, count = chosen.m_sensitivity, chosen.landmarks
    if change is None or count is None or not np.isfinite(change) or change <= CONVERGED:
        return
    fault = (
        f"the landmark model has not converged: with half of its {count} landmarks the held-out "
        f"squared loss is {change:.0%} larger, so that a model of all rows may want another kernel "
        "or lambda"
    )
    names = (f"landmarks={2 * count}", f"--landmarks {2 * count}")
    remedy = Remedy(
        *(f"give more landmarks ({name}), or use the model with these" for name in names)
    )
    warn_caller(advised(UserWarning, fault, remedy))
