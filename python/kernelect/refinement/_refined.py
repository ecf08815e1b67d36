"""A refinement of a checked problem: judged on halves, then made on all rows if it is worth it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from .._data.rows import Rows
from .._evidence.objective import Objective
from .._evidence.work import CallOptions
from .._support.deadline import TimeUp
from .._support.progress import Tick, part_of
from ..criteria import Column
from ..kernels import Kernel
from ..kernels._candidates import Candidates
from ..kernels._parameters import Parameters
from ..results import NOT_REACHED, Refinement, ScoreTable, Selection
from ..selection._judged import judged_model
from ..selection._problem import Problem
from ._cross_fit import HALF, cross_fit
from ._descent import Path, Step, Way, descend
from ._judge import MANY, Verdict, at_lambda, divides, halves, sampled
from ._relevance import relevance


@dataclass(frozen=True)
class _Outcome:
    """Why what was done, by which verdict, and the way on all rows where that was taken."""

    reason: str
    found: Verdict | None = None
    evaluations: int = 0
    path: Path | None = None
    late: bool = False


@dataclass(frozen=True)
class Refining:
    """What is refined, and how.

    Attributes
    ----------
    problem : Problem
        Rows and target.
    options : CallOptions
        How ridges are made and rows held out.
    way : Way
        The criterion and its derivatives, the penalty and the bounds.
    per_column : bool
        Whether columns get widths of their own.
    columns : list of str
        What the columns are called.
    tick : callable or None
        Progress.
    modelled : bool
        Whether the result has a model with the sizes of its residuals, which takes one more fit.
    rows : int or None
        How many rows lambdas are given and told for, where the problem is a sample of more.
    """

    problem: Problem
    options: CallOptions
    way: Way
    per_column: bool
    columns: Sequence[str]
    tick: Tick | None = None
    modelled: bool = True
    rows: int | None = None

    def anywhere(
        self, kernel: Kernel, lam: float | None, known: list[Step] | None = None
    ) -> Path | None:
        """Return where the way leads, whether that is worth anything or not; None if nowhere.

        Where other rows have shown the way, it begins in the middle of where that led.
        """
        start = self._start(kernel)
        if self._hopeless(start) is not None:
            return None
        path = self._descend(
            self.way, self.problem, self.options, (0.0, 1.0), start=start, lam=lam, known=known
        )
        if path is not None and path.late:
            raise TimeUp
        return path

    def run(self, begun: Selection, lam: float | None) -> Selection:
        """Refine the winner of an election, if that is worth anything by halves of the rows."""
        if self.problem.target.size > 2 * MANY:
            problem, options = sampled(self.problem, self.options, 2 * MANY)
            rows = self.rows or self.problem.target.size
            return replace(self, problem=problem, options=options, rows=rows).run(begun, lam)
        try:
            if begun.partial or (lam is None and self.way.goal.ridge is not None):
                raise TimeUp  # in the election, or before a lambda was found for its winner
            own = None if lam is None else self._unit * lam
            out = self._outcome(self._start(begun.kernel), own)
        except TimeUp:
            out = _Outcome("time was up before the refinement could be judged", late=True)
        made = self._refinement(begun, lam, out)
        if out.path is not None:
            return self._selection(out.path, made)
        return replace(begun, refinement=made, partial=begun.partial or out.late)

    @property
    def _unit(self) -> float:
        """What lambdas of all rows are times, for those of a sample to be the same ridges."""
        return self._times(self.rows, self.problem.target.size)

    def _times(self, more: int | None, fewer: int) -> float:
        """Return what lambdas of more rows are times for fewer; a fixed one stays what it is."""
        made = self.options.regularisation.mean and self.way.free
        return more / fewer if made and more is not None else 1.0

    def _outcome(self, start: Kernel, lam: float | None) -> _Outcome:
        reason = self._hindrance(start)
        if reason is not None:
            return _Outcome(reason)
        descend = partial(self._descend, start=start, lam=lam)
        fit = cross_fit(self.problem, self.options, self._ways(start), (start, lam), descend)
        if fit is None:
            return _Outcome("the criterion has no value at the start")
        found = fit.verdict
        said = f"kernels refined on one half of the rows predict the other {found.compared}"
        if not found.enough:
            said += ", which is no evidence that they are better"
            return _Outcome(said, found, fit.evaluations)
        path = descend(fit.way, self.problem, self.options, (2 * HALF, 1.0), known=fit.ends)
        return _Outcome(said, found, fit.evaluations + (path.evaluations if path else 0), path)

    def _start(self, kernel: Kernel) -> Kernel:
        rows: Rows = self.problem.candidates.rows
        return kernel._per_column(rows.shape[1]) if self.per_column else kernel

    def hindrance(self, kernel: Kernel) -> str | None:
        """Say why halves of the rows cannot refine a kernel for each other, where that is so."""
        return self._hindrance(self._start(kernel))

    def _hindrance(self, start: Kernel) -> str | None:
        if divides(self.problem.target, self.options.splits):
            return self._hopeless(start)
        return (
            "each half of the rows needs two folds of its own, which these folds do not leave; "
            "give four or more that hold out every row once"
        )

    def _hopeless(self, start: Kernel) -> str | None:
        """Say why there is nothing to be refined, where that is so."""
        target, count = self.problem.target, len(Parameters(start).items)
        smallest = min(len(part) for part in halves(target, self.options.splits))
        if smallest < 2 or smallest <= count:
            return (
                f"half of the {target.size} rows are too few for {count} parameters; give more "
                "rows or fewer columns, or per_column=False"
            )
        return None

    def _ways(self, start: Kernel) -> list[Way]:
        """Return the way, and the one with a weaker penalty where there is such."""
        weaker = self.way.weaker
        if weaker is None or not Parameters(start).columnwise:
            return [self.way]
        return [self.way, replace(self.way, penalty=weaker)]

    def _descend(
        self,
        way: Way,
        problem: Problem,
        options: CallOptions,
        share: tuple[float, float],
        *,
        start: Kernel,
        lam: float | None,
        known: list[Step] | None = None,
    ) -> Path | None:
        """Refine on the rows of a problem, or on a sample of many."""
        size = problem.target.size
        problem, options = sampled(problem, options, MANY)
        unit = self._times(size, problem.target.size)
        tick = part_of(self.tick, *share)
        if problem.deadline is not None:
            tick = problem.deadline.tick(tick)
        goal, target = way.goal, problem.target
        folds = [] if goal.folds is None else self._folds(problem, options)
        objective = Objective(
            goal,
            problem.candidates.rows,
            target,
            options.regularisation.mean,
            options.regularisation.bias,
            folds,
            problem.threads,
        )
        first = 1.0 if lam is None else lam
        begun = None if known is None else [step.times(unit) for step in known]
        path = descend(objective, way, start, unit * first, tick, known=begun)
        if path is None:
            return None
        return replace(path, steps=[step.times(1.0 / unit) for step in path.steps])

    def _folds(self, problem: Problem, options: CallOptions) -> list[NDArray[np.int64]]:
        """Folds of the criterion; of repetitions all."""
        goal = self.way.goal
        assert goal.folds is not None
        sets = options.splits.sets(
            problem.target,
            goal.folds.splits,
            stratified=goal.folds.stratified,
            shuffled=goal.folds.shuffled,
        )
        return [fold for fold_set in sets for fold in fold_set]

    def _refinement(self, begun: Selection, lam: float | None, out: _Outcome) -> Refinement:
        nan = float("nan")
        kernel = begun.kernel if out.path is None else out.path.end.kernel
        return Refinement(
            begun.kernel,
            lam,
            self.way.criterion.key,
            out.path is not None,
            out.reason,
            nan if out.found is None else out.found.loss,
            nan if out.found is None else out.found.start_loss,
            nan if out.found is None else out.found.error,
            out.evaluations,
            relevance(kernel, self.problem.candidates.rows, self.columns),
        )

    def _selection(self, path: Path, made: Refinement) -> Selection:
        """Make a result of the path; its ends have all that belongs to a value."""
        criterion, steps = self.way.criterion, path.steps
        regularised = criterion.regularised
        shape = (len(steps), 1) if regularised else (len(steps),)
        column = Column.blank(criterion.key, criterion.direction, shape, "", label=criterion.label)
        column = replace(column, reasons=[None] * len(steps))
        column.values[:] = np.reshape([step.value for step in steps], shape)
        if column.lams is not None:
            column.lams[:, 0] = [step.lam for step in steps]
            jitter = np.reshape([step.jitter for step in steps], shape)
            column = replace(column, jitter=jitter)
        ends = {0: steps[0], len(steps) - 1: steps[-1]}
        fresh = [place for place, step in ends.items() if not self._all_known(step)]
        scored = [(place, self._scored(steps[place])) for place in fresh]
        column = column.filled([([place], found) for place, found in scored if found is not None])
        if column.lams is not None:
            column = replace(column, lams=column.lams / self._unit)
        table = ScoreTable.of([step.kernel for step in steps], [column], self.problem.target.task)
        last = len(steps) - 1
        end = table.choice(criterion.key, last)
        chosen = Selection(
            end.kernel,
            end.score,
            last,
            criterion.key,
            table,
            end.lam,
            partial=path.late,
            decisive=criterion.key,
            refinement=made,
        )
        if not regularised or not self.modelled:
            return chosen
        problem = replace(self.problem, candidates=self._candidates(table.kernels))
        own = replace(chosen, lam=None if chosen.lam is None else self._unit * chosen.lam)
        model = judged_model(problem, self.options.regularisation, own)
        return replace(chosen, model=model._on_rows(self.rows or model.rows))

    def _all_known(self, step: Step) -> bool:
        """Whether the value found on the way, on all rows, is all that a score would tell.

        Of held-out rows it would tell standard errors and other losses too.
        """
        whole = self.problem.target.size <= MANY
        return whole and self.way.goal.ridge in (None, "evidence") and math.isfinite(step.value)

    def _scored(self, step: Step) -> Column | None:
        """Score one step on all rows; None where no time is left for that."""
        criterion = self.way.criterion
        problem = replace(self.problem, candidates=self._candidates([step.kernel]))
        options = at_lambda(self.options, step.lam, self.problem.target.size, single=False)
        try:
            found = problem.score([criterion], options, None).columns[criterion.key]
        except TimeoutError:
            return None
        return None if found.reasons == [NOT_REACHED] else found

    def _candidates(self, kernels: list[Kernel]) -> Candidates:
        return Candidates(kernels, self.problem.candidates.rows, self.problem.target.size)
