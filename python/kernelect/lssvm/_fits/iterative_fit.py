r"""The whole kernel machine without a matrix: lambda by landmarks, coefficients by iteration.

Leave-one-out outputs are estimates. Were what landmarks do not see of the kernel a diagonal,
:math:`\delta_i = k(x_i, x_i) - |g_i|^2`, as it nearly is for narrow kernels, the system would be
that of a landmark model with weights :math:`w_i' = 1 / (1/w_i + \delta_i/\rho)`, whose leverages
are known, and a row that is left out has the residual

.. math:: e_i = \frac{\rho\,\alpha_i}{w_i'(1 - h_i')}

with the coefficients of the whole machine. What the iteration has not explained of a target comes
on top. Where the landmark model is taken after all, its own residuals are exact.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.linalg

from ..._evidence.landmarks.counts import landmark_count
from ..._evidence.landmarks.landmark_work import ScoredRows
from ..._evidence.landmarks.model import Landmarks
from ..._evidence.work import CallOptions, LandmarkOptions
from ..._support.arrays import FloatArray, IntArray
from ..._support.threads import limit_blas
from ..._support.warning import warn_caller
from ...kernels import Kernel
from .._training import Training
from .cholesky import lower_factor
from .conjugate_gradients import Preconditioner, Solved, System
from .landmark_fit import fit_landmarks
from .streamed_kernel import StreamedKernel
from .system import Fitted

# Landmarks beyond those that leave this share of the kernel's diagonal make their own matrix
# singular, and a preconditioner no better.
_LEFT = 1e-9
# A row determines its own prediction no further than this.
_LEAST = 1e-11


def fit_iteratively(
    kernel: Kernel, training: Training, options: CallOptions, per_target: bool = False
) -> Fitted:
    """Fit one kernel on all rows, at the lambda of the landmark model where there are several."""
    assert training.iteration is not None
    target, regularisation = training.target, options.regularisation
    most = target.size // 2 if options.splits.given else target.size  # folds score the others
    count = options.landmarks or LandmarkOptions(min(landmark_count(target.size), most))
    count = replace(count, pivoted=True)
    first = fit_landmarks(kernel, training, replace(options, landmarks=count), per_target)
    assert first.landmarks is not None
    streamed = StreamedKernel(_well_conditioned(first.landmarks), training.X, training.threads)
    n, wanted = target.size, target.columns().T
    weights = np.ones(n) if target.weights is None else target.weights
    roots = np.sqrt(weights)
    system = System(
        streamed,
        Preconditioner(streamed, roots),
        roots,
        regularisation.bias,
        training.iteration.tol,
        training.iteration.most,
        training.listening(training.tick),
    )
    scored = ScoredRows.of(replace(target, weights=None), count.seed)
    alpha, bias = np.empty_like(wanted), np.empty(len(wanted))
    outputs = np.full(target.columns().shape, np.nan)
    solutions = []
    for lam in np.unique(first.lams):
        own = np.flatnonzero(first.lams == lam)
        rho = float(lam) * (n if regularisation.mean else 1.0)
        found = system.solve(wanted[own], rho)
        if found.residual > system.tol:
            found = _no_worse(found, system, _embedded(first, own, n), wanted[own], rho)
        solutions.append(found)
        alpha[own], bias[own] = found.alpha, found.bias
        judged = np.ix_(scored.numbers, own)
        factors = _factors(streamed, weights, rho, regularisation.bias, scored.numbers)
        if found.unexplained is None:
            outputs[judged] = first.loo_outputs[judged]
            continue
        left_out = found.alpha[:, scored.numbers] * factors + found.unexplained[:, scored.numbers]
        outputs[judged] = (wanted[own][:, scored.numbers] - left_out).T
    _warn_unless_solved(solutions, training.iteration.tol)
    return Fitted(
        kernel,
        first.lams,
        np.ascontiguousarray(alpha.T),
        bias,
        outputs,
        0.0,
        counts=scored.target.weights,
        passes=sum(found.passes for found in solutions),
    )


def _embedded(first: Fitted, own: IntArray, rows: int) -> Fitted:
    """Return some columns of a landmark model with coefficients on all rows."""
    assert first.landmarks is not None
    alpha = np.zeros((rows, len(own)))
    alpha[first.landmarks.numbers] = first.dual_coef[:, own]
    return replace(first, dual_coef=alpha, intercept=first.intercept[own])


def _no_worse(
    found: Solved, system: System, first: Fitted, columns: FloatArray, rho: float
) -> Solved:
    """Return the landmark model where that solves the system further."""
    assert first.landmarks is not None
    alpha = np.ascontiguousarray(first.dual_coef.T)
    rest = (columns - system.kernel.outputs(first.landmarks, alpha)) * system.roots
    residual = system.residual(rest - rho * alpha / system.roots)
    if residual >= found.residual:
        return found
    return replace(found, alpha=alpha, bias=first.intercept, unexplained=None, residual=residual)


def _well_conditioned(landmarks: Landmarks) -> Landmarks:
    """Return the first landmarks, as far as they differ enough from one another."""
    own = float(np.mean(landmarks.kernel.diag(landmarks.rows)))
    count = max(int((landmarks.left > _LEFT * own).sum()), 1)
    if count >= landmarks.size:
        return landmarks
    rows = landmarks.rows[:count]
    return Landmarks(
        landmarks.kernel,
        rows,
        landmarks.numbers[:count],
        landmarks.origin[:count],
        landmarks.left[:count],
    )


def _warn_unless_solved(solutions: list[Solved], tol: float) -> None:
    worst = max(solutions, key=lambda found: found.residual)
    if worst.residual <= tol:
        return
    late = any(found.late for found in solutions)
    end = "when time_limit was reached" if late else f"after {worst.passes} passes over the kernel"
    warn_caller(
        f"the iteration has a relative residual of {worst.residual:.1e} {end}, above "
        f"tol={tol:g}; allow more (max_passes), or give more landmarks or a larger lam"
    )


def _factors(
    kernel: StreamedKernel, weights: FloatArray, rho: float, bias: bool, rows: IntArray
) -> FloatArray:
    """Return rho / (w' (1 - h')) of some rows, by which a coefficient becomes a residual.

    A lambda that rounding swallows is refused here.
    """
    m, n = kernel.landmarks.size, len(weights)
    softer, leverage = np.empty(n), np.empty(n)
    squares, total = np.zeros((m, m)), np.zeros(m)
    with limit_blas(kernel.threads):
        for part, g in kernel.coordinates():
            unseen = np.maximum(kernel.own(part) - np.einsum("ij,ij->i", g, g), 0.0)
            softer[part] = weights[part] / (1.0 + weights[part] * unseen / rho)
            squares += g.T @ (softer[part, None] * g)
            total += softer[part] @ g
        whole = float(softer.sum())
        mean = total / whole if bias else np.zeros(m)
        squares -= whole * np.outer(mean, mean)
        squares[np.diag_indices(m)] += rho
        factor = lower_factor(squares)
        for part, g in kernel.coordinates():
            u = scipy.linalg.solve_triangular(factor, (g - mean).T, lower=True, check_finite=False)
            leverage[part] = softer[part] * np.einsum("ij,ij->j", u, u)
    if bias:
        leverage += softer / whole
    return np.asarray(rho / (softer * np.maximum(1.0 - leverage, _LEAST)))[rows]
