"""The two functions: `evaluate` scores candidates, `select` elects one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._data.folds import Splits
from .._evidence.regularisation import Regularisation, check_regularisation
from .._evidence.work import CallOptions
from .._support.arguments import check_choice
from .._support.progress import Tick, progress_line
from .._support.threads import resolve_threads
from ..criteria import LOO, Criterion, get, resolve
from ..results import RidgeModel, ScoreTable, Selection
from ._all_criteria import all_that_fit
from ._auto import elect_automatically
from ._one_se import check_ordered, check_standard_errors, one_standard_error
from ._problem import Problem
from ._warnings import warn_at_edge, warn_if_late, warn_without_evidence

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
    n_jobs: int | None = None,
    progress: bool | Tick = False,
    time_limit: float | None = None,
) -> ScoreTable:
    """Score every candidate kernel by every criterion.

    All criteria that need the same evidence share one computation: ten cost about as much as the
    most expensive. Features are taken as they are; standardise them first (for example with
    scikit-learn's ``StandardScaler``) where their scales differ.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n, n_features), or None
        Rows; None when all candidates are kernel matrices.
    y : array-like of shape (n,) or, for regression, (n, n_targets)
        Labels of any type, or numbers.
    kernels : optional
        Candidates: kernels, callables, scikit-learn kernels, kernel matrices (a list, a stacked
        array or a generator, consumed one matrix at a time), ``"auto"`` for dyadic Gaussians that
        span the data's own distances, None or ``"rbf"`` for the 31 Gaussians tau = 2^-15 .. 2^15,
        or another family's name (``"laplacian"``, ``"matern"``, ``"rational_quadratic"``,
        ``"polynomial"``, ``"linear"``) for a grid of it around the scale of the data.
    criteria : str, Criterion or list of these, default=("sm", "kta", "ckta")
        Names (`kernelect.criteria.names`) or objects such as ``ke.criteria.SM(r=3)``. ``"all"``:
        every one that fits y, of more than 1000 rows those whose time grows as n^2.
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
        part, as ``TimeSeriesSplit`` does, is exact too. Rows that a split repeats, as a bootstrap
        does, are refused.
    groups : array-like, optional
        Passed to a splitter.
    random_state : int, default=0
        Seed of the shuffling.
    scoring : str, optional
        A scikit-learn scorer name: loo and cv then give that score of the exact held-out outputs,
        larger being better, in place of a loss; their keys say so, as in ``loo(scoring='r2')``.
    task : {"auto", "classification", "regression"}, default="auto"
        Auto calls text, booleans and at most 20 distinct whole numbers classes.
    n_threads, n_jobs : int, optional
        Threads, by either name; all CPUs that this process may use by default. Results do not
        depend on it.
    progress : bool or callable, default=False
        Show a progress line; or a function that is called with the fraction done.
    time_limit : float, optional
        Seconds after which no new work is begun. Criteria of sums come first, then the expensive
        ones for one candidate after the other, the most promising first; those not reached have the
        worst value and a reason, `partial` is True, and a warning says so. A `TimeoutError` where
        not even the cheap criteria are done.

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
    every = isinstance(criteria, str) and criteria == "all"
    asked = [] if every else _with_scoring(resolve(criteria), scoring)
    regularisation = check_regularisation(lam, lam_convention, bias)
    options = CallOptions(regularisation, Splits(folds, groups, random_state))
    threads = resolve_threads(n_threads, n_jobs)
    problem = Problem.make(X, y, kernels, task=task, n_threads=threads, time_limit=time_limit)
    if every:
        asked = _with_scoring(all_that_fit(problem.target), scoring)
    with progress_line(progress, "scoring kernels", problem.candidates.count) as tick:
        table = problem.score(asked, options, tick)
    warn_if_late(problem.deadline, table)
    return table


