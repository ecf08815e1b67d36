"""scikit-learn's scorers on held-out outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer

from .._data.outputs import LogisticProbabilities, decide
from .._data.target import Target
from .._support.quiet import quietly
from ._constant import constant_outputs
from ._predictions import HeldOut


class _Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Answers with stored outputs; its rows are their numbers."""

    def __init__(self, outputs: NDArray[np.float64], classes: NDArray[Any]) -> None:
        self.outputs = outputs
        self.classes_ = classes

    def fit(self, X: Any, y: Any) -> _Classifier:
        return self

    def decision_function(self, X: NDArray[np.int64]) -> NDArray[np.float64]:
        rows = self.outputs[X[:, 0]]
        return rows[:, 0] if rows.shape[1] == 1 else rows

    def predict(self, X: NDArray[np.int64]) -> NDArray[Any]:
        return decide(self.outputs[X[:, 0]], self.classes_)

    def predict_proba(self, X: NDArray[np.int64]) -> NDArray[np.float64]:
        codes = np.asarray(np.searchsorted(self.classes_, self.labels_), dtype=np.int64)
        known = np.isfinite(self.outputs).all(axis=1)
        model = LogisticProbabilities.fit(self.outputs[known], codes[known])
        return model.probabilities(self.outputs[X[:, 0]])


class _Regressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    def __init__(self, outputs: NDArray[np.float64]) -> None:
        self.outputs = outputs

    def fit(self, X: Any, y: Any) -> _Regressor:
        return self

    def predict(self, X: NDArray[np.int64]) -> NDArray[np.float64]:
        rows = self.outputs[X[:, 0]]
        return rows[:, 0] if rows.shape[1] == 1 else rows


def held_out_score(
    scoring: str, target: Target, outputs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Score held-out outputs (candidates, lambdas, n, columns) at the points that were held out."""
    scorer = get_scorer(scoring)
    scores = np.full(outputs.shape[:2], np.nan)
    truth = target.classes[target.codes] if target.task == "classification" else target.values.T
    if target.task == "regression" and truth.shape[1] == 1:
        truth = truth[:, 0]
    for place in np.ndindex(*scores.shape):
        one = outputs[place]
        rows = np.flatnonzero(np.isfinite(one).all(axis=1))
        if len(rows) == 0:
            continue
        model: Any
        if target.task == "classification":
            model = _Classifier(one, target.classes)
            model.labels_ = truth
        else:
            model = _Regressor(one)
        try:
            weights = {} if target.weights is None else {"sample_weight": target.weights[rows]}
            scores[place] = scorer(model, rows[:, None], truth[rows], **weights)
        except (ValueError, AttributeError, TypeError) as error:
            sentence = " ".join(str(error).split())
            raise ValueError(f"scoring={scoring!r} cannot be computed here: {sentence}") from None
    return scores


def constant_score(scoring: str, target: Target, part: HeldOut) -> float:
    """Score the prediction that looks at no row on those held out; NaN where it has no score."""
    rows = np.asarray(np.isfinite(part.outputs).any(axis=(0, 1, 3)))
    outputs = np.where(rows[:, None], constant_outputs(target), np.nan)
    with quietly():  # about classes that are never predicted
        try:
            return float(held_out_score(scoring, target, outputs[None, None])[0, 0])
        except ValueError:
            return float("nan")
