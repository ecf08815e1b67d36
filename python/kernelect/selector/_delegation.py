"""Methods that a meta-estimator has when the estimator inside has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numpy.typing import ArrayLike
from sklearn.utils.metadata_routing import _routing_enabled, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

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


class Delegation:
    """Predictions of the fitted `best_estimator_`, on rows that `_checked` prepares for it."""

    best_estimator_: Any
    estimator: Any
    _inner: Callable[[], Any]
    fit: Callable[..., Any]
    _checked: Callable[[Any], Any]

    def _call(self, method: str, X: Any) -> Any:
        rows = self._checked(X)  # says first when there is no fitted estimator
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
        rows = self._call("transform", X)
        return rows.set_axis(X.index) if hasattr(X, "index") and hasattr(rows, "columns") else rows

    @_if_inner_has("inverse_transform")
    def inverse_transform(self, X: ArrayLike) -> Any:
        """Take rows back with the fitted estimator.

        Parameters
        ----------
        X : array-like of shape (n, n_components)
            Transformed rows.

        Returns
        -------
        ndarray of shape (n, n_features)
            Rows as they were, nearly.
        """
        check_is_fitted(self)
        return self.best_estimator_.inverse_transform(X)

    @_if_inner_has("get_feature_names_out")
    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns that ``transform`` gives.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the features.

        Returns
        -------
        ndarray of str
            As the fitted estimator names them.
        """
        check_is_fitted(self)
        return self.best_estimator_.get_feature_names_out(input_features)

    @_if_inner_has("set_output")
    def set_output(self, *, transform: str | None = None) -> Any:
        """Choose what ``transform`` gives.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"}, optional
            Arrays or data frames; None changes nothing.

        Returns
        -------
        KernelSelector
            Itself.
        """
        self._inner().set_output(transform=transform)
        if self._inner() is not self.estimator:  # for the next fit
            self.estimator.set_output(transform=transform)
        return self

    @_if_inner_has("transform")
    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> Any:
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
    def fit_predict(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> Any:
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
