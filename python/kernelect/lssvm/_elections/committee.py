"""A committee of kernels by the exact leave-one-out outputs of an election."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Rows
from ..._data.splits import Splits
from ..._data.target import Target
from ..._evidence.work import CallOptions
from ..._support.arrays import FloatArray
from ..._support.deadline import Deadline, TimeUp
from ..._support.progress import Tick, part_of
from ...criteria import CV, LOO, Column, Evidence, HeldOut, Needs
from ...criteria._held_out import HeldOutCriterion
from ...kernels import Kernel, Laplacian
from ...kernels._candidates import Candidates
from ...kernels.grids import family_grid
from ...refinement._judge import divides, halves, on_part, outputs
from ...results import Committee, Selection
from ...selection._auto import elect_automatically
from ...selection._problem import Problem
from .stacking import cross_fitted, residual_products, share_kept, shrink, stack

_FOLDS = 10  # of rows that weights do not see
# Of more rows than these half elect the Laplacian, at an eighth of the work for each model.
_MANY = 2000

# Something of every row and column of the target, by kernel and lambda.
Models = dict[tuple[Kernel, float], FloatArray]


class _Remembering(HeldOutCriterion):
    """A judge that keeps the outputs behind its losses, as long as they are of all rows."""

    kept: Models
    _rows: int

    @classmethod
    def of(cls, rows: int) -> Any:
        """Make one for this many rows; a search may begin on half of them."""
        made = cls()
        object.__setattr__(made, "_rows", rows)
        object.__setattr__(made, "kept", {})
        return made

    def _predictions(self, **asked: Any) -> Needs:
        return super()._predictions(**{"outputs": True, **asked})

    def _remember(self, evidence: Evidence, held_out: list[HeldOut]) -> None:
        if evidence.target.size == self._rows:
            parts = [part.outputs for part in held_out]
            for k, kernel in enumerate(evidence.kernels):
                for j, lam in enumerate(evidence.ridge.systems.lams[k]):
                    self.kept[kernel, float(lam)] = _first_known([part[k, j] for part in parts])


class _RememberingLOO(_Remembering, LOO):
    def column(self, evidence: Evidence) -> Column:
        self._remember(evidence, [evidence.ridge.loo])
        return LOO.column(self, evidence)


class _RememberingCV(_Remembering, CV):
    def column(self, evidence: Evidence) -> Column:
        self._remember(evidence, evidence.ridge.held_out(self._folds))
        return CV.column(self, evidence)


def _first_known(parts: list[FloatArray]) -> FloatArray:
    """Take outputs of the first repetition that holds a row out; NaN where none does."""
    outputs = parts[0].copy()
    for part in parts[1:]:
        outputs = np.where(np.isnan(outputs), part, outputs)
    return outputs


@dataclass(frozen=True)
class Formed:
    """The members, and outputs for all rows by models and weights that have not seen them."""

    committee: Committee
    outputs: FloatArray


def elect_and_remember(
    problem: Problem, options: CallOptions, tick: Tick | None
) -> tuple[Selection, Models]:
    """Elect as ever, and keep the outputs of what was looked at on the way."""
    judge = (_RememberingCV if options.splits.given else _RememberingLOO).of(problem.target.size)
    found = elect_automatically(problem, judge, options, tick)
    return found, judge.kept


@dataclass(frozen=True)
class Looked:
    """What an election of Gaussians has found, and the models that a second one has seen as well.

    There are none where time was up before the second. The first has looked at `looks` of them.
    """

    found: Selection
    kept: Models
    looks: int

    @property
    def elected(self) -> tuple[Kernel, float]:
        """Where the elected model stands; without a choice of lambdas its kernel has one."""
        kernel, lam = self.found.kernel, self.found.lam
        lams = [own for one, own in self.kept if one == kernel]
        return kernel, min(lams, key=lambda own: abs(own - (lam or own)))


def look(
    X: Rows,
    target: Target,
    options: CallOptions,
    threads: int,
    *,
    tick: Tick | None = None,
    deadline: Deadline | None = None,
) -> Looked:
    """Elect a Gaussian, then a Laplacian, and remember the outputs of all that is looked at."""
    problem = Problem(target, Candidates("auto", X, target.size), threads, deadline)
    found, kept = elect_and_remember(problem, options, part_of(tick, 0.0, 0.5))
    if (deadline is not None and deadline.over()) or not kept:
        return Looked(found, {}, len(kept))
    problem = replace(problem, candidates=Candidates(family_grid(Laplacian, X), X, target.size))
    seconds = _by_half if _halved(target, options) else _by_all
    try:
        others = seconds(problem, options, part_of(tick, 0.5, 1.0))
    except (TimeoutError, TimeUp):
        return Looked(found, {}, len(kept))
    return Looked(found, {**kept, **others}, len(kept))


def _halved(target: Target, options: CallOptions) -> bool:
    """Whether half of the rows tell the kernel; a lambda relative to each asks for all of them.

    So do folds that leave a half none of its own.
    """
    made = options.regularisation
    relative = made.single and made.relative
    return target.size > _MANY and not relative and divides(target, options.splits)


def _by_all(problem: Problem, options: CallOptions, tick: Tick | None) -> Models:
    """Elect on all rows, and return all that was looked at."""
    return elect_and_remember(problem, options, tick)[1]


def _by_half(problem: Problem, options: CallOptions, tick: Tick | None) -> Models:
    """Elect on half of the rows, and return the outputs of the winner as a model of all of them."""
    places, _ = halves(problem.target, options.splits)
    part = problem.part(places)
    found, _ = elect_and_remember(part, on_part(problem, options, places), tick)
    made = options.regularisation
    lam = float(made.values[0]) if found.lam is None else found.lam
    if made.mean and not made.single:  # the same ridge n lambda for more rows
        lam *= part.target.size / problem.target.size
    model = found.kernel, lam
    return {model: outputs(problem, model, options)}


def weigh(kept: Models, target: Target, elected: tuple[Kernel, float], splits: Splits) -> Formed:
    """Weigh models by their outputs for rows that they have not seen.

    Of every kernel the best lambda stands. Nothing is factored for that.
    """
    folds = _folds(target, splits)
    weights = np.ones(target.size) if target.weights is None else target.weights
    roots = np.sqrt(weights / weights.mean())[:, None]
    columns = target.columns()
    # Rows that some fold holds out.
    judged = np.asarray(np.isfinite(kept[elected]).all(axis=1))
    residuals = {
        pair: ((columns - outputs) * roots)[judged]
        for pair, outputs in kept.items()
        if np.isfinite(outputs[judged]).all()
    }
    pairs = [elected, *_best_of_others(residuals, elected[0])]
    whole = np.array([residuals[pair] for pair in pairs])
    scale = float(np.abs(whole).max()) or 1.0  # squares of very large targets overflow
    whole /= scale
    rows = whole.shape[1]
    places = np.cumsum(judged) - 1
    unseen = cross_fitted(whole, [places[fold][judged[fold]] for fold in folds], 0)
    share = share_kept(unseen, whole[0])
    stacked = shrink(stack(residual_products(whole), 0), share, 0)
    members = np.flatnonzero(stacked)
    alone = members.tolist() == [0]
    unseen = whole[0] if alone else share * unseen + (1.0 - share) * whole[0]
    loss, elected_loss = ((part**2).mean(axis=1) for part in (unseen, whole[0]))
    error = float(np.std(loss - elected_loss)) / np.sqrt(max(rows - 1, 1))
    committee = Committee(
        kernels=[pairs[m][0] for m in members],
        lams=np.array([pairs[m][1] for m in members]),
        weights=stacked[members],
        elected=elected[0],
        loss=scale**2 * float(loss.mean()),
        elected_loss=scale**2 * float(elected_loss.mean()),
        gain_error=scale**2 * float(error),
        kept=share,
        n_candidates=len(pairs),
    )
    outputs = np.full(columns.shape, np.nan)
    outputs[judged] = columns[judged] - scale * unseen / roots[judged]
    return Formed(committee, outputs)


def _best_of_others(residuals: Models, elected: Kernel) -> list[tuple[Kernel, float]]:
    """Of every kernel but the elected one the pair with its best lambda."""
    best: dict[Kernel, tuple[float, tuple[Kernel, float]]] = {}
    for pair, own in residuals.items():
        loss = float((own**2).sum())
        if pair[0] != elected and loss < best.get(pair[0], (np.inf, pair))[0]:
            best[pair[0]] = (loss, pair)
    return [pair for _, pair in best.values()]


def _folds(target: Target, splits: Splits) -> list[NDArray[np.int64]]:
    """Rows that weights do not see together: the caller's folds, else a tenth at a time."""
    if splits.given:
        first = splits.sets(target)[0]
        covered = np.zeros(target.size, dtype=bool)
        covered[np.concatenate(first)] = True
        return [*first, np.flatnonzero(~covered)]
    order = np.random.default_rng(0).permutation(target.size)
    return [fold for fold in np.array_split(order, _FOLDS) if len(fold)]
