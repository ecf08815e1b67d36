"""Sums between sampled rows and all rows, a block of rows at a time: here, or where the rows are.

Blocks are those of the rows' numbers and are added along one binary tree, so that the result has
the same bits however the rows are divided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ..._dask.rows import DaskRows
from ..._data.rows import Rows, Tables, make_sample
from ..._data.strata import GROUPS
from ..._data.target import Target
from ..._dispatch import core
from ..._support.arrays import FloatArray, IntArray, aligned
from ..._support.progress import Tick, part_of
from ...kernels import Kernel
from ..work import Work

# Rows of a block; bytes of sums in one pass, and of values of a kernel outside the core that are
# made at a time.
_BLOCK, MEMORY = 1 << 14, 64e6
# Rows of which such a kernel is asked at least, and whose own values it is asked at a time.
_FEW = 64

Sums = list[FloatArray]  # by_class, products, squares, spreads and trace, each by kernel first


@dataclass(frozen=True, eq=False)
class SampledRows:
    """Sampled rows, with the kernels of which sums are taken.

    Attributes
    ----------
    kernels : list of Kernel
        Candidates: all in the core, or one that is not.
    rows : ndarray or sparse matrix
        The sampled rows.
    groups : ndarray of int64
        The group of each.
    weights : ndarray
        What each counts in the spread of its group.
    classes : int
        How many classes all rows have.
    """

    kernels: list[Kernel]
    rows: Rows
    groups: IntArray
    weights: FloatArray
    classes: int

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            vars(self)[name] = aligned(value) if isinstance(value, np.ndarray) else value

    def forms(self) -> tuple[FloatArray, FloatArray]:
        """Shift and sign of E = sign (K - shift) of each kernel, by the sampled rows alone."""
        if not self.kernels[0].in_core:
            return np.zeros(1), np.ones(1)
        alone = self._found(self.rows, self.groups, np.zeros((0, len(self.groups))), 1, None)
        return np.array([x["shift"] for x in alone]), np.array([x["sign"] for x in alone])

    def _found(
        self, rows: Rows, codes: IntArray, vectors: FloatArray, threads: int, tick: Tick | None
    ) -> list[core._SampledSums]:
        if not self.kernels[0].in_core:
            return [_outside(self, rows, codes, vectors, tick)]
        tables = Tables()
        programs = [kernel._program(tables) for kernel in self.kernels]
        whole = make_sample(tables.of(rows), codes)
        others = make_sample(tables.of(self.rows), self.groups, like=whole)
        return core.sampled_sums(
            whole, others, vectors, programs, self.weights, threads=threads, progress=tick
        )

    def sums(
        self,
        rows: Rows,
        codes: IntArray,
        vectors: FloatArray,
        forms: tuple[FloatArray, FloatArray],
        *,
        threads: int,
        tick: Tick | None,
    ) -> Sums:
        """Sum over a block of rows, E being in the given form."""
        present, own = np.unique(codes, return_inverse=True)
        found = self._found(rows, own.astype(np.int64), vectors, threads, tick)
        out: list[list[FloatArray]] = [[], [], [], [], []]
        for each, shift, sign in zip(found, *forms, strict=True):
            # A block may carry another form: E here is c + g E there.
            c, g = sign * (each["shift"] - shift), sign * each["sign"]
            sizes, whole = np.bincount(own).astype(np.float64), each["by_class"].sum(axis=0)
            by_class = np.zeros((self.classes, len(self.groups)))
            by_class[present] = c * sizes[:, None] + g * each["by_class"]
            n = float(len(codes))
            weight = np.bincount(self.groups, self.weights, minlength=GROUPS)
            inner = np.bincount(self.groups, self.weights * whole, minlength=GROUPS)
            spreads = np.zeros(GROUPS)
            spreads[: len(each["spreads"])] = each["spreads"]
            out[0].append(by_class)
            out[1].append(c * vectors.sum(axis=1)[:, None] + g * each["products"])
            out[2].append(c * c * n + 2.0 * c * g * whole + each["squares"])
            out[3].append(c * c * n * weight**2 + 2.0 * c * g * weight * inner + spreads)
            out[4].append(np.asarray(each["trace"]))
        return [np.array(part) for part in out]


@dataclass
class BlockSums:
    """Sums over some blocks, of 2^level of them each, the index-th such group."""

    parts: dict[tuple[int, int], Sums] = field(default_factory=dict)

    def add(self, level: int, index: int, sums: Sums) -> None:
        """Add the sums of a group, and put it together with its other half."""
        while (level, index ^ 1) in self.parts:
            halves = [self.parts.pop((level, index ^ 1)), sums]
            first, second = halves if index & 1 else halves[::-1]
            sums = [a + b for a, b in zip(first, second, strict=True)]
            level, index = level + 1, index >> 1
        self.parts[level, index] = sums

    def merge(self, other: BlockSums) -> None:
        """Add the sums of other blocks."""
        for (level, index), sums in other.parts.items():
            self.add(level, index, sums)

    def whole(self) -> Sums:
        """Return the sums over all blocks."""
        groups = sorted(self.parts, reverse=True)  # the larger come first among the rows
        total = self.parts[groups[0]]
        for group in groups[1:]:
            total = [a + b for a, b in zip(total, self.parts[group], strict=True)]
        return total


def sum_in_blocks(
    work: Work, vectors: FloatArray, sampled: SampledRows, tick: Tick | None
) -> list[core._SampledSums]:
    """Sum over all rows of a call; for each kernel what the core gives of them together."""
    forms = sampled.forms()

    def of_rows(at: slice) -> partial[BlockSums]:
        target = work.target.part(at).shortened()
        return partial(
            _blocks, target=target, vectors=vectors[:, at], forms=forms, first=at.start // _BLOCK
        )

    n, threads = work.target.size, work.threads
    if isinstance(work.rows, DaskRows):
        total = work.rows.sums(of_rows, sampled, _BLOCK, threads=threads, tick=tick)
    else:
        total = of_rows(slice(0, n))(sampled, work.rows, threads=threads, tick=tick)
    shift, sign = forms
    by_class, products, squares, spreads, trace = total.whole()
    return [
        {
            "shift": shift[k],
            "sign": sign[k],
            "trace": trace[k],
            "by_class": by_class[k],
            "products": products[k],
            "squares": squares[k],
            "spreads": spreads[k],
        }
        for k in range(len(shift))
    ]


def _blocks(
    sampled: SampledRows,
    rows: Rows,
    *,
    target: Target,
    vectors: FloatArray,
    forms: tuple[FloatArray, FloatArray],
    first: int,
    threads: int,
    tick: Tick | None,
) -> BlockSums:
    """Sum over rows that begin with a block, here or in a worker."""
    total = BlockSums()
    n = rows.shape[0]
    for number, at in enumerate(_slices(n, _BLOCK)):
        sums = sampled.sums(
            rows[at],
            target.codes[at].astype(np.int64),
            np.array(vectors[:, at]),
            forms,
            threads=threads,
            tick=part_of(tick, at.start / n, at.stop / n),
        )
        total.add(0, first + number, sums)
    return total


def _slices(n: int, step: int) -> Iterator[slice]:
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def _outside(
    sampled: SampledRows, rows: Rows, codes: IntArray, vectors: FloatArray, tick: Tick | None
) -> core._SampledSums:
    """Sum as the core does for a kernel that it does not know, whose values are made by parts."""
    kernel, n, count = sampled.kernels[0], rows.shape[0], len(sampled.groups)
    by_class = np.zeros((int(codes.max()) + 1, count))
    products, squares = np.zeros((len(vectors), count)), np.zeros(count)
    spreads, trace = np.zeros(GROUPS), 0.0
    for part in _slices(n, max(int(MEMORY / (8.0 * count)), _FEW)):
        values = kernel._matrix(sampled.rows, rows[part])
        for code in range(len(by_class)):
            by_class[code] += values[:, codes[part] == code].sum(axis=1)
        products += vectors[:, part] @ values.T
        squares += (values**2).sum(axis=1)
        for group in range(GROUPS):
            own = sampled.groups == group
            spreads[group] += ((sampled.weights[own] @ values[own]) ** 2).sum()
        for some in _slices(part.stop - part.start, _FEW):
            trace += kernel._diagonal(rows[part.start + some.start : part.start + some.stop]).sum()
        if tick is not None:
            tick(part.stop / n)
    return {
        "shift": 0.0,
        "sign": 1.0,
        "trace": trace,
        "by_class": by_class,
        "products": products,
        "squares": squares,
        "spreads": spreads,
    }
