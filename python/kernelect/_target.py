"""What is to be predicted: classes or numbers, found out and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Task = Literal["classification", "regression"]


@dataclass(frozen=True)
class Target:
    """A checked target.

    Attributes
    ----------
    task : {"classification", "regression"}
        What it was taken for.
    classes : ndarray
        The distinct labels, sorted; empty for regression.
    codes : ndarray of int64
        Class number of each row; zeros for regression.
    values : ndarray of shape (n_targets, n)
        Regression targets, one per row; empty for classification.
    """

    task: Task
    classes: NDArray[Any]
    codes: NDArray[np.int64]
    values: NDArray[np.float64]

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def n_classes(self) -> int:
        """Number of classes, 0 for regression."""
        return len(self.classes)

    def centred(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Regression targets minus their means, and the means."""
        means = self.values.mean(axis=1)
        return np.ascontiguousarray(self.values - means[:, None]), means


def check_target(y: Any, task: str = "auto") -> Target:
    """Check a target and decide what it is."""
    if task not in ("auto", "classification", "regression"):
        raise ValueError(f"task must be 'auto', 'classification' or 'regression', not {task!r}")
    if y is None:
        raise TypeError("y must hold a label or number per row, not None")
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim not in (1, 2):
        raise ValueError(f"y must have one entry per row, but has shape {values.shape}")
    if values.shape[0] == 0:
        raise ValueError("y is empty; at least two rows are needed")
    missing = np.array(
        [v is None or v != v for v in values.ravel()]  # noqa: PLR0124 (a NaN differs from itself)
        if values.dtype.kind in "fO"
        else [False]
    )
    if missing.any():
        raise ValueError(f"y has {int(missing.sum())} missing values; drop those rows")
    kind = _guess(values) if task == "auto" else task
    return _classes(values) if kind == "classification" else _numbers(values)


def _guess(values: NDArray[Any]) -> Task:
    """At most 20 distinct whole numbers, or anything that is no number, are classes."""
    if values.ndim == 2:
        return "regression"
    if values.dtype.kind not in "iuf":
        return "classification"
    if values.dtype.kind == "f" and not (np.isfinite(values).all() and (values % 1 == 0).all()):
        return "regression"
    return "classification" if len(np.unique(values)) <= 20 else "regression"


def _classes(values: NDArray[Any]) -> Target:
    if values.ndim == 2:
        raise ValueError(
            f"y must have one label per row for classification, but has shape {values.shape}"
        )
    try:
        classes, codes = np.unique(values, return_inverse=True)
    except TypeError:
        raise TypeError(
            "y mixes labels of different types; make them all text or all numbers"
        ) from None
    if len(classes) < 2:
        raise ValueError(f"y has a single class ({classes[0]!r}); at least two are needed")
    if len(classes) > 20 and len(classes) > 0.5 * len(values):
        raise ValueError(
            f"y has {len(classes)} different labels for {len(values)} rows; pass "
            "task='regression' if it is a number to predict"
        )
    return Target("classification", classes, codes.astype(np.int64), np.zeros((0, len(values))))


def _numbers(values: NDArray[Any]) -> Target:
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("y has entries that are no numbers; regression needs numbers") from None
    if not np.isfinite(numbers).all():
        raise ValueError("y contains infinity; regression needs finite numbers")
    table = np.ascontiguousarray(numbers.T if numbers.ndim == 2 else numbers[None, :])
    if (np.ptp(table, axis=1) == 0).any():
        raise ValueError("y is constant; there is nothing to predict")
    return Target("regression", np.zeros(0), np.zeros(table.shape[1], dtype=np.int64), table)
