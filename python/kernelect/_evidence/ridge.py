"""Evidence from ridge systems: exact held-out predictions of every candidate and lambda."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._data.folds import FoldSet
from .._dispatch import core
from .._support.arrays import FloatArray
from .._support.blas_memory import take_blas_memory
from .._support.threads import limit_blas
from ..criteria import Folds, HeldOut, Likelihood, Needs, RidgeEvidence, Series, Systems
from .work import CallOptions, Work


def ridge_evidence(work: Work, needs: Needs, options: CallOptions) -> RidgeEvidence:
    """Solve the systems of whole matrices: one factorisation per candidate and distinct ridge.

    Whoever has another way to such predictions makes a `RidgeEvidence` of them; criteria see no
    more than that.
    """
    folds = _FoldPlaces(work, options)
    places = {request: folds.place(request) for request in needs.folds}
    found: core._KernelRidgeResults | None = None
    if needs.exact:
        found = scan(
            work,
            options,
            fold_sets=folds.sets,
            fit=needs.fit,
            gcv=needs.gcv,
            evidence=needs.evidence,
            loo=needs.loo,
            variances=needs.variances,
            zero_one=needs.zero_one and work.target.task == "classification",
            outputs=needs.outputs,
        )
    series = {request: _series(work, request, options) for request in needs.series}
    solved = [*([] if found is None else [found]), *series.values()]
    shares = squares = None
    if needs.series:
        shares, squares = (
            core.off_diagonal_shares(
                work.as_given, work.programs, squares=squared, threads=work.threads
            )
            for squared in (False, True)
        )
    return RidgeEvidence(
        _systems(solved, options),
        residuals=_residuals(work, found, options) if found and needs.fit else None,
        gcv=found["gcv"] if found and needs.gcv else None,
        likelihood=_likelihood(work, found, options) if found and needs.evidence else None,
        loo=_held_out(found["loo"], found["scale"]) if found and needs.loo else None,
        folds={
            request: [_held_out(part) for part in found["cv"][place]] if found else []
            for request, place in places.items()
        },
        series={
            request: [_held_out(part) for part in one["bif"]] for request, one in series.items()
        },
        off_diagonal=shares,
        off_diagonal_squares=squares,
    )


class _FoldPlaces:
    """The fold sets of all criteria one after another; equal specifications share a place."""

    def __init__(self, work: Work, options: CallOptions) -> None:
        self._target, self._splits = work.target, options.splits
        self._places: list[tuple[list[FoldSet], slice]] = []
        self.sets: list[FoldSet] = []

    def place(self, folds: Folds) -> slice:
        """Where the sets of a specification stand."""
        sets = self._splits.sets(
            self._target, folds.splits, stratified=folds.stratified, shuffled=folds.shuffled
        )
        for known, place in self._places:
            if known is sets:
                return place
        place = slice(len(self.sets), len(self.sets) + len(sets))
        self.sets.extend(sets)
        self._places.append((sets, place))
        return place


def _series(work: Work, request: Series, options: CallOptions) -> core._KernelRidgeResults:
    """Approximate held-out predictions, for which lambda is always taken in the mean convention."""
    chosen = options.regularisation
    return scan(
        work,
        options,
        fold_sets=options.splits.sets(work.target, request.folds.splits),
        mean=True,
        values=chosen.values if chosen.mean else chosen.values / work.target.size,
        cv=False,
        bif_order=request.order,
        zero_one=request.zero_one,
    )


def _systems(solved: list[core._KernelRidgeResults], options: CallOptions) -> Systems:
    """Describe the systems; where they were solved several times, they are the same ones."""
    first, chosen = solved[0], options.regularisation
    scale = first["scale"][:, None]
    return Systems(
        lams=chosen.values[None, :] / scale,
        jitter=np.max([found["jitter"] for found in solved], axis=0) / scale,
        failures=first["error"],
        single=chosen.single,
    )


def _residuals(work: Work, found: core._KernelRidgeResults, options: CallOptions) -> FloatArray:
    """Residuals of the training rows: y - f = (rho / weight + jitter) alpha."""
    chosen = options.regularisation
    rho = chosen.values * (work.target.size if chosen.mean else 1.0)
    weights = np.ones(1) if work.target.weights is None else work.target.weights
    ridge = rho[None, :, None] / weights + found["fit_jitter"][:, :, None]
    return np.asarray(ridge[..., None] * found["alpha"])


def _likelihood(work: Work, found: core._KernelRidgeResults, options: CallOptions) -> Likelihood:
    """Undo the scaling s of the kernels: log |s A| = freedom log s + log |A|, P of s A is P / s."""
    freedom = work.target.size - options.regularisation.bias
    scale = found["scale"][:, None]
    return Likelihood(
        found["log_determinant"] - freedom * np.log(scale),
        scale[..., None] * found["energies"],
        freedom,
    )


def _held_out(part: core._HeldOut, scale: FloatArray | None = None) -> HeldOut:
    variances = part.get("variances")
    if variances is not None and scale is not None:
        variances = variances / scale[:, None, None]
    return HeldOut(
        part["point_squared"],
        sums=part.get("squared"),
        zero_one=part.get("point_zero_one"),
        outputs=part.get("outputs"),
        variances=variances,
    )


def scan(
    work: Work,
    options: CallOptions,
    *,
    scaling: str | None = None,
    fold_sets: Sequence[FoldSet] = (),
    mean: bool | None = None,
    values: FloatArray | None = None,
    fit: bool = False,
    gcv: bool = False,
    evidence: bool = False,
    loo: bool = False,
    variances: bool = False,
    cv: bool = True,
    bif_order: int = 0,
    zero_one: bool = False,
    outputs: bool = False,
) -> core._KernelRidgeResults:
    """Run the core over all candidates and lambdas of `work`.

    `scaling` ("none", "trace", "centered") divides each kernel by its (centred) mean diagonal
    first; relative lambdas imply "centered". The result's "scale" holds what was multiplied.
    """
    chosen = options.regularisation
    weights = np.zeros(0) if work.target.weights is None else work.target.weights
    request = core.RidgeRequest(
        targets=work.target.columns(),
        lambdas=list(chosen.values if values is None else values),
        mean=chosen.mean if mean is None else mean,
        bias=chosen.bias,
        weights=weights,
        fit=fit,
        gcv=gcv,
        evidence=evidence,
        loo=loo,
        variances=variances,
        fold_sets=[list(folds) for folds in fold_sets],
        cv=cv,
        bif_order=bif_order,
        zero_one=zero_one,
        outputs=outputs,
        shortcuts=options.shortcuts,
    )
    if scaling is None:
        scaling = "centered" if chosen.relative else "none"
    take_blas_memory(work.threads)
    # The core shares the work out itself, so that the bits do not depend on the number of threads.
    with limit_blas(1):
        found = core.ridge_kernels(
            work.as_given,
            work.programs,
            request,
            scaling=scaling,
            threads=work.threads,
            progress=work.tick,
        )
    for parts in (found["cv"], found["bif"]):  # empty where not asked for
        for part, fold_set in zip(parts, fold_sets, strict=False):
            fold_set.clear_others(part)
    return found
