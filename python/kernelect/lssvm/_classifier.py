"""The least-squares SVM that picks its kernel and lambda."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import _check_sample_weight

from .._dask.collections import in_memory
from .._dask.lazily import in_blocks
from .._data.outputs import LogisticProbabilities, LogProbabilities, decide
from .._data.target import Target
from .._support.arrays import FloatArray
from .._support.callbacks import reported, with_callbacks
from ._labels import check_class_weight, checked_labels, class_weights
from ._least_squares import LeastSquares
from ._training_rows import training_rows


class LSSVMClassifier(LogProbabilities, ClassifierMixin, LeastSquares):  # type: ignore[misc]
    r"""Least-squares support vector classifier that elects its kernels and lambdas.

    Fits :math:`f(x) = \sum_i \alpha_i k(x_i, x) + b` to labels +1 and -1 by minimising
    :math:`\sum_i (y_i - f(x_i))^2 + \lambda \|f\|^2`; several classes are one-vs-rest columns that
    share one factorisation, and so do the labels of an indicator matrix, where a row may have any
    number of them. Exact leave-one-out predictions come with the fit; probabilities are a logistic
    curve fitted to them, so no further cross-validation is needed.

    Parameters
    ----------
    kernel : Kernel, callable or str, default="best"
        ``"auto"`` elects a Gaussian by leave-one-out; ``"refined"`` then gives every column a width
        (`refine`), and ``"committee"`` lets kernels predict together, both only where that gains
        more than chance would; ``"best"`` is a committee with refined kernels among its candidates.
        Where only one kernel is possible (solvers for many rows, `lam_per_target`), it elects one
        and says why in `report_`. A family (``"rbf"``, ``"laplacian"``, ...) takes its width from
        the scale of the data; ``"precomputed"`` expects kernel matrices in place of X.
    lam : float or "auto", default="auto"
        Regularisation; ``"auto"`` takes the one with the smallest leave-one-out loss.
    lam_convention : {"sum", "mean"}, default="sum"
        K + lam I, or K + n lam I.
    bias : bool, default=True
        With a bias term (LSSVM), or without (kernel ridge classification).
    kernel_scaling : {"none", "trace", "centered"}, default="none"
        Multiply the kernel by n / tr(K) or n / tr(HKH) before a fixed `lam` applies; otherwise a
        wide kernel's centred part is tiny compared with lam = 1. No effect with ``lam="auto"``.
    class_weight : dict or "balanced", optional
        Weights of the classes' losses; not for an indicator matrix.
    solver : {"auto", "exact", "landmarks", "iterative"}, default="auto"
        ``"exact"`` solves the system of all n rows: O(n^3), and a matrix of n x n. ``"landmarks"``
        fits :math:`f(x) = k(x, Z)\,a + b` to all rows with m of them as landmarks Z, chosen by
        randomly pivoted Cholesky: O(n m^2) in memory that does not grow with n, and m kernel values
        for each prediction. ``"iterative"`` solves the system of all rows by conjugate gradients
        with a preconditioner of landmarks [2]_: no matrix is stored, each pass makes the n^2 kernel
        values anew. ``"auto"`` is exact up to 10,000 rows and while there is memory for it,
        and with landmarks beyond or where their number is given.
    landmarks : int or "auto", default="auto"
        The maximum number of landmarks; by default four times the square root of n, from 500 to
        2000, as memory allows, and twice as many if an election finds too few and can afford more.
    tol : float, default=1e-3
        With ``solver="iterative"``: the relative residual of the system at which it stops.
    max_passes : int, default=100
        With ``solver="iterative"``: the maximum number of passes over the kernel, after which a
        warning reports the residual.
    folds : int, splitter or list of (train, test), optional
        Choose kernel and lambda by exact cross-validation on these folds instead of leave-one-out,
        for related rows such as those of a time series. A number means shuffled folds; groups given
        to `fit` stay whole, and then 5 folds are the default.
    n_jobs, n_threads : int, optional
        Threads; 1 by default, -1 for all.
    time_limit : float, optional
        Seconds for the whole fit. The election stops early enough to leave time for the fit itself,
        with the best decision so far and a warning; a `TimeoutError` is raised if there is
        none yet, or if the fit does not end in time.

    Attributes
    ----------
    classes_ : ndarray
        The labels; the columns' numbers, 0 and up, of an indicator matrix.
    kernel_ : Kernel or list of Kernel
        The kernel in use, or those of a committee; `selection_` has the elected one either way.
    lam_ : float or ndarray of shape (n_members,)
        The lambda in use, for `kernel_` as it is.
    solver_ : str
        How the system was solved.
    n_passes_ : int
        How many passes over the kernel an iteration took.
    landmarks_ : ndarray of int or None
        Which training rows the landmarks are, in the order in which they were taken; None where all
        rows predict.
    dual_coef_ : ndarray of shape (n, n_columns) or (n_members, n, n_columns)
        The coefficients alpha, those of members times their weights; with landmarks, theirs: a.
    intercept_ : ndarray of shape (n_columns,)
        The bias.
    jitter_ : float
        What was added to the diagonal besides `lam_` if rounding made the kernel singular, or 0.
    loo_residuals_ : ndarray
        Exact leave-one-out residuals of the +-1 columns. With landmarks, a row that is left out is
        also removed from them; with an iteration they are estimates that use the leverages of
        landmarks. If more than 50,000 rows are not fitted exactly, a sample of 20,000 has
        residuals, and the others NaN.
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
        Rows that the model predicts from: the training rows, or the landmarks.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are strings.

    References
    ----------
    .. [1] J. Suykens, J. Vandewalle, "Least squares support vector machine classifiers", 1999.
    .. [2] M. Diaz, E. N. Epperly, Z. Frangella, J. A. Tropp, R. J. Webber, "Robust, randomized
       preconditioning for kernel ridge regression", arXiv 2304.12465, 2023.

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
        kernel: Any = "best",
        *,
        lam: Any = "auto",
        lam_convention: str = "sum",
        bias: bool = True,
        kernel_scaling: str = "none",
        class_weight: Any = None,
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
        self.class_weight = class_weight
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
        """Fit the classifier.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features), or dask array or data frame
            Training rows, or the kernel matrix for ``kernel="precomputed"``. Rows of dask are
            fitted with landmarks, by the active client where there is one.
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
        check_class_weight(self.class_weight)
        X, y = training_rows(self, X, y)
        y = checked_labels(y, self.class_weight)
        self._indicators = y.ndim == 2
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = _check_sample_weight(in_memory(sample_weight), X, dtype=np.float64, copy=True)
            if self.class_weight is not None:
                weights *= class_weights(self.class_weight, y)
        X, y, weights, splits = self._rows_that_count(X, y, weights, groups)
        if self._indicators:
            target, self.classes_ = Target.of_indicators(y), np.arange(y.shape[1])
        else:
            target = Target.of_labels(y)
            target.check_classes()
            self.classes_ = target.classes
        with reported(self, X, y) as tick:
            fitted = self._learn(X, target.weighted(weights), splits, tick=tick)
        known = self._judged_rows
        right = self._decided(self._loo_outputs[known]) == y[known]
        right = right.all(axis=1) if self._indicators else right
        self.loo_score_ = float(np.average(right, weights=fitted.counts))
        return self

    @in_blocks
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

    @in_blocks
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

    @in_blocks
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
        outputs, known = self._outputs(X), self._judged_rows
        held_out = self._loo_outputs[known]
        if not self._indicators:
            curve = LogisticProbabilities.fit(held_out, self._target.codes[known])
            return curve.probabilities(outputs)
        probabilities = np.empty_like(outputs)
        for k, column in enumerate(self._target.values[:, known] > 0.0):
            curve = LogisticProbabilities.fit(held_out[:, [k]], column.astype(np.int64))
            probabilities[:, k] = curve.probabilities(outputs[:, [k]])[:, 1]
        return probabilities

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


__all__ = ["LSSVMClassifier"]
