"""`select` elects one candidate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._dask.collections import in_memory
from .._data.splits import Splits
from .._evidence.regularisation import check_regularisation
from .._evidence.work import CallOptions
from .._support.arguments import check_choice
from .._support.progress import Tick, progress_line
from .._support.threads import resolve_threads
from ..criteria import Criterion, get
from ..results import Selection
from ._affordable import afforded
from ._auto import elect_automatically, judge
from ._evaluate import with_scoring_of_call
from ._judged import judged_model
from ._landmarks import warn_if_not_converged, with_landmarks
from ._on_cluster import check_on_cluster, check_pairs
from ._one_se import check_ordered, check_standard_errors, one_standard_error
from ._problem import Problem
from ._sample import with_sample
from ._screening import screening
from ._unused import warn_about_unused
from ._warnings import (
    warn_at_edge,
    warn_if_late,
    warn_like_identity,
    warn_without_evidence,
    warn_without_weights,
)


def select(
    X: Any,
    y: Any,
    kernels: Any = None,
    criterion: Any = "auto",
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
    rule: str = "best",
    task: str = "auto",
    n_threads: int | None = None,
    n_jobs: int | None = None,
    progress: bool | Tick = False,
    time_limit: float | None = None,
    client: Any = None,
) -> Selection:
    """Elect the best kernel.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n, n_features), list, or None
        Rows, as for `evaluate`, also those of dask; None when all candidates are kernel matrices.
    y : array-like of shape (n,) or, for regression, (n, n_targets)
        Labels of any type, or numbers.
    kernels : optional
        Candidates, as for `evaluate`.
    criterion : str, Criterion or callable, default="auto"
        The criterion that decides, or a function of the kernel matrix and y whose larger values
        are better. ``"auto"`` screens with cheap criteria and verifies a shortlist by exact
        leave-one-out or, if `folds` or `groups` are given, by exact cross-validation on those
        folds. On an ordered grid of Gaussians the shortlist is the bracket between the winners of
        KTA and of SM of degree 1, one wider on each side; in regression, and with weights, folds or
        groups, it continues beyond an end that is best. With more than 5,000 rows the bracket is
        walked along from the winner of SM while losses fall. For other candidates the
        shortlist is the two best of four criteria.
        With ``lam="auto"`` or several lambdas, kernel and lambda are searched together, along the
        valley from narrow kernels with a large lambda to wide ones with a small one (up to 64
        rows, all pairs are computed).
    lam, lam_convention, bias, folds, groups, random_state, scoring
        As for `evaluate`.
    landmarks : int, "auto" or None, default="auto"
        As for `evaluate`; with the criterion ``"auto"``, ``"auto"`` also means landmarks for more
        than 10,000 rows, where whole matrices would take hours. `Selection.landmarks` says which
        model was judged, and `m_sensitivity` whether it can represent the exact one; above 0.02
        the election continues with twice as many, as far as work, time and memory allow.
    sample : int, "auto" or None, default=None
        As for `evaluate`, for a criterion based on sums, or for those by which ``"auto"`` screens;
        with more than 10,000 rows and landmarks, ``"auto"`` uses a sample by itself.
    sample_weight : array-like of shape (n,), optional
        As for `evaluate`. The cheap criteria by which ``"auto"`` makes its shortlist count each row
        once; the leave-one-out loss that decides weighs them.
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
        Seconds after which the best decision so far is taken, and marked as partial; with "auto" it
        may be based on the screening alone.
    client : distributed.Client, optional
        As for `evaluate`.

    Returns
    -------
    Selection
        With `kernel`, `score`, `index`, `lam` and the whole `table`; for ``"auto"`` also the
        `verified` candidates and the winner's `lead`. `params_for` hands kernel and regularisation
        to scikit-learn.

    Warns
    -----
    UserWarning
        When the winner is at the edge of an ordered grid; when no candidate says more about y than
        the identity kernel; when its held-out predictions are not significantly better than the
        mean (`Selection.evidence` below 1.645), or no better than always choosing the larger
        class; or when an argument has no effect on the criterion.

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
    automatic = isinstance(criterion, str) and criterion == "auto"
    verifying = judge(Splits(folds, groups), scoring) if automatic else None
    decisive = _deciding(criterion, scoring) if verifying is None else verifying
    if rule == "one_se":
        check_standard_errors(decisive)
    threads = resolve_threads(n_threads, n_jobs)
    check_on_cluster(
        X,
        y,
        sample_weight,
        groups,
        client=client,
        kernels=kernels,
        criteria=[decisive],
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
    check_pairs(problem, [decisive], sample)
    regularisation = regularisation.of_rows(problem.target.size)
    splits = Splits(folds, in_memory(groups, client), random_state, problem.kept)
    options = with_landmarks(
        landmarks,
        problem,
        [decisive],
        CallOptions(regularisation, splits),
        random_state=random_state,
        by_size=automatic,
    )
    if problem.target.weights is not None:
        warn_without_weights([decisive])
    if rule == "one_se":
        check_ordered(problem.candidates)
    asked = [*screening(), decisive] if automatic else [decisive]
    options = with_sample(sample, problem, asked, options, random_state)
    warn_about_unused([decisive] if sample is None else asked, options)
    with progress_line(progress, "electing a kernel", problem.candidates.count) as tick:
        if verifying is not None:
            chosen, relative = elect_automatically(problem, verifying, options, tick), None
        else:
            problem = afforded(problem, [decisive], options)
            chosen, relative = _elect_by(problem, decisive, options, tick)
    if rule == "one_se":
        chosen = one_standard_error(chosen)
    if decisive.regularised and chosen.decisive == decisive.key:
        chosen = replace(chosen, model=judged_model(problem, regularisation, chosen))
    if warn_if_late(problem.deadline, chosen.table):
        chosen = replace(chosen, partial=True)
    warn_at_edge(chosen)
    if relative is not None:
        warn_like_identity(chosen, float(relative[chosen.index]))
    warn_without_evidence(chosen, problem.target)
    warn_if_not_converged(chosen)
    return chosen


def _deciding(criterion: Any, scoring: str | None) -> Criterion:
    """Check the criterion that is to decide."""
    decisive = get(criterion)
    if decisive.direction == 0:
        raise ValueError(
            f"{decisive.key!r} is a diagnostic: its values rank no candidates, so it cannot "
            "elect a kernel; use it in evaluate"
        )
    return with_scoring_of_call([decisive], scoring)[0]


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
