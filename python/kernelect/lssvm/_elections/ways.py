"""How a learner comes by its kernel: a table of the names that ``kernel=`` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..._dask.rows import DaskRows, all_here
from ..._data.target import Target
from ..._evidence.work import CallOptions
from ..._support.arguments import did_you_mean
from ..._support.deadline import Deadline
from ..._support.progress import part_of
from ..._support.warning import warn_caller
from ...kernels import Function, Kernel, Precomputed
from ...kernels._candidates import Candidates
from ...kernels._families import BY_NAME
from ...kernels.grids import squared_distance_quantiles
from ...kernels.heuristics import scale as scale_heuristic
from ...refinement._judge import sampled
from ...results import Contest, Selection
from ...selection._auto import elect_automatically, judge
from ...selection._landmarks import of_winner, warn_if_not_converged
from ...selection._problem import Problem
from ...selection._warnings import warn_if_late, warn_without_evidence
from .._training import Training
from .budget import seconds_of_fit
from .committee import Formed, look, weigh
from .contest import hold, undecided
from .hand_over import with_model
from .refinement import RELATIVE, refining, refuse_relative


@dataclass(frozen=True)
class Chosen:
    """The kernel to train with, the lambdas left to choose from, and attributes to remember.

    Of a committee, its members instead, which have lambdas of their own.
    """

    kernel: Kernel
    options: CallOptions
    attributes: Mapping[str, Any] = field(default_factory=dict)
    formed: Formed | None = None


# Attributes that ways and solvers set; a later fit by another one does not keep them.
REMEMBERED = ("selection_", "committee_", "report_", "n_passes_")

# Ways that hold an election, so that lambda is not all that there is to choose.
ELECTING = ("auto", "committee", "refined", "best")

Choosing = Callable[[Training], Chosen]

_SHOWN = 1000  # rows of a cluster that show their scale
_MEMBERS = 3  # of a committee that time is left for
_SAMPLE = 2000  # rows that refine the kernel of a model with landmarks: beside its election, little
_ELECTION = 0.3  # share of a progress line, where a refinement follows


def _elected(training: Training) -> Chosen:
    """Elect a Gaussian by held-out losses, and the lambda along with it where both are free."""
    X, target, options = training.X, training.target, training.options
    ready = _electable(training)
    if ready is None:
        return _not_elected(training)
    voting, options_of_all = ready
    deadline, _ = _before_the_fit(training)
    problem = Problem(voting, Candidates("auto", X, target.size), training.threads, deadline)
    verifying = judge(options.splits)
    found = elect_automatically(problem, verifying, options_of_all, training.tick)
    found = _announced(found, voting, deadline)
    warn_if_not_converged(found)
    return _of_election(found, training)


def _before_the_fit(training: Training, times: int = 1) -> tuple[Deadline | None, float]:
    """Return when elections must end to leave time for this many fits, and the time of one."""
    if training.deadline is None:
        return None, 0.0
    seconds = seconds_of_fit(training)
    return training.deadline.before(times * seconds, fit=True), seconds


def _electable(training: Training) -> tuple[Target, CallOptions] | None:
    """Return what an election is held on; None where there is nothing to elect by."""
    voting, regularisation = training.target.varying(), training.options.regularisation
    if voting is None or squared_distance_quantiles(training.X, [0.5]) is None:
        return None
    if regularisation.single and training.scaling == "centered":
        regularisation = replace(regularisation, relative=True)
    return voting, replace(training.options, regularisation=regularisation)


def _not_elected(training: Training) -> Chosen:
    """Take the width of the data where there is nothing to elect by: a few rows show it."""
    X = training.X
    if isinstance(X, DaskRows):
        X = X[np.unique(np.linspace(0, len(X) - 1, _SHOWN).astype(np.int64))]
    return Chosen(scale_heuristic(X), training.options)


def _of_election(found: Selection, training: Training) -> Chosen:
    options = training.options if found.lam is None else training.at(found.lam)
    found = with_model(found, training, options)
    return Chosen(found.kernel, of_winner(options, found), {"selection_": found})


def _committee(training: Training) -> Chosen:
    """Weigh the kernels that elections look at; where one is left, it is an ordinary model."""
    ready = _electable(training)
    if ready is None:
        return _not_elected(training)
    deadline, seconds = _before_the_fit(training, _MEMBERS)
    looked = look(training.X, *ready, training.threads, tick=training.tick, deadline=deadline)
    formed = None
    if looked.kept:
        formed = weigh(looked.kept, ready[0], looked.elected, ready[1].splits)
    return _of_committee(training, _announced(looked.found, ready[0], deadline), formed, seconds)


def _announced(found: Selection, voting: Target, deadline: Deadline | None) -> Selection:
    """Say what there is to say about an election."""
    if warn_if_late(deadline, found.table):
        found = replace(found, partial=True)
    warn_without_evidence(found, voting)
    return found


def _of_committee(
    training: Training, found: Selection, formed: Formed | None, seconds: float
) -> Chosen:
    """Take the members, if there are any and time for this many fits."""
    chosen = _of_election(found, training)
    if formed is None:  # no time for more than the first election
        return chosen
    committee, limit = formed.committee, training.deadline
    members = len(committee.kernels)
    if limit is not None and members > 1 and limit.left < members * seconds:
        short = f"leaves no time to fit a committee of {members}; the elected kernel is used alone"
        warn_caller(limit.warning(short))
        return chosen
    attributes = {**chosen.attributes, "committee_": committee}
    if committee.kernels == [found.kernel]:
        return replace(chosen, attributes=attributes)
    if len(committee.kernels) == 1:  # another kernel takes the place of the elected one
        options = training.options  # with a lambda that was given, in its own unit
        if not options.regularisation.single:
            options = training.at(float(committee.lams[0]))
        return Chosen(committee.kernels[0], options, attributes)
    return replace(chosen, attributes=attributes, formed=formed)


def _refined(training: Training, most: int | None = None) -> Chosen:
    """Elect a Gaussian, then give it a width for every column where that is worth it.

    Of many rows a sample of `most` refines, where that is less than a refinement takes anyway.
    """
    refuse_relative(training)
    elected = _elected(replace(training, tick=part_of(training.tick, 0.0, _ELECTION)))
    found, voting = elected.attributes.get("selection_"), training.target.varying()
    if found is None or voting is None:
        return elected
    deadline, _ = _before_the_fit(training)
    tick = part_of(training.tick, _ELECTION, 1.0)
    work, lam = refining(training, voting, found, tick=tick, deadline=deadline)
    if most is not None:
        problem, options = sampled(work.problem, work.options, most)
        here = all_here(problem.candidates.rows)  # so few of a cluster's
        few = Candidates([found.kernel], here, problem.target.size)
        rows = work.problem.target.size
        work = replace(work, problem=replace(problem, candidates=few), options=options, rows=rows)
    better = work.run(found, lam)
    if deadline is not None and deadline.reached and better.partial and not found.partial:
        far = f"was reached; {better.kernel} is as far as the refinement came"
        warn_caller(deadline.warning(far))
    if training.options.regularisation.single:
        better = with_model(better, training, training.options)
        return Chosen(better.kernel, training.options, {"selection_": better})
    return _of_election(better, training)


def _best(training: Training) -> Chosen:
    """Take a committee, with refined kernels among its candidates, if that is worth it.

    What knows one kernel alone gets the elected one, and the report says why.
    """
    ready = _electable(training)
    many = training.options.landmarks is not None or training.iteration is not None
    if ready is None:
        return _told(_elected(training), undecided("rows or targets do not differ"))
    if training.per_target:
        return _told(_elected(training), undecided("lam_per_target=True is for one kernel"))
    if many:
        return _best_single(training)
    deadline, seconds = _before_the_fit(training, _MEMBERS)
    held = hold(training, *ready, deadline=deadline, tick=training.tick)
    found = _announced(held.found, ready[0], deadline)
    chosen = _of_committee(training, found, held.formed, seconds)
    report = held.report
    if held.formed is not None and "committee_" not in chosen.attributes:
        report = undecided("time was up before a committee could be fitted")
    return _told(chosen, report)


def _best_single(training: Training) -> Chosen:
    """Refine the elected kernel or keep it, where solvers fit one kernel alone."""
    alone = "solvers of many rows fit one kernel alone"
    if training.relative:
        return _told(_elected(training), undecided(f"{alone}; {RELATIVE}"))
    chosen = _refined(training, _SAMPLE)
    found = chosen.attributes["selection_"].refinement
    report = replace(
        undecided(f"{alone}; {found.reason}"),
        losses=np.array([found.start_loss, found.loss, np.nan]),
        gain_errors=np.array([0.0, found.gain_error, np.nan]),
        kept="refined" if found.adopted else "auto",
        relevance=found.relevance,
    )
    return _told(chosen, report)


def _told(chosen: Chosen, report: Contest) -> Chosen:
    return replace(chosen, attributes={**chosen.attributes, "report_": report})


def _precomputed(training: Training) -> Chosen:
    return Chosen(Precomputed(0), training.options)


def _of_family(name: str) -> Choosing:
    """Take a kernel of a known name, its width from the scale of the data."""

    def way(training: Training) -> Chosen:
        kernel = BY_NAME[name]._of_data(training.X, training.target.weights)
        return Chosen(kernel, training.options)

    return way


WAYS: dict[str, Choosing] = {
    "auto": _elected,
    "committee": _committee,
    "refined": _refined,
    "best": _best,
    "precomputed": _precomputed,
    **{name: _of_family(name) for name in BY_NAME},
}


def choose(kernel: Any, training: Training) -> Chosen:
    """Find the kernel to train with: by a way of the table, or the one that was given."""
    if isinstance(kernel, str):
        if kernel not in WAYS:
            raise ValueError(f"unknown kernel {kernel!r}; {did_you_mean(kernel, sorted(WAYS))}")
        return WAYS[kernel](training)
    if not isinstance(kernel, Kernel):
        return Chosen(Function(kernel), training.options)
    bound = kernel if training.columns is None else kernel._bind(training.columns)
    return Chosen(bound, training.options)
