"""The rows and the target that a learner is fitted to, checked: in this process, or dask's."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_y, check_consistent_length, validate_data

from .._dask.collections import in_memory, is_dask
from .._dask.rows import DaskRows
from .._data.refusals import refuse_dates, refuse_masked
from .._data.rows import Rows, check_table, column_names
from ..kernels import Precomputed


def training_rows(learner: Any, X: Any, y: Any, *, numeric: bool = False) -> tuple[Rows, Any]:
    """Check rows and target of a fit, as scikit-learn does; rows of dask stay where they are."""
    y = in_memory(y)
    refuse_masked(y)
    if numeric:
        _refuse_text(y)
        refuse_dates(np.asarray(y))
    if not is_dask(X):
        check_table(X)
        rows, target = validate_data(
            learner,
            X,
            y,
            accept_sparse="csr",
            dtype=np.float64,
            order="C",
            multi_output=True,
            y_numeric=numeric,
            ensure_min_samples=2,
        )
        return rows, target
    _refuse_whole_matrices(learner)
    rows = DaskRows.of(X)
    target = _check_y(y, multi_output=True, y_numeric=numeric, estimator=learner)
    check_consistent_length(rows, target)
    learner.n_features_in_ = rows.shape[1]
    learner.__dict__.pop("feature_names_in_", None)
    if column_names(X) is not None and all(isinstance(name, str) for name in X.columns):
        learner.feature_names_in_ = np.array(column_names(X), dtype=object)
    return rows, target


def _refuse_text(y: Any) -> None:
    """Refuse labels where numbers are wanted; what else is wrong with them others say."""
    first = np.asarray(y).ravel()[:1].tolist()
    if first and isinstance(first[0], str):
        raise ValueError(
            f"y holds text ({first[0]!r}), and a regressor needs numbers; LSSVMClassifier takes "
            "labels"
        )


def _refuse_whole_matrices(learner: Any) -> None:
    """Refuse what needs all rows in one place, before any are read."""
    kernel = learner.kernel
    given = remedy = ""
    if learner.solver in ("exact", "iterative"):
        given, remedy = f"solver={learner.solver!r}", "use solver='landmarks'"
    elif isinstance(kernel, Precomputed) or (
        isinstance(kernel, str) and kernel not in ("auto", "best")
    ):
        given = f"kernel={kernel!r}"
        remedy = "use kernel='best' or 'auto', or give a kernel with its width"
    elif learner.kernel_scaling == "trace":
        given, remedy = "kernel_scaling='trace'", "use 'centered' or 'none'"
    if given:
        raise ValueError(
            f"{given} needs all rows in one place, and X is a dask collection; {remedy}"
        )
