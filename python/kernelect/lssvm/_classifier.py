"""The least-squares SVM that picks its kernel and lambda."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, column_or_1d, validate_data

from .._data.outputs import LogisticProbabilities, decide
from .._data.rows import is_sparse
from .._data.target import Target
from .._support.arguments import shown
from .._support.arrays import FloatArray
from .._support.callbacks import reported, with_callbacks
from ._least_squares import LeastSquares


class LSSVMClassifier(ClassifierMixin, LeastSquares):  # type: ignore[misc]
    r"""Least-squares support vector classifier that elects its kernel and lambda.

    Fits :math:`f(x) = \sum_i \alpha_i k(x_i, x) + b` to labels +1 and -1 by minimising
    :math:`\sum_i (y_i - f(x_i))^2 + \lambda \|f\|^2`; several classes are one-vs-rest columns that
    share one factorisation. So do the labels of an indicator matrix, of which a row may have any
    number. Leave-one-out predictions are exact and come with the fit; probabilities are a logistic
    curve fitted to them, so that no further cross-validation is needed.

    Parameters
    ----------
    kernel : Kernel, callable or str, default="auto"
        ``"auto"`` elects a Gaussian by leave-one-out; ``"refined"`` then gives every column a width
        (`refine`), ``"committee"`` lets kernels predict together, both where that gains more than
        chance would; ``"best"`` takes what does best on unseen rows; a family (``"rbf"``,
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
        Weights of the classes' losses; not with an indicator matrix, whose rows have no one class.
    folds : int, splitter or list of (train, test), optional
        Choose kernel and lambda by exact cross-validation on these folds in place of leave-one-out:
        for rows that are related, as those of a time series are. A number means shuffled folds;
        with groups given to `fit` these stay whole, and 5 folds are the default.
    n_jobs, n_threads : int, optional
        Threads; 1 by default, -1 for all.
    time_limit : float, optional
        Seconds for the whole fit. The election ends early enough to leave time for the fit itself,
        with the best decision so far and a warning; a `TimeoutError` where there is none, or where
        the fit does not end in time.

    Attributes
    ----------
    classes_ : ndarray
        The labels; the columns' numbers, 0 and up, of an indicator matrix.
    kernel_ : Kernel or list of Kernel
        The kernel in use, or those of a committee.
    lam_ : float or ndarray of shape (n_members,)
        The lambda in use, for `kernel_` as it is.
    dual_coef_ : ndarray of shape (n, n_columns) or (n_members, n, n_columns)
        The coefficients alpha, of members times their weights.
    intercept_ : ndarray of shape (n_columns,)
        The bias.
    jitter_ : float
        What a kernel that is singular for rounding got on its diagonal beside `lam_`, else 0.
    loo_residuals_ : ndarray
        Exact leave-one-out residuals of the +-1 columns.
    loo_score_ : float
        Accuracy of the leave-one-out predictions: of an indicator matrix, the share of rows whose
        labels are all right.
    selection_ : Selection
        The election, where there was one; with ``"refined"`` what became of its winner.
    committee_ : results.Committee
        Members, weights, and the loss on rows that these have not seen; `loo_residuals_` and
        `loo_score_` are those of such rows too.
    report_ : results.Contest
        What ``"best"`` compared, which way it took, and why.
    X_fit_ : ndarray or sparse matrix
        Training rows.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are strings.

    References
    ----------
    .. [1] J. Suykens, J. Vandewalle, "Least squares support vector machine classifiers", 1999.

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
    _indicators = False  # of pickles of version 0.1.0, which had one label per row

    def __init__(
        self,
        kernel: Any = "auto",
        *,
        lam: Any = "auto",
        lam_convention: str = "sum",
        bias: bool = True,
        kernel_scaling: str = "none",
        class_weight: Any = None,
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
        self.class_weight = class_weight
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
        """Fit the classifier.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Training rows, or the kernel matrix for ``kernel="precomputed"``.
        y : array-like of shape (n,), or array-like or sparse matrix of shape (n, n_labels)
            One label per row, or an indicator matrix: 1 where the row has the label, 0 where not.
        sample_weight : array-like of shape (n,), optional
            Weights of the losses; rows of weight zero are left out.
        groups : array-like of shape (n,), optional
            Rows of one group, such as those of one patient, are held out together when kernel and
            lambda are chosen, by cross-validation then (see `folds`).

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
            multi_output=True,
            ensure_min_samples=2,
        )
        y = self._checked_labels(y)
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, copy=True)
            if self.class_weight is not None:
                weights *= _class_weights(self.class_weight, y)
        X, y, weights, splits = self._rows_that_count(X, y, weights, groups)
        if self._indicators:
            target, self.classes_ = Target.of_indicators(y), np.arange(y.shape[1])
        else:
            target = Target.of_labels(y)
            target.check_classes()
            self.classes_ = target.classes
        with reported(self, X, y) as tick:
            self._learn(X, target.weighted(weights), splits, tick=tick)
        right = self._decided(self._loo_outputs) == y
        self.loo_score_ = float((right.all(axis=1) if self._indicators else right).mean())
        return self

    def _checked_labels(self, y: Any) -> NDArray[Any]:
        """One label per row, or an indicator matrix of zeros and ones."""
        if y.ndim == 2 and y.shape[1] == 1:
            y = column_or_1d(y.toarray() if is_sparse(y) else y, warn=True)
        self._indicators = y.ndim == 2
        if not self._indicators:
            check_classification_targets(y)
            return np.asarray(y)
        if type_of_target(y, input_name="y") != "multilabel-indicator":
            raise ValueError(
                f"y has {y.shape[1]} columns with entries other than 0 and 1; give one label per "
                "row, or an indicator matrix: a column of 0 and 1 for each label"
            )
        if self.class_weight is not None:
            raise ValueError(
                "class_weight weighs each row by its one class, and rows of an indicator matrix "
                "have several or none; pass sample_weight to fit"
            )
        y = y.toarray() if is_sparse(y) else y
        return np.asarray(y != 0).astype(np.int64)

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Compute outputs f(x), positive for the second of two classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n,), (n, n_classes) or (n, n_labels)
            Outputs; one column per class where there are more than two, or per label.
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
        ndarray of shape (n,) or (n, n_labels)
            Labels, or an indicator matrix where the fit had one.
        """
        return self._decided(self._outputs(X))

    def _decided(self, outputs: FloatArray) -> NDArray[Any]:
        if self._indicators:
            return np.asarray(outputs > 0.0).astype(np.int64)
        return decide(outputs, self.classes_)

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Estimate class probabilities by a logistic curve on the exact leave-one-out outputs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n, n_classes) or (n, n_labels)
            Probabilities in the order of `classes_`; with an indicator matrix those of having each
            label, by a curve of its own, which do not add up to one.
        """
        outputs = self._outputs(X)
        if not self._indicators:
            curve = LogisticProbabilities.fit(self._loo_outputs, self._target.codes)
            return curve.probabilities(outputs)
        probabilities = np.empty_like(outputs)
        for k, column in enumerate(self._target.values > 0.0):
            curve = LogisticProbabilities.fit(self._loo_outputs[:, [k]], column.astype(np.int64))
            probabilities[:, k] = curve.probabilities(outputs[:, [k]])[:, 1]
        return probabilities

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


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