def _with_scoring(criteria: list[Criterion], scoring: str | None) -> list[Criterion]:
    """Return the criteria with the call's scoring in those that take one."""
    if scoring is None:
        return criteria
    changed = [criterion.with_scoring(scoring) for criterion in criteria]
    if changed == criteria:
        raise ValueError("scoring is for the criteria loo and cv, and neither was asked for")
    return changed


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
    n_jobs: int | None = None,
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
        The criterion that decides. ``"auto"`` screens with cheap criteria and verifies a shortlist
        by exact leave-one-out: on an ordered grid of Gaussians the bracket between the winners of
        KTA and of SM of degree 1, one wider on each side; otherwise the two best of four criteria.
        With ``lam="auto"`` or several lambdas it searches kernel and lambda together, along the
        valley from narrow kernels with a large lambda to wide ones with a small one (of up to 64
        rows all pairs are computed).
    lam, lam_convention, bias, folds, groups, random_state, scoring
        As for `evaluate`.
    rule : {"best", "one_se"}, default="best"
        ``"one_se"``: the widest kernel whose held-out loss is within one standard error of the best
        (ordered grids, criteria loo, cv, bif and ks).
    task : {"auto", "classification", "regression"}, default="auto"
        As for `evaluate`.
    n_threads, n_jobs : int, optional
        As for `evaluate`.
    progress : bool or callable, default=False
        As for `evaluate`.
    time_limit : float, optional
        Seconds after which the best decision so far is taken and said to be partial; for "auto"
        that may rest on the screening alone.

    Returns
    -------
    Selection
        With `kernel`, `score`, `index`, `lam` and the whole `table`; for ``"auto"`` also the
        `verified` candidates and the winner's `lead`. `params_for` hands kernel and regularisation
        to scikit-learn.

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
    >>> SVC(**chosen.params_for(SVC)).fit(X, y).score(X, y) > 0.95
    True
    """
    check_choice(rule, "rule", ("best", "one_se"))
    regularisation = check_regularisation(lam, lam_convention, bias)
    options = CallOptions(regularisation, Splits(folds, groups, random_state))
    automatic = isinstance(criterion, str) and criterion == "auto"
    loo = LOO(scoring=scoring) if automatic else None
    decisive = _deciding(criterion, scoring) if loo is None else loo
    if rule == "one_se":
        check_standard_errors(decisive)
    threads = resolve_threads(n_threads, n_jobs)
    problem = Problem.make(X, y, kernels, task=task, n_threads=threads, time_limit=time_limit)
    if rule == "one_se":
        check_ordered(problem.candidates)
    with progress_line(progress, "electing a kernel", problem.candidates.count) as tick:
        if loo is not None:
            chosen, relative = elect_automatically(problem, loo, options, tick), None
        else:
            chosen, relative = _elect_by(problem, decisive, options, tick)
    if rule == "one_se":
        chosen = one_standard_error(chosen)
    if decisive.regularised and chosen.decisive == decisive.key:
        chosen = replace(chosen, model=_judged(problem, regularisation, chosen))
    if warn_if_late(problem.deadline, chosen.table):
        chosen = replace(chosen, partial=True)
    warn_at_edge(chosen)
    if relative is not None:
        warn_without_evidence(chosen, float(relative[chosen.index]))
    return chosen


def _judged(problem: Problem, made: Regularisation, chosen: Selection) -> RidgeModel:
    """Return the model behind the winner's score."""
    lam = float(made.values[0]) if chosen.lam is None else chosen.lam
    return RidgeModel.of(problem.target, lam, mean=made.mean, bias=made.bias)


def _deciding(criterion: Any, scoring: str | None) -> Criterion:
    """Check the criterion that is to decide."""
    decisive = get(criterion)
    if decisive.direction == 0:
        raise ValueError(
            f"{decisive.key!r} is a diagnostic without a better or worse and cannot elect a "
            "kernel; use it in evaluate"
        )
    return _with_scoring([decisive], scoring)[0]


def _elect_by(
    problem: Problem, decisive: Criterion, options: CallOptions, tick: Tick | None
) -> tuple[Selection, Any]:
    """Elect by one criterion; return also its values relative to the identity kernel, if any."""
    # Free beside the criterion itself, and tells whether there is evidence at all.
    relative = decisive.beside_identity()
    asked = [decisive] if relative in (None, decisive) else [decisive, relative]
    table = problem.score([c for c in asked if c is not None], options, tick)
    column = table.columns[decisive.key]
    if problem.deadline is not None and table.partial and not column.known.any():
        raise problem.deadline.nothing()
    values = None if relative is None else table.columns[relative.key].values
    return Selection.by(table.only(decisive.key), decisive.key), values
