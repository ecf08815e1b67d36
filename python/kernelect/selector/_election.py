"""The election inside a meta-estimator: what rows weigh, what elects, the winner's model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from .._dask.collections import in_memory
from .._data.target import Target
from .._support.deadline import Deadline
from .._support.progress import Tick
from .._support.quiet import quietly
from .._support.threads import resolve_jobs
from .._support.warning import warn_caller
from ..criteria import LOO, get
from ..kernels import Function, Kernel, Precomputed
from ..lssvm._least_squares import LeastSquares
from ..refinement import refine
from ..refinement._start import hindrance_of
from ..results import RidgeModel, Selection
from ..selection import select
from ..selection._affordable import demand, is_free, too_large

_OF_RIDGE = ("lam", "lam_convention", "bias")
_FOR_LAMBDA = (*_OF_RIDGE, "folds", "groups")


def weights_of(estimator: Any, y: Any, given: Any, task: str) -> Any:
    """Return the weights of rows in the fit of an estimator, by sample_weight and class_weight.

    None where there are none. Support vector machines leave out rows of negative weight too.
    """
    by_class = getattr(estimator, "class_weight", None) if task == "classification" else None
    if given is None and by_class is None:
        return None
    weights = np.ones(len(y))
    if given is not None:
        given = np.asarray(in_memory(given), dtype=np.float64)
        if given.shape not in ((), weights.shape):
            return given  # for the election to refuse
        weights = np.maximum(given, 0.0) * weights
    return weights if by_class is None else weights * compute_sample_weight(by_class, y)


def options_of(selector: Any, task: str, *, groups: Any, weights: Any) -> dict[str, Any]:
    """Return the keywords of `select` that the parameters of a meta-estimator stand for."""
    lam = selector.lam
    if lam is None:
        lam = "auto" if selector._hands_lambda else 1.0
    return {
        "criterion": selector.criterion,
        "lam": lam,
        "lam_convention": selector.lam_convention,
        "bias": selector._bias,
        "folds": selector.folds,
        "groups": groups,
        "scoring": selector.scoring,
        "rule": selector.rule,
        "random_state": selector.random_state,
        "landmarks": selector.landmarks,
        "task": task,
        "sample_weight": weights,
        "n_threads": resolve_jobs(selector.n_jobs, selector.n_threads),
        "time_limit": selector.time_limit,
    }


def for_lambda(selector: Any, options: dict[str, Any]) -> tuple[str, ...]:
    """Return the options that concern the winner's lambda alone, if anything."""
    criterion = selector.criterion
    if (isinstance(criterion, str) and criterion == "auto") or get(criterion).regularised:
        return ()
    if not selector._hands_lambda:
        return () if selector.bias is not None else ("bias",)
    searched = isinstance(options["lam"], str) or np.size(options["lam"]) > 1
    return (*_FOR_LAMBDA, "landmarks") if searched else _OF_RIDGE


def hold_election(
    X: Any,
    y: Any,
    kernels: Any,
    options: dict[str, Any],
    *,
    progress: bool | Tick,
    later: Iterable[str] = (),
) -> Selection:
    """Elect a kernel that also has values on new rows; `options` are keywords of `select`.

    Those in `later` are for the lambda of the winner, where the criterion does not depend on it.
    """
    now = {name: value for name, value in options.items() if name not in later}
    chosen = select(X, y, kernels, **now, progress=progress)
    if isinstance(chosen.kernel, Precomputed) and X is not None:
        raise ValueError(
            "a kernel matrix was elected, which has no values on new rows; fit with X=None and "
            "matrices alone, and predict on matrices between new and training rows"
        )
    return chosen


def refuse_fit_on_cluster(estimator: Any) -> None:
    """Raise before the work where an estimator cannot be fitted to rows that are dask's."""
    if estimator is not None and not isinstance(estimator, LeastSquares):
        raise ValueError(
            f"{type(estimator).__name__} is fitted to rows in this process, and X is a dask "
            "collection; pass refit=False and fit it to a sample, or leave the estimator out"
        )


def refuse_nothing_to_refine(kernels: Any, on_matrices: bool) -> None:
    """Raise before the work where no candidate has parameters, as far as they are listed."""
    if on_matrices:
        raise ValueError(
            "refine=True moves parameters of kernels, which kernel matrices do not have; give rows "
            "or refine=False"
        )
    listed = [kernels] if callable(kernels) else kernels
    if not isinstance(listed, (list, tuple)):
        return
    reasons = [_hindrance_of(each) for each in listed]
    if reasons and all(reasons):
        raise ValueError(reasons[0])


def _hindrance_of(candidate: Any) -> str | None:
    if isinstance(candidate, Kernel):
        return hindrance_of(candidate)
    return hindrance_of(Function(candidate)) if callable(candidate) else None


def refined(
    chosen: Selection, X: Any, y: Any, options: dict[str, Any], *, deadline: Deadline | None
) -> Selection:
    """Refine the winner, where time is left."""
    if deadline is not None and deadline.left == 0.0:
        return chosen
    moment: dict[str, Any] = {"time_limit": deadline}  # itself, not a number of its own
    kept = ("lam_convention", "bias", "folds", "groups", "sample_weight", "random_state")
    return refine(
        X,
        y,
        chosen,
        **{name: options[name] for name in (*kept, "n_threads")},
        task=chosen.table.task,
        **moment,
    )


def refuse_too_many_rows(n: int) -> None:
    """Raise before the work where there is no memory to choose a lambda on this many rows."""
    target = Target.of_numbers(np.zeros(n))
    need = demand([LOO()], target, None)
    if not is_free(need):
        remedy = "give fewer rows, or an estimator with a regularisation of its own and C=None"
        raise too_large("the choice of lambda", n, need, remedy)


def model_of(
    chosen: Selection,
    X: Any,
    y: Any,
    kernels: Any,
    options: dict[str, Any],
    *,
    deadline: Deadline | None,
) -> RidgeModel | None:
    """Find the model that goes with the winner of an election held with these options.

    None where there is no time for that.
    """
    if chosen.model is not None:
        return chosen.model
    left = None if deadline is None else deadline.left
    if left == 0.0:
        _warn_late(deadline)
        return None
    # The criterion fits no model, so lambda is still to be chosen for the winner.
    winner = chosen.kernel if X is not None else kernels[chosen.index]
    by_folds = options["folds"] is not None or options["groups"] is not None
    kept = (*_FOR_LAMBDA, "sample_weight", "random_state", "landmarks", "n_threads")
    with quietly():  # what there is to say about rows was said
        try:
            found = select(
                X,
                y,
                [winner],
                "cv" if by_folds else "loo",
                **{name: options[name] for name in kept},
                task=chosen.table.task,
                time_limit=left,
            )
        except TimeoutError:
            found = None
    if found is None:
        _warn_late(deadline)
        return None
    assert found.model is not None
    return found.model


def _warn_late(deadline: Deadline | None) -> None:
    """Say that no lambda was found in time."""
    assert deadline is not None
    warn_caller(
        f"time_limit={deadline.seconds:g} seconds was reached before a lambda was chosen; the "
        "estimator keeps its own regularisation"
    )
