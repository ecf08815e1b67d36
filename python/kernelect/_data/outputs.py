"""What outputs of a machine say: labels, and class probabilities by a logistic curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

from .._support.arrays import TINY, FloatArray

# Powers of e that a slope is looked for in, either way of the one that makes outputs at most 1.
_SLOPES = 12.0


def decide(outputs: NDArray[np.float64], classes: NDArray[Any]) -> NDArray[Any]:
    """Labels from outputs: the sign of one column, the largest of several."""
    single = outputs.shape[1] == 1
    places = (outputs[:, 0] > 0).astype(int) if single else outputs.argmax(axis=1)
    return np.asarray(classes[places])


@dataclass(frozen=True)
class LogisticProbabilities:
    """p_k proportional to exp(slope * f_k); for two classes 1 / (1 + exp(-2 slope f)).

    The slope is the maximum-likelihood one on held-out outputs, so that the probabilities are
    honest about data not trained on. It is shared by all classes and there is no offset: the
    likeliest class is the predicted one. Each label counts (n_k + 1)/(n_k + 2) (Platt's smoothing),
    which keeps the slope finite when the outputs separate the classes.
    """

    slope: float

    @classmethod
    def fit(cls, outputs: FloatArray, codes: NDArray[np.int64]) -> LogisticProbabilities:
        """Fit the slope to held-out outputs."""
        columns = _both(outputs)
        rest = 1.0 / (np.bincount(codes, minlength=columns.shape[1])[codes] + 2.0)
        shares = np.repeat(rest[:, None] / (columns.shape[1] - 1), columns.shape[1], axis=1)
        shares[np.arange(len(codes)), codes] = 1.0 - rest
        scale = max(float(np.abs(columns).max()), TINY)

        def loss(log_slope: float) -> float:
            slope = np.exp(log_slope) / scale
            return -float((shares * log_softmax(slope * columns, axis=1)).sum())

        found = minimize_scalar(loss, bounds=(-_SLOPES, _SLOPES), method="bounded")
        return cls(float(np.exp(found.x) / scale))

    def probabilities(self, outputs: FloatArray) -> FloatArray:
        """Return the probabilities of all classes, rows summing to one."""
        return np.asarray(softmax(self.slope * _both(outputs), axis=1))


class LogProbabilities:
    """Logarithms for a classifier that has `predict_proba`, as scikit-learn's have them."""

    predict_proba: Callable[..., Any]

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Estimate logarithms of class probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows, as for `predict_proba`.

        Returns
        -------
        ndarray of shape (n, n_classes) or (n, n_labels)
            Logarithms of what `predict_proba` gives.
        """
        with np.errstate(divide="ignore"):  # a probability may be 0 to working precision
            logarithms: FloatArray = np.log(self.predict_proba(X))
        return logarithms


def _both(outputs: FloatArray) -> FloatArray:
    """Return outputs of both classes, where one column speaks for two."""
    return np.column_stack([-outputs[:, 0], outputs[:, 0]]) if outputs.shape[1] == 1 else outputs
