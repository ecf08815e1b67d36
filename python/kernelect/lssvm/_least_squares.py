"""What the least-squares learners share: a kernel, a lambda, and one ridge system on all rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from .._data.folds import make_fold_sets
from .._data.rows import is_sparse
from .._data.target import Target
from .._data.weights import rows_that_count
from .._evidence.regularisation import Regularisation, check_regularisation
from .._evidence.ridge import scan
from .._evidence.work import CallOptions, Work
from .._support.arguments import did_you_mean
from .._support.arrays import FloatArray
from .._support.callbacks import CallbackSupportMixin
from .._support.progress import Tick
from .._support.threads import resolve_jobs
from .._support.ties import best_lambda
from ..criteria import LOO
from ..kernels import Function, Kernel, Precomputed
from ..kernels._candidates import Candidates, check_matrix
from ..kernels._chunks import kernel_times
from ..kernels._families import BY_NAME
from ..kernels.grids import squared_distance_quantiles
from ..kernels.heuristics import scale as scale_heuristic
from ..selection._auto import elect_automatically
from ..selection._problem import Problem

_NAMES = sorted([*BY_NAME, "auto", "precomputed"])


@dataclass(frozen=True)
class Fitted:
    """A fitted ridge system; lambdas go with the kernel as it is, whatever scaling was used."""

    kernel: Kernel
    lams: FloatArray  # one per column of the target
    dual_coef: FloatArray
    intercept: FloatArray
    loo_outputs: FloatArray
    jitter: float


def named_kernel(name: str, X: Any, weights: FloatArray | None) -> Kernel:
    """Make a kernel of a known name, its width from the scale of the data."""
    if name not in _NAMES:
        raise ValueError(f"unknown kernel {name!r}; {did_you_mean(name, _NAMES)}")
    return Precomputed(0) if name == "precomputed" else BY_NAME[name]._of_data(X, weights)


def single_work(kernel: Kernel, X: Any, target: Target, threads: int) -> Work:
    """One kernel on training rows, or a stored matrix, as work for the core."""
    if kernel.in_core:
        return Work.of([kernel], X, target, threads=threads)
    matrix: Any = X if isinstance(kernel, Precomputed) else kernel(X)
    matrix = np.ascontiguousarray(matrix.toarray() if is_sparse(matrix) else matrix)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a precomputed kernel must be square, but has shape {matrix.shape}")
    name = "the kernel matrix" if isinstance(kernel, Precomputed) else f"the matrix of {kernel!r}"
    matrix = check_matrix(matrix, target.size, name)
    return Work.of([kernel], None, target, matrix=matrix, threads=threads)


def fit_one(work: Work, options: CallOptions, scaling: str, per_target: bool = False) -> Fitted:
    """Fit one kernel, at the lambda of least leave-one-out loss where there are several."""
    chosen = options.regularisation
    scaling = "centered" if chosen.relative else scaling
    found = scan(work, options, scaling=scaling, fit=True, loo=True, outputs=True)
    squared = found["loo"]["squared"][0]
    if not np.isfinite(squared).any():
        raise ValueError(next((text for text in found["error"][0] if text), "no fit is finite"))
    losses = squared if per_target else np.tile(squared.mean(axis=1)[:, None], squared.shape[1])
    best = np.array([best_lambda(loss, chosen.values) for loss in losses.T])
    columns = np.arange(squared.shape[1])
    scale = float(found["scale"][0])
    return Fitted(
        work.kernels[0],
        chosen.values[best] / scale,
        scale * found["alpha"][0, best, :, columns].T,
        found["bias"][0, best, columns],
        found["loo"]["outputs"][0, best, :, columns].T,
        float(found["jitter"][0, best].max()) / scale,
    )


class LeastSquares(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
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
        "n_jobs": [None, Integral],
        "n_threads": [None, Integral],
    }
    kernel: Any
    lam: Any
    lam_convention: str
    bias: bool
    kernel_scaling: str
    n_jobs: int | None
    n_threads: int | None = None  # of pickles of version 0.1.0, which had one name alone

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
        weights: FloatArray | None,
        per_target: bool = False,
        tick: Tick | None = None,
    ) -> None:
        """Choose what is to be chosen, then fit."""
        threads = resolve_jobs(self.n_jobs, self.n_threads)
        lam = self.lam if isinstance(self.lam, str) else float(self.lam)
        options = CallOptions(
            check_regularisation(lam, self.lam_convention, self.bias), sample_weight=weights
        )
        kernel, options = self._choose(X, target, options, threads, tick)
        work = single_work(kernel, X, target, threads)
        if per_target and isinstance(self.lam, str):
            options = replace(
                options,
                regularisation=check_regularisation("auto", self.lam_convention, self.bias),
            )
        fitted = fit_one(work, options, self.kernel_scaling, per_target)
        self.kernel_ = fitted.kernel
        same = bool((fitted.lams == fitted.lams[0]).all())
        self.lam_ = float(fitted.lams[0]) if same else fitted.lams
        self.dual_coef_ = fitted.dual_coef
        self.intercept_ = fitted.intercept
        self.jitter_ = fitted.jitter
        self.X_fit_ = X
        self._target = target
        self._weights = weights
        self._loo_outputs = fitted.loo_outputs
        residuals = target.columns() - fitted.loo_outputs
        self.loo_residuals_ = residuals[:, 0] if residuals.shape[1] == 1 else residuals

    def _choose(
        self, X: Any, target: Target, options: CallOptions, threads: int, tick: Tick | None
    ) -> tuple[Kernel, CallOptions]:
        """Find the kernel to train with, and the lambda along with it where both are free."""
        if not isinstance(self.kernel, str):
            if not isinstance(self.kernel, Kernel):
                return Function(self.kernel), options
            names = getattr(self, "feature_names_in_", None)
            return self.kernel if names is None else self.kernel._bind(list(names)), options
        if self.kernel != "auto":
            return named_kernel(self.kernel, X, options.sample_weight), options
        constant = target.task == "regression" and (np.ptp(target.values, axis=1) == 0).any()
        if constant or squared_distance_quantiles(X, [0.5]) is None:
            return scale_heuristic(X), options  # nothing to elect by
        regularisation = options.regularisation
        if regularisation.single and self.kernel_scaling == "centered":
            regularisation = replace(regularisation, relative=True)
        candidates = Candidates("auto", X, target.size)
        problem = Problem(target, candidates, threads)
        options_of_all = replace(options, regularisation=regularisation)
        found = elect_automatically(problem, LOO(), options_of_all, tick)
        self.selection_ = found
        if found.lam is None:
            return found.kernel, options
        # The election's lambda goes with the kernel as it is.
        single = replace(regularisation, values=np.array([found.lam]), single=True, relative=False)
        return found.kernel, replace(options, regularisation=single)

    def _outputs(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        if isinstance(self.kernel_, Precomputed):
            return np.asarray(X @ self.dual_coef_ + self.intercept_)
        return kernel_times(self.kernel_, X, self.X_fit_, self.dual_coef_) + self.intercept_

    def held_out_outputs(self, folds: Any = 5, *, random_state: Any = 0) -> NDArray[np.float64]:
        """Compute exact outputs on held-out folds of the training data, without retraining.

        Parameters
        ----------
        folds : int, splitter or list of (train, test), default=5
            How to hold out.
        random_state : int, default=0
            Seed of the shuffling.

        Returns
        -------
        ndarray of shape (n, n_outputs)
            The output for every training row from a model that did not see its fold; NaN for rows
            that no fold holds out.
        """
        check_is_fitted(self)
        sets = make_fold_sets(folds, self._target, random_state=random_state, partial=True)
        lams, places = np.unique(np.atleast_1d(self.lam_), return_inverse=True)
        regularisation = Regularisation(
            lams, False, False, self.lam_convention == "mean", bool(self.bias)
        )
        options = CallOptions(regularisation, sample_weight=self._weights)
        work = single_work(self.kernel_, self.X_fit_, self._target, 1)
        found = scan(work, options, scaling="none", fold_sets=sets, outputs=True)
        parts = np.array([part["outputs"][0] for part in found["cv"]])
        if (np.isfinite(parts).all(axis=(1, 3)).sum(axis=0) > 1).any():
            raise ValueError("held_out_outputs needs folds that hold out every row at most once")
        outputs = parts[0]
        for part in parts[1:]:
            outputs = np.where(np.isnan(outputs), part, outputs)
        columns = np.arange(outputs.shape[2])
        return np.asarray(outputs[np.broadcast_to(places, columns.shape), :, columns].T)


def drop_weightless(model: Any, X: Any, y: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Leave out rows of weight zero: they do not take part, and their ridge would be infinite."""
    if (weights < 0).any():
        raise ValueError("sample_weight must not be negative")
    keep = rows_that_count(weights, len(y))
    if keep is None:
        return X, y, weights
    count = int(keep.sum())
    if count < 2:
        raise ValueError(
            f"sample_weight leaves {'one row' if count else 'no row'} of {len(keep)}; give at "
            "least two a positive weight"
        )
    if isinstance(model.kernel, str) and model.kernel == "precomputed":
        raise ValueError('sample_weight of zero cannot be used with kernel="precomputed"')
    return X[keep], y[keep], weights[keep]
