"""Evidence from eigenvalues: leading ones, all of them, or quadrature at the labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._dispatch import core
from .._support.warning import warn_caller
from ..criteria import EP, ER, PEP, Criterion, ERRatio, SMHinge, SMPhi
from ..kernels.operator_spectra import spectral_distance
from .moments import Column, FloatArray, Work
from .ridge import RidgeOptions, finish, scan, target_columns

# Matrices up to this size are stored for products; larger ones are made tile by tile each time.
_STORE = 1e9
_TOLERANCE = 1e-10
# Label energies above a threshold: up to so many rows a stored matrix is decomposed at once, above them
# after so many steps of an iteration that have not sufficed; more would cost more than the whole.
_DECOMPOSED = 500
_FEW_STEPS = 100
_NOT_FINITE = "the kernel matrix has entries that are not finite; scale X or leave this kernel out"


def spectrum(work: Work, criteria: Sequence[Criterion], options: RidgeOptions) -> list[Column]:
    """Score by eigenvalues: one run for the largest t of all criteria."""
    counts = [c.t for c in criteria if isinstance(c, (PEP, ER, ERRatio))]
    leading: dict[str, Any] = {}
    if counts:
        _check_counts(counts, work.target.size)
        leading = core.kernel_spectra(
            work.by_class,
            work.programs,
            count=int(max(counts)),
            store=8.0 * work.target.size**2 <= _STORE,
            tolerance=_TOLERANCE,
            threads=work.threads,
            progress=work.tick,
        )
        _check_definite(work, leading)
    fits: dict[str, Any] = {}
    if any(isinstance(c, (ER, EP)) for c in criteria):
        fits = scan(work, options, fit=True)
    columns = []
    for criterion in criteria:
        if isinstance(criterion, (PEP, ERRatio)):
            share = _share(work, leading, criterion.t, criterion.key)
            values = share if isinstance(criterion, PEP) else _ratio(share)
            columns.append(Column(values, [_NOT_FINITE if np.isnan(v) else None for v in share]))
        elif isinstance(criterion, ER):
            tail = 1.0 - _share(work, leading, criterion.t, criterion.key)
            loss = training_loss(work, fits, options)
            reasons = [_NOT_FINITE if np.isnan(v) else None for v in tail]
            column = Column(loss + criterion.eta * tail[:, None], reasons)
            columns.append(finish(column, criterion, fits, options))
        elif isinstance(criterion, EP):
            distance, reasons = _operator_distance(work, criterion)
            loss = training_loss(work, fits, options)
            column = Column(loss + criterion.eta * distance[:, None], reasons)
            columns.append(finish(column, criterion, fits, options))
        elif isinstance(criterion, (SMHinge, SMPhi)):
            columns.append(_label_measure(work, criterion))
        else:  # pragma: no cover - every spectral criterion is listed above
            raise TypeError(f"{criterion!r} is not a criterion of the spectrum")
    return columns


def _check_counts(counts: list[int], n: int) -> None:
    worst = max(counts)
    if worst > n - 1:
        raise ValueError(f"t = {worst} must be at most n - 1 = {n - 1}")


def _check_definite(work: Work, leading: dict[str, Any]) -> None:
    """Refuse kernel matrices with clearly negative eigenvalues, saying by how much."""
    for k, (smallest, trace) in enumerate(zip(leading["smallest"], leading["trace"], strict=True)):
        if smallest < -1e-8 * max(abs(trace), float(leading["values"][k][0])):
            raise ValueError(
                f"{work.kernels[k]!r} is not positive semidefinite: it has an eigenvalue of at most "
                f"{smallest:.3g} against a trace of {trace:.3g}"
            )


def _share(work: Work, leading: dict[str, Any], t: int, key: str) -> FloatArray:
    """Sum of the t largest eigenvalues over the trace."""
    values, trace = leading["values"], leading["trace"]
    if not all(leading["converged"]):
        warn_caller(
            f"{key}: the eigenvalues of some kernels did not converge to {_TOLERANCE:g}",
        )
    equal = np.flatnonzero(values[:, t - 1] - values[:, t] <= 1e-12 * values[:, 0])
    if len(equal):
        warn_caller(
            f"{key}: eigenvalues {t} and {t + 1} of {work.kernels[equal[0]]!r} are equal, so the "
            "proportion is not differentiable in the kernel there",
        )
    shares = values[:, :t].sum(axis=1) / np.where(trace > 0, trace, 1.0)
    return np.asarray(np.clip(shares, 0.0, 1.0))


def _ratio(share: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.where(share >= 1.0 - 1e-15, np.inf, share / np.maximum(1.0 - share, 1e-300))


def training_loss(work: Work, fits: dict[str, Any], options: RidgeOptions) -> FloatArray:
    """Mean squared training residual, (candidates, lambdas): y - f = rho alpha."""
    chosen = options.regularisation
    rho = chosen.values * (work.target.size if chosen.mean else 1.0)
    residuals = rho[None, :, None, None] * fits["alpha"]
    if residuals.shape[2:] != target_columns(work.target).shape:
        raise AssertionError("the fit and the target differ in shape")
    return np.asarray((residuals**2).mean(axis=(2, 3)))


def _operator_distance(work: Work, criterion: EP) -> tuple[FloatArray, list[str | None]]:
    """Distance of the eigenvalues of K/n from those of the integral operator."""
    n = work.target.size
    distances = np.full(len(work.kernels), np.nan)
    reasons: list[str | None] = []
    for k, (kernel, program) in enumerate(zip(work.kernels, work.programs, strict=True)):
        try:
            rows = work.tables[program[0][-1]] if work.tables else np.zeros((n, 0))
            expected = kernel._operator_eigenvalues(rows, n, criterion.measure)
        except ValueError as error:
            reasons.append(" ".join(str(error).split()))
            continue
        matrix = core.sample_gram(work.by_class, program, threads=work.threads)
        if not np.isfinite(matrix).all():
            reasons.append(_NOT_FINITE)
            continue
        reasons.append(None)
        values, _ = core.full_spectrum(matrix, vectors=False)
        distances[k] = spectral_distance(values / n, expected, p=criterion.p)
    return distances, reasons


def _hinge_forms(work: Work, k: int, labels: FloatArray, threshold: float) -> FloatArray:
    """Find the part of w'Kw in eigenvectors above the threshold, for every row w of labels."""
    n = work.target.size
    if 8.0 * n**2 > _STORE:
        forms, errors, _, converged = core.kernel_hinge_forms(
            work.by_class,
            work.programs[k],
            labels,
            threshold=threshold,
            tolerance=_TOLERANCE,
            max_steps=min(n, 500),
            threads=work.threads,
            progress=work.tick,
        )
        if not all(converged):
            least = threshold * np.sum(labels**2, axis=1)  # of the form, if labels were above it
            worst = float(np.max(errors / np.maximum(np.abs(forms), least)))
            warn_caller(
                f"sm_hinge of {work.kernels[k]!r} is known to {worst:.1g} of itself only: too many "
                "eigenvalues lie near the threshold; choose a larger h",
            )
        return forms
    matrix = core.sample_gram(work.by_class, work.programs[k], threads=work.threads)
    columns = np.ascontiguousarray(labels.T)
    if n > _DECOMPOSED:
        forms, _, _, converged = core.hinge_forms(
            matrix,
            columns,
            threshold=threshold,
            tolerance=_TOLERANCE,
            max_steps=_FEW_STEPS,
            threads=work.threads,
            progress=work.tick,
        )
        if all(converged):
            return forms
    values, vectors = core.full_spectrum(matrix, vectors=True)
    assert vectors is not None
    energies = np.ascontiguousarray(core.label_energies(vectors, columns).T)
    return np.array([core.hinge_sum(values, e, threshold=threshold) for e in energies])


