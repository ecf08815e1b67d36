"""Methods that a meta-estimator has when the estimator inside has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.metadata_routing import _routing_enabled, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._dask.collections import is_dask
from ..kernels._chunks import joined, row_chunks

Method = TypeVar("Method", bound=Callable[..., Any])

_X = ("X : array-like or sparse matrix of shape (n, n_features)", "Rows.")
_Y = ("y : array-like of shape (n,)", "Labels or numbers for the election.")
_METADATA = ("**params : dict", "As for `fit`.")
_KEYWORDS = ("**params : dict", "Keywords of the estimator's own method, such as ``return_std``.")


def _section(title: str, *entries: tuple[str, str]) -> str:
    lines = [title, "-" * len(title)]
    for head, text in entries:
        lines += [head, f"    {text}"]
    return "\n".join(lines)


def delegated(
    *takes: tuple[str, str], returns: tuple[str, str], inner: str | None = None
) -> Callable[[Method], Method]:
    """Decorate a method that is there when the estimator inside has it, and complete its docstring.

    `takes` and `returns` are entries of numpydoc: name and type, description. `inner` is what the
    estimator inside must have where that is not a method of the same name.
    """

    def decorate(method: Method) -> Method:
        wanted = inner or method.__name__

        def check(selector: Any) -> bool:
            if not selector.refit:
                raise AttributeError(
                    f"with refit=False there is no fitted estimator to {wanted} with"
                )
            getattr(selector._inner(), wanted)
            return True

        sections = [_section("Parameters", *takes), _section("Returns", returns)]
        method.__doc__ = "\n\n".join([str(method.__doc__), *sections]) + "\n"
        conditional: Method = available_if(check)(method)
        return conditional

    return decorate


def of_rows(name: str, summary: str, returns: tuple[str, str]) -> Any:
    """Make the method that calls the one of the fitted estimator on checked rows."""

    def method(self: Any, X: ArrayLike, **params: Any) -> Any:
        return self._call(name, X, **params)

    method.__name__, method.__qualname__ = name, f"Delegation.{name}"
    method.__doc__ = summary
    del method.__annotations__["self"]  # as of a method written in the class
    return delegated(_X, _KEYWORDS, returns=returns)(method)


class Delegation:
    """Predictions of the fitted `best_estimator_`, on rows checked and handed over here."""

    best_estimator_: Any
    estimator: Any
    _inner: Callable[[], Any]
    fit: Callable[..., Any]
    n_features_in_: int
    X_fit_: Any
    _on_matrices: bool
    _checked: Callable[[Any], Any]
    _handed: Callable[[Any], Any]

    def _call(self, method: str, X: Any, **params: Any) -> Any:
        """Call a method that treats each row by itself, on a few rows at a time.

        With keywords it need not (a Gaussian process can give covariances), so it gets all rows.
        """
        if is_dask(X):
            check_is_fitted(self)
            return getattr(self.best_estimator_, method)(X, **params)
        rows = self._checked(X)  # says first when there is no fitted estimator
        function = getattr(self.best_estimator_, method)
        if params:
            return function(self._handed(rows), **params)
        against = self.n_features_in_ if self._on_matrices else self.X_fit_.shape[0]
        parts = row_chunks(rows.shape[0], against)
        return joined([function(self._handed(rows[part])) for part in parts])

    predict = of_rows(
        "predict", "Predict with the fitted estimator.", ("ndarray", "Its predictions.")
    )
    predict_proba = of_rows(
        "predict_proba",
        "Class probabilities of the fitted estimator.",
        ("ndarray of shape (n, n_classes)", "Probabilities."),
    )
    predict_log_proba = of_rows(
        "predict_log_proba",
        "Logarithms of the class probabilities of the fitted estimator.",
        ("ndarray of shape (n, n_classes)", "Logarithms of probabilities."),
    )
    decision_function = of_rows(
        "decision_function",
        "Outputs of the fitted estimator, by which it decides.",
        ("ndarray", "Outputs."),
    )
    score_samples = of_rows(
        "score_samples",
        "Scores of rows by the fitted estimator (one-class machines).",
        ("ndarray of shape (n,)", "Scores."),
    )

    @delegated(_X, returns=("ndarray", "Transformed rows."))
    def transform(self, X: ArrayLike) -> Any:
        """Transform with the fitted estimator."""
        rows = self._call("transform", X)
        return rows.set_axis(X.index) if hasattr(X, "index") and hasattr(rows, "columns") else rows

    @delegated(
        ("X : array-like of shape (n, n_components)", "Transformed rows."),
        returns=("ndarray of shape (n, n_features)", "Approximately the original rows."),
    )
    def inverse_transform(self, X: ArrayLike) -> Any:
        """Undo the transformation of the fitted estimator."""
        check_is_fitted(self)
        return self.best_estimator_.inverse_transform(X)

    @delegated(
        ("input_features : array-like of str, optional", "Names of the features."),
        returns=("ndarray of str", "As the fitted estimator names them."),
    )
    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns that ``transform`` returns."""
        check_is_fitted(self)
        return self.best_estimator_.get_feature_names_out(input_features)

    @delegated(
        (
            'transform : {"default", "pandas", "polars"}, optional',
            "Arrays or data frames; None changes nothing.",
        ),
        returns=("KernelSelector", "Itself."),
    )
    def set_output(self, *, transform: str | None = None) -> Any:
        """Choose what ``transform`` returns."""
        self._inner().set_output(transform=transform)
        if self._inner() is not self.estimator:  # for the next fit
            self.estimator.set_output(transform=transform)
        return self

    @delegated(_X, _Y, _METADATA, returns=("ndarray", "Transformed rows."), inner="transform")
    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> Any:
        """Elect, fit, and transform the training rows."""
        return self.fit(X, y, **params).transform(X)

    @delegated(_X, _Y, _METADATA, returns=("ndarray of shape (n,)", "The estimator's labels."))
    def fit_predict(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> Any:
        """Elect, fit, and label the training rows (clustering, one-class machines)."""
        self.fit(X, y, **params)
        labels = getattr(self.best_estimator_, "labels_", None)
        return self.predict(X) if labels is None else labels

    @delegated(
        _X,
        ("y : array-like, optional", "Truth."),
        (
            "**params : dict",
            "Metadata for the estimator's ``score``, such as ``sample_weight``.",
        ),
        returns=("float", "Accuracy for classifiers, R^2 for regressors."),
    )
    def score(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> float:
        """Score of the fitted estimator."""
        check_is_fitted(self)
        if _routing_enabled():
            params = process_routing(self, "score", **params).estimator.score
        score = type(self.best_estimator_).score
        if score in (ClassifierMixin.score, RegressorMixin.score):
            # These ask for predictions alone, which are made a few rows at a time here.
            return float(score(self, X, y, **params))
        return float(self.best_estimator_.score(self._handed(self._checked(X)), y, **params))

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
