"""Held-out folds of landmark models: sums of a few folds at a time, then models without each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..._data.folds import FoldSet
from ..._dispatch import core
from ..._support.arrays import FloatArray, IntArray
from .landmark_work import LandmarkWork
from .model import Landmarks

# Folds whose sums are held at a time.
FOLDS_AT_ONCE = 10


@dataclass(frozen=True)
class Scored:
    """The rows that are scored, and which landmark each row of the data is, -1 for none."""

    rows: IntArray
    place: IntArray


@dataclass(frozen=True)
class HeldOutFold:
    """One of the folds that `sums` of all rows were taken by, and its rows that are scored."""

    sums: core.LandmarkSums
    number: int
    size: int
    scored: IntArray


def fold_residuals(
    work: LandmarkWork, landmarks: Landmarks, lams: FloatArray, scored: Scored, folds: FoldSet
) -> FloatArray:
    """Residuals of those rows that are held out and no landmarks; NaN of the others."""

    def without(fold: HeldOutFold) -> FloatArray:
        model = work.ridge(landmarks, fold.sums, work.tick(0.9, 0.95), fold=fold.number)
        ridges = lams * (work.size - fold.size if work.mean else 1.0)
        return work.residuals(model, fold.scored, ridges, work.tick(0.95, 0.99))

    return by_folds(work, landmarks, lams, scored, folds, predict=without)


def by_folds(
    work: LandmarkWork,
    landmarks: Landmarks,
    lams: FloatArray,
    scored: Scored,
    folds: FoldSet,
    *,
    predict: Callable[[HeldOutFold], FloatArray],
) -> FloatArray:
    """Gather residuals, (lams, rows, columns), that are found fold by fold."""
    rows = scored.rows
    out = work.empty(lams, rows)
    out.fill(np.nan)
    counts = (scored.place < 0) & (True if folds.tested is None else folds.tested)
    for start in range(0, len(folds), FOLDS_AT_ONCE):
        some = folds[start : start + FOLDS_AT_ONCE]
        fold_of = np.full(work.size, len(some), dtype=np.int64)
        for number, fold in enumerate(some):
            fold_of[fold] = number
        sums = work.sums(landmarks, work.tick(0.7, 0.9), fold_of, len(some))
        for number, fold in enumerate(some):
            at = np.flatnonzero((fold_of[rows] == number) & counts[rows])
            if len(at):
                out[:, at] = predict(HeldOutFold(sums, number, len(fold), rows[at]))
    return out
