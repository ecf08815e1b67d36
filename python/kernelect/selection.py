"""The two functions: `evaluate` scores candidates, `select` elects one."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._candidates import Candidates, order_of
from ._columns import column_names
from ._evidence import Scores, Work, moments
from ._progress import Tick, part_of, progress_line
from ._rows import Program, Rows, Tables, check_rows, is_sparse, make_sample
from ._target import check_target
from ._threads import resolve_threads
from .criteria import SM, Criterion, MomentCriterion, get, resolve
from .kernels import Gaussian, Kernel, Matern, Polynomial
from .results import ScoreTable, Selection

DEFAULT_CRITERIA = ("sm", "kta", "ckta")


def evaluate(
    X: Any,
    y: Any,
    kernels: Any = None,
    criteria: Any = DEFAULT_CRITERIA,
    *,
    task: str = "auto",
    n_threads: int | None = None,
    progress: bool | Tick = False,
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
    task : {"auto", "classification", "regression"}, default="auto"
        Auto calls text, booleans and at most 20 distinct whole numbers classes.
    n_threads : int, optional
        Threads; all CPUs that this process may use by default. Results do not depend on it.
    progress : bool or callable, default=False
        Show a progress line; or a function that is called with the fraction done.

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
    >>> table = ke.evaluate(StandardScaler().fit_transform(X), y, ke.gaussian_grid(-1, 2))
    >>> table
    4 candidates, classification (* best by the criterion)
    kernel               sm max     kta max    ckta max
    Gaussian(tau=0.5)  0.183627    0.604371    0.616889
    Gaussian(tau=1.0)  0.279951    0.664041    0.683155
    Gaussian(tau=2.0)  0.350763  0.687656 *    0.718541
    Gaussian(tau=4.0)  0.36309 *   0.664983  0.730195 *
    """
    asked = resolve(criteria)
    return _evaluate(X, y, kernels, asked, task=task, n_threads=n_threads, progress=progress)


def _evaluate(
    X: Any,
    y: Any,
    kernels: Any,
    asked: list[Criterion],
    *,
    task: str,
    n_threads: int | None,
    progress: bool | Tick,
) -> ScoreTable:
    """Do the work of both functions, each of which stands one call above this one."""
    rows = None if X is None else check_rows(X, "X")
    target = check_target(y, task, None if rows is None else rows.shape[0])
    for criterion in asked:
        criterion.check_target(target)
    threads = resolve_threads(n_threads)
    candidates = Candidates(kernels, rows, target.size)
    if rows is not None:
        _warn_about_scales(X, rows)

    found: dict[int, tuple[Kernel, list[float], list[str | None]]] = {}

    def score(
        places: list[tuple[int, Kernel]], matrix: NDArray[np.float64] | None, tick: Tick | None
    ) -> None:
        programs: list[Program] = [[("precomputed", 0.0, 0.0, 0, 0)]]
        if matrix is None:
            tables = Tables()
            programs = [kernel._program(tables) for _, kernel in places]
            sample = make_sample(tables.of(rows), target.codes)
        else:
            sample = make_sample([], target.codes)
            sample.add_matrix(matrix)
        scores = _score(Work(sample, programs, target, threads, tick), asked)
        for (index, kernel), values, reasons in zip(
            places, scores.values, scores.reasons, strict=True
        ):
            found[index] = (kernel, list(values), [reason or None for reason in reasons])

    with progress_line(progress, "scoring kernels") as tick:
        if candidates.core:
            score(
                candidates.core,
                None,
                part_of(tick, 0.0, _fraction(len(candidates.core), candidates)),
            )
        for index, kernel, matrix in candidates.stream():
            span = _fraction(len(found), candidates), _fraction(len(found) + 1, candidates)
            score([(index, kernel)], matrix, part_of(tick, *span))
            del matrix  # before the next one is made
        if tick is not None and found:
            tick(1.0)
    if not found:
        raise ValueError("kernels gave no candidate; give at least one")

    order = sorted(found)
    return ScoreTable(
        kernels=[found[i][0] for i in order],
        scores={
            criterion.key: np.array([found[i][1][c] for i in order])
            for c, criterion in enumerate(asked)
        },
        direction={criterion.key: criterion.direction for criterion in asked},
        reasons={
            criterion.key: [found[i][2][c] for i in order] for c, criterion in enumerate(asked)
        },
        task=target.task,
    )


def _fraction(done: int, candidates: Candidates) -> float:
    """Share of the candidates that is done; of a generator nobody knows how many are to come."""
    return done / (done + 1 if candidates.count is None else candidates.count)


def _score(work: Work, criteria: list[Criterion]) -> Scores:
    """Gather each kind of evidence once and put the values in the order of the criteria."""
    unknown = [c for c in criteria if not isinstance(c, MomentCriterion)]
    if unknown:
        raise TypeError(f"there is no evidence of the kind that {unknown[0]!r} needs")
    values = np.empty((len(work.programs), len(criteria)))
    reasons = [[""] * len(criteria) for _ in work.programs]
    places = [c for c, criterion in enumerate(criteria) if isinstance(criterion, MomentCriterion)]
    if places:
        scores = moments(work, [c for c in criteria if isinstance(c, MomentCriterion)])
        values[:, places] = scores.values
        for row, given in zip(reasons, scores.reasons, strict=True):
            for place, reason in zip(places, given, strict=True):
                row[place] = reason
    return Scores(values, reasons)


