"""Sums over all pairs of rows, estimated by some rows against all, with their errors.

A sample of rows on both sides would weigh the diagonal too much, which flatters narrow kernels.
Here the sums of every sampled row are over all rows, hence exact; only the mean over rows is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from ..._data.strata import GROUPS, Strata
from ..._support.arrays import FloatArray
from ..._support.deadline import TimeUp
from ..._support.progress import Tick, part_of
from ..._support.remedy import Remedy, advised
from ...criteria import CoreCriterion, MomentScores
from ...kernels._order import order_of
from ..moments import moment_evidence
from ..work import SampleOptions, Work
from .cells import SampledCells, fits_cells
from .forms import FORMULAS, MOST_DEGREE, Totals, codings

# Beside landmark models all pairs of up to this many rows are screened, of more rows a sample
# against all.
SCREEN_ALL = 10_000
# A sample that grows begins with this many rows and doubles up to the second number.
_FEWEST, _MOST = 512, 8192
# How sure it must be that what is left out is not the best: one minus this, of all candidates,
# criteria and samples together.
_DOUBT = 0.01
# Where kernels are in order, the best is found when only this many neighbours may be better;
# without an order, when it has only this many rivals.
_NEIGHBOURS, _RIVALS = 2, 1


def check_sampled(forms: Sequence[CoreCriterion]) -> None:
    """Refuse criteria of sums that rows by themselves do not tell."""
    for form in forms:
        if form[0] not in FORMULAS or (form[0] == "sm" and form[1] > MOST_DEGREE):
            name = f"sm(r={form[1]})" if form[0] == "sm" else form[0]
            others = f"ask for {', '.join(FORMULAS)} (of degrees 1 and 2), or"
            remedy = Remedy(f"{others} pass sample=None", f"{others} leave --sample out")
            raise advised(ValueError, f"{name} cannot be estimated by a sample of rows", remedy)


def sampled_evidence(
    work: Work, forms: Sequence[CoreCriterion], sample: SampleOptions
) -> dict[CoreCriterion, MomentScores]:
    """Estimate closed forms; of all pairs where that costs no more, or a matrix is there."""
    check_sampled(forms)
    strata = Strata(work.target.codes, sample.seed)
    n = work.target.size
    outside = work.matrix is None and not work.programs[0]
    count = _FEWEST if sample.count is None else min(sample.count, n)
    cheap = 2 * strata.taken(count).sum() < n and fits_cells(len(work.kernels), len(strata.sizes))
    if work.matrix is not None or not (cheap or outside):
        return moment_evidence(work, forms)
    classes = work.target.task == "classification"
    cells = SampledCells(work, strata, codings(strata.sizes.astype(np.float64)) if classes else [])
    rounds = 1 if sample.count is not None else _rounds(n)
    found: dict[CoreCriterion, MomentScores] = {}
    for number in range(rounds):
        try:
            cells.grow(count << number, _share(work.tick, number, rounds))
        except TimeUp:
            if not found:
                raise
            break
        found = _scores(cells, forms, rounds)
        if sample.count is not None or _decided(work, _waited_for(work, found, sample)):
            break
    else:
        if 2 * (count << rounds) >= n and not outside:
            return moment_evidence(work, forms)
    return found


def _rounds(n: int) -> int:
    """How often a sample may double before it is half of all rows, or the most there is."""
    rounds = 1
    while (_FEWEST << rounds) <= _MOST and 2 * (_FEWEST << rounds) < n:
        rounds += 1
    return rounds


def _share(tick: Tick | None, number: int, rounds: int) -> Tick | None:
    """Progress of one round, most likely one of the first."""
    return part_of(tick, 1.0 - 0.25**number, 1.0 - 0.25 ** (number + 1) if rounds > 1 else 1.0)


def _scores(
    cells: SampledCells, forms: Sequence[CoreCriterion], rounds: int
) -> dict[CoreCriterion, MomentScores]:
    totals = Totals.of(cells)
    doubt = _DOUBT / (len(cells.trace) * len(forms) * rounds)
    left = max(1.0 - cells.sampled / cells.size, 0.0)
    scores = {}
    for form in forms:
        with np.errstate(all="ignore"):
            both = FORMULAS[form[0]](form, totals)
        both = np.where(np.isfinite(both) & (cells.trace > 0.0), both, np.nan)
        values, groups = both[0], both[1:]
        errors = standard_error(groups, left)
        scores[form] = MomentScores(
            values,
            [_reason(value, trace) for value, trace in zip(values, cells.trace, strict=True)],
            errors=errors,
            rivals=rivals(values, groups, left, doubt),
            rows=cells.sampled,
        )
    return scores


def _reason(value: float, trace: float) -> str | None:
    if not np.isnan(value):
        return None
    if not trace > 0.0:
        return "the trace of the kernel is not positive"
    return "the kernel matrix vanishes or is too large for floating point"


def standard_error(groups: FloatArray, left: float) -> FloatArray:
    """Error of a mean of groups, of which a share `left` of all rows is not in any."""
    with np.errstate(invalid="ignore"):
        return np.asarray(groups.std(axis=0, ddof=1) / np.sqrt(GROUPS) * np.sqrt(left))


def rivals(
    values: FloatArray, groups: FloatArray, left: float, doubt: float
) -> NDArray[np.float64]:
    """Return which candidates may be the best, 1 or 0, by the groups' differences to the leader.

    Parameters
    ----------
    values : ndarray of shape (candidates,)
        Estimates by the whole sample, larger being better; NaN where there is none.
    groups : ndarray of shape (groups, candidates)
        Estimates by each group of the same rows, so that differences are paired.
    left : float
        Share of all rows that is not in the sample.
    doubt : float
        How likely a candidate may be left out that is the best.
    """
    if np.isnan(values).all():
        return np.zeros(len(values))
    leader = int(np.nanargmax(values))
    errors = standard_error(groups - groups[:, [leader]], left)
    behind = values[leader] - values
    return np.asarray(behind <= student.ppf(1.0 - doubt, GROUPS - 1) * errors, dtype=np.float64)


def _waited_for(
    work: Work, found: dict[CoreCriterion, MomentScores], sample: SampleOptions
) -> dict[CoreCriterion, MomentScores]:
    """Return the scores that a sample has to decide."""
    if sample.start not in found or order_of(work.kernels) is None:
        return found
    return {sample.start: found[sample.start]}


def _decided(work: Work, found: dict[CoreCriterion, MomentScores]) -> bool:
    """Whether few enough candidates may be the best by each criterion.

    Wide kernels differ so little in centred alignment that nobody waits for it.
    """
    widths = order_of(work.kernels)
    waited = [scores for form, scores in found.items() if form[0] != "ckta"]
    for scores in waited or found.values():
        assert scores.rivals is not None
        places = np.flatnonzero(scores.rivals)
        if len(places) <= 1 + _RIVALS:
            continue
        leader = int(np.nanargmax(scores.values))
        if widths is None or np.abs(places - leader).max() > _NEIGHBOURS:
            return False
    return True
