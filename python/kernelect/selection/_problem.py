"""One checked problem: rows, target and candidates, ready to be scored by any criteria."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._data.refusals import column_labels
from .._data.rows import Program, Rows, Tables, check_rows, column_names, is_sparse
from .._data.target import Target, check_target
from .._evidence.moments import Column, FloatArray, Work, moments
from .._evidence.ridge import RidgeOptions, ridge
from .._evidence.spectrum import spectrum
from .._support.progress import Tick, part_of, share
from .._support.threads import resolve_threads
from ..criteria import Criterion, MomentCriterion, RidgeCriterion, SpectrumCriterion
from ..kernels import Kernel
from ..kernels._candidates import Candidates
from ..results import ScoreTable
from ._deadline import Deadline, TimeUp, not_reached


@dataclass
class Problem:
    """Rows, target and candidates of one call."""

    rows: Rows | None
    target: Target
    candidates: Candidates
    threads: int
    deadline: Deadline | None = None

    @classmethod
    def make(cls, X: Any, y: Any, kernels: Any, task: str, n_threads: int | None) -> Problem:
        """Check everything that was given, before any work is done."""
        rows = None if X is None else check_rows(X, "X")
        target = check_target(y, task, None if rows is None else rows.shape[0])
        candidates = Candidates(kernels, rows, target.size, column_names(X))
        problem = cls(rows, target, candidates, resolve_threads(n_threads))
        if rows is not None:
            _warn_about_scales(X, rows)
        return problem

    def score(
        self,
        criteria: Sequence[Criterion],
        options: RidgeOptions,
        tick: Tick | None,
        only: Sequence[int] | None = None,
    ) -> ScoreTable:
        """Score all candidates, or those at the given places, gathering each evidence once."""
        for criterion in criteria:
            criterion.check_target(self.target)
        groups: list[tuple[list[int], list[Kernel], list[Column]]] = []

        def add(
            places: list[tuple[int, Kernel]], matrix: FloatArray | None, part: Tick | None
        ) -> None:
            kernels = [kernel for _, kernel in places]
            tables = Tables()
            programs: list[Program] = [[("precomputed", 0.0, 0.0, 0, 0)]]
            if matrix is None:
                programs = [kernel._program(tables) for kernel in kernels]
            rows = tables.of(self.rows)
            work = Work(kernels, programs, rows, self.target, self.threads, part, matrix)
            found = self._gather(work, criteria, options)
            groups.append(([i for i, _ in places], kernels, found))

        count = self.candidates.count if only is None else len(only)
        core = [(i, k) for i, k in self.candidates.core if only is None or i in only]
        if core:
            try:
                add(core, None, part_of(tick, 0.0, share(len(core), count)))
            except TimeUp:
                assert self.deadline is not None
                raise self.deadline.nothing() from None
        seen: list[int] = []
        for index, kernel, matrix in self.candidates.stream(only):
            done = len(core) + len(seen)
            part = part_of(tick, share(done, count), share(done + 1, count))
            try:
                add([(index, kernel)], matrix, part)
            except TimeUp:
                break
            del matrix  # before the next one is made
            seen.append(index)
            if self.deadline is not None and self.deadline.over():
                break
        if self.deadline is not None and self.deadline.reached:
            if not groups:
                raise self.deadline.nothing()
            for index, kernel in self.candidates.others(only):
                if index not in seen:
                    empty = [not_reached(1, criterion, options) for criterion in criteria]
                    groups.append(([index], [kernel], empty))
        if not groups:
            raise ValueError("kernels gave no candidate; give at least one")
        return _table(groups, criteria, options, self.target.task)

    def _gather(
        self, work: Work, criteria: Sequence[Criterion], options: RidgeOptions
    ) -> list[Column]:
        if self.deadline is None:
            return gather(work, criteria, options)
        return self.deadline.gather(work, criteria, options, gather)


def gather(work: Work, criteria: Sequence[Criterion], options: RidgeOptions) -> list[Column]:
    """Gather each kind of evidence once and give the columns in the order of the criteria."""
    # In order of cost, which a progress line needs a rough guess of.
    kinds: list[tuple[type[Criterion], Any, float]] = [
        (MomentCriterion, moments, 1.0),
        (SpectrumCriterion, lambda part, some: spectrum(part, some, options), 10.0),
        (RidgeCriterion, lambda part, some: ridge(part, some, options), 10.0),
    ]
    places = [[c for c, k in enumerate(criteria) if isinstance(k, kind)] for kind, _, _ in kinds]
    unknown = set(range(len(criteria))).difference(*places)
    if unknown:
        raise TypeError(f"there is no evidence of the kind that {criteria[min(unknown)]!r} needs")
    columns: dict[int, Column] = {}
    costs = [cost if some else 0.0 for (_, _, cost), some in zip(kinds, places, strict=True)]
    for k, ((_, evidence, _), some) in enumerate(zip(kinds, places, strict=True)):
        if some:
            first, last = sum(costs[:k]) / sum(costs), sum(costs[: k + 1]) / sum(costs)
            part = replace(work, tick=part_of(work.tick, first, last))
            found = evidence(part, [criteria[c] for c in some])
            columns.update(zip(some, found, strict=True))
    return [columns[c] for c in range(len(criteria))]


def _table(
    groups: list[tuple[list[int], list[Kernel], list[Column]]],
    criteria: Sequence[Criterion],
    options: RidgeOptions,
    task: str,
) -> ScoreTable:
    """Put the columns of several groups of candidates into one table, in the order given."""
    places = [index for indices, _, _ in groups for index in indices]
    order = np.argsort(places, kind="stable")
    flat = [kernel for _, kernels, _ in groups for kernel in kernels]

    def joined(parts: list[FloatArray]) -> FloatArray:
        return np.concatenate(parts)[order]

    table = ScoreTable([flat[i] for i in order], {}, {}, {}, task)
    lams: list[FloatArray] = []
    for c, criterion in enumerate(criteria):
        columns = [found[c] for _, _, found in groups]
        key = criterion.key
        table.scores[key] = joined([column.values for column in columns])
        table.direction[key] = criterion.sense()
        reasons = [reason for column in columns for reason in column.reasons]
        table.reasons[key] = [reasons[i] for i in order]
        ties = [column.ties for column in columns if column.ties is not None]
        if len(ties) == len(columns):
            table._ties[key] = joined(ties)
        errors = [column.errors for column in columns if column.errors is not None]
        if len(errors) == len(columns):
            table.errors[key] = joined(errors)
        jitter = [column.jitter for column in columns if column.jitter is not None]
        if len(jitter) == len(columns) and any((part > 0).any() for part in jitter):
            table.jitter[key] = joined(jitter)
        if table.scores[key].ndim == 2 and not lams:
            lams = [column.lams for column in columns if column.lams is not None]
    if lams:
        return ScoreTable(
            table.kernels,
            table.scores,
            table.direction,
            table.reasons,
            task,
            joined(lams),
            table.errors,
            table._ties,
            table.jitter,
        )
    return table


def _warn_about_scales(X: Any, rows: Rows) -> None:
    """Distances are ruled by the largest columns; say so when scales differ by more than 1e3."""
    if is_sparse(rows) or rows.shape[1] < 2:
        return
    high, low = rows.max(axis=0), rows.min(axis=0)
    # The spread of a constant column may be a rounding error.
    moving = np.flatnonzero(high != low)
    if len(moving) < 2:
        return
    span = high[moving] / 2 - low[moving] / 2
    if span.max() / 30 <= span.min():  # the usual case, told without looking at every entry again
        return
    _, exponent = np.frexp(np.maximum(high, -low))  # squares of very large numbers overflow
    spread = np.ldexp(np.ldexp(rows, -exponent).std(axis=0), exponent)
    widest, narrowest = moving[np.argmax(spread[moving])], moving[np.argmin(spread[moving])]
    if spread[widest] / 1e3 > spread[narrowest]:
        names = column_labels(X, rows.shape[1])
        warnings.warn(
            f"columns have very different scales (standard deviation {spread[widest]:.3g} in column "
            f"{names[widest]}, {spread[narrowest]:.3g} in column {names[narrowest]}), and the "
            "largest rule the kernel; standardise them, for example with StandardScaler",
            UserWarning,
            stacklevel=4,
        )
