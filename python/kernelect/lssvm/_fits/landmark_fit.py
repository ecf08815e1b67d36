"""The ridge system of a landmark model: f(x) = k(x, Z) a + b, fitted on all rows.

As the models of elections are: in coordinates g = L^-1 k(x, Z) with K_mm = L L' it is a ridge
regression, of which one decomposition gives all lambdas, and exact leave-one-out outputs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..._evidence.landmarks.folds import Scored, fold_residuals
from ..._evidence.landmarks.landmark_work import LandmarkWork, ScoredRows
from ..._evidence.landmarks.model import LandmarkRidge, LeftOut
from ..._evidence.work import CallOptions, Work
from ..._support.arrays import FloatArray, IntArray
from ..._support.blas_memory import take_blas_memory
from ...kernels import Kernel
from ...kernels._chunks import row_chunks
from .._training import Training
from .held_out_loss import best_lambdas, mean_squares
from .landmark_deviation import Posterior
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
    ridges, shorter = lams, lams
    if chosen.mean:
        ridges, shorter = lams * target.size, lams * (target.size - 1.0)
    left_out, failures = work.left_out(model, rows, shorter, place, listening)
    parts = [residuals := left_out.residuals]
    if options.splits.given and len(lams) > 1:
        sets = options.splits.sets(target)
        scored_rows = Scored(rows, place)
        parts = [fold_residuals(work, landmarks, lams, scored_rows, folds) for folds in sets]
    squared = mean_squares(parts, scored.target.weights)
    best = best_lambdas(squared, lams, per_target, failures)
    columns = np.arange(len(best))
    outputs = np.full(target.columns().shape, np.nan)
    outputs[rows] = target.columns()[rows] - residuals[best, :, columns].T
    posterior = None
    if target.task == "regression":
        units = _units(left_out, best, ridges, work.weights(rows))
        posterior = Posterior.of(landmarks, sums, units, bias=chosen.bias)
    coefficients, bias = _at(model, ridges[best])
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


def _units(
    left_out: LeftOut, best: IntArray, ridges: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return for each target the scale at which left-out residuals are as large as they vary."""
    variances = left_out.variances(ridges, weights)[best]
    squares = left_out.residuals[best, :, np.arange(len(best))] ** 2 / variances
    return np.asarray(np.sqrt(squares.mean(axis=1)))


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
