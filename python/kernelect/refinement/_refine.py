"""`refine`: from an elected kernel to the best one near it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from .._data.rows import column_names
from .._data.splits import Splits
from .._data.target import Target, check_target
from .._evidence.regularisation import check_regularisation
from .._evidence.work import CallOptions
from .._support.arguments import check_flag, check_number, is_number, shown
from .._support.deadline import Deadline
from .._support.progress import Tick, part_of, progress_line
from .._support.quiet import quietly
from .._support.threads import resolve_threads
from .._support.warning import warn_caller
from ..criteria import CV, LOO, Criterion, Goal, MarginalLikelihood, get
from ..kernels._parameters import Parameters
from ..results import Selection
from ..selection import select
from ..selection._auto import judge
from ..selection._problem import Problem
from ..selection._warnings import warn_without_weights
from ._descent import Way
from ._refined import Refining
from ._start import hindrance_of, kept, kernel_of, lambda_of

# Times the squared log widths around their mean, in nats: a normal prior on them with a standard
# deviation of 0.3. docs/guide/beyond.rst tells how it was chosen.
PENALTY = 6.0
BOUNDS = (1e-8, 1e8)
_ELECTION = 0.2  # share of a progress line


def refine(
    X: Any,
    y: Any,
    start: Any = None,
    criterion: Any = "auto",
    *,
    per_column: bool = True,
    penalty: Any = "auto",
    bounds: Sequence[float] = BOUNDS,
    lam: Any = "auto",
    lam_convention: str = "sum",
    bias: bool = True,
    folds: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    random_state: Any = 0,
    task: str = "auto",
    n_threads: int | None = None,
    n_jobs: int | None = None,
    progress: bool | Tick = False,
    time_limit: float | None = None,
) -> Selection:
    r"""Refine an elected kernel by the derivatives of a criterion in all of its parameters.

    The elected kernel gets a width for every column, and L-BFGS moves the logarithms of all
    parameters, and of lambda, to where the criterion is best [1]_ [2]_. Widths that differ from
    column to column are held together by the penalty
    :math:`\mu \sum_j (\log \sigma_j - \overline{\log \sigma})^2`, in nats, as by a normal prior.

    With more than 2000 rows, parameters are found on a sample of 2000.

    A criterion cannot judge what was optimised by it. Therefore the kernel is first refined on one
    half of the rows, and start and refinement are compared by their exact held-out losses on the
    other half; then the halves change places. Unless the refinement is better by 1.5 standard
    errors and by 1 %, the start is returned, and `Selection.refinement` says why.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n, n_features)
        Rows.
    y : array-like of shape (n,) or, for regression, (n, n_targets)
        Labels of any type, or numbers.
    start : Kernel or Selection, optional
        The kernel to start from; by default the Gaussian that `select` elects from
        ``kernels="auto"``. An elected kernel without parameters is kept.
    criterion : str or Criterion, default="auto"
        What to optimise: a criterion whose derivatives are known, ``"loo"``, ``"cv"``,
        ``"evidence"``, ``"sm"``, ``"kta"``, ``"ekta"``, ``"ckta"`` or ``"ks"``. ``"auto"`` is the
        evidence of a Gaussian process in regression, leave-one-out in classification, and
        cross-validation where `folds` or `groups` are given.
    per_column : bool, default=True
        Give every column a width of its own, in kernels that have widths.
    penalty : float or "auto", default="auto"
        :math:`\mu`; 0 for none. ``"auto"`` is 6; a refinement by the evidence drops the penalty
        if the other half of the rows is predicted better without it.
    bounds : (float, float), default=(1e-8, 1e8)
        The factors by which parameters may change.
    lam : float or "auto", default="auto"
        The lambda to start from; ``"auto"`` takes the best for the start.
    lam_convention, bias, folds, groups, sample_weight, random_state, task
        As for `select`.
    n_threads, n_jobs, progress
        As for `select`.
    time_limit : float, optional
        Seconds after which the optimisation stops where it is; if there is no time left to judge
        it, the start is returned. The result is then `partial`.

    Returns
    -------
    Selection
        Its `kernel` and `lam` are the refined ones, and its candidates the kernels on the way
        from the start; or those of the start, if that is kept. `Selection.refinement` says
        which, why, and how relevant each column is; `plots.relevance` draws that.

    References
    ----------
    .. [1] O. Chapelle, V. Vapnik, O. Bousquet, S. Mukherjee, "Choosing multiple parameters for
       support vector machines", Machine Learning 46, 2002.
    .. [2] G. C. Cawley, N. L. C. Talbot, "Preventing over-fitting during model selection via
       Bayesian regularisation of the hyper-parameters", JMLR 2007.

    Examples
    --------
    >>> import kernelect as ke
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> y = np.sin(2 * X[:, 0]) + 0.1 * X[:, 1]
    >>> chosen = ke.refine(X, y)
    >>> chosen.refinement.adopted, list(chosen.refinement.relevance)
    (True, ['x0', 'x1', 'x2', 'x3'])
    >>> model = ke.LSSVMRegressor(chosen.kernel, lam=chosen.lam).fit(X, y)
    """
    check_flag(per_column, "per_column")
    regularisation = check_regularisation(lam, lam_convention, bias)
    if not (isinstance(lam, str) or is_number(lam)):
        raise TypeError(f"lam must be one number to set out from, or 'auto', not {shown(lam)}")
    limits = _checked_bounds(bounds)
    free = isinstance(penalty, str) and penalty == "auto"
    weight = PENALTY if free else check_number(penalty, "penalty", zero=True)
    kernel = kernel_of(start)
    threads = resolve_threads(n_threads, n_jobs)
    deadline = Deadline.of(time_limit)
    splits = Splits(folds, groups)
    target = check_target(y, task)
    refining = deciding(criterion, target, splits)
    refining.check_target(target)
    goal = checked_goal(refining)
    way = Way(refining, goal, weight, limits, weaker=weaker(goal) if free else None)
    if kernel is not None and (hindrance := hindrance_of(kernel)) is not None:
        if not isinstance(start, Selection) or all(map(hindrance_of, start.table.kernels)):
            raise ValueError(hindrance)
        return kept(start, refining.key, hindrance)
    shared = {
        "lam_convention": lam_convention,
        "bias": bias,
        "sample_weight": sample_weight,
        "task": task,
        "n_threads": threads,
        "time_limit": deadline,
    }
    with progress_line(progress, "refining a kernel") as tick:
        begun = start
        if not isinstance(start, Selection):
            begun = select(
                X,
                y,
                "auto" if kernel is None else [kernel],
                lam="auto" if isinstance(lam, str) else lam,
                folds=folds,
                groups=groups,
                random_state=random_state,
                progress=False if tick is None else part_of(tick, 0.0, _ELECTION) or False,
                **shared,
            )
        with quietly():  # what there is to say about rows was said
            problem = Problem.make(
                X, y, [begun.kernel], task=task, n_threads=threads, sample_weight=sample_weight
            )
        problem = replace(problem, deadline=deadline)
        own = Splits(folds, groups, random_state, problem.kept)
        options = CallOptions(regularisation, own)
        _warn_about_unused(way, start, problem, changed=not free, lam=lam)
        rows: Any = problem.candidates.rows
        names = column_names(X) or [f"x{j}" for j in range(rows.shape[1])]
        work = Refining(problem, options, way, per_column, names, part_of(tick, _ELECTION, 1.0))
        first = lambda_of(begun, lam, way)
        if first is None and way.goal.ridge is not None:  # of a criterion that depends on none
            judging = {"folds": folds, "groups": groups, "random_state": random_state}
            with quietly(), suppress(TimeoutError):
                own_lam = select(
                    X, y, [begun.kernel], judge(splits), lam="auto", **judging, **shared
                )
                first = own_lam.lam
        found = work.run(begun, first)
    if found.partial and deadline is not None:
        far = f"was reached; {found.kernel} is as far as the refinement came"
        warn_caller(deadline.warning(far))
    return found


def _warn_about_unused(way: Way, start: Any, problem: Problem, *, changed: bool, lam: Any) -> None:
    """Say which arguments play no part in what is refined."""
    if problem.target.weights is not None:
        warn_without_weights([way.criterion])
    if way.goal.ridge is None and start is not None and not isinstance(lam, str):
        warn_caller(
            f"lam plays no part in {way.criterion.key} of a given kernel; it is for criteria that "
            "fit a model, such as 'loo'"
        )
    ((_, kernel),) = problem.candidates.core
    rows: Any = problem.candidates.rows
    if changed and not Parameters(kernel._per_column(rows.shape[1])).columnwise:
        warn_caller(
            f"penalty plays no part where columns have no widths of their own, as in {kernel!r}"
        )


def deciding(criterion: Any, target: Target, splits: Splits) -> Criterion:
    """Return the criterion to refine by."""
    if not (isinstance(criterion, str) and criterion == "auto"):
        return get(criterion)
    if splits.given:
        return CV()
    return MarginalLikelihood() if target.task == "regression" else LOO()


def checked_goal(criterion: Criterion) -> Goal:
    """Return the derivatives of a criterion; refuse one that has none."""
    goal = criterion.goal()
    if goal is None:
        raise ValueError(
            f"the derivatives of {criterion.key} are not known; refine by 'auto', 'loo', 'cv', "
            "'evidence', 'sm', 'kta', 'ekta', 'ckta' or 'ks'"
        )
    return goal


def weaker(goal: Goal) -> float | None:
    """Return a penalty to go on with where unseen rows say so.

    The evidence weighs all functions with some widths, and widths of their own seldom hurt there.
    Of other criteria it is not worth the time.
    """
    return 0.0 if goal.ridge == "evidence" else None


def _checked_bounds(bounds: Any) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        raise TypeError(
            f"bounds must be two factors by which parameters may change, not {shown(bounds)}"
        ) from None
    if not (0.0 < low <= 1.0 <= high and math.isfinite(high)):
        raise ValueError(
            f"bounds=({low:g}, {high:g}) leave the start out: they are factors of its parameters, "
            "the first between 0 and 1, the second 1 or more"
        )
    return low, high
