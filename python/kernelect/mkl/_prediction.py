"""What all estimators of kernel learning share: targets in, a kernel machine out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from .._data.outputs import decide
from .._data.target import Target, Task
from .._support.arguments import check_choice, check_number, check_whole
from .._support.arrays import FloatArray
from .._support.threads import resolve_jobs
from .._support.warning import warn_caller
from ..kernels import Kernel
from ..kernels._chunks import kernel_times
from ._convex import Learned
from ._machines import LeastSquaresMachine, Machine, Solution
from ._support_vectors import SVMMachine, SVRMachine


class KernelMachine(BaseEstimator):  # type: ignore[misc]
    """A machine with a learned kernel: validation of the input, attributes, decision values."""

    # Parameters of all subclasses.
    C: Any
    learner: Any
    epsilon: Any = 0.0  # of regressors
    tol: Any
    max_iter: Any
    n_jobs: Any
    n_threads: Any = None  # of pickles of version 0.1.0, which had one name alone
    _task: Task

    @property
    def _sparse(self) -> bool:
        """Whether rows may be sparse."""
        return False

    def _rows(self, X: Any, *, fit: bool) -> Any:
        """Check rows the way scikit-learn wants it."""
        if X is None:
            raise ValueError("X is None, but the kernels need rows; pass X")
        return validate_data(
            self,
            X,
            reset=fit,
            accept_sparse="csr" if self._sparse else False,
            dtype=np.float64,
            order="C",
            ensure_min_samples=2 if fit else 1,
        )

    def _check_parameters(self) -> None:
        """Check the parameters that all estimators have."""
        check_number(self.C, "C", positive=True)
        check_number(self.tol, "tol", positive=True)
        check_number(self.epsilon, "epsilon", zero=True)
        check_whole(self.max_iter, "max_iter", least=1)
        check_choice(self.learner, "learner", ("svm", "lssvm"))

    def _check_target(self, y: Any, n: int | None) -> Target:
        """Check what is to be predicted."""
        raise NotImplementedError

    def _machine(self, target: Target) -> Machine:
        """Make the machine asked for."""
        targets = np.ascontiguousarray(target.columns().T)
        if self.learner == "lssvm":
            return LeastSquaresMachine(targets, float(self.C))
        if self._task == "classification":
            return SVMMachine(targets, float(self.C))
        return SVRMachine(targets, float(self.C), float(self.epsilon))

    def _threads(self) -> int:
        return resolve_jobs(self.n_jobs, self.n_threads)

    def _keep(
        self,
        rows: Any,
        kernel: Kernel,
        learned: Learned,
        solution: Solution,
        *,
        budget: str = "max_iter",
    ) -> None:
        """Set the attributes that say what was learned, and warn where it is not finished."""
        self.kernel_ = kernel
        self.objective_path_ = np.array(learned.path)
        self.gap_ = float(learned.gap)
        self.n_iter_ = int(learned.n_iter)
        self.converged_ = bool(learned.converged)
        z = solution.z
        self.support_ = np.flatnonzero(np.abs(z).max(axis=0) > 0.0)
        self.dual_coef_ = np.ascontiguousarray(z[:, self.support_])
        self.intercept_ = solution.bias
        self.X_fit_ = None if rows is None else rows[self.support_]
        if not learned.converged:
            remedy = (
                f"no step gains anything any more, so {self._remedy()}"
                if learned.stuck
                else f"raise {budget} or tol"
            )
            warn_caller(
                f"the weights have not converged: {learned.n_iter} machines were trained and the "
                f"gap is still {learned.gap:.3g}; {remedy}",
                ConvergenceWarning,
            )

    def _remedy(self) -> str:
        """Return what helps where the search got stuck."""
        return "raise tol"

    def _decision_values(self, X: Any) -> FloatArray:
        """Return the outputs of the machines, rows x columns."""
        check_is_fitted(self)
        if self.X_fit_ is None:
            return np.asarray(self._cross_matrices(X) @ self.dual_coef_.T + self.intercept_)
        rows = self._rows(X, fit=False)
        if len(self.support_) == 0:
            return np.tile(self.intercept_, (rows.shape[0], 1))
        return kernel_times(self.kernel_, rows, self.X_fit_, self.dual_coef_.T) + self.intercept_

    def _cross_matrices(self, X: Any) -> FloatArray:
        """Combine kernel matrices between new rows and those of the fit."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse
        tags.target_tags.required = True
        return tags


class ClassifierPart(ClassifierMixin):  # type: ignore[misc]
    """Labels in and out."""

    _task: Task = "classification"

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


class RegressorPart(RegressorMixin):  # type: ignore[misc]
    """Numbers in and out."""

    _task: Task = "regression"

    def _check_target(self, y: Any, n: int | None) -> Target:
        numbers = _finite(_numbers(_one_column(y, n)))
        return Target.of_numbers(numbers)

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
    values = np.asarray(column_or_1d(y, warn=True))
    if n is not None and len(values) != n:
        raise ValueError(f"X has {n} rows, but y has {len(values)} entries")
    return values


def _numbers(values: NDArray[Any]) -> FloatArray:
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            "y has entries that are no numbers; a regressor needs numbers, a classifier takes "
            "labels"
        ) from None


def _finite(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError("y contains NaN or infinity; drop those rows")
    return values
