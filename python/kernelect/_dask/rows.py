"""Rows of a dask collection: some are fetched when asked for, sums are taken where rows are."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from .._data.rows import Rows, check_shape
from .._support.arrays import FloatArray, IntArray
from .._support.progress import Tick, part_of
from .blocks import Look, blocks_of, joined, look_at, look_together, taken
from .cluster import Workers, workers_of
from .tasks import call_in_worker, done, merged

# Bytes of rows that come to this process as a part of all rows; more stay where they are.
_FETCHED = 1.28e8
# Rows that all come here, for criteria of all pairs of them.
_ALL = 100_000
# The most rows of a task and bytes of them, and tasks for each worker where there are many rows.
_ROWS, _BYTES, _TASKS = 1 << 18, 6.4e7, 4

# Given a slice of all rows, a function of these that can be pickled; its sums can be merged.
Summing: TypeAlias = Callable[[slice], Callable[..., Any]]


class DaskRows:
    """Rows in blocks, which others read as they read an array: by their numbers.

    Parameters
    ----------
    blocks : list of Delayed
        The rows, as they are given.
    look : Look
        What is known of each block.
    workers : Workers
        Where tasks run.
    """

    def __init__(self, blocks: list[Any], look: Look, workers: Workers) -> None:
        self._blocks, self._look, self._workers = blocks, look, workers
        self._starts = np.concatenate([[0], np.cumsum(look.lengths)]).astype(np.int64)
        self.shape = int(self._starts[-1]), look.width
        self._known: tuple[IntArray, FloatArray] = np.zeros(0, np.int64), np.zeros((0, look.width))

    @classmethod
    def of(cls, X: Any, client: object = None) -> DaskRows:
        """Look at all blocks of a collection once, and refuse what are no rows of numbers."""
        workers = workers_of(client)
        blocks = blocks_of(X)
        found = look_together(workers.gather([look_at(block) for block in blocks]))
        check_shape((int(found.lengths.sum()), found.width), "X")
        return cls(blocks, found, workers)

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Refuse to come here as a whole by accident."""
        raise TypeError(
            "X is a dask collection, whose rows are never all in this process; give kernels, not "
            "functions that look at all rows"
        )

    def __len__(self) -> int:
        return self.shape[0]

    def max(self, axis: int = 0, initial: float = -np.inf) -> FloatArray:
        """Return the largest entry of each column."""
        assert axis == 0
        return np.maximum(self._look.high, initial)

    def min(self, axis: int = 0, initial: float = np.inf) -> FloatArray:
        """Return the smallest entry of each column."""
        assert axis == 0
        return np.minimum(self._look.low, initial)

    def __getitem__(self, at: slice | IntArray) -> FloatArray:
        """Fetch rows by their numbers; those that were fetched before are still here."""
        numbers = np.arange(*at.indices(len(self))) if isinstance(at, slice) else np.asarray(at)
        known, rows = self._known
        missing = np.setdiff1d(numbers, known)
        if len(missing):
            new = joined(self._workers.gather(self._taken(missing)))
            order = np.argsort(np.concatenate([known, missing]), kind="stable")
            rows = np.concatenate([rows, new])[order]
            known = np.concatenate([known, missing])[order]
            self._known = known, rows
        return rows[np.searchsorted(known, numbers)]

    def part(self, places: IntArray) -> Rows:
        """Return some rows, in ascending order: here, or where they are if these are many."""
        if 8.0 * len(places) * self.shape[1] <= _FETCHED:
            return self[places]
        counts = np.diff(np.searchsorted(places, self._starts))
        blocks = self._workers.keep(self._taken(places))
        found = look_together(self._workers.gather([look_at(block) for block in blocks]))
        assert (found.lengths == counts[counts > 0]).all()
        return DaskRows(blocks, found, self._workers)

    def _taken(self, numbers: IntArray) -> list[Any]:
        """Return blocks of some rows alone, by their ascending numbers."""
        cuts = np.searchsorted(numbers, self._starts)
        return [
            taken(self._blocks[b], numbers[cuts[b] : cuts[b + 1]] - self._starts[b])
            for b in range(len(self._blocks))
            if cuts[b] < cuts[b + 1]
        ]

    def sums(
        self, summing: Summing, shared: Any, leaf: int, *, threads: int, tick: Tick | None = None
    ) -> Any:
        """Add up over all rows, in whole leaves, along one binary tree of tasks.

        Parameters
        ----------
        summing : callable
            Gives for a slice a function of `shared`, rows, threads and tick, the sums of which
            `merge`.
        shared : object
            What all tasks need; sent to each worker once.
        leaf : int
            Rows that must stay together.
        threads : int
            Threads in this process; workers use their own.
        tick : callable, optional
            Called with the fraction done.
        """
        slices = list(self._slices(leaf))
        if self._workers.count == 1 and type(self._workers) is Workers:
            return self._sums_here(summing, shared, slices, threads, tick)
        from dask.delayed import delayed

        everywhere = delayed(shared, traverse=False)
        level = [call_in_worker(summing(at), everywhere, self._pieces(at)) for at in slices]
        parts = [done(task) for task in level]
        while len(level) > 1:
            pairs = [level[place : place + 2] for place in range(0, len(level), 2)]
            level = [merged(*pair) if len(pair) > 1 else pair[0] for pair in pairs]
        return pickle.loads(self._workers.gather(level, tick, parts)[0])

    def _sums_here(
        self, summing: Summing, shared: Any, slices: list[slice], threads: int, tick: Tick | None
    ) -> Any:
        total: Any = None
        for at in slices:
            rows = joined(self._workers.gather(self._pieces(at)))
            part = part_of(tick, at.start / len(self), at.stop / len(self))
            sums = summing(at)(shared, rows, threads=threads, tick=part)
            if total is None:
                total = sums
            else:
                total.merge(sums)
        return total

    def _slices(self, leaf: int) -> Iterable[slice]:
        """Yield the slices of tasks: a power of two of leaves each, so that they make a tree."""
        most = min(
            _BYTES / (8.0 * self.shape[1]), _ROWS, len(self) / (_TASKS * self._workers.count)
        )
        size = leaf
        while 2 * size <= most:
            size *= 2
        for start in range(0, len(self), size):
            yield slice(start, min(start + size, len(self)))

    def _pieces(self, at: slice) -> list[Any]:
        """Return the parts of blocks that make a slice."""
        first = int(np.searchsorted(self._starts, at.start, side="right")) - 1
        last = int(np.searchsorted(self._starts, at.stop, side="left"))
        found = []
        for b in range(first, last):
            start, stop = int(self._starts[b]), int(self._starts[b + 1])
            if start < stop:
                own = slice(max(at.start - start, 0), min(at.stop, stop) - start)
                found.append(taken(self._blocks[b], own))
        return found


def rows_at(rows: Rows, places: IntArray) -> Rows:
    """Return some rows, by ascending numbers; many of a cluster stay there."""
    return rows.part(places) if isinstance(rows, DaskRows) else rows[places]


def all_here(rows: Rows) -> Rows:
    """Return all rows in this process, where these are not too many."""
    if not isinstance(rows, DaskRows):
        return rows
    if len(rows) > _ALL:
        raise ValueError(
            f"all pairs of {len(rows)} rows of a dask collection are too many, the most are "
            f"{_ALL}; ask for criteria of ridge models such as loo, or take a sample of the rows"
        )
    return rows[:]
