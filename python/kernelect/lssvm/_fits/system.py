"""Kernels on the training rows: their ridge systems, solved at the best lambda."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._data.rows import is_sparse
from ..._data.target import Target
from ..._evidence.landmarks.model import Landmarks
from ..._evidence.ridge import scan
from ..._evidence.work import CallOptions, Work
from ..._support.arrays import FloatArray
from ..._support.progress import Tick
from ...kernels import Kernel, Precomputed
from ...kernels._candidates import check_matrix
from .held_out_loss import best_lambdas, mean_squares
from .landmark_deviation import Posterior


@dataclass(frozen=True)
class Fitted:
    """A fitted ridge system, or a weighted sum of some.

    Lambdas go with the kernel as it is, whatever scaling was used.

    Attributes
    ----------
    kernel : Kernel or list of Kernel
        The kernel, or those of members.
    lams : ndarray
        One for each column of the target, or for each member.
    dual_coef : ndarray of shape (rows, columns) or (members, rows, columns)
        Coefficients of training rows, or of landmarks.
    intercept : ndarray of shape (columns,)
        The bias.
    loo_outputs : ndarray of shape (n, columns)
        Leave-one-out outputs; NaN for rows that are not scored.
    jitter : float
        What else is on the diagonal.
    landmarks : Landmarks or None
        Those of a landmark model.
    counts : ndarray or None
        How often each scored row counts in means, where some stand for others.
    passes : int or None
        How often an iteration has gone over the kernel.
    posterior : Posterior or None
        What deviations of a landmark model take from its rows.
    """

    kernel: Kernel | list[Kernel]
    lams: FloatArray
    dual_coef: FloatArray
    intercept: FloatArray
    loo_outputs: FloatArray
    jitter: float
    landmarks: Landmarks | None = None
    counts: FloatArray | None = None
    passes: int | None = None
    posterior: Posterior | None = None


def single_work(
    kernel: Kernel, X: Any, target: Target, threads: int, tick: Tick | None = None
) -> Work:
    """One kernel on training rows, or a stored matrix, as work for the core."""
    if kernel.in_core:
        return Work.of([kernel], X, target, threads=threads, tick=tick)
    matrix: Any = X if isinstance(kernel, Precomputed) else kernel(X)
    matrix = np.ascontiguousarray(matrix.toarray() if is_sparse(matrix) else matrix)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a precomputed kernel must be square, but has shape {matrix.shape}")
    name = "the kernel matrix" if isinstance(kernel, Precomputed) else f"the matrix of {kernel!r}"
    matrix = check_matrix(matrix, target.size, name)
    return Work.of([kernel], None, target, matrix=matrix, threads=threads, tick=tick)


def fit_one(work: Work, options: CallOptions, scaling: str, per_target: bool = False) -> Fitted:
    """Fit one kernel, at the lambda of least held-out loss where there are several."""
    chosen = options.regularisation
    scaling = "centered" if chosen.relative else scaling
    by_folds = options.splits.given and len(chosen.values) > 1
    sets = options.splits.sets(work.target) if by_folds else []
    found = scan(work, options, scaling=scaling, fold_sets=sets, fit=True, loo=True, outputs=True)
    squared = found["loo"]["squared"][0]
    if by_folds or work.target.weights is not None:  # of which the core's sums know nothing
        parts = found["cv"] if by_folds else [found["loo"]]
        wanted = work.target.columns()
        squared = mean_squares([p["outputs"][0] - wanted for p in parts], work.target.weights)
    best = best_lambdas(squared, chosen.values, per_target, found["error"][0])
    columns = np.arange(squared.shape[1])
    scale = float(found["scale"][0])
    return Fitted(
        work.kernels[0],
        chosen.values[best] / scale,
        scale * found["alpha"][0, best, :, columns].T,
        found["bias"][0, best, columns],
        found["loo"]["outputs"][0, best, :, columns].T,
        float(found["jitter"][0, best].max()) / scale,
    )
