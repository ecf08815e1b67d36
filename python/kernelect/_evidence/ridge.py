"""Evidence from ridge systems: exact held-out predictions of every candidate and lambda."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._data.folds import FoldMemory, FoldSet
from .._data.target import Target
from .._dispatch import core
from .._support.threads import limit_blas
from .._support.warning import warn_caller
from ..criteria import BIF, BR, CV, GCV, KS, LOO, Criterion, Stability
from .held_out import held_out_score
from .moments import Column, FloatArray, Work, moments
from .regularisation import Regularisation

# From so many rows on, one factorisation gains from several threads.
_LARGE = 3000


@dataclass(frozen=True)
class RidgeOptions:
    """The arguments of a call that concern ridge systems."""

    regularisation: Regularisation
    folds: Any = 5
    groups: Any = None
    random_state: Any = 0
    sample_weight: FloatArray | None = None
    shortcuts: bool = True
    made: FoldMemory = field(default_factory=FoldMemory, repr=False, compare=False)


def target_columns(target: Target) -> FloatArray:
    """Columns to fit: +-1 for two classes, one-vs-rest for more, the targets of a regression."""
    if target.task == "regression":
        return np.ascontiguousarray(target.values.T)
    if target.n_classes == 2:
        return np.where(target.codes == 1, 1.0, -1.0)[:, None].copy()
    return np.where(target.codes[:, None] == np.arange(target.n_classes), 1.0, -1.0)


def scan(
    work: Work,
    options: RidgeOptions,
    *,
    scaling: str | None = None,
    fold_sets: Sequence[FoldSet] = (),
    mean: bool | None = None,
    values: FloatArray | None = None,
    fit: bool = False,
    gcv: bool = False,
    loo: bool = False,
    cv: bool = True,
    bif_order: int = 0,
    zero_one: bool = False,
    outputs: bool = False,
) -> dict[str, Any]:
    """Run the core over all candidates and lambdas of `work`.

    `scaling` ("none", "trace", "centered") divides each kernel by its (centred) mean diagonal first;
    relative lambdas imply "centered". The result's "scale" holds what was multiplied.
    """
    chosen = options.regularisation
    weights = np.zeros(0) if options.sample_weight is None else options.sample_weight
    request = core.RidgeRequest(
        targets=target_columns(work.target),
        lambdas=list(chosen.values if values is None else values),
        mean=chosen.mean if mean is None else mean,
        bias=chosen.bias,
        weights=weights,
        fit=fit,
        gcv=gcv,
        loo=loo,
        fold_sets=[list(folds) for folds in fold_sets],
        cv=cv,
        bif_order=bif_order,
        zero_one=zero_one,
        outputs=outputs,
        shortcuts=options.shortcuts,
    )
    if scaling is None:
        scaling = "centered" if chosen.relative else "none"
    # Candidates run side by side, one thread each; a single large one may use several for itself.
    alone = len(work.programs) == 1 and work.target.size >= _LARGE
    with limit_blas(work.threads if alone else 1):
        found: dict[str, Any] = core.ridge_kernels(
            work.as_given,
            work.programs,
            request,
            scaling=scaling,
            threads=work.threads,
            progress=work.tick,
        )
    for name in ("cv", "bif"):  # empty where not asked for
        for part, fold_set in zip(found[name], fold_sets, strict=False):
            fold_set.clear_others(part)
    return found


class _FoldSets:
    """The fold sets of all criteria one after another; equal specifications share a place."""

    def __init__(self, target: Target, options: RidgeOptions) -> None:
        self._target, self._options = target, options
        self._places: list[tuple[list[FoldSet], slice]] = []
        self.sets: list[FoldSet] = []

    def place(self, criterion: Any) -> slice:
        """Where the sets of a criterion stand."""
        options = self._options
        sets = options.made.fold_sets(
            options.folds if criterion.folds is None else criterion.folds,
            self._target,
            random_state=options.random_state,
            groups=options.groups,
            stratified=getattr(criterion, "stratified", True),
            shuffled=getattr(criterion, "shuffled", True),
        )
        for known, place in self._places:
            if known is sets:
                return place
        place = slice(len(self.sets), len(self.sets) + len(sets))
        self.sets.extend(sets)
        self._places.append((sets, place))
        return place


def ridge(work: Work, criteria: Sequence[Criterion], options: RidgeOptions) -> list[Column]:
    """Score by ridge systems: one factorisation per candidate and distinct ridge for all criteria."""
    folds = _FoldSets(work.target, options)
    places = {
        c: folds.place(criterion)
        for c, criterion in enumerate(criteria)
        if isinstance(criterion, (CV, KS, BIF))
    }
    classes = work.target.task == "classification"
    if classes and any(isinstance(c, LOO) for c in criteria):
        _warn_about_single_members(work.target)
    held_out = [c for c in criteria if isinstance(c, (LOO, CV))]
    exact = any(isinstance(c, (LOO, CV, KS, BR, GCV)) for c in criteria)
    found: dict[str, Any] = {}
    if exact:
        found = scan(
            work,
            options,
            fold_sets=folds.sets if any(isinstance(c, (CV, KS)) for c in criteria) else (),
            gcv=any(isinstance(c, GCV) for c in criteria),
            loo=any(isinstance(c, (LOO, BR)) for c in criteria),
            zero_one=classes and any(c.loss == "zero_one" for c in held_out),
            outputs=any(c.scoring is not None for c in held_out),
        )
    stability = (
        moments(work, [Stability()])[0].values
        if any(isinstance(c, KS) for c in criteria)
        else np.zeros(0)
    )
    columns = []
    for c, criterion in enumerate(criteria):
        if isinstance(criterion, LOO):
            column = _held_out_column(work.target, criterion, [found["loo"]])
        elif isinstance(criterion, CV):
            column = _held_out_column(work.target, criterion, found["cv"][places[c]])
        elif isinstance(criterion, KS):
            loss = _held_out_column(work.target, CV(), found["cv"][places[c]])
            penalty = criterion.eta / work.target.size * stability[:, None]
            column = Column(loss.values + penalty, [], errors=loss.errors)
        elif isinstance(criterion, GCV):
            column = Column(found["gcv"].mean(axis=-1), [])
        elif isinstance(criterion, BR):
            column = _bayesian(work, found["loo"]["squared"])
        elif isinstance(criterion, BIF):
            column, found_bif = _bif(work, criterion, options, folds.sets[places[c]])
            columns.append(finish(column, criterion, found_bif, options))
            continue
        else:  # pragma: no cover - every ridge criterion is listed above
            raise TypeError(f"{criterion!r} is not a criterion of ridge systems")
        columns.append(finish(column, criterion, found, options))
    return columns


def _warn_about_single_members(target: Target) -> None:
    single = np.flatnonzero(np.bincount(target.codes, minlength=len(target.classes)) == 1)
    if len(single):
        warn_caller(
            f"class {target.classes.tolist()[single[0]]!r} has a single member, which leave-one-out "
            "must predict without having seen its class; give it more rows or leave it out",
        )


def _held_out_column(target: Target, criterion: Any, parts: list[dict[str, Any]]) -> Column:
    """Mean over held-out points; several repetitions count by their points."""
    points = np.concatenate([part["point_squared"] for part in parts], axis=-1)
    squared = _means(points)
    if criterion.scoring is not None:
        scores = np.mean(
            [held_out_score(criterion.scoring, target, part["outputs"]) for part in parts], axis=0
        )
        return Column(scores, [], ties=squared)
    if criterion.loss == "zero_one":
        points = np.concatenate([part["point_zero_one"] for part in parts], axis=-1)
        return Column(_means(points), [], ties=squared, errors=_errors(points))
    return Column(squared, [], errors=_errors(points))


def _means(points: FloatArray) -> FloatArray:
    """Means over held-out points; NaN, without a warning, for a candidate that has none."""
    held_out = ~np.isnan(points)
    count = held_out.sum(axis=-1)
    total = np.sum(points, axis=-1, where=held_out)
    return np.asarray(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0))


def _errors(points: FloatArray) -> FloatArray:
    """Estimate standard errors of means over held-out points."""
    count = np.maximum((~np.isnan(points)).sum(axis=-1), 2)
    with np.errstate(invalid="ignore", over="ignore"):  # of losses that are not finite
        variance = _means((points - _means(points)[..., None]) ** 2)
    return np.asarray(np.sqrt(variance / (count - 1.0)))


def _bayesian(work: Work, loo_squared: FloatArray) -> Column:
    values: FloatArray = np.full(loo_squared.shape[:2], np.inf)
    reasons: list[str | None] = []
    for k, kernel in enumerate(work.kernels):
        rates = kernel._rates
        if rates is None:
            reasons.append("br is defined for Gaussian kernels only")
            continue
        if not all(0.0 < rate < np.inf for rate in rates):
            reasons.append(f"1 / (2 tau) = {rates[0]:g} is out of range")
            continue
        reasons.append(None)
        for j in range(len(values[k])):
            if np.isfinite(loo_squared[k, j]).all():
                values[k, j] = core.bayesian_regularisation(
                    np.ascontiguousarray(loo_squared[k, j]),
                    work.target.size,
                    np.array(rates),
                )
    return Column(values, reasons)


def _bif(
    work: Work, criterion: BIF, options: RidgeOptions, sets: list[FoldSet]
) -> tuple[Column, dict[str, Any]]:
    n, chosen = work.target.size, options.regularisation
    found = scan(
        work,
        options,
        fold_sets=sets,
        mean=True,
        values=chosen.values if chosen.mean else chosen.values / n,
        cv=False,
        bif_order=int(criterion.order),
        zero_one=criterion.loss == "zero_one",
    )
    column = _held_out_column(work.target, CV(loss=criterion.loss), found["bif"])
    values, reasons = column.values.copy(), [None] * len(work.programs)
    shares = core.off_diagonal_shares(work.as_given, work.programs, threads=work.threads)
    guarded: list[str | None] = list(reasons)
    for k, share in enumerate(shares):
        if share < 1.0 / n:
            values[k] = np.inf
            guarded[k] = "the kernel is too near the identity for the series"
    return Column(values, guarded, ties=column.ties, errors=column.errors), found


def finish(
    column: Column, criterion: Criterion, found: dict[str, Any], options: RidgeOptions
) -> Column:
    """Put the worst value and a reason where there is no answer; drop the axis of one lambda."""
    worst = -np.inf * criterion.sense()
    values = np.where(np.isnan(column.values), worst, column.values)
    given = column.reasons or [None] * len(values)
    reasons: list[str | None] = []
    for k, reason in enumerate(given):
        failed = [text for text in found["error"][k] if text]
        missing = not np.isfinite(values[k]).any()
        reasons.append(reason or (failed[0] if failed and missing else None))
        if missing and reasons[-1] is None:
            reasons[-1] = "the value is not finite"

    def shaped(array: FloatArray | None) -> FloatArray | None:
        return array if array is None or not options.regularisation.single else array[:, 0]

    shaped_values = shaped(values)
    assert shaped_values is not None
    lams = None
    if not options.regularisation.single:
        lams = options.regularisation.values[None, :] / found["scale"][:, None]
    jitter = shaped(found["jitter"] / found["scale"][:, None])
    return Column(shaped_values, reasons, shaped(column.ties), shaped(column.errors), lams, jitter)