def _label_measure(work: Work, criterion: SMHinge | SMPhi) -> Column:
    """(1/n) w' phi(N) w, the mean over label vectors."""
    n = work.target.size
    if isinstance(criterion, SMPhi) and criterion.phi is None:
        raise ValueError("sm_phi needs a function: SMPhi(phi=lambda t: ...)")
    targets = work.target.centred()[0] if work.target.task == "regression" else np.zeros((0, n))
    labels = core.label_vectors(work.by_class, targets, plain=not criterion.weighted)
    values, reasons = np.full(len(work.kernels), -np.inf), [None] * len(work.kernels)
    given: list[str | None] = list(reasons)
    for k, program in enumerate(work.programs):
        size = _size(work, program, criterion.normalization)
        if not np.isfinite(size):
            given[k] = _NOT_FINITE
            continue
        if not size > 0:
            given[k] = "the kernel's trace or sum of entries is not positive"
            continue
        if isinstance(criterion, SMHinge):
            threshold = (1.0 / n if criterion.h is None else criterion.h) * size
            forms = _hinge_forms(work, k, labels, threshold)
            values[k] = float(np.mean(forms)) / (n * size)
        else:
            rules = core.kernel_quadrature(
                work.by_class,
                program,
                labels,
                steps=int(min(criterion.steps, n)),
                threads=work.threads,
                progress=work.tick,
            )
            sums = [float(weights @ _phi(criterion, nodes / size)) for nodes, weights in rules]
            value = float(np.mean(sums)) / n
            if np.isfinite(value):
                values[k] = value
            else:
                given[k] = "phi is not finite at an eigenvalue"
    return Column(values, given)


def _phi(criterion: SMPhi, nodes: FloatArray) -> FloatArray:
    """Apply the function to eigenvalues, which rounding may have left below zero."""
    assert criterion.phi is not None
    found = np.asarray(criterion.phi(np.clip(nodes, 0.0, None)))
    if found.shape != nodes.shape or found.dtype.kind not in "biuf":
        raise ValueError(
            f"phi must give a real number for each of {len(nodes)} eigenvalues, not an array of shape "
            f"{found.shape} and type {found.dtype}; write it with NumPy's functions of arrays"
        )
    return found


def _size(work: Work, program: Any, normalization: str) -> float:
    """Trace or sum of entries."""
    diagonal = core.diagonal(program, work.as_given)
    trace = float(diagonal.sum())
    if normalization == "trace":
        return trace
    n = work.target.size
    share = float(core.off_diagonal_shares(work.as_given, [program], threads=work.threads)[0])
    total = trace * (1.0 + share * (n - 1.0))
    return total if total > 1e-12 * trace else 0.0
