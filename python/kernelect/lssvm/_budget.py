"""Time and memory of the fit itself, which no election may use up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from .._data.splits import Splits
from .._data.target import Target
from .._evidence.work import CallOptions
from .._support.deadline import Deadline, TimeUp
from .._support.remedy import worded
from ..criteria import LOO
from ..kernels.heuristics import scale as scale_heuristic
from ..selection._affordable import demand, is_free, too_large
from ._system import fit_one, single_work

# Fits of so few rows are a matter of tenths of a second; larger ones are foretold by a trial.
_FEW, _TRIAL = 2000, 1500


def refuse_too_many_rows(X: Any, target: Target, lams: int) -> None:
    """Raise where there is no memory for the one system that is to be solved on all rows."""
    need = demand([LOO()], target, X, lams=lams)
    if not is_free(need):
        remedy = "give fewer rows, or elect by select and train another machine"
        raise too_large("a fit", target.size, need, remedy)


def seconds_of_fit(X: Any, target: Target, options: CallOptions, threads: int) -> float:
    """Foretell the time for the fit of an elected kernel, by one of fewer rows: it grows as n^3."""
    n = target.size
    if n <= _FEW:
        return 0.0
    places = np.sort(target.shuffled_by_class()[np.linspace(0, n - 1, _TRIAL).astype(np.int64)])
    single = replace(options.regularisation, values=np.ones(1), single=True, relative=False)
    some = X[places]
    started = time.monotonic()
    work = single_work(scale_heuristic(some), some, target.part(places), threads)
    fit_one(work, CallOptions(single, Splits()), "none")
    return (time.monotonic() - started) * (n / _TRIAL) ** 3


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
