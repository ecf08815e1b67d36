"""KernelSelector: a meta-estimator that elects the kernel of a scikit-learn estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import check_array
from sklearn.utils.metadata_routing import _routing_enabled, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .._data.rows import column_names, with_short_indices
from .._data.weights import rows_that_count
from .._support.callbacks import CallbackSupportMixin, reported, with_callbacks
from .._support.progress import Tick
from ..kernels import Gaussian, Precomputed
from ._cv_results import cv_results
from ._delegation import Delegation
from ._election import counted, hold_election, lambda_of, options_of
from ._hand_over import hand_over, loses_rows_of_no_weight, regularised, with_lambda
from ._inner_estimator import InnerEstimator
from ._matrix_candidates import between, matrices_of, new_rows


class KernelSelector(
    InnerEstimator,
    Delegation,
    CallbackSupportMixin,  # type: ignore[misc]
    MetaEstimatorMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Elect a kernel, put it into an estimator, and fit that.

    For everything in scikit-learn that has a kernel: ``SVC``, ``SVR``, ``NuSVC``, ``OneClassSVM``,
    ``KernelRidge``, ``KernelPCA``, ``SpectralClustering``, Gaussian processes, and the learners of
    this library. The winner goes in as scikit-learn's own kernel where it has the same one (a
    Gaussian as ``kernel="rbf", gamma=...``), as a callable or as precomputed matrices otherwise.

    Parameters
    ----------
    estimator : estimator, optional
        What to fit; `LSSVMClassifier` or `LSSVMRegressor`, as y asks for, by default.
    kernels : optional
        Candidates as for `select`; None for the 31 Gaussians tau = 2^-15 .. 2^15. With
        ``"precomputed"``, X is a list or stack of kernel matrices: of shape (n, n) in `fit`, in the
        other methods (m, n), between new and training rows, or the elected one alone. Matrices
        given here are fitted by ``fit(None, y)``.
    criterion : str or Criterion, default="auto"
        What elects. ``"auto"``: cheap criteria screen, exact leave-one-out decides.
    refit : bool, default=True
        Fit the estimator with the winner; otherwise only elect.
    regularization, C : None or "auto", default=None
        ``"auto"``, by either name, also sets the estimator's regularisation from the lambda of
        least leave-one-out loss of the elected kernel: ``C`` = 1/(2 lambda) in a support vector
        machine (the least-squares loss stands in for the hinge loss), ``alpha`` = lambda in kernel
        ridge regression and Gaussian processes, ``lam`` in the learners of this library.
    lam : float, list of float or "auto", optional
        Regularisation of the criteria that fit a model. By default ``"auto"`` where it is wanted
        (``regularization="auto"``, or no estimator given), else 1.0.
    lam_convention, bias, folds, scoring, rule, random_state
        As for `select`.
    task : {"auto", "classification", "regression"}, default="auto"
        What y is, where the estimator does not tell.
    n_jobs, n_threads : int, optional
        Threads of the election; 1 by default, -1 for all.
    progress : bool, default=False
        Show a progress line.
    time_limit : float, optional
        Seconds for the election, after which the best decision so far is taken.

    Attributes
    ----------
    best_kernel_ : Kernel
        The winner.
    best_params_ : dict
        What was set on the estimator.
    best_estimator_ : estimator
        The fitted estimator, with ``refit=True``.
    best_score_ : float
        The winner's value under the criterion (`result_` tells its direction).
    best_index_ : int
        Its place among the candidates.
    cv_results_ : dict of ndarray
        ``kernel``, per criterion ``score_...`` and ``rank_...``, and as in `GridSearchCV`
        ``mean_test_score`` (larger is better) and ``rank_test_score``; goes into a data frame.
    result_ : Selection
        The whole election.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are strings.

    Notes
    -----
    Every criterion that can elect looks at y, also when the estimator itself does not, such as
    `KernelPCA`; diagnostics (``stability``) have no better or worse and cannot elect.
    With scikit-learn 1.9 or later, ``set_callbacks(ProgressBar())`` shows the election's progress.
    ``sample_weight`` and other metadata go to the estimator's ``fit`` (with metadata routing, as
    requested there); in the election each row of positive weight counts once.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), ke.KernelSelector(SVC(C=10))).fit(X, y)
    >>> model[-1].best_params_
    {'kernel': 'rbf', 'gamma': 0.5}
    >>> model.score(X, y) > 0.95
    True

    The regularisation as well:

    >>> ke.KernelSelector(SVC(), C="auto").fit(X, y).best_params_["C"] > 1
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        kernels: Any = None,
        criterion: Any = "auto",
        *,
        refit: bool = True,
        C: str | None = None,
        regularization: str | None = None,
        lam: Any = None,
        lam_convention: str = "sum",
        bias: bool = True,
        folds: Any = 5,
        scoring: str | None = None,
        rule: str = "best",
        random_state: Any = 0,
        task: str = "auto",
        n_jobs: int | None = None,
        n_threads: int | None = None,
        progress: bool = False,
        time_limit: float | None = None,
    ) -> None:
        self.estimator = estimator
        self.kernels = kernels
        self.criterion = criterion
        self.refit = refit
        self.C = C
        self.regularization = regularization
        self.lam = lam
        self.lam_convention = lam_convention
        self.bias = bias
        self.folds = folds
        self.scoring = scoring
        self.rule = rule
        self.random_state = random_state
        self.task = task
        self.n_jobs = n_jobs
        self.n_threads = n_threads
        self.progress = progress
        self.time_limit = time_limit

    @with_callbacks
    def fit(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> KernelSelector:
        """Elect a kernel and fit the estimator with it.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n, n_features)
            Training rows; kernel matrices, or None, where the candidates are matrices.
        y : array-like of shape (n,) or, for regression, (n, n_targets)
            Labels or numbers. Every criterion that can elect needs them, also where the estimator
            does not.
        **params : dict
            Metadata for the estimator's ``fit``, such as ``sample_weight``.

        Returns
        -------
        KernelSelector
            The fitted meta-estimator.
        """
        self._check_params()
        if y is None:
            raise ValueError(
                "This KernelSelector estimator requires y to be passed, but the target y is None: "
                "every criterion that can elect a kernel looks at it, whatever the estimator does"
            )
        with reported(self, X, y) as tick:
            self._fit(X, y, params, tick)
        return self

    def _fit(self, X: Any, y: Any, params: dict[str, Any], tick: Tick | None) -> None:
        task = self._task()
        matrices = matrices_of(self.kernels, X)
        self._refuse_misfits(matrices is not None)
        self._on_matrices = matrices is not None
        rows, target = self._checked_rows(X, y, task) if matrices is None else (None, y)
        if matrices is not None:
            target = check_array(y, ensure_2d=False, dtype=None, input_name="y")
            self.n_features_in_ = len(target)
        if task == "classification":
            check_classification_targets(target)
        given = X if column_names(X) is not None else rows
        weights = params.get("sample_weight")
        voters = counted(given, target, self.kernels, matrices, weights=weights, task=task)
        options = options_of(self, task)
        self.result_ = chosen = hold_election(*voters, options, tick or self.progress)
        self.best_kernel_, self.best_index_ = chosen.kernel, chosen.index
        self.best_score_ = chosen.score
        self.cv_results_ = cv_results(chosen)
        inner = self._new_inner(chosen.table.task)
        way = hand_over(chosen.kernel, inner)
        self.best_params_ = dict(way.params)
        if self._sets_lambda or self.estimator is None:
            lam = lambda_of(chosen, *voters, options)
            count = len(voters[1]) if self.lam_convention == "mean" else 1
            self.best_params_.update(with_lambda(inner, lam, count))
        self._precomputed = way.precomputed
        if self.refit:
            self.X_fit_ = rows
            routed = (
                process_routing(self, "fit", **params).estimator.fit
                if _routing_enabled()
                else params
            )
            self.best_estimator_ = clone(inner).set_params(**self.best_params_)
            self._fit_inner(
                self._handed(rows) if matrices is None else matrices[chosen.index], target, routed
            )

    def _refuse_misfits(self, on_matrices: bool) -> None:
        """Raise before the work where the estimator takes no kernel, or no regularisation."""
        if self.estimator is not None:
            hand_over(Precomputed(0) if on_matrices else Gaussian(1.0), self.estimator)
            if self._sets_lambda:
                regularised(self.estimator, 1.0)

    def _fit_inner(self, training: Any, target: Any, routed: dict[str, Any]) -> None:
        weights = routed.get("sample_weight")
        kernel = self.best_params_.get("kernel", "")
        self._columns: Any = slice(None)  # of kernel matrices, which the estimator has seen
        if weights is not None and loses_rows_of_no_weight(self.best_estimator_, kernel):
            kept = rows_that_count(weights, len(target))
            if kept is not None:
                routed = {**routed, "sample_weight": np.asarray(weights)[kept]}
                target = target[kept]
                if self._on_matrices:
                    (training,), self._columns = between(kept, [training]), kept
                else:
                    training = training[kept]
        self.best_estimator_.fit(training, target, **routed)

    def _checked_rows(self, X: Any, y: Any, task: str) -> tuple[Any, Any]:
        rows, target = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            order="C",
            multi_output=task != "classification",
            y_numeric=task == "regression",
            ensure_min_samples=2,
        )
        return with_short_indices(rows), target

    def _handed(self, rows: Any) -> Any:
        """Turn checked rows into what the estimator inside takes."""
        if self._on_matrices:
            return rows[:, self._columns]
        return self.best_kernel_(rows, self.X_fit_) if self._precomputed else rows

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self)
        if self._on_matrices:
            count = len(self.result_.table.kernels)
            return new_rows(X, self.best_index_, count, self.n_features_in_)
        rows = validate_data(
            self, X, accept_sparse="csr", dtype=(np.float64, np.float32), order="C", reset=False
        )
        return with_short_indices(rows)


__all__ = ["KernelSelector"]
