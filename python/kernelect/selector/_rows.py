"""Rows on their way through a meta-estimator: checked, then in the form its estimator takes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import check_is_fitted, validate_data

from .._dask.collections import in_memory, is_dask
from .._data.objects import Objects, as_objects, holds_objects
from .._data.refusals import refuse_masked
from .._data.rows import check_table, with_short_indices
from .._data.weights import rows_that_count
from .._support.arrays import FloatArray
from .._support.deadline import Deadline
from ..kernels import Kernel
from ..kernels._candidates import takes_objects
from ..kernels._families._column_widths import ScaledColumns
from ..results import Selection
from ._election import refuse_fit_on_cluster
from ._fold_rows import Rows as TrainingRows
from ._hand_over import beside, loses_rows_of_no_weight
from ._matrix_candidates import between, new_rows
from ._on_matrix import fit_on_matrix, takes_matrix
from ._pairs import judge_pairs


class HandedRows:
    """What a meta-estimator does with rows; candidates may be matrices in place of them."""

    kernels: Any
    estimator: Any
    refit: bool
    best_kernel_: Kernel
    best_estimator_: Any
    best_params_: dict[str, Any]
    best_index_: int
    result_: Selection
    fold_results_: dict[str, Any] | None
    n_features_in_: int
    X_fit_: Any
    _on_matrices: bool
    _precomputed: bool
    _columns: Any
    _factors: FloatArray | None = None  # of columns, where the estimator sees them scaled

    def _checked_rows(self, X: Any, y: Any, task: str) -> tuple[Any, Any]:
        """Check rows and target of a fit; rows of dask are checked where they are."""
        refuse_masked(y)
        if is_dask(X):
            if self.refit:
                refuse_fit_on_cluster(self.estimator)
            target = check_array(in_memory(y), ensure_2d=False, dtype=None, input_name="y")
            self.n_features_in_ = int(X.shape[1])
            return X, target
        if holds_objects(X) and takes_objects(self.kernels):
            target = check_array(y, ensure_2d=False, dtype=None, input_name="y")
            check_consistent_length(X, target)
            return as_objects(X), target
        check_table(X)
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
        if self._precomputed:
            return self.best_kernel_(rows, self.X_fit_)
        return rows if self._factors is None else ScaledColumns(tuple(self._factors))(rows)

    def _checked(self, X: Any) -> Any:
        """Check new rows, or kernel matrices in place of them."""
        check_is_fitted(self)
        if self._on_matrices:
            count = len(self.result_.table.kernels)
            return new_rows(X, self.best_index_, count, self.n_features_in_)
        if isinstance(self.X_fit_, Objects):
            return as_objects(X)
        check_table(X)
        rows = validate_data(
            self, X, accept_sparse="csr", dtype=(np.float64, np.float32), order="C", reset=False
        )
        return with_short_indices(rows)

    def _fit_inner(self, training: Any, target: Any, routed: dict[str, Any]) -> None:
        """Fit the estimator inside to rows, or kernel matrices, that count."""
        weights = routed.get("sample_weight")
        kernel = self.best_params_.get("kernel", "")
        self._columns = slice(None)  # of kernel matrices, which the estimator has seen
        if weights is not None and loses_rows_of_no_weight(self.best_estimator_, kernel):
            kept = rows_that_count(weights, len(target))
            if kept is not None:
                routed = {**routed, "sample_weight": np.asarray(weights)[kept]}
                target = target[kept]
                if self._on_matrices:
                    (training,), self._columns = between(kept, [training]), kept
                elif self._precomputed:
                    (training,), self.X_fit_ = between(kept, [training]), self.X_fit_[kept]
                else:
                    training = training[kept]
        if takes_matrix(self.best_estimator_, training, routed):
            fit_on_matrix(self.best_estimator_, training, target)
        else:
            self.best_estimator_.fit(training, target, **routed)

    def _judge_pairs(
        self, machine: Any, own: TrainingRows, options: dict[str, Any], deadline: Deadline | None
    ) -> None:
        """Let folds of the machine itself judge C, and other kernels of an ordered grid."""
        ways = ({}, {}) if self._factors is not None else beside(self.result_, machine)
        gammas = [list(way.values()) for way in ways]
        found = judge_pairs(machine, own, options, deadline, gammas, elected=self.result_)
        self.fold_results_ = found
        if found is None:
            return
        best = found["best_index"]
        for name in {"C", "gamma"} & set(found):
            self.best_params_[name] = float(found[name][best])
        for place, gamma in (ways[0] | ways[1]).items():
            if gamma == self.best_params_["gamma"]:
                self.best_index_ = place
                self.best_kernel_ = self.result_.table.kernels[place]

    def _refit(self, machine: Any, training: Any, target: Any, routed: dict[str, Any]) -> None:
        """Fit the estimator inside, and keep of rows that are dask's those that it keeps."""
        self.best_estimator_ = machine.set_params(**self.best_params_)
        self._fit_inner(training, target, routed)
        if is_dask(self.X_fit_):
            self.X_fit_ = self.best_estimator_.X_fit_
