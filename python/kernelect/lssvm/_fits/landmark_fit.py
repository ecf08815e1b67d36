"""The ridge system of a landmark model: f(x) = k(x, Z) a + b, fitted on all rows.

As the models of elections are: in coordinates g = L^-1 k(x, Z) with K_mm = L L' it is a ridge
regression, of which one decomposition gives all lambdas, and exact leave-one-out outputs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..._evidence.landmarks.landmark_work import LandmarkWork, ScoredRows
from ..._evidence.landmarks.model import LandmarkRidge, Landmarks
from ..._evidence.work import CallOptions, Work
from ..._support.arrays import FloatArray
from ..._support.blas_memory import take_blas_memory
from ...kernels import Kernel
from ...kernels._chunks import row_chunks
from .._training import Training
from .held_out_loss import best_lambdas, mean_squares
from .landmark_deviation import JUDGED, Posterior
from .system import Fitted

# Rows whose k(x, x) are taken together; some kernels make their matrix for it.
_TOGETHER = 2048


def fit_landmarks(
    kernel: Kernel, training: Training, options: CallOptions, per_target: bool = False
) -> Fitted:
    """Fit one kernel with landmarks, at the lambda of least held-out loss where there are several.

    Of more rows than are scored in elections, a sample has leave-one-out outputs.
    """
    assert options.landmarks is not None
    target, chosen = training.target, options.regularisation
    take_blas_memory(training.threads)
    listening = training.listening()
    own = Work.of([kernel], training.X, target, threads=training.threads, tick=listening)
    work = LandmarkWork(own, options)
    landmarks = work.choose(listening)
    sums = work.sums(landmarks, listening)
    unit = 1.0
    if chosen.relative or training.scaling == "centered":
        # As for whole matrices: a kernel that is constant is left as it is.
        unit = sums.centred_trace if sums.centred_trace > 1e-300 else 1.0
    elif training.scaling == "trace":
        unit = mean_diagonal(kernel, training.X)
    lams = chosen.values * unit
    model = work.ridge(landmarks, sums, listening)
    scored = ScoredRows.of(target, options.landmarks.seed)
    place, rows = work.place_of(landmarks), scored.numbers
    shorter = lams * (target.size - 1.0) if chosen.mean else lams
    residuals, failures = work.left_out(model, rows, shorter, place, listening)
    parts = [residuals]
    if options.splits.given and len(lams) > 1:
        sets = options.splits.sets(target)
        parts = [work.fold_residuals(landmarks, lams, rows, place, folds) for folds in sets]
    squared = mean_squares(parts, scored.target.weights)
    best = best_lambdas(squared, lams, per_target, failures)
    columns = np.arange(len(best))
    outputs = np.full(target.columns().shape, np.nan)
    outputs[rows] = target.columns()[rows] - residuals[best, :, columns].T
    posterior = None
    if target.task == "regression":
        posterior = Posterior.of(landmarks, sums, bias=chosen.bias)
        ridges = lams[best] * (target.size if chosen.mean else 1.0)
        posterior = _calibrated(posterior, work, landmarks, ridges, outputs)
    coefficients, bias = _at(model, lams[best] * (target.size if chosen.mean else 1.0))
    return Fitted(
        kernel,
        lams[best],
        coefficients,
        bias,
        outputs,
        0.0,
        landmarks=landmarks,
        posterior=posterior,
        counts=ScoredRows.of(replace(target, weights=None), options.landmarks.seed).target.weights,
    )


def _calibrated(
    posterior: Posterior,
    work: LandmarkWork,
    landmarks: Landmarks,
    ridges: FloatArray,
    outputs: FloatArray,
) -> Posterior:
    """Find the size of the signal by rows that were left out: landmarks, and a sample of others.

    Landmarks are the rows that are farthest from one another, and often those of large residuals.
    """
    place = work.place_of(landmarks)
    judged = np.asarray(np.isfinite(outputs).all(axis=1))
    others = np.flatnonzero(judged & (place < 0))
    share = landmarks.size / len(place)
    others = others[:: -(-max(len(others), 1) // JUDGED)]
    residuals = work.columns - outputs
    few = work.coordinates(landmarks, landmarks.numbers)
    many = (work.coordinates(landmarks, others), work.own(others)) if len(others) else None
    units = np.empty(len(ridges))
    for ridge in np.unique(ridges):
        at = ridges == ridge
        weights = work.weights(landmarks.numbers)
        variances = posterior.landmarks_left_out(float(ridge), few, weights)[:, None]
        squares = residuals[np.ix_(landmarks.numbers, at)] ** 2 / variances
        known = judged[landmarks.numbers]
        mean = squares[known].mean(axis=0) if known.any() else 0.0
        if many is not None:
            variances = posterior.left_out(float(ridge), *many, work.weights(others))[:, None]
            of_others = np.mean(residuals[np.ix_(others, at)] ** 2 / variances, axis=0)
            mean = share * mean + (1.0 - share) * of_others if known.any() else of_others
        units[at] = np.sqrt(mean)
    return replace(posterior, units=units)


def _at(model: LandmarkRidge, ridges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Coefficients and bias, each column at a ridge of its own."""
    known, places = np.unique(ridges, return_inverse=True)
    coefficients, bias = model.coefficients(known)
    columns = np.arange(len(ridges))
    return np.ascontiguousarray(coefficients[places, :, columns].T), bias[places, columns]


def mean_diagonal(kernel: Kernel, rows: Any) -> float:
    """Mean of k(x, x) over rows, tr(K) / n."""
    parts = row_chunks(rows.shape[0], max(rows.shape[1], _TOGETHER))
    return sum(float(kernel.diag(rows[part]).sum()) for part in parts) / int(rows.shape[0])
