"""The two functions: `evaluate` scores candidates, `select` elects one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._evidence.regularisation import check_regularisation
from .._evidence.ridge import RidgeOptions
from .._support.progress import Tick, progress_line
from .._support.remedy import advised
from .._support.warning import warn_caller
from ..criteria import BIF, CV, KS, LOO, SM, Criterion, get, resolve
from ..kernels import Kernel
from ..kernels._order import order_of
from ..results import ScoreTable, Selection
from ._auto import elect
from ._deadline import Deadline
from ._problem import Problem

DEFAULT_CRITERIA = ("sm", "kta", "ckta")


def evaluate(
    X: Any,
    y: Any,
    kernels: Any = None,
    criteria: Any = DEFAULT_CRITERIA,
    *,
    lam: Any = 1.0,
    lam_convention: str = "sum",
    bias: bool = True,
    folds: Any = 5,
    groups: Any = None,
    random_state: Any = 0,
    scoring: str | None = None,
    task: str = "auto",
    n_threads: int | None = None,
    progress: bool | Tick = False,
    time_limit: float | None = None,
) -> ScoreTable:
    """Score every candidate kernel by every criterion.

    All criteria that need the same evidence share one computation: ten cost about as much as the
    dearest. Features are taken as they are; standardise them first (for example with scikit-learn's
    ``StandardScaler``) where their scales differ.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n, n_features), or None
        Rows; None when all candidates are kernel matrices.
    y : array-like of shape (n,) or, for regression, (n, n_targets)
        Labels of any type, or numbers.
    kernels : optional
        Candidates: kernels, callables, scikit-learn kernels, kernel matrices (a list, a stacked array
        or a generator, consumed one matrix at a time), ``"auto"`` for dyadic Gaussians that span the
        data's own distances, or None for the 31 Gaussians tau = 2^-15 .. 2^15.
    criteria : str, Criterion or list of these, default=("sm", "kta", "ckta")
        Names (`kernelect.criteria.names`) or objects such as ``ke.criteria.SM(r=3)``.
    lam : float, list of float or "auto", default=1.0
        Regularisation of the criteria that fit a model (loo, cv, gcv, br, bif, ks); with several,
        their scores have an axis of lambdas. ``"auto"``: 2^-10 .. 2^10 times tr(K_c)/n.
    lam_convention : {"sum", "mean"}, default="sum"
        K + lam I, or K + m lam I for a fit on m points.
    bias : bool, default=True
        With a bias term (LSSVM), or without (kernel ridge regression).
    folds : int, splitter or list of (train, test), default=5
        For cv, bif and ks. A number means stratified, shuffled folds (plain ones for regression).
        Any splitter of scikit-learn will do; one that trains on less than all rows outside its test
        part, as ``TimeSeriesSplit`` does, is exact too.
    groups : array-like, optional
        Passed to a splitter.
    random_state : int, default=0
        Seed of the shuffling.
    scoring : str, optional
        A scikit-learn scorer name: loo and cv then give that score of the exact held-out outputs,
        larger being better, in place of a loss.
    task : {"auto", "classification", "regression"}, default="auto"
        Auto calls text, booleans and at most 20 distinct whole numbers classes.
    n_threads : int, optional
        Threads; all CPUs that this process may use by default. Results do not depend on it.
    progress : bool or callable, default=False
        Show a progress line; or a function that is called with the fraction done.
    time_limit : float, optional
        Seconds after which no new work is begun. Criteria of sums come first, then the dear ones
        for one candidate after the other, the most promising first; those not reached have the
        worst value and a reason, `partial` is True, and a warning says so. A `TimeoutError` where not
        even the cheap criteria are done.

    Returns
    -------
    ScoreTable
        With `scores`, `best`, `ranking`, `to_frame` and `to_dict`.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_iris(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> ke.evaluate(X, y, ke.gaussian_grid(-1, 2), ["sm", "kta", "loo"])
    4 candidates, classification (* best by the criterion)
    kernel                sm max   kta max   loo min
    Gaussian(tau=0.5)  0.0583903  0.498189  0.112566
    Gaussian(tau=1.0)   0.114709  0.509114*  0.10517*
    Gaussian(tau=2.0)   0.165205* 0.460665  0.107115
    Gaussian(tau=4.0)   0.157605  0.348474   0.12659
    """
    asked, keys = _with_scoring(resolve(criteria), scoring)
    regularisation = check_regularisation(lam, lam_convention, bias)
    problem = Problem.make(X, y, kernels, task, n_threads)
    options = RidgeOptions(regularisation, folds, groups, random_state)
    problem.deadline = None if time_limit is None else Deadline(time_limit)
    with progress_line(progress, "scoring kernels", problem.candidates.count) as tick:
        table = problem.score(asked, options, tick)
    _warn_if_late(problem, table)
    return _renamed(table, keys)


def _with_scoring(
    criteria: list[Criterion], scoring: str | None
) -> tuple[list[Criterion], dict[str, str]]:
    """Give the call's scoring to loo and cv, which keep the keys they were asked under."""
    if scoring is None:
        return criteria, {}
    keys: dict[str, str] = {}
    changed: list[Criterion] = []
    for criterion in criteria:
        if isinstance(criterion, (LOO, CV)) and criterion.scoring is None:
            changed.append(replace(criterion, scoring=scoring))
            keys[changed[-1].key] = criterion.key
        else:
            changed.append(criterion)
    if not keys:
        raise ValueError("scoring is for the criteria loo and cv, and neither was asked for")
    return changed, keys


def _renamed(table: ScoreTable, keys: dict[str, str]) -> ScoreTable:
    if not keys:
        return table
    renamed = {
        part: {keys.get(key, key): value for key, value in items.items()}
        for part, items in table._parts().items()
    }
    return ScoreTable(table.kernels, task=table.task, lams=table.lams, **renamed)


def select(
    X: Any,
    y: Any,
    kernels: Any = None,
    criterion: Any = "auto",
    *,
    lam: Any = 1.0,
    lam_convention: str = "sum",
    bias: bool = True,
    folds: Any = 5,
    groups: Any = None,
    random_state: Any = 0,
    scoring: str | None = None,
    rule: str = "best",
    task: str = "auto",
    n_threads: int | None = None,
    progress: bool | Tick = False,
    time_limit: float | None = None,
) -> Selection:
    """Elect the best kernel.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n, n_features), or None
        Rows; None when all candidates are kernel matrices.
    y : array-like of shape (n,) or, for regression, (n, n_targets)
        Labels of any type, or numbers.
    kernels : optional
        Candidates, as for `evaluate`.
    criterion : str or Criterion, default="auto"
        The criterion that decides. ``"auto"`` screens with cheap criteria and verifies a shortlist by
        exact leave-one-out: on an ordered grid of Gaussians the bracket between the winners of KTA
        and of SM of degree 1, one wider on each side; otherwise the two best of four criteria. With
        ``lam="auto"`` or several lambdas it searches kernel and lambda together, along the valley
        from narrow kernels with a large lambda to wide ones with a small one (of up to 64 rows all
        pairs are computed).
    lam, lam_convention, bias, folds, groups, random_state, scoring
        As for `evaluate`.
    rule : {"best", "one_se"}, default="best"
        ``"one_se"``: the widest kernel whose held-out loss is within one standard error of the best
        (ordered grids, criteria loo, cv, bif and ks).
    task : {"auto", "classification", "regression"}, default="auto"
        As for `evaluate`.
    n_threads : int, optional
        As for `evaluate`.
    progress : bool or callable, default=False
        As for `evaluate`.
    time_limit : float, optional
        Seconds after which the best decision so far is taken and said to be partial; for "auto" that
        may rest on the screening alone.

    Returns
    -------
    Selection
        With `kernel`, `score`, `index`, `lam` and the whole `table`; for ``"auto"`` also the
        `verified` candidates and the winner's `lead`.

    Warns
    -----
    UserWarning
        When the winner stands at the edge of an ordered grid, or when no candidate tells more than
        the identity kernel.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> chosen = ke.select(X, y)
    >>> chosen.kernel, chosen.verified
    (Gaussian(tau=1.0), [14, 15, 16, 17])
    >>> ke.select(X, y, criterion="sm").kernel
    Gaussian(tau=2.0)
    >>> SVC(**chosen.kernel.params_for(SVC)).fit(X, y).score(X, y) > 0.95
    True
    """
    if rule not in ("best", "one_se"):
        raise ValueError(f"rule must be 'best' or 'one_se', not {rule!r}")
    regularisation = check_regularisation(lam, lam_convention, bias)
    options = RidgeOptions(regularisation, folds, groups, random_state)
    automatic = isinstance(criterion, str) and criterion == "auto"
    decisive: Criterion = LOO(scoring=scoring) if automatic else get(criterion)
    if decisive.sense() == 0:
        raise ValueError(
            f"{decisive.key!r} is a diagnostic without a better or worse and cannot elect a "
            "kernel; use it in evaluate"
        )
    keys: dict[str, str] = {}
    if not automatic:
        (decisive,), keys = _with_scoring([decisive], scoring)
    if rule == "one_se":
        _refuse_without_error(decisive)
    problem = Problem.make(X, y, kernels, task, n_threads)
    candidates = problem.candidates
    if rule == "one_se" and not candidates.one_shot:
        _widths([kernel for _, kernel in sorted(candidates.core + candidates.others())])
    problem.deadline = None if time_limit is None else Deadline(time_limit)
    with progress_line(progress, "electing a kernel", problem.candidates.count) as tick:
        if automatic:
            chosen = elect(problem, LOO(scoring=scoring), options, tick)
            relative = None
        else:
            chosen, relative = _elect_by(problem, decisive, options, tick, keys)
    if rule == "one_se":
        chosen = _one_standard_error(chosen, decisive.key if automatic else chosen.criterion)
    if _warn_if_late(problem, chosen.table):
        chosen = replace(chosen, partial=True)
    _warn_at_edge(chosen.table.kernels, chosen.index)
    if relative is not None and relative[chosen.index] <= 1.0 + 1e-3:
        warn_caller(
            f"no evidence: by {chosen.criterion} the best candidate {chosen.kernel!r} tells no more "
            "about y than the identity kernel does; try other candidates, a higher degree r, or "
            "criterion 'auto'"
        )
    return chosen


def _elect_by(
    problem: Problem,
    decisive: Criterion,
    options: RidgeOptions,
    tick: Tick | None,
    keys: dict[str, str],
) -> tuple[Selection, Any]:
    """Elect by one criterion; for SM also give the values relative to the identity kernel."""
    asked = [decisive]
    if isinstance(decisive, SM) and not decisive.relative:
        # Free beside the measure itself, and tells whether there is evidence at all.
        asked.append(replace(decisive, relative=True))
    full = problem.score(asked, options, tick)
    if problem.deadline is not None and all(full.reasons[decisive.key]) and full.partial:
        raise problem.deadline.nothing()
    table = _renamed(full.only(decisive.key), keys)
    key = keys.get(decisive.key, decisive.key)
    best = table.best(key)
    relative = full.scores[asked[-1].key] if isinstance(decisive, SM) else None
    return Selection(best.kernel, best.score, best.index, key, table, best.lam), relative


def _refuse_without_error(decisive: Criterion) -> None:
    held_out = isinstance(decisive, (LOO, CV, BIF, KS))
    if not held_out or getattr(decisive, "scoring", None) is not None:
        raise ValueError(
            f"rule='one_se' needs a held-out loss with a standard error, which {decisive.key!r} has not; "
            "use criterion 'auto', 'loo', 'cv', 'bif' or 'ks' without scoring"
        )


def _widths(kernels: list[Kernel]) -> NDArray[np.float64]:
    widths = order_of(kernels)
    if widths is None:
        raise ValueError(
            "rule='one_se' needs an ordered grid of three or more kernels of one family, which the "
            "candidates are not; pass one such as gaussian_grid(), or rule='best'"
        )
    return widths


def _one_standard_error(chosen: Selection, key: str) -> Selection:
    """Move to the widest kernel within one standard error of the winner."""
    table = chosen.table
    widths = _widths(table.kernels)
    if key not in table.errors or table.reasons[key][chosen.index] is not None:
        return chosen  # time was up before the errors were known: the best decision so far
    values = table._at_best_lambda(key, table._loss(key))
    errors = table._at_best_lambda(key, table.errors[key])
    within = np.flatnonzero(values <= values[chosen.index] + errors[chosen.index])
    place = int(within[np.argmax(widths[within])])
    moved = table.choice(key, place)
    return replace(
        chosen, kernel=moved.kernel, score=moved.score, index=place, lam=moved.lam, lead=None
    )


def _warn_if_late(problem: Problem, table: ScoreTable) -> bool:
    if problem.deadline is None or not problem.deadline.reached:
        return False
    counts = [
        f"{sum(reason is None for reason in reasons)} by {key}"
        for key, reasons in table.reasons.items()
    ]
    warn_caller(
        f"time_limit={problem.deadline.seconds:g} seconds was reached; of {len(table.kernels)} "
        f"candidates were scored: {', '.join(counts)}"
    )
    return True


def _warn_at_edge(kernels: list[Kernel], index: int) -> None:
    """Say how to go on when the winner is the widest or narrowest of an ordered grid."""
    widths = order_of(kernels)
    winner = kernels[index]
    if widths is None or 0 < index < len(kernels) - 1:
        return
    advice = winner._beyond(kernels, wide=bool(widths[index] == widths.max()))
    if advice is None:
        return
    warn_caller(
        advised(UserWarning, f"the winner {winner!r} stands at the edge of the grid", advice)
    )
