"""What the least-squares learners share: a kernel, a lambda, and one ridge system on all rows."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from .._dask.collections import in_memory
from .._dask.rows import rows_at
from .._data.rows import check_table
from .._data.splits import Splits
from .._data.target import Target
from .._data.weights import refuse_far_apart, rows_that_count
from .._evidence.regularisation import Regularisation, check_regularisation
from .._evidence.work import CallOptions
from .._support.arrays import FloatArray
from .._support.callbacks import CallbackSupportMixin
from .._support.deadline import Deadline
from .._support.notebooks import FittedDetails, folded
from .._support.progress import Tick, part_of
from .._support.threads import resolve_jobs
from ..kernels import Kernel, Precomputed
from ..kernels._chunks import kernels_times
from ..results import LandmarkMap, Selection
from ..results._reportable import Reportable
from ._elections.budget import in_time
from ._elections.hand_over import sized_by
from ._elections.ways import ELECTING, REMEMBERED, choose
from ._fits.system import Fitted
from ._held_out import held_out
from ._solvers import SOLVERS, fit, resolve
from ._training import Iteration, Training
from ._unused import warn_without_iteration, warn_without_part


class LeastSquares(Reportable, FittedDetails, CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the learners."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [str, Kernel, callable],
        "lam": [
            Interval(Real, 0, None, closed="neither"),
            StrOptions({"auto"}),
        ],
        "lam_convention": [StrOptions({"sum", "mean"})],
        "bias": ["boolean"],
        "kernel_scaling": [StrOptions({"none", "trace", "centered"})],
        "solver": [StrOptions(set(SOLVERS))],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_passes": [Interval(Integral, 1, None, closed="left")],
        "landmarks": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "n_jobs": [None, Integral],
        "n_threads": [None, Integral],
    }
    kernel: Any
    lam: Any
    lam_convention: str
    bias: bool
    kernel_scaling: str
    n_jobs: int | None
    # What pickles of version 0.1.0 do not have.
    n_threads: int | None = None
    folds: Any = None
    time_limit: float | None = None
    solver: str = "auto"
    landmarks: Any = "auto"
    tol: float = 1e-3
    max_passes: int = 100
    # Where metadata are routed, groups are taken without being asked for, as splitters do.
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _learn(
        self,
        X: Any,
        target: Target,
        splits: Splits,
        *,
        per_target: bool = False,
        tick: Tick | None = None,
    ) -> Fitted:
        """Choose what is to be chosen, then fit."""
        if per_target and isinstance(self.kernel, str) and self.kernel == "committee":
            raise ValueError(
                "lam_per_target=True gives every target a lambda of its own with one kernel, and "
                "members of a committee have theirs; use kernel='auto', or lam_per_target=False"
            )
        threads = resolve_jobs(self.n_jobs, self.n_threads)
        lam = self.lam if isinstance(self.lam, str) else float(self.lam)
        made = check_regularisation(lam, self.lam_convention, self.bias)
        options = CallOptions(made.of_rows(target.size), splits)
        warn_without_part(self, options, ELECTING)
        names = getattr(self, "feature_names_in_", None)
        columns = None if names is None else list(names)
        deadline = Deadline.of(self.time_limit)
        elects = isinstance(self.kernel, str) and self.kernel in ELECTING and not per_target
        lams = 1 if elects else len(options.regularisation.values)
        # What goes by the kernel's own scale already is not scaled again.
        scaling = "none" if options.regularisation.relative else self.kernel_scaling
        training = Training(
            X, target, options, scaling, threads, tick, columns, deadline, per_target=per_target
        )
        asked = (self.solver, self.landmarks)
        solver, training = resolve(asked, training, self.kernel, lams=lams)
        if solver == "iterative":
            iteration = Iteration(float(self.tol), int(self.max_passes))
            training = replace(training, iteration=iteration, tick=part_of(tick, 0.5, 1.0))
            chosen = choose(self.kernel, replace(training, tick=part_of(tick, 0.0, 0.5)))
        else:
            warn_without_iteration(
                self, {"tol": LeastSquares.tol, "max_passes": LeastSquares.max_passes}
            )
            chosen = choose(self.kernel, training)
        for name in REMEMBERED:  # by an earlier fit
            self.__dict__.pop(name, None)
        self.__dict__.update(chosen.attributes)
        with in_time(deadline, target.size):
            # Every target has a lambda of its own, from all of them.
            own = per_target and isinstance(self.lam, str)
            fitted = fit(solver, chosen, training, training.options if own else chosen.options)
        self.solver_ = solver
        found: Selection | None = chosen.attributes.get("selection_")
        if found is not None:
            self.selection_ = sized_by(fitted, found, target)
        self._remember(fitted, training, alike=chosen.formed is None)
        return fitted

    def _remember(self, fitted: Fitted, training: Training, *, alike: bool) -> None:
        """Keep what was fitted; `alike`: where all lambdas are one, it is a number."""
        if fitted.passes is not None:
            self.n_passes_ = fitted.passes
        self.kernel_ = fitted.kernel
        same = alike and bool((fitted.lams == fitted.lams[0]).all())
        self.lam_ = float(fitted.lams[0]) if same else fitted.lams
        self.dual_coef_ = fitted.dual_coef
        self.intercept_ = fitted.intercept
        self.jitter_ = fitted.jitter
        self.X_fit_, self.landmarks_ = training.X, None
        if fitted.landmarks is not None:
            kept = training.options.splits.kept
            self.X_fit_, numbers = fitted.landmarks.rows, fitted.landmarks.numbers
            self.landmarks_ = numbers if kept is None else np.flatnonzero(kept)[numbers]
        self._target = training.target
        self._loo_outputs = fitted.loo_outputs
        residuals = training.target.columns() - fitted.loo_outputs
        self.loo_residuals_ = residuals[:, 0] if residuals.shape[1] == 1 else residuals

    def _rows_that_count(
        self, X: Any, y: Any, weights: Any, groups: Any
    ) -> tuple[Any, Any, Any, Splits]:
        """Leave out rows of weight zero: they do not take part, and their ridge is infinite."""
        if weights is not None and (weights < 0).any():
            raise ValueError("sample_weight must not be negative")
        if weights is not None:
            refuse_far_apart(weights)
        keep = rows_that_count(weights, len(y))
        splits = Splits(self.folds, in_memory(groups), kept=keep)
        if keep is None:
            return X, y, weights, splits
        count = int(keep.sum())
        if count < 2:
            raise ValueError(
                f"sample_weight leaves {'one row' if count else 'no row'} of {len(keep)}; give at "
                "least two a positive weight"
            )
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            raise ValueError('sample_weight of zero cannot be used with kernel="precomputed"')
        return rows_at(X, np.flatnonzero(keep)), y[keep], weights[keep], splits

    @property
    def _judged_rows(self) -> NDArray[np.bool_]:
        """Which rows have leave-one-out outputs."""
        return np.asarray(np.isfinite(self._loo_outputs).all(axis=1))

    def _outputs(self, X: Any) -> FloatArray:
        X = self._checked_rows(X)
        if isinstance(self.kernel_, Precomputed):
            return np.asarray(X @ self.dual_coef_ + self.intercept_)
        kernels, _, coefficients = self._members()
        return kernels_times(kernels, X, self.X_fit_, coefficients) + self.intercept_

    def _members(self) -> tuple[list[Kernel], list[Any], list[FloatArray]]:
        """Return kernels, lambdas and coefficients: of a committee's members, or the only ones."""
        if isinstance(self.kernel_, list):
            return self.kernel_, list(np.atleast_1d(self.lam_)), list(self.dual_coef_)
        return [self.kernel_], [self.lam_], [self.dual_coef_]

    def feature_map(self) -> LandmarkMap:
        """Make a transformer to features whose inner products approximate the kernel.

        Returns
        -------
        results.LandmarkMap
            Fitted, with the landmarks of this model.
        """
        check_is_fitted(self)
        numbers = getattr(self, "landmarks_", None)
        if numbers is None or isinstance(self.kernel_, list):
            raise ValueError(
                f"a model by solver={self.solver_!r} has no landmarks to make features of; use "
                "solver='landmarks'"
            )
        made = LandmarkMap(self.kernel_, landmarks=len(numbers), n_threads=self.n_threads)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(made, name, getattr(self, name))
        made.kernel_, made.landmarks_, made.X_fit_ = self.kernel_, numbers, self.X_fit_
        return made

    def _fitted_html(self) -> str:
        if not hasattr(self, "kernel_"):
            return ""
        name = "accuracy" if is_classifier(self) else "R²"
        good = f": {name} {self.loo_score_:.4g} of rows left out"
        lam = ", ".join(f"{value:.4g}" for value in np.atleast_1d(self.lam_))
        count = getattr(self, "landmarks_", None)
        by = "" if count is None else f" and {len(count)} landmarks"
        what = f"{self.kernel_} with λ = {lam}{by}"
        if isinstance(self.kernel_, list):
            what = f"{len(self.kernel_)} models together"
        found = [getattr(self, name, None) for name in ("report_", "committee_", "selection_")]
        told = "".join(each._repr_html_() for each in found if each is not None)
        return folded(f"{what}{good}", told or "no election")

    def _checked_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        check_table(X)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)

    def held_out_outputs(
        self, folds: Any = None, *, groups: Any = None, random_state: Any = 0
    ) -> NDArray[np.float64]:
        """Compute exact outputs on held-out folds of the training data, without retraining.

        A model by ``solver="iterative"`` of more than 10,000 rows, or of which the matrix does not
        fit into memory, is solved again without each fold, to the same `tol`.

        Parameters
        ----------
        folds : int, splitter or list of (train, test), optional
            How to hold out; 5 folds by default.
        groups : array-like of shape (n,), optional
            Rows of one group are held out together.
        random_state : int, default=0
            Seed of the shuffling.

        Returns
        -------
        ndarray of shape (n, n_outputs)
            The output for every training row from a model that did not see its fold; NaN for rows
            that no fold holds out. Members of a committee keep the weights that all rows gave them.
        """
        check_is_fitted(self)
        if getattr(self, "landmarks_", None) is not None:
            raise ValueError(
                "held_out_outputs needs all training rows, of which a model with landmarks keeps "
                "these alone; pass folds to fit, or use solver='exact'"
            )
        sets = Splits(folds, groups, random_state).sets(self._target)
        kernels, lams, _ = self._members()
        shares = self.committee_.weights if isinstance(self.kernel_, list) else [1.0]
        mean, iteration = self.lam_convention == "mean", None
        if getattr(self, "solver_", None) == "iterative":  # which old pickles do not have
            iteration = Iteration(float(self.tol), int(self.max_passes))
        parts = []
        for kernel, lam, share in zip(kernels, lams, shares, strict=True):
            own = Regularisation(np.atleast_1d(lam), False, False, mean, bool(self.bias))
            training = Training(self.X_fit_, self._target, CallOptions(own), iteration=iteration)
            parts.append(share * held_out(kernel, training, own, sets))
        return np.asarray(np.sum(parts, axis=0))
