"""Sums between sampled rows and all rows, kept by the group and the class of the sampled rows."""

from __future__ import annotations

import numpy as np

from ..._data.strata import GROUPS, Strata
from ..._dispatch import core
from ..._support.arrays import FloatArray, IntArray
from ..._support.progress import Tick, part_of
from ..work import Work
from .blocks import MEMORY, SampledRows, sum_in_blocks

# Sampled rows in one pass over all rows, or fewer where their sums take more than `MEMORY`.
_AT_ONCE, _LEAST = 2048, 256


def rows_at_once(kernels: int, lanes: float) -> int:
    """How many sampled rows have this many sums each in one pass, and in one that is under way."""
    return int(min(max(MEMORY / (24.0 * kernels * lanes), _LEAST), _AT_ONCE))


def fits_cells(kernels: int, classes: int) -> bool:
    """Whether the sums between classes of this many candidates are few enough to be kept."""
    return 8.0 * kernels * GROUPS * classes**2 <= MEMORY


class SampledCells:
    """What is known of all candidates by the sampled rows so far.

    With E = sign (K - shift), which is 1 - K for wide kernels, the sums over a cell, the sampled
    rows of a group and a class, are over rows j and, within each, over all rows.

    Attributes
    ----------
    shift, sign, trace : ndarray of shape (candidates,)
        Of K = shift + sign E, and tr K.
    counts : ndarray of int64, shape (groups, classes)
        Rows of each cell.
    blocks : ndarray of shape (candidates, groups, classes, classes)
        Sums of E over the rows of each class (last axis).
    squares : ndarray of shape (candidates, groups, classes)
        Sums of K^2.
    powers : ndarray of shape (codings, candidates, groups, classes)
        Sums of (K w)_j^2 over the label vectors w, of weighted and of plain labels.
    forms : ndarray of shape (3, candidates, groups, n_targets)
        Of regression: sums of t_j (K t)_j, of (K t)_j and of (K t)_j^2.
    targets : ndarray of shape (groups, n_targets)
        Sums of t_j.
    variances : ndarray of shape (candidates, groups)
        Of each group an unbiased estimate of ||HKH||^2, times its rows.
    """

    def __init__(self, work: Work, strata: Strata, codings: list[FloatArray]) -> None:
        self._work, self.strata, self._codings = work, strata, codings
        self._regression = work.target.task == "regression"
        self.centred = work.target.centred() if self._regression else np.zeros((0, self.size))
        kernels, classes, width = len(work.kernels), len(strata.sizes), len(self.centred)
        self.shift, self.sign, self.trace = (np.zeros(kernels) for _ in range(3))
        self.counts = np.zeros((GROUPS, classes), dtype=np.int64)
        self.blocks = np.zeros((kernels, GROUPS, classes, classes))
        self.squares = np.zeros((kernels, GROUPS, classes))
        self.powers = np.zeros((len(codings), kernels, GROUPS, classes))
        self.forms = np.zeros((3, kernels, GROUPS, width))
        self.targets = np.zeros((GROUPS, width))
        self.variances = np.zeros((kernels, GROUPS))
        self._taken = np.zeros(classes, dtype=np.int64)

    @property
    def size(self) -> int:
        """Number of all rows."""
        return self._work.target.size

    @property
    def sampled(self) -> int:
        """Number of sampled rows."""
        return int(self.counts.sum())

    def grow(self, count: int, tick: Tick | None) -> None:
        """Let the sample have about this many rows."""
        after = self.strata.taken(count)
        rows, ranks = self.strata.between(self._taken, after)
        # Every pass has rows of every group: those of a class are dealt out to them in turn.
        lanes = len(self.strata.sizes) + len(self.centred) + 1.0
        passes = -(-len(rows) // rows_at_once(len(self.trace), lanes))
        for number in range(passes):
            some = (ranks // GROUPS) % passes == number
            part = part_of(tick, number / passes, (number + 1) / passes)
            if part is not None:
                part(0.0)  # so that time that is up is noticed, however short a pass is
            self._add(rows[some], ranks[some] % GROUPS, part)
        self._taken = after

    def _add(self, rows: IntArray, groups: IntArray, tick: Tick | None) -> None:
        classes = len(self.strata.sizes)
        codes = self._work.target.codes[rows]
        cells = groups * classes + codes
        in_cell = np.bincount(cells, minlength=GROUPS * classes)
        # Each group by itself is a sample of all rows, in which the weights add up to 1.
        weights = self.strata.sizes[codes] / in_cell[cells]
        weights /= np.bincount(groups, weights)[groups]
        found = self._sums(rows, groups, weights, tick)
        # From now on nothing can stop: sums and counts stay together.
        sums = _Sums(cells, GROUPS, classes)
        self.counts += in_cell.reshape(GROUPS, classes)
        targets = self.centred[:, rows]
        self.targets += sums.by_group(targets)
        for k, each in enumerate(found):
            self._add_kernel(k, each, sums, weights, targets)

    def _add_kernel(
        self,
        k: int,
        found: core._SampledSums,
        sums: _Sums,
        weights: FloatArray,
        targets: FloatArray,
    ) -> None:
        n, shift, sign = float(self.size), found["shift"], found["sign"]
        self.shift[k], self.sign[k], self.trace[k] = shift, sign, found["trace"]
        by_class, squares = found["by_class"], found["squares"]
        whole = by_class.sum(axis=0)
        self.blocks[k] += np.moveaxis(sums.by_cell(by_class), 0, -1)
        self.squares[k] += sums.by_cell(n * shift**2 + 2.0 * shift * sign * whole + squares)
        for powers, coding in zip(self.powers, self._codings, strict=True):
            products = sign * (coding @ by_class) + (shift * (coding @ self.strata.sizes))[:, None]
            powers[k] += sums.by_cell((products**2).sum(axis=0))
        products = sign * found["products"]
        for form, values in zip(
            self.forms, (targets * products, products, products**2), strict=True
        ):
            form[k] += sums.by_group(values)
        # In each column of the rows j the variance of E_ij - mean_i E_ij, added up over columns.
        within = sums.by_group(weights * (squares - whole**2 / n))
        means = sums.by_group(weights * whole)
        lost = np.maximum(1.0 - sums.by_group(weights**2), np.finfo(float).tiny)
        variance = (within - (found["spreads"] - means**2 / n)) / lost * (n - 1.0)
        self.variances[k] += variance * sums.by_group(np.ones_like(weights))

    def _sums(
        self, rows: IntArray, groups: IntArray, weights: FloatArray, tick: Tick | None
    ) -> list[core._SampledSums]:
        work = self._work
        sampled = SampledRows(
            work.kernels, work.rows[rows], groups, weights, len(self.strata.sizes)
        )
        return sum_in_blocks(work, self.centred, sampled, tick)


class _Sums:
    """Sums over the cells, and over the groups, of numbers that belong to sampled rows."""

    def __init__(self, cells: IntArray, groups: int, classes: int) -> None:
        self._cells, self._shape = cells, (groups, classes)
        self._groups = cells // classes

    def by_cell(self, values: FloatArray) -> FloatArray:
        """(..., rows) to (..., groups, classes)."""
        return self._added(values, self._cells, self._shape)

    def by_group(self, values: FloatArray) -> FloatArray:
        """(rows,) to (groups,), (lines, rows) to (groups, lines)."""
        return self._added(values, self._groups, self._shape[:1]).T

    def _added(self, values: FloatArray, places: IntArray, shape: tuple[int, ...]) -> FloatArray:
        count = int(np.prod(shape))
        lines = values.reshape(-1, values.shape[-1])
        out = np.empty((len(lines), count))
        for to, line in zip(out, lines, strict=True):
            to[:] = np.bincount(places, line, minlength=count)
        return out.reshape(values.shape[:-1] + shape)
