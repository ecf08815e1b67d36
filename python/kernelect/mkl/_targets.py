"""What classifiers and regressors of kernel learning do with their targets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from .._data.outputs import LogisticProbabilities, LogProbabilities, decide
from .._data.refusals import refuse_dates, refuse_masked
from .._data.target import Target, Task
from .._support.arrays import FloatArray
from ._held_out import fit_probabilities
from ._machines import Machine


class ClassifierPart(LogProbabilities, ClassifierMixin):  # type: ignore[misc]
    """Labels in and out."""

    _task: Task = "classification"
    _probabilities: LogisticProbabilities | None = None  # as in pickles of version 0.1.0

    def _check_target(self, y: Any, n: int | None) -> Target:
        labels = _finite(_one_column(y, n))
        check_classification_targets(labels)
        target = Target.of_labels(labels)
        target.check_classes()
        self.classes_ = target.classes
        return target

    def decision_function(self, X: Any) -> FloatArray:
        """Return the outputs of the machines.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features)
            Rows; or the kernel matrices (n_kernels, m, n) between them and the rows of the fit,
            where the kernels were given as matrices.

        Returns
        -------
        ndarray of shape (m,) or (m, n_classes)
            Positive for ``classes_[1]``; with more than two classes one output for each against the
            rest.
        """
        values: FloatArray = self._decision_values(X)
        return values[:, 0] if values.shape[1] == 1 else values

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features)
            Rows, or kernel matrices as for `decision_function`.

        Returns
        -------
        ndarray of shape (m,)
            The class of each row.
        """
        return decide(self._decision_values(X), self.classes_)

    def predict_proba(self, X: Any) -> FloatArray:
        """Estimate class probabilities by a logistic curve on outputs for held-out rows.

        The machine is held out from the rows, not the learning of the kernel, which has seen them
        all: with many kernels and few rows the probabilities are somewhat too sure.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features)
            Rows, or kernel matrices as for `decision_function`.

        Returns
        -------
        ndarray of shape (m, n_classes)
            Probabilities in the order of `classes_`; the likeliest class is the predicted one.
        """
        values: FloatArray = self._decision_values(X)
        if self._probabilities is None:
            raise NotFittedError(
                "this model has learned no probabilities, because it was fitted by an earlier "
                "version or time_limit was reached; fit it again"
            )
        return self._probabilities.probabilities(values)

    def _calibrate(self, machine: Machine, target: Target, K: Callable[[], FloatArray]) -> None:
        self._probabilities = None
        self._probabilities = fit_probabilities(machine, target, K())

    def _left_out(self) -> str:
        return "" if self._probabilities else ", and there are no probabilities (predict_proba)"


class RegressorPart(RegressorMixin):  # type: ignore[misc]
    """Numbers in and out."""

    _task: Task = "regression"

    def _check_target(self, y: Any, n: int | None) -> Target:
        """Check numbers, and bring them to mean 0 and variance 1."""
        numbers = _finite(_numbers(_one_column(y, n)))
        self._unit = Target.of_numbers(numbers).unit
        scaled = numbers / self._unit
        self._origin = self._unit * float(scaled.mean())
        return Target.of_numbers(scaled - scaled.mean())

    def predict(self, X: Any) -> FloatArray:
        """Predict numbers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features)
            Rows; or the kernel matrices (n_kernels, m, n) between them and the rows of the fit,
            where the kernels were given as matrices.

        Returns
        -------
        ndarray of shape (m,)
            The prediction for each row.
        """
        values: FloatArray = self._decision_values(X)
        return values[:, 0]


def _one_column(y: Any, n: int | None) -> NDArray[Any]:
    """Check a target: one entry per row."""
    if y is None:
        raise ValueError("MKL requires y to be passed, but the target y is None")
    refuse_masked(y)
    values = np.asarray(column_or_1d(y, warn=True))
    if n is not None and len(values) != n:
        raise ValueError(f"X has {n} rows, but y has {len(values)} entries")
    return values


def _numbers(values: NDArray[Any]) -> FloatArray:
    refuse_dates(values)
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            "y has entries that are not numbers; a regressor needs numbers, a classifier takes "
            "labels"
        ) from None


def _finite(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError("y contains NaN or infinity; drop those rows")
    return values
