"""From candidates to columns: the union of all needs, each kind of evidence once, every formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._support.progress import part_of
from ..criteria import Column, CoreCriterion, Criterion, Evidence, MomentScores, Needs
from .landmarks.evidence import landmark_evidence
from .matrices import matrix_evidence
from .moments import moment_evidence
from .ridge import ridge_evidence
from .sampled.evidence import sampled_evidence
from .spectrum import spectrum_evidence
from .work import CallOptions, Work

# A rough guess of what each kind of evidence costs, for a progress line.
_COSTS = {"moments": 1.0, "spectrum": 10.0, "ridge": 10.0, "matrices": 10.0}


def gather(work: Work, criteria: Sequence[Criterion], options: CallOptions) -> list[Column]:
    """Make the evidence that all criteria need between them, and give each its column."""
    needs = Needs.of(criteria)
    systems = ridge_evidence if options.landmarks is None else landmark_evidence
    parts = _shares_of_progress(work, needs)
    evidence = Evidence(
        work.kernels,
        work.target,
        [kernel._rates for kernel in work.kernels],
        moments=_moments(parts["moments"], needs, options) if needs.moments else {},
        spectrum=spectrum_evidence(parts["spectrum"], needs) if needs.spectrum else None,
        ridge=systems(parts["ridge"], needs, options) if needs.ridge else None,
        matrix=matrix_evidence(parts["matrices"]) if needs.matrices else None,
    )
    return [_checked_column(criterion, evidence, options) for criterion in criteria]


def _moments(work: Work, needs: Needs, options: CallOptions) -> dict[CoreCriterion, MomentScores]:
    if options.sample is None:
        return moment_evidence(work, needs.moments)
    return sampled_evidence(work, needs.moments, options.sample)


def _shares_of_progress(work: Work, needs: Needs) -> dict[str, Work]:
    """Return the work with each kind's part of the progress line."""
    costs = {kind: cost for kind, cost in _COSTS.items() if getattr(needs, kind)}
    whole, done = sum(costs.values()), 0.0
    parts = {}
    for kind, cost in costs.items():
        tick = part_of(work.tick, done / whole, (done + cost) / whole)
        parts[kind] = replace(work, tick=tick)
        done += cost
    return parts


def _checked_column(criterion: Criterion, evidence: Evidence, options: CallOptions) -> Column:
    """Evaluate one formula; criteria may come from anywhere, so what they return is looked at."""
    column = criterion.column(evidence)
    shape: tuple[int, ...] = (len(evidence.kernels),)
    if criterion.regularised:
        shape += (len(options.regularisation.values),)
    if not isinstance(column, Column) or column.values.shape != shape:
        given = column.values.shape if isinstance(column, Column) else type(column).__name__
        raise TypeError(
            f"{criterion!r} gave {given} in place of a column of shape {shape}; let its column() "
            "return self.scored(values)"
        )
    return evidence.ridge.systems.complete(column) if criterion.regularised else column
