"""Held-out folds of landmark models by a series around the fit on all rows.

Its terms are functions of the model's coordinates, so that all it takes of a fold are its sums.
"""

from __future__ import annotations

import numpy as np

from ..._data.folds import FoldSet
from ..._support.arrays import FloatArray
from .folds import HeldOutFold, Scored, by_folds
from .landmark_work import LandmarkWork, within
from .model import LandmarkRidge

# Rows whose kernel matrix tells how far a kernel is from the identity.
_LOOKED_AT = 1024


def series_residuals(
    work: LandmarkWork,
    model: LandmarkRidge,
    lams: FloatArray,
    scored: Scored,
    folds: FoldSet,
    *,
    order: int,
) -> FloatArray:
    """Residuals of those rows that are held out and no landmarks; NaN of the others.

    `lams` are those of the mean convention times the number of rows, or of the sum convention.
    """

    def expanded(fold: HeldOutFold) -> FloatArray:
        out = work.empty(lams, fold.scored)
        for part, rows, values in work.parts(model.landmarks, fold.scored):
            out[:, part] = model.expanded(
                values,
                work.columns[rows],
                lams,
                fold.sums,
                fold=fold.number,
                held_out=fold.size,
                order=order,
                tick=within(work.tick(0.9, 0.99), part, fold.scored),
            )
        return out

    return by_folds(work, model.landmarks, lams, scored, folds, predict=expanded)


def off_diagonal(work: LandmarkWork) -> tuple[float, float]:
    """Mean off-diagonal entry over mean diagonal entry, and that of squares, among some rows."""
    k = work.among(_LOOKED_AT)
    k = k / (np.abs(k).max() or 1.0)
    own, others = np.diag(k), max(len(k) - 1.0, 1.0)
    pairs = (own.sum(), k.sum()), (own @ own, np.vdot(k, k))
    one, other = ((everything - on) / (others * max(on, 1e-300)) for on, everything in pairs)
    return float(one), float(other)
