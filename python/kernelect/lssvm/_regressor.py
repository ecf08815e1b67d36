"""Kernel ridge regression, with a bias or without, that picks its kernel and lambda."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import _check_sample_weight

from .._dask.collections import in_memory
from .._dask.lazily import in_blocks
from .._data.target import Target
from .._evidence.signal import unit_of
from .._support.arguments import check_flag
from .._support.callbacks import reported, with_callbacks
from .._support.remedy import Remedy, advised
from .._support.warning import warn_caller
from ..kernels import Precomputed
from ..selection._affordable import refuse_unless_free
from ._fits.deviation import Deviations
from ._fits.landmark_deviation import LandmarkDeviations, Posterior
from ._least_squares import LeastSquares
from ._training_rows import training_rows


class LSSVMRegressor(MultiOutputMixin, RegressorMixin, LeastSquares):  # type: ignore[misc]
    r"""Least-squares support vector regression, or kernel ridge regression with ``bias=False``.

    Fits :math:`f(x) = \sum_i \alpha_i k(x_i, x) + b` by minimising
    :math:`\sum_i (y_i - f(x_i))^2 + \lambda \|f\|^2`, electing kernels and lambdas by exact
    leave-one-out. ``predict(X, return_std=True)`` also returns standard deviations: those of the
    Gaussian process with the same mean, scaled to the size of the leave-one-out residuals.

    Parameters
    ----------
    kernel, lam, lam_convention, bias, kernel_scaling, solver, landmarks, tol, max_passes, folds
        As for `LSSVMClassifier`.
    n_jobs, n_threads, time_limit
        As for `LSSVMClassifier`.
    lam_per_target : bool, default=False
        With several targets and ``lam="auto"``, give each its own lambda, all from one
        eigendecomposition; with one elected kernel then, in place of ``kernel="best"``.

    Attributes
    ----------
    kernel_ : Kernel or list of Kernel
        The kernel in use, or those of a committee.
    lam_ : float or ndarray of shape (n_targets,) or (n_members,)
        The lambda in use.
    dual_coef_, intercept_ : ndarray
        The coefficients alpha and the bias, one column per target; of a committee the coefficients
        of each member times its weight.
    selection_, committee_, report_, solver_, landmarks_, n_passes_
        As for `LSSVMClassifier`.
    jitter_ : float
        As for `LSSVMClassifier`.
    loo_residuals_ : ndarray
        Exact leave-one-out residuals; of landmarks and iterations as for `LSSVMClassifier`.
    loo_score_ : float
        R^2 of the leave-one-out predictions.
    X_fit_ : ndarray or sparse matrix
        Rows that the model predicts from: the training rows, or the landmarks.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are strings.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> 0.45 < ke.LSSVMRegressor().fit(X, y).loo_score_ < 0.55
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LeastSquares._parameter_constraints,
        "lam_per_target": ["boolean"],
    }

    _deviations: Deviations | LandmarkDeviations | None = None  # made when asked for
    _posterior: Posterior | None = None  # of a model with landmarks

    def __init__(
        self,
        kernel: Any = "best",
        *,
        lam: Any = "auto",
        lam_convention: str = "sum",
        bias: bool = True,
        kernel_scaling: str = "none",
        lam_per_target: bool = False,
        solver: str = "auto",
        landmarks: Any = "auto",
        tol: float = 1e-3,
        max_passes: int = 100,
        folds: Any = None,
        n_jobs: int | None = None,
        n_threads: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.kernel = kernel
        self.lam = lam
        self.lam_convention = lam_convention
        self.bias = bias
        self.kernel_scaling = kernel_scaling
        self.lam_per_target = lam_per_target
        self.solver = solver
        self.landmarks = landmarks
        self.tol = tol
        self.max_passes = max_passes
        self.folds = folds
        self.n_jobs = n_jobs
        self.n_threads = n_threads
        self.time_limit = time_limit

    @with_callbacks
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Any:
        """Fit the regressor.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features), or dask array or data frame
            As for `LSSVMClassifier`.
        y : array-like of shape (n,) or (n, n_targets)
            Numbers to predict.
        sample_weight : array-like of shape (n,), optional
            Weights of the losses; rows of weight zero are left out.
        groups : array-like of shape (n,), optional
            As for `LSSVMClassifier`.

        Returns
        -------
        LSSVMRegressor
            The fitted estimator.
        """
        self._validate_params()
        X, y = training_rows(self, X, y, numeric=True)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(in_memory(sample_weight), X, dtype=np.float64, copy=True)
        X, y, weights, splits = self._rows_that_count(X, y, weights, groups)
        if self.lam_per_target and not isinstance(self.lam, str):
            warn_caller(
                "lam_per_target=True plays no part where lam is a number; it is for lam='auto'"
            )
        self._one_target = y.ndim == 1
        self._deviations = None
        target = Target.of_numbers(y).weighted(weights)
        with reported(self, X, y) as tick:
            fitted = self._learn(X, target, splits, per_target=bool(self.lam_per_target), tick=tick)
        self._posterior = fitted.posterior
        known = self._judged_rows
        self.loo_score_ = float("nan")
        if known.sum() > 1:
            outputs, columns = self._loo_outputs[known], target.columns()[known]
            self.loo_score_ = float(r2_score(columns, outputs, sample_weight=fitted.counts))
        return self

    @in_blocks
    def predict(self, X: ArrayLike, return_std: bool = False) -> Any:
        """Predict numbers, with their deviations where asked for.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.
        return_std : bool, default=False
            Also return the standard deviation of a new observation at each row, noise included.
            The first call factorises the ridge system again, which takes as long as fitting one
            kernel; the factor, as large as the kernel matrix, stays in memory but not in pickles.
            A model with landmarks uses their system, and counts what they do not see of the kernel
            as unknown; an iterative fit has no system, and refuses. A committee uses the member
            with the largest weight, scaled to the committee's residuals on unseen rows.

        Returns
        -------
        ndarray of shape (n,) or (n, n_targets)
            Predictions; with `return_std` a pair of them and their standard deviations, in the same
            shape.

        Examples
        --------
        >>> import numpy as np
        >>> import kernelect as ke
        >>> X = np.linspace(0, 6, 40)[:, None]
        >>> y = np.sin(X[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=40)
        >>> model = ke.LSSVMRegressor().fit(X, y)
        >>> mean, deviation = model.predict([[3.0], [30.0]], return_std=True)
        >>> bool(0.05 < deviation[0] < 0.2 < deviation[1])
        True
        """
        outputs = self._outputs(X)
        columns = 0 if self._one_target else slice(None)
        if not check_flag(return_std, "return_std"):
            return outputs[:, columns]
        return outputs[:, columns], self._known_deviations()(self._checked_rows(X))[:, columns]

    def _known_deviations(self) -> Deviations | LandmarkDeviations:
        """Make what gives deviations where it has not been asked for yet."""
        if isinstance(self.kernel_, Precomputed):
            raise ValueError(  # noqa: TRY004 (the kernel fits, the question does not)
                "return_std needs k(x, x) of the new rows, which matrices between new and training "
                "rows do not tell; give a kernel that is a function of rows"
            )
        solver = self.__dict__.get("solver_", "exact")
        if solver == "iterative" or (solver == "landmarks" and self._posterior is None):
            fault = "return_std needs the ridge system as one matrix, which "
            fault += "an iterative fit does without" if solver == "iterative" else "was not kept"
            own, others = "use solver='landmarks' or 'exact' for deviations", "fit it again"
            raise advised(ValueError, fault, Remedy(own, others))
        if self._deviations is None:
            n, targets = self._target.columns().shape
            kernels, lams, coefficients = self._members()
            committee = isinstance(self.kernel_, list)
            place = int(np.argmax(self.committee_.weights)) if committee else 0
            factor = n if self.lam_convention == "mean" else 1
            ridges = factor * np.broadcast_to(lams[place], targets)
            if self._posterior is not None:
                self._deviations = LandmarkDeviations(
                    kernels[place], self.X_fit_, ridges, self._posterior
                )
                return self._deviations
            refuse_unless_free("the deviations", n, 8.0 * n * n * (1 + len(np.unique(ridges))))
            residuals = self.loo_residuals_.reshape(n, targets)
            made = Deviations(
                kernels[place],
                self.X_fit_,
                ridges,
                np.ones(targets) if committee else unit_of(residuals, coefficients[0]),
                weights=np.ones(n) if self._target.weights is None else self._target.weights,
                jitter=self.jitter_,
                bias=bool(self.bias),
            )
            self._deviations = made.sized_by(residuals) if committee else made
        return self._deviations

    def __getstate__(self) -> Any:
        """Leave deviations out of pickles: they hold factors as large as kernel matrices."""
        return {**super().__getstate__(), "_deviations": None}


__all__ = ["LSSVMRegressor"]
