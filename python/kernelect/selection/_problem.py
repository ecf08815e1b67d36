"""One checked problem: rows, target and candidates, ready to be scored by any criteria."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._dask.collections import in_memory
from .._dask.rows import rows_at
from .._data.refusals import column_labels
from .._data.rows import Rows, column_names, is_sparse
from .._data.target import Target, check_target
from .._data.weights import check_weights, rows_that_count
from .._evidence.gather import gather
from .._evidence.work import CallOptions, Work
from .._support.deadline import Deadline, TimeUp
from .._support.progress import Tick, part_of, share
from .._support.remedy import Remedy, advised
from .._support.threads import resolve_threads
from .._support.warning import warn_caller
from ..criteria import Column, Criterion, Needs
from ..kernels import Kernel
from ..kernels._candidates import Candidates, rows_for
from ..results import ScoreTable
from ._deadline import gather_in_time, not_reached

# Standard deviations of columns that differ by more than this are worth a warning, which ranges
# that differ by less than the second need not be looked at for.
_SCALES, _RANGES = 1e3, 30.0
# Rows of many of which the standard deviations are taken.
_LOOKED_AT = 100_000

Group = tuple[list[int], list[Column]]  # the places of some candidates, and their columns


@dataclass(frozen=True)
class Problem:
    """Target and candidates of one call, the latter with the rows they are evaluated on.

    Rows of weight zero take no part; `kept` tells which do, None where all of them.
    """

    target: Target
    candidates: Candidates
    threads: int
    deadline: Deadline | None = None
    kept: NDArray[np.bool_] | None = None

    @classmethod
    def make(
        cls,
        X: Any,
        y: Any,
        kernels: Any,
        *,
        task: str,
        n_threads: int | None,
        time_limit: float | None = None,
        sample_weight: Any = None,
        client: Any = None,
    ) -> Problem:
        """Check everything that was given, before any work is done."""
        rows = None if X is None else rows_for(kernels, X, client)
        y = in_memory(y, client)
        target = check_target(y, task, None if rows is None else rows.shape[0])
        weights = check_weights(in_memory(sample_weight, client), target.size)
        kept = rows_that_count(weights, target.size)
        target = target.weighted(weights)
        if rows is not None and kept is not None:
            rows = rows_at(rows, np.flatnonzero(kept))
        candidates = Candidates(kernels, rows, target.size, column_names(X), kept)
        threads = resolve_threads(n_threads)
        if rows is not None:
            warn_about_scales(X, rows)
        deadline = Deadline.of(time_limit)
        return cls(target, candidates, threads, deadline, kept)

    def part(self, places: NDArray[np.int64]) -> Problem:
        """Return the same problem on some of the rows."""
        return replace(
            self, target=self.target.part(places), candidates=self.candidates.part(places)
        )

    def score(
        self,
        criteria: Sequence[Criterion],
        options: CallOptions,
        tick: Tick | None,
        only: Sequence[int] | None = None,
    ) -> ScoreTable:
        """Score all candidates, or those at the given places, gathering each evidence once."""
        for criterion in criteria:
            criterion.check_target(self.target)
        kernels: dict[int, Kernel] = {}
        groups: list[Group] = []
        try:
            needs = Needs.of(criteria)
            # Landmark models and sampled sums ask functions for a part of their matrices.
            parts = options.landmarks is not None and needs.systems_alone
            parts = parts or (options.sample is not None and needs.sums_alone)
            for places, work in self.works(tick, only, matrices=not parts):
                groups.append((places, self._gather(work, criteria, options)))
                kernels.update(zip(places, work.kernels, strict=True))
                del work  # and its matrix, before the next one is made
        except TimeUp:
            pass
        if self.deadline is not None and self.deadline.reached:
            if not groups:
                raise self.deadline.nothing()
            left = [(i, k) for i, k in self.candidates.others(only) if i not in kernels]
            if left:
                kernels.update(left)
                empty = [not_reached(len(left), criterion, options) for criterion in criteria]
                groups.append(([index for index, _ in left], empty))
        if not groups:
            raise ValueError("kernels gave no candidate; give at least one")
        order = {place: rank for rank, place in enumerate(sorted(kernels))}
        columns = [
            Column.join([([order[i] for i in places], found[c]) for places, found in groups])
            for c in range(len(criteria))
        ]
        return ScoreTable.of([kernels[place] for place in order], columns, self.target.task)

    def works(
        self, tick: Tick | None, only: Sequence[int] | None, *, matrices: bool = True
    ) -> Iterator[tuple[list[int], Work]]:
        """Yield the work for candidates inside the core at once, for the others one by one.

        Unless all `matrices` are wanted, functions are left to whoever asks them for a part.
        """
        candidates = self.candidates
        count = candidates.count if only is None else len(only)

        def work(kernels: Sequence[Kernel], matrix: NDArray[np.float64] | None, done: int) -> Work:
            part = part_of(tick, share(done, count), share(done + len(kernels), count))
            rows, target = candidates.rows, self.target
            return Work.of(kernels, rows, target, matrix=matrix, threads=self.threads, tick=part)

        inside = [(i, kernel) for i, kernel in candidates.core if only is None or i in only]
        if inside:
            yield [i for i, _ in inside], work([kernel for _, kernel in inside], None, 0)
        done = len(inside)
        for index, kernel, matrix in candidates.stream(only, matrices=matrices):
            yield [index], work([kernel], matrix, done)
            del matrix  # before the next one is made
            done += 1
            if self.deadline is not None and self.deadline.over():
                return

    def _gather(
        self, work: Work, criteria: Sequence[Criterion], options: CallOptions
    ) -> list[Column]:
        if self.deadline is None:
            return gather(work, criteria, options)
        return gather_in_time(self.deadline, work, criteria, options)


def warn_about_scales(X: Any, rows: Rows) -> None:
    """Distances are ruled by the largest columns; say so when scales differ by more than 1e3."""
    if len(rows.shape) < 2 or is_sparse(rows) or rows.shape[1] < 2:
        return
    high, low = rows.max(axis=0), rows.min(axis=0)
    # The spread of a constant column may be a rounding error.
    moving = np.flatnonzero(high != low)
    if len(moving) < 2:
        return
    span = high[moving] / 2 - low[moving] / 2
    if span.max() / _RANGES <= span.min():  # the usual case, without a look at every entry
        return
    _, exponent = np.frexp(np.maximum(high, -low))  # squares of very large numbers overflow
    some = rows[:: max(len(rows) // _LOOKED_AT, 1)]
    spread = np.ldexp(np.ldexp(some, -exponent).std(axis=0), exponent)
    widest, narrowest = moving[np.argmax(spread[moving])], moving[np.argmin(spread[moving])]
    if spread[widest] / _SCALES > spread[narrowest]:
        names = column_labels(X, rows.shape[1])
        fault = (
            f"columns have very different scales (standard deviation {spread[widest]:.3g} in "
            f"column {names[widest]}, {spread[narrowest]:.3g} in column {names[narrowest]}), and "
            "the largest dominate the kernel"
        )
        remedy = Remedy(
            "standardise them, for example with StandardScaler",
            "standardise them with --standardize",
        )
        warn_caller(advised(UserWarning, fault, remedy))
