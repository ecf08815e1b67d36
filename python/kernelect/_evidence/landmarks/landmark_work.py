"""One kernel on all rows of a call as a landmark model: which rows, in which chunks, and scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._data.row_order import first_of_classes, first_rows
from ..._data.target import Target
from ..._dispatch import core
from ..._support.arrays import FloatArray, IntArray
from ..._support.progress import Tick, part_of
from ...kernels import Precomputed
from ..work import CallOptions, Work
from .choice import choose
from .contest import better_of
from .counts import contest_size, pool_size, scored_count
from .model import LEAF_ROWS, LandmarkRidge, Landmarks, LeftOut
from .sums import MEMORY, sum_over_rows

# Of each class this many rows are scored at least.
_OF_CLASS = 32
# Landmarks are enough when they leave this share of the least ridge in the whole trace.
_ENOUGH = 1e-3
# Rows of the pool from which the scale of a kernel is guessed.
_GUESSED = 512
# A row that determines its own prediction to this share has no held-out residual.
_OWN = 1e-11


@dataclass(frozen=True)
class ScoredRows:
    """The rows whose predictions are judged, the same for all candidates.

    Attributes
    ----------
    numbers : ndarray of int64
        Which rows, ascending.
    target : Target
        What is to be predicted of them, with what each counts in means.
    """

    numbers: IntArray
    target: Target

    @classmethod
    def of(cls, target: Target, seed: int) -> ScoredRows:
        """Choose them by a seed: all rows, or of many a sample in which every class occurs."""
        count = scored_count(target.size)
        numbers, shares = first_of_classes(target, count, _OF_CLASS, seed)
        part = target.part(numbers)
        if shares is not None:
            own = 1.0 if part.weights is None else part.weights
            part = replace(part, weights=shares / shares.mean() * own)
        return cls(numbers, part)


class LandmarkWork:
    """One kernel with the rows, targets and weights of a call."""

    def __init__(self, work: Work, options: CallOptions) -> None:
        assert options.landmarks is not None
        self._work, self._options, self._asked = work, options, options.landmarks
        self.kernel = work.kernels[0] if work.matrix is None else Precomputed(0)
        self.columns = work.target.columns()
        # A common number near the means keeps the digits of sums.
        self._origin = self.columns[:: max(len(self.columns) // 1000, 1)].mean(axis=0)

    @property
    def size(self) -> int:
        """Number of rows."""
        return self._work.target.size

    @property
    def total_weight(self) -> float:
        """Sum of the weights of all rows."""
        weights = self._work.target.weights
        return float(self.size if weights is None else weights.sum())

    @property
    def mean(self) -> bool:
        """Whether lambda goes with the mean of losses, not with their sum."""
        return self._options.regularisation.mean

    def tick(self, first: float, last: float) -> Tick | None:
        """Progress of one step."""
        return part_of(self._work.tick, first, last)

    def choose(self, tick: Tick | None = None) -> Landmarks:
        """Choose landmarks in the order of rows: by pivoting, or the first as they come."""
        work, n, count = self._work, self.size, self._asked.count
        if work.matrix is not None:
            numbers, pool = np.arange(n), work.matrix
        else:
            size = pool_size(n, count, in_core=self.kernel.in_core)
            numbers = first_rows(n, size, self._asked.seed)
            pool = work.rows[numbers]
        how: dict[str, Any] = {
            "tolerance": _ENOUGH * self._least_ridge(pool) / n,
            "seed": self._asked.seed,
            "threads": work.threads,
            "tick": tick,
        }
        spread = choose(self.kernel, pool, numbers, count, **how)
        fitted = contest_size(n, count)
        alone = self._asked.pivoted or not self.kernel.in_core
        if alone or spread.complete or not fitted:
            return spread
        alike = choose(self.kernel, pool[:count], numbers[:count], count, **how)
        # Whether these are all that the kernel has, their own rows cannot tell.
        alike = replace(alike, complete=False, pivoted=False)
        bias = self._options.regularisation.bias
        return better_of(spread, alike, pool[:fitted], numbers[:fitted], work, bias=bias)

    def _least_ridge(self, pool: Any) -> float:
        chosen = self._options.regularisation
        ridge = float(chosen.values.min()) * (self.size if chosen.mean else 1.0)
        if not chosen.relative:
            return ridge
        if self._work.matrix is not None:
            k = pool[:_GUESSED, :_GUESSED]
        else:
            k = self.kernel._matrix(pool[:_GUESSED], None)
        return ridge * max(float(np.diag(k).mean() - k.mean()), 0.0)

    def sums(
        self,
        landmarks: Landmarks,
        tick: Tick | None = None,
        fold_of: IntArray | None = None,
        fold_count: int = 0,
    ) -> core.LandmarkSums:
        """Sum over all rows, around one origin of the targets."""
        return sum_over_rows(
            self._work, landmarks, self._origin, fold_of=fold_of, fold_count=fold_count, tick=tick
        )

    def ridge(
        self,
        landmarks: Landmarks,
        sums: core.LandmarkSums,
        tick: Tick | None = None,
        *,
        fold: int = -1,
        order: int | None = None,
    ) -> LandmarkRidge:
        """Decompose sums: of all rows, or without a fold; of all landmarks, or the first."""
        return landmarks.ridge(
            sums,
            target_origin=self._origin,
            bias=self._options.regularisation.bias,
            without_fold=fold,
            order=order,
            threads=self._work.threads,
            tick=tick,
        )

    def residuals(
        self, model: LandmarkRidge, numbers: IntArray, ridges: FloatArray, tick: Tick | None = None
    ) -> FloatArray:
        """Residuals of some rows, (ridges, rows, columns)."""
        out = self.empty(ridges, numbers)
        for part, rows, values in self.parts(model.landmarks, numbers):
            out[:, part] = model.residuals(
                values, self.columns[rows], ridges, tick=within(tick, part, numbers)
            )
        return out

    def left_out(
        self,
        model: LandmarkRidge,
        numbers: IntArray,
        ridges: FloatArray,
        place: IntArray,
        tick: Tick | None = None,
    ) -> tuple[LeftOut, list[str]]:
        """Return what models without a row tell of it, and why a ridge has none, or ``""``.

        `place` has the landmark that each row of the data is, or -1.
        """
        out = LeftOut(
            self.empty(ridges, numbers),
            np.empty((len(ridges), len(numbers))),
            np.empty(len(numbers)),
        )
        for part, rows, values in self.parts(model.landmarks, numbers):
            found = model.left_out(
                values,
                self.columns[rows],
                ridges,
                landmark=place[rows],
                weights=self.weights(rows),
                tick=within(tick, part, numbers),
            )
            out.residuals[:, part] = found.residuals
            out.shares[:, part] = found.shares
            out.unseen[part] = found.unseen
        least = out.shares[:, place[numbers] < 0].min(axis=1, initial=1.0)
        failures = [""] * len(ridges)
        for bad in np.flatnonzero(~(least > _OWN)):
            failures[bad] = (
                "a row determines its own prediction to working precision; give a larger lam"
            )
            out.residuals[bad] = np.nan
        return out, failures

    def empty(self, ridges: FloatArray, numbers: IntArray) -> FloatArray:
        """Make room for residuals of some rows."""
        return np.empty((len(ridges), len(numbers), self.columns.shape[1]))

    def parts(
        self, landmarks: Landmarks, numbers: IntArray
    ) -> Iterator[tuple[slice, IntArray, Any]]:
        """Yield a part of the rows at a time: where it is, which they are, what is read of them."""
        width = max(landmarks.copied, landmarks.rows.shape[1])
        step = max(int(MEMORY / (8.0 * width)), LEAF_ROWS)
        for start in range(0, len(numbers), step):
            part = slice(start, min(start + step, len(numbers)))
            yield part, numbers[part], self._work.between(numbers[part], landmarks.numbers)

    def coordinates(self, landmarks: Landmarks, numbers: IntArray) -> FloatArray:
        """Coordinates of some rows, (rows, m)."""
        rows = self._work.between(numbers, landmarks.numbers)
        return landmarks.coordinates(rows, threads=self._work.threads)

    def among(self, count: int) -> FloatArray:
        """Return the kernel matrix of some rows, the first that the seed decides on."""
        numbers = np.sort(first_rows(self.size, count, self._asked.seed))
        if self._work.matrix is not None:
            return np.asarray(self._work.matrix[np.ix_(numbers, numbers)])
        return self.kernel._matrix(self._work.rows[numbers], None)

    def weights(self, numbers: IntArray) -> FloatArray:
        """Weights of some rows."""
        weights = self._work.target.weights
        return np.ones(len(numbers)) if weights is None else weights[numbers]

    def place_of(self, landmarks: Landmarks) -> IntArray:
        """Return which landmark each row of the data is, -1 for none."""
        place = np.full(self.size, -1, dtype=np.int64)
        place[landmarks.numbers] = np.arange(landmarks.size)
        return place


def within(tick: Tick | None, part: slice, numbers: IntArray) -> Tick | None:
    """Progress of a part of some rows."""
    return part_of(tick, part.start / len(numbers), part.stop / len(numbers))
