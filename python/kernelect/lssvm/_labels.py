"""Labels of a classifier, and weights of its classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import column_or_1d

from .._data.rows import is_sparse
from .._support.arguments import shown


def checked_labels(y: Any, class_weight: Any) -> NDArray[Any]:
    """One label per row, or an indicator matrix of zeros and ones."""
    if y.ndim == 2 and y.shape[1] == 1:
        y = column_or_1d(y.toarray() if is_sparse(y) else y, warn=True)
    if y.ndim == 1:
        check_classification_targets(y)
        return np.asarray(y)
    if type_of_target(y, input_name="y") != "multilabel-indicator":
        raise ValueError(
            f"y has {y.shape[1]} columns with entries other than 0 and 1; give one label per "
            "row, or an indicator matrix: a column of 0 and 1 for each label"
        )
    if class_weight is not None:
        raise ValueError(
            "class_weight weighs each row by its one class, and rows of an indicator matrix "
            "have several or none; pass sample_weight to fit"
        )
    y = y.toarray() if is_sparse(y) else y
    return np.asarray(y != 0).astype(np.int64)


def check_class_weight(class_weight: Any) -> None:
    """Refuse what gives classes no weights."""
    if isinstance(class_weight, str) and class_weight != "balanced":
        raise ValueError(
            "class_weight must be 'balanced', a dict of labels and weights, or None, not "
            f"{shown(class_weight)}"
        )


def class_weights(class_weight: Any, y: Any) -> NDArray[np.float64]:
    """Return the weight of each row's class, all of them numbers of at least zero."""
    weights = np.asarray(compute_sample_weight(class_weight, y), dtype=np.float64)
    if not (np.isfinite(weights) & (weights >= 0.0)).all():
        raise ValueError(
            "class_weight must give every class a finite weight of at least zero, not "
            f"{class_weight!r}"
        )
    return weights
