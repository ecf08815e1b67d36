"""The best of all ways: a committee that may have refined kernels among its members."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._data.target import Target
from ..._evidence.work import CallOptions
from ..._support.arrays import FloatArray
from ..._support.deadline import Deadline, TimeUp
from ..._support.progress import Tick, part_of
from ...kernels import Kernel, Matern
from ...refinement._judge import Verdict, verdict, weighed_mean
from ...refinement._refined import Refining
from ...refinement._relevance import relevance
from ...results import Contest, Selection
from .._training import Training
from .committee import Formed, Looked, look, weigh
from .halves import Refined, refine_on_all, refine_on_halves
from .refinement import RELATIVE, refining

NAMES = ["auto", "refined", "committee"]
# Rows for each column and at all, from which columns get widths of their own.
_ROWS_PER_COLUMN, _FEWEST = 20, 40
# Of widths that differ, lighter than for a kernel that stands alone: a committee gives a member
# that has learned little no weight. docs/guide/beyond.rst tells how the constants were chosen.
_PENALTY = 1.0
_ROUGH = 1.5  # smoothness of the second start
_ELECTIONS, _HALVES = 0.5, 0.8  # shares of a progress line
# What is refined costs this many elections of one Gaussian at most, on halves and on all rows:
# models that the election looked at are its unit, of which a value with its gradient costs that
# many, and on half of the rows that share.
_ON_HALVES, _ON_ALL = 1.0, 0.8
_GRADIENT, _OF_HALF = {"evidence": 2.0, "loo": 3.0}, 0.2


@dataclass(frozen=True)
class Held:
    """The election, the committee where there was time for one, and what is said about them."""

    found: Selection
    formed: Formed | None
    report: Contest


def hold(
    training: Training,
    voting: Target,
    options: CallOptions,
    *,
    deadline: Deadline | None,
    tick: Tick | None,
) -> Held:
    """Elect, refine on halves, and weigh all that was looked at by outputs for unseen rows."""
    looked = look(
        training.X,
        voting,
        options,
        training.threads,
        tick=part_of(tick, 0.0, _ELECTIONS),
        deadline=deadline,
    )
    found = looked.found
    if not looked.kept:
        return Held(found, None, undecided("time was up before others could be compared"))
    shown = part_of(tick, _ELECTIONS, _HALVES)
    work, lam = refining(training, voting, found, tick=shown, deadline=deadline, penalty=_PENALTY)
    work = _within(work, looked, _ON_HALVES / _OF_HALF)
    refined, hindrance = ([], RELATIVE) if training.relative else _refined(work, found.kernel, lam)
    entering = [one for one in refined if _enters(one, looked, voting)]
    kept = {**looked.kept, **{one.model: one.outputs for one in entering}}
    formed = weigh(kept, voting, looked.elected, options.splits)
    work = _within(replace(work, tick=part_of(tick, _HALVES, 1.0)), looked, _ON_ALL)
    formed, members = _refined_on_all(work, formed, entering, lam)
    report = _report(looked, formed, voting, refined=refined, members=members, hindrance=hindrance)
    return Held(found, formed, replace(report, relevance=_relevance(work, formed, members)))


def _within(work: Refining, looked: Looked, elections: float) -> Refining:
    """Return work whose values and gradients cost this many elections of a Gaussian at most."""
    cost = _GRADIENT.get(work.way.goal.ridge or "", max(_GRADIENT.values()))
    evaluations = max(int(elections * looked.looks / cost), 1)
    return replace(work, way=replace(work.way, evaluations=evaluations))


def _shared(work: Refining, ways: int) -> Refining:
    """Return work whose values and gradients are shared by this many ways down."""
    evaluations = max((work.way.evaluations or 1) // ways, 1)
    return replace(work, way=replace(work.way, evaluations=evaluations))


def _refined(work: Refining, elected: Kernel, lam: float) -> tuple[list[Refined], str]:
    """Refine on halves; where there is nothing to be had, say why."""
    columns, rows = len(work.columns), work.problem.target.size
    if rows < max(_FEWEST, _ROWS_PER_COLUMN * columns):
        return [], f"{rows} rows are too few to give {columns} columns widths of their own"
    hindrance = work.hindrance(elected)
    if hindrance is not None:
        return [], hindrance
    # Targets are smooth or rough. Classes gain little, so that one start is enough for them.
    starts: list[Kernel] = [elected]
    if work.problem.target.task == "regression" and elected._rates is not None:
        starts.append(Matern(_ROUGH, (2.0 * elected._rates[0]) ** -0.5))
    found = []
    try:
        for start in starts:
            one = refine_on_halves(_shared(work, 2 * len(starts)), start, lam)
            found += [] if one is None else [one]
    except TimeUp:
        return found, "time was up before refined kernels could be judged"
    return found, "" if found else "the criterion has no value to set out from"


def _enters(one: Refined, looked: Looked, target: Target) -> bool:
    """Whether a refined kernel may become a member.

    A least squared residual is all that regression wants. It is not the share of errors, and of
    classes only a kernel that is better than all others is let in.
    """
    if target.task == "regression":
        return True
    least = min(_loss(outputs, target) for outputs in looked.kept.values())
    return _loss(one.outputs, target) < least


def _squares(outputs: FloatArray, target: Target) -> FloatArray:
    return np.asarray(((outputs - target.columns()) ** 2).mean(axis=1))


def _loss(outputs: FloatArray, target: Target) -> float:
    loss = weighed_mean(_squares(outputs, target), target.weights)
    return loss if np.isfinite(loss) else np.inf


def _refined_on_all(
    work: Refining, formed: Formed, refined: list[Refined], lam: float
) -> tuple[Formed, list[int]]:
    """Refine members once more, with all rows; return also which ones they are."""
    committee, places = formed.committee, []
    kernels, lams = list(committee.kernels), committee.lams.copy()
    members = [one for one in refined if one.model[0] in kernels]
    for one in members:
        place = kernels.index(one.model[0])
        own = _shared(work, len(members))
        kernels[place], lams[place], _ = refine_on_all(own, one, lam)
        places.append(place)
    return replace(formed, committee=replace(committee, kernels=kernels, lams=lams)), places


def _relevance(work: Refining, formed: Formed, members: list[int]) -> dict[str, float]:
    """How much columns count in the refined member of the largest weight."""
    if not members:
        return {}
    weights = formed.committee.weights
    heaviest = formed.committee.kernels[max(members, key=lambda place: weights[place])]
    return relevance(heaviest, work.problem.candidates.rows, work.columns)


def _report(
    looked: Looked,
    formed: Formed,
    target: Target,
    *,
    refined: list[Refined],
    members: list[int],
    hindrance: str,
) -> Contest:
    """Say what each way is worth on rows that its choices have not seen, and which was taken."""
    start = _squares(looked.kept[looked.elected], target)

    def compared(outputs: FloatArray) -> Verdict | None:
        return verdict([(_squares(outputs, target), start)], target.weights)

    best = min(refined, key=lambda one: _loss(one.outputs, target), default=None)
    found = [
        compared(looked.kept[looked.elected]),
        None if best is None else compared(best.outputs),
        compared(formed.outputs),
    ]
    nan = float("nan")
    losses = np.array([nan if one is None else one.loss for one in found])
    errors = np.array([nan if one is None else one.error for one in found])
    committee = formed.committee
    saved = f"{committee.gain:.1%} better than {committee.elected} alone"
    share = float(committee.weights[members].sum())
    widths = hindrance or "kernels with a width for every column would add nothing"
    if committee.kernels == [committee.elected]:
        said = f"no mixture gains on unseen rows; {widths}"
        return Contest(list(NAMES), losses, errors, "auto", said)
    if len(committee.kernels) == len(members) == 1:
        said = f"a width for every column predicts unseen rows {saved}, and others add nothing"
        return Contest(list(NAMES), losses, errors, "refined", said)
    count = len(committee.kernels)
    what = f"{count} kernels together predict" if count > 1 else f"{committee.kernels[0]} predicts"
    own = f"those with a width for every column have {share:.0%} of the weight"
    said = f"{what} unseen rows {saved}; {own if members else widths}"
    return Contest(list(NAMES), losses, errors, "committee", said)


def undecided(reason: str, kept: str = "auto") -> Contest:
    """Return a report without a comparison."""
    unknown: FloatArray = np.full(len(NAMES), np.nan)
    return Contest(list(NAMES), unknown, unknown.copy(), kept, reason)
