"""Evidence from eigenvalues: leading ones, all of them, or quadrature at the labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._dispatch import core
from .._support.arrays import FloatArray
from .._support.blas_memory import take_blas_memory
from .._support.threads import limit_blas
from .._support.warning import warn_caller
from ..criteria import (
    Above,
    LabelForms,
    Needs,
    OperatorSpectra,
    Quadrature,
    Rules,
    SpectrumCriterion,
    SpectrumEvidence,
)
from .work import Work

_TOLERANCE = 1e-10
# An eigenvalue below minus this share of the trace is no rounding error.
_NEGATIVE = 1e-8
# A sum of entries below this share of the trace is one.
_CANCELLED = 1e-12
# Label energies above a threshold: up to this many rows a stored matrix is decomposed at once,
# above them after this many steps of an iteration that have not sufficed; more would cost more than
# the whole.
_DECOMPOSED = 500
_FEW_STEPS = 100
# Eigenvalues this close to a threshold, relative to it, are equal to it. Those of a kernel near the
# identity crowd around 1/n in all distances down to rounding; which of them lie above, and how the
# labels are shared among their vectors, is known to about 1e-16 / _EQUAL.
_EQUAL = 1e-8
_MANY_STEPS = 500  # most steps where the matrix is not stored, so that nothing else is left to try


def spectrum_evidence(work: Work, needs: Needs) -> SpectrumEvidence:
    """Find what is asked for about eigenvalues: one run for the largest number of leading ones."""
    take_blas_memory(work.threads)
    # One number for the process, which calls in other threads change: bits would depend on them.
    with limit_blas(1):
        return _found(work, needs)


def _found(work: Work, needs: Needs) -> SpectrumEvidence:
    leading = _leading(work, needs.leading) if needs.leading else None
    spectra = _FullSpectra(work)
    return SpectrumEvidence(
        leading=leading and leading["values"],
        trace=leading and leading["trace"],
        tolerance=_TOLERANCE,
        converged=leading is None or all(leading["converged"]),
        full=spectra.all() if needs.full else None,
        operators={measure: _operators(work, measure, spectra) for measure in needs.operators},
        above={request: _above(work, request) for request in needs.above},
        quadratures={request: _rules(work, request) for request in needs.quadratures},
    )


def _leading(work: Work, count: int) -> core._KernelSpectra:
    n = work.target.size
    if count > n - 1:
        raise ValueError(f"t = {count} must be at most n - 1 = {n - 1}")
    found = core.kernel_spectra(
        work.by_class,
        work.programs,
        count=count,
        store=work.stored,
        tolerance=_TOLERANCE,
        threads=work.threads,
        progress=work.tick,
    )
    _check_definite(work, found)
    return found


def _check_definite(work: Work, leading: core._KernelSpectra) -> None:
    """Refuse kernel matrices with clearly negative eigenvalues, saying by how much."""
    for k, (smallest, trace) in enumerate(zip(leading["smallest"], leading["trace"], strict=True)):
        if smallest < -_NEGATIVE * max(abs(trace), float(leading["values"][k][0])):
            raise ValueError(
                f"{work.kernels[k]!r} is not positive semidefinite: it has an eigenvalue of at "
                f"most {smallest:.3g} against a trace of {trace:.3g}"
            )


def _matrix(work: Work, k: int) -> FloatArray:
    """Kernel matrix of one candidate, in the order of the classes."""
    return core.sample_gram(
        work.by_class, work.programs[k], threads=work.threads, progress=work.tick
    )


class _FullSpectra:
    """All eigenvalues of one candidate's matrix at a time, found once."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._found: dict[int, FloatArray] = {}

    def of(self, k: int) -> FloatArray:
        """Eigenvalues, descending; NaN where the matrix is not finite."""
        if k not in self._found:
            work = self._work
            matrix = _matrix(work, k)
            try:
                values, _ = core.full_spectrum(matrix, vectors=False, progress=work.tick)
                self._found[k] = np.sort(values)[::-1]
            except core.Undefined:
                self._found[k] = np.full(work.target.size, np.nan)
        return self._found[k]

    def all(self) -> FloatArray:
        """Eigenvalues of every candidate."""
        return np.array([self.of(k) for k in range(len(self._work.programs))])


