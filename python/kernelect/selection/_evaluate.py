"""`evaluate` scores every candidate by every criterion."""

from __future__ import annotations

from typing import Any

from .._dask.collections import in_memory
from .._data.splits import Splits
from .._evidence.regularisation import check_regularisation
from .._evidence.work import CallOptions
from .._support.progress import Tick, progress_line
from .._support.threads import resolve_threads
from ..criteria import Criterion, resolve
from ..results import ScoreTable
from ._affordable import afforded
from ._all_criteria import all_that_fit
from ._landmarks import with_landmarks
from ._on_cluster import check_on_cluster, check_pairs
from ._problem import Problem
from ._sample import with_sample
from ._unused import warn_about_unused
from ._warnings import warn_if_late, warn_without_weights

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
    folds: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    random_state: Any = 0,
    landmarks: int | str | None = "auto",
    sample: int | str | None = None,
    scoring: str | None = None,
    task: str = "auto",
    n_threads: int | None = None,
    n_jobs: int | None = None,
    progress: bool | Tick = False,
    time_limit: float | None = None,
    client: Any = None,
) -> ScoreTable:
    """Score every candidate kernel by every criterion.

    All criteria that need the same evidence share one computation: ten cost about as much as the
    most expensive. Features are taken as they are; standardise them first (for example with
    scikit-learn's ``StandardScaler``) where their scales differ.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n, n_features), list, or None
        Rows; None when all candidates are kernel matrices. Where all are callables, a list of
        anything that those take: strings, graphs, series of different lengths. Or a dask array or
        data frame: its models always have landmarks, and criteria of sums need `sample` for more
        than 50,000 rows.
    y : array-like of shape (n,) or, for regression, (n, n_targets)
        Labels of any type, or numbers.
    kernels : optional
        Candidates: kernels, callables, scikit-learn kernels, kernel matrices (a list, a stacked
        array or a generator, consumed one matrix at a time), ``"auto"`` for dyadic Gaussians that
        span the data's own distances, None or ``"rbf"`` for the 31 Gaussians tau = 2^-15 .. 2^15,
        or another family's name (``"laplacian"``, ``"matern"``, ``"rational_quadratic"``,
        ``"polynomial"``, ``"linear"``) for a grid of it around the scale of the data.
    criteria : str, Criterion, callable or list of these, default=("sm", "kta", "ckta")
        Names (`kernelect.criteria.names`), objects such as ``ke.criteria.SM(r=3)``, or functions of
        the kernel matrix and y (`criteria.OfMatrix`). ``"all"``: every one that fits y, of more
        than 1000 rows those whose time grows as n^2.
    lam : float, list of float or "auto", default=1.0
        Regularisation of the criteria that fit a model (loo, cv, gcv, evidence, br, bif, ks); with
        several, their scores have an axis of lambdas. ``"auto"``: ridges of 2^-10 .. 2^10 times
        tr(K_c)/n.
    lam_convention : {"sum", "mean"}, default="sum"
        K + lam I, or K + m lam I for a fit on m points.
    bias : bool, default=True
        With a bias term (LSSVM), or without (kernel ridge regression).
    folds : int, splitter or list of (train, test), optional
        For cv, bif, ks and `select`'s "auto"; 5 by default. A number means shuffled folds,
        stratified ones for classification. Any splitter of scikit-learn will do; one that trains
        on less than all rows outside its test part, as ``TimeSeriesSplit`` does, is exact too. Rows
        that a split repeats, as a bootstrap does, are refused.
    groups : array-like of shape (n,), optional
        Rows of one group, such as those of one patient, are held out together: by a number of folds
        and by a splitter that heeds groups.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows' losses in the criteria that fit a model, when they fit and when they
        are held out: a weight of 2 is a row that occurs twice and is held out as one. Rows of
        weight zero are left out. Criteria of sums and eigenvalues alone count each row of positive
        weight once, and a warning says so.
    random_state : int, RandomState or None, default=0
        Seed of what is drawn at random: shuffled folds, landmarks, samples. Where nothing is, a
        seed changes nothing and nothing is said, as in scikit-learn, since scripts give one to all
        that they call; of every other argument that plays no part a warning says so.
    landmarks : int, "auto" or None, default="auto"
        Judge the models of loo, cv, gcv, br, ks and evidence with at most this many landmarks m
        instead of whole kernel matrices: O(n m^2), and exact for the kernel K_nm K_mm^-1 K_mn. A
        row that is left out is also removed from the landmarks; folds score only rows that are no
        landmarks; of more than 50,000 rows, a sample of 20,000 is scored.
        ``columns[key].landmarks`` says how many there were, ``rank_errors`` how much of the kernel
        they miss. ``"auto"``: none if memory holds whole matrices, otherwise four times the square
        root of the number of rows; None: never.
    sample : int, "auto" or None, default=None
        Estimate the criteria of sums (sm of degrees 1 and 2, kta, ekta, ckta, kcsm, mmd) from the
        pairs of this many rows with all rows, at least 32 of each class: O(n) each, without the
        bias of a smaller data set. ``table.errors`` then has standard errors, and
        ``columns[key].rivals`` the candidates that may be the best. ``"auto"``: 512 rows, doubled
        until few candidates may be the best. All pairs are used by default, and when the sample
        would have half of the rows.
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
    client : distributed.Client, optional
        Where dask collections are computed: by default the active client, or, if there is none,
        this process, one block at a time. However the rows are divided, the result is the same to
        the bit as for these rows in memory, on equal processors.

    Returns
    -------
    ScoreTable
        With `scores`, `best`, `ranking`, `to_frame` and `to_dict`.

    Warns
    -----
    UserWarning
        When an argument has no effect on the criteria asked for.

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
    asked = [] if every else with_scoring_of_call(resolve(criteria), scoring)
    regularisation = check_regularisation(lam, lam_convention, bias)
    threads = resolve_threads(n_threads, n_jobs)
    check_on_cluster(
        X,
        y,
        sample_weight,
        groups,
        client=client,
        kernels=kernels,
        criteria=None if every else asked,
        landmarks=landmarks,
        sample=sample,
    )
    problem = Problem.make(
        X,
        y,
        kernels,
        task=task,
        n_threads=threads,
        time_limit=time_limit,
        sample_weight=sample_weight,
        client=client,
    )
    check_pairs(problem, asked, sample)
    splits = Splits(folds, in_memory(groups, client), random_state, problem.kept)
    options = CallOptions(regularisation.of_rows(problem.target.size), splits)
    if every:
        asked = with_scoring_of_call(all_that_fit(problem.target), scoring)
    if problem.target.weights is not None:
        warn_without_weights(asked)
    options = with_landmarks(landmarks, problem, asked, options, random_state=random_state)
    options = with_sample(sample, problem, asked, options, random_state)
    warn_about_unused(asked, options)
    with progress_line(progress, "scoring kernels", problem.candidates.count) as tick:
        table = afforded(problem, asked, options).score(asked, options, tick)
    warn_if_late(problem.deadline, table)
    return table


def with_scoring_of_call(criteria: list[Criterion], scoring: str | None) -> list[Criterion]:
    """Return the criteria with the call's scoring in those that take one."""
    if scoring is None:
        return criteria
    changed = [criterion.with_scoring(scoring) for criterion in criteria]
    if changed == criteria:
        raise ValueError("scoring is for the criteria loo and cv, and neither was asked for")
    return changed