def select(
    X: Any,
    y: Any,
    kernels: Any = None,
    criterion: Any = "sm",
    *,
    task: str = "auto",
    n_threads: int | None = None,
    progress: bool | Tick = False,
) -> Selection:
    """Elect the best kernel by one criterion.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n, n_features), or None
        Rows; None when all candidates are kernel matrices.
    y : array-like of shape (n,) or, for regression, (n, n_targets)
        Labels of any type, or numbers.
    kernels : optional
        Candidates, as for `evaluate`.
    criterion : str or Criterion, default="sm"
        The criterion that decides.
    task : {"auto", "classification", "regression"}, default="auto"
        As for `evaluate`.
    n_threads : int, optional
        As for `evaluate`.
    progress : bool or callable, default=False
        As for `evaluate`.

    Returns
    -------
    Selection
        With `kernel`, `score`, `index` and the whole `table`.

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
    >>> chosen
    Gaussian(tau=4.0) elected by sm = 0.36309 (candidate 18 of 31, classification)
    >>> SVC(**chosen.kernel.params_for(SVC)).fit(X, y).score(X, y)
    0.98
    """
    decisive = get(criterion)
    if decisive.direction == 0:
        raise ValueError(
            f"{decisive.key!r} is a diagnostic without a better or worse and cannot elect a "
            "kernel; use it in evaluate"
        )
    asked: list[Criterion] = [decisive]
    # The measure relative to the identity kernel comes for free and tells whether there is evidence.
    relative = None
    if isinstance(decisive, SM):
        relative = SM(decisive.r, decisive.normalization, decisive.weighted, relative=True)
        if relative != decisive:
            asked.append(relative)
    full = _evaluate(X, y, kernels, asked, task=task, n_threads=n_threads, progress=progress)
    key = decisive.key
    table = ScoreTable(
        full.kernels,
        {key: full.scores[key]},
        {key: full.direction[key]},
        {key: full.reasons[key]},
        full.task,
    )
    best = table.best(key)
    _warn_at_edge(table.kernels, best.index)
    if relative is not None and full.scores[relative.key][best.index] <= 1.0 + 1e-3:
        warnings.warn(
            f"no evidence: by {key} the best candidate {best.kernel!r} tells no more about y than "
            "the identity kernel does; try other candidates, a higher degree r or another criterion",
            UserWarning,
            stacklevel=2,
        )
    return Selection(best.kernel, best.score, best.index, key, table)


def _warn_at_edge(kernels: list[Kernel], index: int) -> None:
    """Say how to go on when the winner is the widest or narrowest of an ordered grid."""
    widths = order_of(kernels)
    if widths is None or 0 < index < len(kernels) - 1:
        return
    winner = kernels[index]
    wide = bool(widths[index] == widths.max())
    if isinstance(winner, Polynomial) and winner.degree == 1:
        return  # there is no lower degree
    warnings.warn(
        f"the winner {winner!r} stands at the edge of the grid; {_beyond(winner, widths, wide)}",
        UserWarning,
        stacklevel=3,
    )


def _beyond(winner: Kernel, widths: NDArray[np.float64], wide: bool) -> str:
    """How to widen the grid on the side of the winner."""
    if isinstance(winner, Gaussian):
        exponents = np.sort(np.log2(widths))
        steps = np.diff(exponents)
        even = np.ptp(steps) < 1e-6
        low, high = exponents[0], exponents[-1]
        reach = max(8.0, 4.0 * float(steps.max()))
        low, high = (low, high + reach) if wide else (low - reach, high)
        step = f", {steps[0]:.6g}" if even and abs(steps[0] - 1.0) > 1e-6 else ""
        return (
            f"add {'larger' if wide else 'smaller'} values of tau, "
            f"for example gaussian_grid({low:.6g}, {high:.6g}{step}), or kernels='auto'"
        )
    if isinstance(winner, Polynomial):
        return f"add {'lower' if wide else 'higher'} degrees"
    if isinstance(winner, Matern):
        return f"add {'larger' if wide else 'smaller'} length scales"
    return f"add {'smaller' if wide else 'larger'} values of gamma"


def _warn_about_scales(X: Any, rows: Rows) -> None:
    """Distances are ruled by the largest columns; say so when scales differ by more than 1e3."""
    if is_sparse(rows) or rows.shape[1] < 2:
        return
    with np.errstate(over="ignore", invalid="ignore"):
        spread = rows.std(axis=0)
        # A constant column may have a spread of rounding errors.
        constant = rows.max(axis=0) == rows.min(axis=0)
    moving = np.flatnonzero(~constant & (spread > 0) & np.isfinite(spread))
    if len(moving) < 2:
        return
    widest, narrowest = moving[np.argmax(spread[moving])], moving[np.argmin(spread[moving])]
    if spread[widest] > 1e3 * spread[narrowest]:
        names = column_names(X, rows.shape[1])
        warnings.warn(
            f"columns have very different scales (standard deviation {spread[widest]:.3g} in column "
            f"{names[widest]}, {spread[narrowest]:.3g} in column {names[narrowest]}), and the "
            "largest rule the kernel; standardise them, for example with StandardScaler",
            UserWarning,
            stacklevel=4,
        )
