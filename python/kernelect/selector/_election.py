"""The election inside a meta-estimator: who votes, what elects, and which lambda goes with the winner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._data.weights import rows_that_count
from .._support.progress import Tick
from .._support.threads import resolve_jobs
from ..kernels import Kernel, Precomputed
from ..results import Selection
from ..selection import select
from ._hand_over import regularised
from ._inner_estimator import InnerEstimator
from ._matrix_candidates import between


class Election(InnerEstimator):
    """Parameters of an election, which are those of `kernelect.select`, and how it is held."""

    kernels: Any
    criterion: Any
    C: str | None
    lam: Any
    lam_convention: str
    bias: bool
    folds: Any
    scoring: str | None
    rule: str
    random_state: Any
    n_jobs: int | None
    time_limit: float | None
    result_: Selection
    best_kernel_: Kernel
    best_index_: int

    def _counted(
        self, X: Any, y: Any, matrices: list[Any] | None, weights: Any
    ) -> tuple[Any, Any, Any]:
        """Return rows, target and candidates of the election: without rows of weight zero."""
        kernels = self.kernels if matrices is None else matrices
        counts = rows_that_count(weights, len(y))
        if counts is None or not counts.any():
            return X, y, kernels
        y = y[counts]
        if self._task() == "classification" and len(np.unique(y)) < 2:
            raise ValueError(
                f"sample_weight leaves a single class ({y.tolist()[0]!r}); a classifier needs at least two"
            )
        if matrices is not None:
            return None, y, between(counts, matrices)
        return X.loc[counts] if hasattr(X, "loc") else X[counts], y, kernels

    def _elect(self, X: Any, y: Any, kernels: Any, progress: bool | Tick) -> Selection:
        chosen = select(
            X,
            y,
            kernels,
            self.criterion,
            lam=self._lam(),
            lam_convention=self.lam_convention,
            bias=self.bias,
            folds=self.folds,
            scoring=self.scoring,
            rule=self.rule,
            random_state=self.random_state,
            task=self._task(),
            n_threads=resolve_jobs(self.n_jobs),
            progress=progress,
            time_limit=self.time_limit,
        )
        if isinstance(chosen.kernel, Precomputed) and X is not None:
            raise ValueError(
                "a kernel matrix was elected, which has no values on new rows; fit with X=None and "
                "matrices alone, and predict on matrices between new and training rows"
            )
        return chosen

    def _lam(self) -> Any:
        if self.lam is not None:
            return self.lam
        return "auto" if self.C == "auto" or self.estimator is None else 1.0

    def _regularisation(self, inner: Any, X: Any, y: Any, kernels: Any) -> dict[str, float]:
        """Regularisation that goes with the winner, in the estimator's own terms."""
        if self.C is None and self.estimator is not None:
            return {}
        lam = self.result_.lam
        if lam is None:  # the criterion does not depend on lambda, or one lambda was given
            given = self._lam()
            lam = None if isinstance(given, Iterable) else given
        if lam is None:
            lam = select(
                X,
                y,
                [self.best_kernel_ if X is not None else kernels[self.best_index_]],
                "loo",
                lam=self._lam(),
                lam_convention=self.lam_convention,
                bias=self.bias,
                task=self.result_.table.task,
                n_threads=resolve_jobs(self.n_jobs),
            ).lam
        assert lam is not None
        if "lam" in inner.get_params(deep=False):
            return {"lam": float(lam)}  # our own learners, in the same convention
        rows = len(y) if self.lam_convention == "mean" else 1
        return regularised(inner, float(lam) * rows)
