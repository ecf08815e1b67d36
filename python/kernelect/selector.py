"""KernelSelector: a meta-estimator that elects the kernel of a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _routing_enabled,
    process_routing,
)
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._callbacks import CallbackSupportMixin, reported, with_callbacks
from ._hand_over import hand_over, regularised
from ._progress import Tick
from ._rows import column_names
from .criteria import get
from .kernels import Precomputed
from .lssvm import LSSVMClassifier, LSSVMRegressor
from .results import ScoreTable, Selection
from .selection import select

Method = TypeVar("Method", bound=Callable[..., Any])


def _if_inner_has(method: str) -> Callable[[Method], Method]:
    """Decorate a method that is there when the estimator inside has it."""

    def check(selector: Any) -> bool:
        if not selector.refit:
            raise AttributeError(f"with refit=False there is no fitted estimator to {method} with")
        getattr(selector._inner(), method)
        return True

    decorate: Callable[[Method], Method] = available_if(check)
    return decorate


class KernelSelector(CallbackSupportMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Elect a kernel, put it into an estimator, and fit that.

    For everything in scikit-learn that has a kernel: ``SVC``, ``SVR``, ``NuSVC``, ``OneClassSVM``,
    ``KernelRidge``, ``KernelPCA``, ``SpectralClustering``, Gaussian processes, and the learners of this
    library. The winner goes in as scikit-learn's own kernel where it has the same one (a Gaussian as
    ``kernel="rbf", gamma=...``), as a callable or as precomputed matrices otherwise.

    Parameters
    ----------
    estimator : estimator, optional
        What to fit; `LSSVMClassifier` or `LSSVMRegressor`, as y asks for, by default.
    kernels : optional
        Candidates as for `select`; None for the 31 Gaussians tau = 2^-15 .. 2^15.
    criterion : str or Criterion, default="auto"
        What elects. ``"auto"``: cheap criteria screen, exact leave-one-out decides.
    refit : bool, default=True
        Fit the estimator with the winner; otherwise only elect.
    C : None or "auto", default=None
        ``"auto"`` also sets the estimator's regularisation from the lambda of least leave-one-out
        loss of the elected kernel: ``C`` = 1/(2 lambda) in a support vector machine (the least-squares
        loss stands in for the hinge loss), ``alpha`` = lambda in kernel ridge regression and Gaussian
        processes, ``lam`` in the learners of this library.
    lam : float, list of float or "auto", optional
        Regularisation of the criteria that fit a model. By default ``"auto"`` where it is wanted
        (``C="auto"``, or no estimator given), else 1.0.
    lam_convention, bias, folds, scoring, rule, random_state
        As for `select`.
    task : {"auto", "classification", "regression"}, default="auto"
        What y is, where the estimator does not tell.
    n_jobs : int, optional
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
        lam: Any = None,
        lam_convention: str = "sum",
        bias: bool = True,
        folds: Any = 5,
        scoring: str | None = None,
        rule: str = "best",
        random_state: Any = 0,
        task: str = "auto",
        n_jobs: int | None = None,
        progress: bool = False,
        time_limit: float | None = None,
    ) -> None:
        self.estimator = estimator
        self.kernels = kernels
        self.criterion = criterion
        self.refit = refit
        self.C = C
        self.lam = lam
        self.lam_convention = lam_convention
        self.bias = bias
        self.folds = folds
        self.scoring = scoring
        self.rule = rule
        self.random_state = random_state
        self.task = task
        self.n_jobs = n_jobs
        self.progress = progress
        self.time_limit = time_limit

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = getattr(self, "best_estimator_", None) or self._static_inner()
        if inner is not None:
            own = get_tags(inner)
            tags.estimator_type = own.estimator_type
            tags.classifier_tags = own.classifier_tags
            tags.regressor_tags = own.regressor_tags
            tags.transformer_tags = own.transformer_tags
            tags.input_tags.sparse = own.input_tags.sparse
            tags.target_tags = own.target_tags
            tags.non_deterministic = own.non_deterministic
        else:  # y decides what it becomes; what it can do as a classifier is known
            tags.classifier_tags = get_tags(LSSVMClassifier()).classifier_tags
            tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _static_inner(self) -> Any:
        """Estimator that will be fitted, as far as it is known without data."""
        if self.estimator is not None:
            return self.estimator
        if self.task == "classification":
            return LSSVMClassifier()
        return LSSVMRegressor() if self.task == "regression" else None

    def _inner(self) -> Any:
        """Estimator inside, fitted where possible."""
        if hasattr(self, "best_estimator_"):
            return self.best_estimator_
        known = self._static_inner()
        return LSSVMClassifier() if known is None else known

    def _task(self) -> str:
        inner = self._static_inner()
        if inner is not None and is_classifier(inner):
            return "classification"
        return "regression" if inner is not None and is_regressor(inner) else self.task

    @with_callbacks
    def fit(self, X: ArrayLike, y: ArrayLike, **params: Any) -> KernelSelector:
        """Elect a kernel and fit the estimator with it.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n, n_features)
            Training rows.
        y : array-like of shape (n,) or, for regression, (n, n_targets)
            Labels or numbers.
        **params : dict
            Metadata for the estimator's ``fit``, such as ``sample_weight``.

        Returns
        -------
        KernelSelector
            The fitted meta-estimator.
        """
        self._check_params()
        with reported(self, X, y) as tick:
            self._fit(X, y, params, tick)
        return self

    def _fit(self, X: Any, y: Any, params: dict[str, Any], tick: Tick | None) -> None:
        task = self._task()
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
        if task == "classification":
            check_classification_targets(target)
        given = X if column_names(X) is not None else rows
        self.result_ = chosen = self._elect(
            given, target, task, params.get("sample_weight"), progress=tick or self.progress
        )
        self.best_kernel_, self.best_index_ = chosen.kernel, chosen.index
        self.best_score_ = chosen.score
        self.cv_results_ = cv_results(chosen)
        inner = self.estimator
        if inner is None:
            kind = LSSVMClassifier if chosen.table.task == "classification" else LSSVMRegressor
            inner = kind(
                lam_convention=self.lam_convention, bias=self.bias, lam=1.0, n_jobs=self.n_jobs
            )
        way = hand_over(chosen.kernel, inner)
        self.best_params_ = {**way.params, **self._regularisation(inner, given, target)}
        self._precomputed = way.precomputed
        if self.refit:
            self.X_fit_ = rows
            routed = (
                process_routing(self, "fit", **params).estimator.fit
                if _routing_enabled()
                else params
            )
            self.best_estimator_ = clone(inner).set_params(**self.best_params_)
            self.best_estimator_.fit(self._handed(rows), target, **routed)

    def _check_params(self) -> None:
        if self.C is not None and not (isinstance(self.C, str) and self.C == "auto"):
            raise ValueError(
                f"C must be None or 'auto', not {self.C!r}; set a number on the estimator itself, as "
                "in KernelSelector(SVC(C=10))"
            )
        if not isinstance(self.refit, (bool, np.bool_)):
            raise TypeError(f"refit must be True or False, not {self.refit!r}")
        if isinstance(self.estimator, type) or not (
            self.estimator is None or hasattr(self.estimator, "fit")
        ):
            raise TypeError(f"estimator must be an estimator such as SVC(), not {self.estimator!r}")
        if not (isinstance(self.criterion, str) and self.criterion == "auto"):
            get(self.criterion)

    def _elect(
        self, X: Any, y: Any, task: str, weights: Any, *, progress: bool | Tick
    ) -> Selection:
        if weights is not None:
            counts = np.asarray(weights) > 0
            if counts.shape == (len(y),) and counts.any() and not counts.all():
                X = X.loc[counts] if hasattr(X, "loc") else X[counts]
                y = y[counts]
                if task == "classification" and len(np.unique(y)) < 2:
                    raise ValueError(
                        f"sample_weight leaves a single class ({y[0]!r}); a classifier needs at "
                        "least two"
                    )
        chosen = select(
            X,
            y,
            self.kernels,
            self.criterion,
            lam=self._lam(),
            lam_convention=self.lam_convention,
            bias=self.bias,
            folds=self.folds,
            scoring=self.scoring,
            rule=self.rule,
            random_state=self.random_state,
            task=task,
            n_threads=self._threads(),
            progress=progress,
            time_limit=self.time_limit,
        )
        if isinstance(chosen.kernel, Precomputed):  # a wrong value, whatever its type
            raise ValueError(  # noqa: TRY004
                "KernelSelector needs candidates with values on new rows, and a kernel matrix has "
                'none; elect with ke.select(None, y, matrices) and use kernel="precomputed"'
            )
        return chosen

    def _threads(self) -> int | None:
        if self.n_jobs is None:
            return 1
        return None if self.n_jobs == -1 else self.n_jobs

    def _lam(self) -> Any:
        if self.lam is not None:
            return self.lam
        return "auto" if self.C == "auto" or self.estimator is None else 1.0

    def _regularisation(self, inner: Any, X: Any, y: Any) -> dict[str, float]:
        """Regularisation that goes with the winner, in the estimator's own terms."""
        if self.C is None and self.estimator is not None:
            return {}
        lam = self.result_.lam
        if lam is None:  # the criterion does not depend on lambda, or one lambda was given
            given = self._lam()
            lam = given if isinstance(given, (int, float)) else None
        if lam is None:
            lam = select(
                X,
                y,
                [self.best_kernel_],
                "loo",
                lam=self._lam(),
                lam_convention=self.lam_convention,
                bias=self.bias,
                task=self.result_.table.task,
                n_threads=1,
            ).lam
        assert lam is not None
        if "lam" in inner.get_params(deep=False):
            return {"lam": float(lam)}  # our own learners, in the same convention
        rows = len(y) if self.lam_convention == "mean" else 1
        return regularised(inner, float(lam) * rows)

    def _handed(self, rows: Any) -> Any:
        """Turn rows into what the estimator inside takes."""
        return self.best_kernel_(rows, self.X_fit_) if self._precomputed else rows

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self)
        rows = validate_data(
            self, X, accept_sparse="csr", dtype=(np.float64, np.float32), order="C", reset=False
        )
        return self._handed(rows)

    def _call(self, method: str, X: Any) -> Any:
        rows = self._checked(X)
        return getattr(self.best_estimator_, method)(rows)

    @_if_inner_has("predict")
    def predict(self, X: ArrayLike) -> Any:
        """Predict with the fitted estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray
            Its predictions.
        """
        return self._call("predict", X)

    @_if_inner_has("predict_proba")
    def predict_proba(self, X: ArrayLike) -> Any:
        """Class probabilities of the fitted estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n, n_classes)
            Probabilities.
        """
        return self._call("predict_proba", X)

    @_if_inner_has("predict_log_proba")
    def predict_log_proba(self, X: ArrayLike) -> Any:
        """Logarithms of the class probabilities of the fitted estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n, n_classes)
            Logarithms of probabilities.
        """
        return self._call("predict_log_proba", X)

    @_if_inner_has("decision_function")
    def decision_function(self, X: ArrayLike) -> Any:
        """Decide with the fitted estimator: its outputs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray
            Outputs.
        """
        return self._call("decision_function", X)

    @_if_inner_has("score_samples")
    def score_samples(self, X: ArrayLike) -> Any:
        """Scores of rows by the fitted estimator (one-class machines).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n,)
            Scores.
        """
        return self._call("score_samples", X)

    @_if_inner_has("transform")
    def transform(self, X: ArrayLike) -> Any:
        """Transform with the fitted estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray
            Transformed rows.
        """
        return self._call("transform", X)

    @_if_inner_has("transform")
    def fit_transform(self, X: ArrayLike, y: ArrayLike, **params: Any) -> Any:
        """Elect, fit, and transform the training rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels or numbers for the election.
        **params : dict
            As for `fit`.

        Returns
        -------
        ndarray
            Transformed rows.
        """
        return self.fit(X, y, **params).transform(X)

    @_if_inner_has("fit_predict")
    def fit_predict(self, X: ArrayLike, y: ArrayLike, **params: Any) -> Any:
        """Elect, fit, and label the training rows (clustering, one-class machines).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels or numbers for the election.
        **params : dict
            As for `fit`.

        Returns
        -------
        ndarray of shape (n,)
            The estimator's labels.
        """
        self.fit(X, y, **params)
        labels = getattr(self.best_estimator_, "labels_", None)
        return self.predict(X) if labels is None else labels

    @_if_inner_has("score")
    def score(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> float:
        """Score of the fitted estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.
        y : array-like, optional
            Truth.
        **params : dict
            Metadata for the estimator's ``score``, such as ``sample_weight``.

        Returns
        -------
        float
            Accuracy for classifiers, R^2 for regressors.
        """
        rows = self._checked(X)
        if _routing_enabled():
            params = process_routing(self, "score", **params).estimator.score
        return float(self.best_estimator_.score(rows, y, **params))

    @property
    def classes_(self) -> Any:
        """Labels of a classifier."""
        check_is_fitted(self)
        return self.best_estimator_.classes_

    @property
    def labels_(self) -> Any:
        """Labels of a clustering of the training rows."""
        check_is_fitted(self)
        return self.best_estimator_.labels_

    def get_metadata_routing(self) -> MetadataRouter:
        """Where metadata such as ``sample_weight`` go: to the estimator.

        Returns
        -------
        MetadataRouter
            Routing of ``fit`` and ``score``.
        """
        inner = self._static_inner()
        mapping = MethodMapping()
        for method in ("fit", "score"):
            mapping.add(caller=method, callee=method)
        inner = LSSVMClassifier() if inner is None else inner
        return MetadataRouter(owner=self).add(estimator=inner, method_mapping=mapping)


def cv_results(chosen: Selection) -> dict[str, Any]:
    """Scores and ranks of all candidates as columns."""
    table: ScoreTable = chosen.table
    kernels = np.empty(len(table.kernels), dtype=object)
    kernels[:] = table.kernels
    columns: dict[str, Any] = {"kernel": kernels}
    # The election "auto" is decided by the criterion that comes last, leave-one-out.
    decisive = chosen.criterion if chosen.criterion in table.scores else list(table.scores)[-1]
    for key, values in table.scores.items():
        columns[f"score_{key}"] = table._at_best_lambda(key, values)
        if table.direction[key] != 0:
            columns[f"rank_{key}"] = np.argsort(table.ranking(key)) + 1
    if table.lams is not None and table.scores[decisive].ndim == 2:
        columns["lam"] = table._at_best_lambda(decisive, table.lams)
    columns["mean_test_score"] = table.direction[decisive] * columns[f"score_{decisive}"]
    columns["rank_test_score"] = columns[f"rank_{decisive}"]
    return columns


__all__ = ["KernelSelector"]
