"""The least-squares SVM that picks its kernel and lambda."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from .._data.outputs import LogisticProbabilities, decide
from .._data.target import Target
from .._support.arguments import shown
from .._support.callbacks import reported, with_callbacks
from ._least_squares import LeastSquares, drop_weightless


class LSSVMClassifier(ClassifierMixin, LeastSquares):  # type: ignore[misc]
    r"""Least-squares support vector classifier that elects its kernel and lambda.

    Fits :math:`f(x) = \sum_i \alpha_i k(x_i, x) + b` to labels +1 and -1 by minimising
    :math:`\sum_i (y_i - f(x_i))^2 + \lambda \|f\|^2`; several classes are one-vs-rest columns that
    share one factorisation. Leave-one-out predictions are exact and come with the fit;
    probabilities are a logistic curve fitted to them, so that no further cross-validation is
    needed.

    Parameters
    ----------
    kernel : Kernel, callable or str, default="auto"
        ``"auto"`` elects a Gaussian by leave-one-out; the name of a family (``"rbf"``,
        ``"laplacian"``, ``"matern"``, ``"polynomial"``, ``"linear"``, ...) takes its width from the
        scale of the data; ``"precomputed"`` expects kernel matrices in place of X.
    lam : float or "auto", default="auto"
        Regularisation; ``"auto"`` takes the one of least leave-one-out loss.
    lam_convention : {"sum", "mean"}, default="sum"
        K + lam I, or K + n lam I.
    bias : bool, default=True
        With a bias term (LSSVM), or without (kernel ridge classification).
    kernel_scaling : {"none", "trace", "centered"}, default="none"
        Multiply the kernel by n / tr(K) or n / tr(HKH) before a fixed `lam` applies: a wide
        kernel's centred part is tiny against lam = 1 otherwise. Without effect on ``lam="auto"``.
    class_weight : dict or "balanced", optional
        Weights of the classes' losses.
    n_jobs, n_threads : int, optional
        Threads; 1 by default, -1 for all.

    Attributes
    ----------
    classes_ : ndarray
        The labels.
    kernel_ : Kernel
        The kernel in use.
    lam_ : float
        The lambda in use, for `kernel_` as it is.
    dual_coef_ : ndarray of shape (n, n_columns)
        The coefficients alpha.
    intercept_ : ndarray of shape (n_columns,)
        The bias.
    jitter_ : float
        What had to be added to the kernel's diagonal beside `lam_`; 0 unless the kernel is singular
        for rounding at a very small lambda.
    loo_residuals_ : ndarray
        Exact leave-one-out residuals of the +-1 columns.
    loo_score_ : float
        Accuracy of the leave-one-out predictions.
    selection_ : Selection
        The election, when ``kernel="auto"`` held one.
    X_fit_ : ndarray or sparse matrix
        Training rows.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are strings.

    References
    ----------
    .. [1] J. A. K. Suykens, J. Vandewalle, "Least squares support vector machine classifiers",
       1999.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ke.LSSVMClassifier().fit(X, y)
    >>> model.loo_score_ > 0.95
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LeastSquares._parameter_constraints,
        "class_weight": [None, dict, str],
    }

    def __init__(
        self,
        kernel: Any = "auto",
        *,
        lam: Any = "auto",
        lam_convention: str = "sum",
        bias: bool = True,
        kernel_scaling: str = "none",
        class_weight: Any = None,
        n_jobs: int | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.lam = lam
        self.lam_convention = lam_convention
        self.bias = bias
        self.kernel_scaling = kernel_scaling
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.n_threads = n_threads

    @with_callbacks
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Any:
        """Fit the classifier.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Training rows, or the kernel matrix for ``kernel="precomputed"``.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the losses; rows of weight zero are left out.

        Returns
        -------
        LSSVMClassifier
            The fitted estimator.
        """
        self._validate_params()
        if isinstance(self.class_weight, str) and self.class_weight != "balanced":
            raise ValueError(
                "class_weight must be 'balanced', a dict of labels and weights, or None, not "
                f"{shown(self.class_weight)}"
            )
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            dtype=np.float64,
            order="C",
            ensure_min_samples=2,
        )
        check_classification_targets(y)
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, copy=True)
            if self.class_weight is not None:
                weights *= _class_weights(self.class_weight, y)
            X, y, weights = drop_weightless(self, X, y, weights)
        target = Target.of_labels(y)
        target.check_classes()
        self.classes_ = target.classes
        with reported(self, X, y) as tick:
            self._learn(X, target, weights, tick=tick)
        self.loo_score_ = float((decide(self._loo_outputs, self.classes_) == y).mean())
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Compute outputs f(x), positive for the second of two classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n,) or (n, n_classes)
            Outputs; one column per class where there are more than two.
        """
        outputs = self._outputs(X)
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n,)
            Labels.
        """
        return decide(self._outputs(X), self.classes_)

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Estimate class probabilities by a logistic curve on the exact leave-one-out outputs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n, n_classes)
            Probabilities in the order of `classes_`.
        """
        outputs = self._outputs(X)
        curve = LogisticProbabilities.fit(self._loo_outputs, self._target.codes)
        return curve.probabilities(outputs)


def _class_weights(class_weight: Any, y: Any) -> NDArray[np.float64]:
    """Return the weight of each row's class, all of them numbers of at least zero."""
    weights = np.asarray(compute_sample_weight(class_weight, y), dtype=np.float64)
    if not (np.isfinite(weights) & (weights >= 0.0)).all():
        raise ValueError(
            "class_weight must give every class a finite weight of at least zero, not "
            f"{class_weight!r}"
        )
    return weights


__all__ = ["LSSVMClassifier"]
