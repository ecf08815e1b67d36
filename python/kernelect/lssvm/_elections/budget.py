"""Time of the fit itself, which no election may use up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from ..._data.splits import Splits
from ..._evidence.landmarks.cost import operations
from ..._evidence.work import CallOptions, LandmarkOptions
from ..._support.deadline import Deadline, TimeUp
from ..._support.remedy import worded
from ...kernels import Gaussian
from ...kernels.heuristics import scale as scale_heuristic
from .._fits.landmark_fit import fit_landmarks
from .._fits.system import fit_one, single_work
from .._training import Training

# Fits of so few rows are a matter of milliseconds; larger ones are foretold by a trial with half of
# the rows, and no more than these.
_FEW, _TRIAL = 200, 1500
# Landmarks of a trial.
_TRIAL_LANDMARKS = 250


def seconds_of_fit(training: Training) -> float:
    """Foretell the time for the fit of an elected kernel, by one of fewer rows and landmarks."""
    n, asked, target = training.target.size, training.options.landmarks, training.target
    if n <= _FEW:
        return 0.0
    if training.iteration is not None and training.deadline is not None:
        return 0.5 * training.deadline.left  # nobody knows how many passes it takes
    rows = min(n // 2, _TRIAL)
    places = np.sort(target.shuffled_by_class()[np.linspace(0, n - 1, rows).astype(np.int64)])
    chosen = replace(
        training.options.regularisation, values=np.ones(1), single=True, relative=False
    )
    options = CallOptions(chosen, Splits())
    some = Training(training.X[places], target.part(places), options, threads=training.threads)
    try:
        kernel = scale_heuristic(some.X)
    except ValueError:  # beyond the range of numbers, where any kernel takes as long
        kernel = Gaussian(1.0)
    started = time.monotonic()
    if asked is None:
        fit_one(single_work(kernel, some.X, some.target, some.threads), options, "none")
        return (time.monotonic() - started) * (n / rows) ** 3
    few = min(asked.count, _TRIAL_LANDMARKS, rows // 2)
    fit_landmarks(kernel, some, replace(options, landmarks=LandmarkOptions(few)))
    ratio = operations(n, asked.count) / operations(rows, few)
    return (time.monotonic() - started) * ratio


@contextmanager
def in_time(deadline: Deadline | None, rows: int) -> Iterator[None]:
    """Say what it was that did not end in time."""
    try:
        yield
    except TimeUp:
        assert deadline is not None
        fault = f"the fit of {rows} rows was not done within"
        remedy = "; allow more time, or give fewer rows"
        raise worded(
            TimeoutError,
            f"{fault} time_limit={deadline.seconds:g} seconds{remedy}",
            f"{fault} --time-limit{remedy}",
        ) from None