def _operators(work: Work, measure: str, spectra: _FullSpectra) -> OperatorSpectra:
    """Eigenvalues of K/n beside those of the integral operator, for kernels that have one."""
    pairs: list[tuple[FloatArray, FloatArray] | None] = []
    reasons: list[str | None] = []
    n = work.target.size
    for k, (kernel, program) in enumerate(zip(work.kernels, work.programs, strict=True)):
        pair, reason = None, None
        try:
            tables = work.views.tables
            rows = tables[program[0][-1]] if tables else np.zeros((n, 0))
            expected = np.sort(kernel._operator_eigenvalues(rows, n, measure))[::-1]
        except ValueError as error:
            reason = " ".join(str(error).split())
        else:
            values = spectra.of(k)
            if np.isnan(values).any():
                reason = SpectrumCriterion.undefined
            else:
                pair = values / n, expected
        pairs.append(pair)
        reasons.append(reason)
    return OperatorSpectra(pairs, reasons)


def _hinge_forms(work: Work, k: int, labels: FloatArray, threshold: float) -> FloatArray:
    """Find the part of w'Kw in eigenvectors above the threshold, for every row w of labels."""
    n = work.target.size
    if not work.stored:
        forms, errors, _, converged = core.kernel_hinge_forms(
            work.by_class,
            work.programs[k],
            labels,
            threshold=threshold,
            tolerance=_TOLERANCE,
            max_steps=min(n, _MANY_STEPS),
            threads=work.threads,
            progress=work.tick,
        )
        if not all(converged):
            least = threshold * np.sum(labels**2, axis=1)  # of the form, if labels were above it
            worst = float(np.max(errors / np.maximum(np.abs(forms), least)))
            warn_caller(
                f"sm_hinge of {work.kernels[k]!r} has a relative error of up to {worst:.1g}: "
                "too many eigenvalues lie near the threshold; choose a larger h",
            )
        return forms
    matrix = _matrix(work, k)
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
    values, vectors = core.full_spectrum(matrix, vectors=True, progress=work.tick)
    assert vectors is not None
    energies = np.ascontiguousarray(core.label_energies(vectors, columns).T)
    return np.array([core.hinge_sum(values, e, threshold=threshold) for e in energies])


def _above(work: Work, request: Above) -> LabelForms:
    """Label measures above a threshold, of the matrix divided by its trace or its sum."""
    labels = _labels(work, request.weighted)
    sizes, reasons = _sizes(work, request.normalization)
    forms = np.full((len(work.programs), len(labels)), np.nan)
    share = 1.0 / work.target.size if request.h is None else request.h
    share *= 1.0 + _EQUAL
    for k, reason in enumerate(reasons):
        if reason is not None:
            continue
        try:
            forms[k] = _hinge_forms(work, k, labels, share * sizes[k])
        except core.Undefined:
            reasons[k] = SpectrumCriterion.undefined
    return LabelForms(forms, sizes, reasons)


def _rules(work: Work, request: Quadrature) -> Rules:
    """Gauss rules of the labels' measure, of the matrix divided by its trace or its sum."""
    labels = _labels(work, request.weighted)
    sizes, reasons = _sizes(work, request.normalization)
    rules: list[list[tuple[FloatArray, FloatArray]]] = []
    for k, (program, size) in enumerate(zip(work.programs, sizes, strict=True)):
        rules.append([])
        if reasons[k] is not None:
            continue
        try:
            found = core.kernel_quadrature(
                work.by_class,
                program,
                labels,
                steps=min(request.steps, work.target.size),
                store=work.stored,
                threads=work.threads,
                progress=work.tick,
            )
        except core.Undefined:
            reasons[k] = SpectrumCriterion.undefined
        else:
            rules[k] = [(nodes / size, weights) for nodes, weights in found]
    return Rules(rules, reasons)


def _labels(work: Work, weighted: bool) -> FloatArray:
    """Label vectors of the spectral measure, one per row."""
    target = work.target
    targets = target.centred() if target.task == "regression" else np.zeros((0, target.size))
    return core.label_vectors(work.by_class, targets, plain=not weighted)


def _sizes(work: Work, normalization: str) -> tuple[FloatArray, list[str | None]]:
    """Find what each matrix is divided by, or why it cannot be."""
    sizes = np.array([_size(work, program, normalization) for program in work.programs])
    return sizes, [
        SpectrumCriterion.undefined
        if not np.isfinite(size)
        else None
        if size > 0
        else "the kernel's trace or sum of entries is not positive"
        for size in sizes
    ]


def _size(work: Work, program: Any, normalization: str) -> float:
    """Trace or sum of entries."""
    diagonal = core.diagonal(program, work.as_given)
    trace = float(diagonal.sum())
    if normalization == "trace":
        return trace
    n = work.target.size
    shares = core.off_diagonal_shares(work.as_given, [program], squares=False, threads=work.threads)
    total = trace * (1.0 + float(shares[0]) * (n - 1.0))
    return total if total > _CANCELLED * trace else 0.0
