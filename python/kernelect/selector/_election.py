"""The election inside a meta-estimator: which rows count, what elects, the winner's lambda."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._data.weights import rows_that_count
from .._support.progress import Tick
from .._support.threads import resolve_jobs
from ..kernels import Precomputed
from ..results import Selection
from ..selection import select
from ._matrix_candidates import between


def counted(
    X: Any, y: Any, kernels: Any, matrices: list[Any] | None, *, weights: Any, task: str
) -> tuple[Any, Any, Any]:
    """Return rows, target and candidates of the election: without rows of weight zero."""
    kernels = kernels if matrices is None else matrices
    counts = rows_that_count(weights, len(y))
    if counts is None or not counts.any():
        return X, y, kernels
    y = y[counts]
    if task == "classification" and len(np.unique(y)) < 2:
        raise ValueError(
            f"sample_weight leaves a single class ({y.tolist()[0]!r}); a classifier needs at least "
            "two"
        )
    if matrices is not None:
        return None, y, between(counts, matrices)
    return X.loc[counts] if hasattr(X, "loc") else X[counts], y, kernels


def options_of(selector: Any, task: str) -> dict[str, Any]:
    """Return the keywords of `select` that the parameters of a meta-estimator stand for."""
    lam = selector.lam
    if lam is None:
        lam = "auto" if selector._sets_lambda or selector.estimator is None else 1.0
    return {
        "criterion": selector.criterion,
        "lam": lam,
        "lam_convention": selector.lam_convention,
        "bias": selector.bias,
        "folds": selector.folds,
        "scoring": selector.scoring,
        "rule": selector.rule,
        "random_state": selector.random_state,
        "task": task,
        "n_threads": resolve_jobs(selector.n_jobs, selector.n_threads),
        "time_limit": selector.time_limit,
    }


def hold_election(
    X: Any, y: Any, kernels: Any, options: dict[str, Any], progress: bool | Tick
) -> Selection:
    """Elect a kernel that also has values on new rows; `options` are keywords of `select`."""
    chosen = select(X, y, kernels, **options, progress=progress)
    if isinstance(chosen.kernel, Precomputed) and X is not None:
        raise ValueError(
            "a kernel matrix was elected, which has no values on new rows; fit with X=None and "
            "matrices alone, and predict on matrices between new and training rows"
        )
    return chosen


def lambda_of(chosen: Selection, X: Any, y: Any, kernels: Any, options: dict[str, Any]) -> float:
    """Find the lambda that goes with the winner of an election that was held with these options."""
    if chosen.lam is not None:
        return float(chosen.lam)
    given = options["lam"]
    if not isinstance(given, Iterable):
        return float(given)
    # The criterion does not depend on lambda, so it is still to be chosen for the winner.
    winner = chosen.kernel if X is not None else kernels[chosen.index]
    kept = ("lam", "lam_convention", "bias", "n_threads")
    found = select(
        X,
        y,
        [winner],
        "loo",
        **{name: options[name] for name in kept},
        task=chosen.table.task,
    )
    assert found.lam is not None
    return float(found.lam)
