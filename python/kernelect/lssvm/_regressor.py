"""Kernel ridge regression, with a bias or without, that picks its kernel and lambda."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import _check_sample_weight, validate_data

from .._data.target import Target
from .._support.callbacks import reported, with_callbacks
from ._least_squares import LeastSquares, drop_weightless


class LSSVMRegressor(MultiOutputMixin, RegressorMixin, LeastSquares):  # type: ignore[misc]
    r"""Least-squares support vector regression, or kernel ridge regression with ``bias=False``.

    Fits :math:`f(x) = \sum_i \alpha_i k(x_i, x) + b` by minimising
    :math:`\sum_i (y_i - f(x_i))^2 + \lambda \|f\|^2`, electing kernel and lambda by exact
    leave-one-out.

    Parameters
    ----------
    kernel, lam, lam_convention, bias, kernel_scaling, n_jobs, n_threads
        As for `LSSVMClassifier`.
    lam_per_target : bool, default=False
        With several targets and ``lam="auto"``, give each its own lambda, all from one
        eigendecomposition.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel in use.
    lam_ : float or ndarray of shape (n_targets,)
        The lambda in use.
    dual_coef_, intercept_ : ndarray
        The coefficients alpha and the bias, one column per target.
    jitter_ : float
        As for `LSSVMClassifier`.
    loo_residuals_ : ndarray
        Exact leave-one-out residuals.
    loo_score_ : float
        R^2 of the leave-one-out predictions.
    X_fit_ : ndarray or sparse matrix
        Training rows.
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

    def __init__(
        self,
        kernel: Any = "auto",
        *,
        lam: Any = "auto",
        lam_convention: str = "sum",
        bias: bool = True,
        kernel_scaling: str = "none",
        lam_per_target: bool = False,
        n_jobs: int | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.lam = lam
        self.lam_convention = lam_convention
        self.bias = bias
        self.kernel_scaling = kernel_scaling
        self.lam_per_target = lam_per_target
        self.n_jobs = n_jobs
        self.n_threads = n_threads

    @with_callbacks
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Any:
        """Fit the regressor.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Training rows, or the kernel matrix for ``kernel="precomputed"``.
        y : array-like of shape (n,) or (n, n_targets)
            Numbers to predict.
        sample_weight : array-like of shape (n,), optional
            Weights of the losses; rows of weight zero are left out.

        Returns
        -------
        LSSVMRegressor
            The fitted estimator.
        """
        self._validate_params()
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            dtype=np.float64,
            order="C",
            multi_output=True,
            y_numeric=True,
            ensure_min_samples=2,
        )
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, copy=True)
            X, y, weights = drop_weightless(self, X, y, weights)
        self._one_target = y.ndim == 1
        target = Target.of_numbers(y)
        with reported(self, X, y) as tick:
            self._learn(X, target, weights, bool(self.lam_per_target), tick=tick)
        self.loo_score_ = (
            float(r2_score(target.columns(), self._loo_outputs))
            if target.size > 1
            else float("nan")
        )
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Predict numbers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n,) or (n, n_targets)
            Predictions.
        """
        outputs = self._outputs(X)
        return outputs[:, 0] if self._one_target else outputs


__all__ = ["LSSVMRegressor"]
