"""Ways to solve a learner's ridge system, and which of them fits rows, kernel and memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._dask.rows import DaskRows
from .._data.target import Target
from .._evidence.landmarks import counts
from .._evidence.work import CallOptions, LandmarkOptions
from .._support.arguments import check_whole
from .._support.arrays import FloatArray
from .._support.remedy import Remedy, advised, worded
from .._support.warning import warn_caller
from ..criteria import LOO
from ..kernels import Precomputed
from ..selection._affordable import demand, is_free, too_large
from ..selection._auto import judge
from ..selection._landmarks import count_that_fits, refuse_all_rows
from ._elections.committee import Formed
from ._elections.ways import Chosen
from ._fits.iterative_fit import fit_iteratively
from ._fits.landmark_fit import fit_landmarks
from ._fits.system import Fitted, fit_one, single_work
from ._training import Training

SOLVERS = ("auto", "exact", "landmarks", "iterative")


def resolve(
    asked: tuple[str, Any], training: Training, kernel: Any, *, lams: int
) -> tuple[str, Training]:
    """Return the solver to use, and the training with the landmarks of models that are judged.

    Parameters
    ----------
    asked : tuple of str and object
        The solver and the landmarks that the caller asks for.
    training : Training
        Rows, target, lambdas and folds.
    kernel : object
        What the caller gave as a kernel.
    lams : int
        For how many lambdas the system is solved at once.
    """
    solver, landmarks = asked
    X, target, options = training.X, training.target, training.options
    if isinstance(X, DaskRows):
        solver = "landmarks"
    count = None if isinstance(landmarks, str) else check_whole(landmarks, "landmarks", least=1)
    n = target.size
    if count is not None and solver == "exact":
        warn_caller(
            f"landmarks={count} plays no part with solver='exact'; it is for 'landmarks' and "
            "'iterative'"
        )
        count = None
    matrix = isinstance(kernel, Precomputed) or _is(kernel, "precomputed")
    whole = matrix or _is(kernel, "committee")
    if solver in ("landmarks", "iterative") or count is not None:
        _refuse_whole("landmarks" if solver == "auto" else solver, matrix, whole)
    if count is not None and count > n:
        remedy = Remedy("give fewer, or use solver='exact'", "give fewer, or --landmarks none")
        raise advised(
            ValueError, f"landmarks={count} is more than the {n} rows that the fit has", remedy
        )
    if count is not None:
        refuse_all_rows(count, n, by_folds=options.splits.given)
    need = demand([LOO()], target, X, lams=lams)
    small = is_free(need) and (n <= counts.WHOLE_ROWS or whole)
    if solver == "exact" or (solver == "auto" and count is None and (whole or small)):
        if not is_free(need):
            fewer, others = "give fewer rows", ("use solver='landmarks'", "leave --landmarks out")
            if whole:  # where one kernel is not given as a matrix, it may be had with landmarks
                others = (
                    "kernel='auto', which has landmarks",
                    "--kernel auto, which has landmarks",
                )
            remedy = fewer if matrix else Remedy(*(f"{fewer}, or {other}" for other in others))
            raise too_large("an exact fit", n, need, remedy)
        return "exact", training
    name = "landmarks" if solver == "auto" else solver
    if name == "iterative" and small and count is None:
        return name, training
    options = replace(options, landmarks=_as_memory_allows(count, X, target, options))
    return name, replace(training, options=options)


def _is(kernel: Any, name: str) -> bool:
    return isinstance(kernel, str) and kernel == name


def _refuse_whole(solver: str, matrix: bool, whole: bool) -> None:
    """Refuse kernels that only an exact solver fits."""
    if matrix:
        raise ValueError(
            f"solver={solver!r} needs rows and a kernel that is a function of them, not a "
            "precomputed matrix; use solver='exact', or give rows and a kernel"
        )
    if whole:
        fault = "fits one kernel, and members of a committee are fitted on whole matrices; use"
        raise worded(
            ValueError,
            f"solver={solver!r} {fault} solver='exact', or kernel='auto'",
            f"--landmarks {fault} --landmarks none, or --kernel auto",
        )


def _as_memory_allows(
    count: int | None, X: Any, target: Target, options: CallOptions
) -> LandmarkOptions:
    """Return this many landmarks, or by default as many as there is memory for."""
    lams = len(options.regularisation.values)

    def need(some: int) -> float:
        judging = [judge(options.splits)]
        return demand(judging, target, X, lams=lams, landmarks=LandmarkOptions(some))

    grows = count is None
    if count is None:
        by_folds = options.splits.given
        count = count_that_fits(target.size, lambda some: is_free(need(some)), by_folds=by_folds)
    if not is_free(need(count)):
        what = f"a fit with {count} landmarks"
        raise too_large(what, target.size, need(count), "give fewer landmarks, or fewer rows")
    return LandmarkOptions(count, grows=grows)


def fit(solver: str, chosen: Chosen, training: Training, options: CallOptions) -> Fitted:
    """Solve the system of the chosen kernel, or those of a committee's members."""
    per_target = training.per_target
    if chosen.formed is not None:
        return _fit_members(chosen.formed, training)
    if solver == "landmarks":
        return fit_landmarks(chosen.kernel, training, options, per_target)
    if solver == "iterative":
        return fit_iteratively(chosen.kernel, training, options, per_target)
    work = single_work(
        chosen.kernel, training.X, training.target, training.threads, training.listening()
    )
    return fit_one(work, options, training.scaling, per_target)


def _fit_members(formed: Formed, training: Training) -> Fitted:
    """Fit the members of a committee and weigh them; one factorisation each."""
    committee, target = formed.committee, training.target
    fits = []
    for kernel, lam in zip(committee.kernels, committee.lams, strict=True):
        work = single_work(kernel, training.X, target, training.threads, training.listening())
        fits.append(fit_one(work, training.at(lam), "none"))
    weights = committee.weights

    def weighed(name: str) -> FloatArray:
        return np.array([w * getattr(fit, name) for w, fit in zip(weights, fits, strict=True)])

    outputs = weighed("loo_outputs").sum(axis=0)
    known = np.isfinite(formed.outputs).all(axis=1)
    outputs[np.ix_(known, target.moving())] = formed.outputs[known]
    return Fitted(
        committee.kernels,
        committee.lams,
        weighed("dual_coef"),
        weighed("intercept").sum(axis=0),
        outputs,
        max(fit.jitter for fit in fits),
    )
