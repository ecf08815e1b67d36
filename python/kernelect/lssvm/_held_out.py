"""Outputs of fitted machines for rows of a fold, by machines that have not seen it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._data.folds import FoldSet
from .._evidence.landmarks.counts import WHOLE_ROWS
from .._evidence.regularisation import Regularisation
from .._evidence.ridge import scan
from .._evidence.work import CallOptions
from .._support.arrays import FloatArray
from ..criteria import CV
from ..kernels import Kernel
from ..kernels._chunks import kernels_times
from ..selection._affordable import demand, is_free, refuse_unless_free
from ._fits.iterative_fit import fit_iteratively
from ._fits.system import single_work
from ._training import Training

_TWICE = "held_out_outputs needs folds that hold out every row at most once"


def held_out(
    kernel: Kernel, training: Training, regularisation: Regularisation, sets: list[FoldSet]
) -> FloatArray:
    """Return outputs of all rows, (n, columns), at lambdas of all columns or of each.

    All folds come of one factorisation; of many rows whose machine was found by iteration, or where
    there is no memory for their matrix, each takes an iteration of its own.
    """
    X, target = training.X, training.target
    need = demand([CV()], target, X, lams=len(np.unique(regularisation.values)))
    if training.iteration is not None and (target.size > WHOLE_ROWS or not is_free(need)):
        return _by_iteration(kernel, training, regularisation, sets)
    refuse_unless_free("held-out outputs", target.size, need, "pass folds to fit")
    lams, places = np.unique(regularisation.values, return_inverse=True)
    found = scan(
        single_work(kernel, X, target, 1),
        CallOptions(replace(regularisation, values=lams)),
        scaling="none",
        fold_sets=sets,
        outputs=True,
    )
    parts = np.array([part["outputs"][0] for part in found["cv"]])
    if (np.isfinite(parts).all(axis=(1, 3)).sum(axis=0) > 1).any():
        raise ValueError(_TWICE)
    outputs = parts[0]
    for part in parts[1:]:
        outputs = np.where(np.isnan(outputs), part, outputs)
    columns = np.arange(outputs.shape[2])
    return np.asarray(outputs[np.broadcast_to(places, columns.shape), :, columns].T)


def _by_iteration(
    kernel: Kernel, training: Training, regularisation: Regularisation, sets: list[FoldSet]
) -> FloatArray:
    X, target = training.X, training.target
    width = target.columns().shape[1]
    outputs = np.full((target.size, width), np.nan)
    lams = np.broadcast_to(regularisation.values, width)
    for folds in sets:
        for fold in folds:
            judged = fold if folds.tested is None else fold[folds.tested[fold]]
            if np.isfinite(outputs[judged]).any():
                raise ValueError(_TWICE)
            others = np.setdiff1d(np.arange(target.size), fold)
            part = replace(training, X=X[others], target=target.part(others))
            for lam in np.unique(lams):
                fitted = fit_iteratively(kernel, part, part.at(float(lam)))
                own = np.flatnonzero(lams == lam)
                weights = np.ascontiguousarray(fitted.dual_coef[:, own])
                found = kernels_times([kernel], X[judged], part.X, [weights])
                outputs[np.ix_(judged, own)] = found + fitted.intercept[own]
    return outputs
