"""What all estimators of kernel learning share: targets in, a kernel machine out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from .._data.outputs import LogisticProbabilities, decide
from .._data.target import Target, Task
from .._support.arguments import check_choice, check_number, check_whole
from .._support.arrays import FloatArray
from .._support.notebooks import FittedDetails, folded, rows_html
from .._support.threads import resolve_jobs
from .._support.warning import warn_caller
from ..kernels import Kernel
from ..kernels._chunks import kernels_times
from ._best_c import best_c
from ._convex import Learned
from ._held_out import fit_probabilities
from ._machines import LeastSquaresMachine, Machine, Solution
from ._support_vectors import SVMMachine, SVRMachine


class KernelMachine(FittedDetails, BaseEstimator):  # type: ignore[misc]
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
    # What machines are trained to give is the target minus the one, in units of the other.
    _origin: float = 0.0
    _unit: float = 1.0

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
        if isinstance(self.C, str) and not self._chooses_c:
            raise TypeError(f"C must be a number or 'auto', not {self.C!r}")
        if not self._chooses_c:
            check_number(self.C, "C", positive=True)
        check_number(self.tol, "tol", positive=True)
        check_number(self.epsilon, "epsilon", zero=True)
        check_whole(self.max_iter, "max_iter", least=1)
        check_choice(self.learner, "learner", ("svm", "lssvm"))

    def _check_target(self, y: Any, n: int | None) -> Target:
        """Check what is to be predicted."""
        raise NotImplementedError

    @property
    def _chooses_c(self) -> bool:
        return isinstance(self.C, str) and self.C == "auto"

    def _machine(self, target: Target) -> Machine:
        """Make the machine asked for; one that chooses its C begins with 1."""
        targets = np.ascontiguousarray(target.columns().T)
        C = 1.0 if self._chooses_c else float(self.C)
        if self.learner == "lssvm":
            return LeastSquaresMachine(targets, C)
        if self._task == "classification":
            return SVMMachine(targets, C)
        return SVRMachine(targets, C, float(self.epsilon))

    def _suited(self, machine: Machine, K: Callable[[], FloatArray]) -> Machine:
        """Return the machine with the C that suits a kernel matrix, where that is to be chosen."""
        return machine.at(best_c(K(), machine.targets)) if self._chooses_c else machine

    def _threads(self) -> int:
        return resolve_jobs(self.n_jobs, self.n_threads)

    def _train(
        self,
        rows: Any,
        kernel: Kernel,
        learned: Learned,
        *,
        machine: Machine,
        target: Target,
        K: Callable[[], FloatArray],
        budget: str = "max_iter",
    ) -> None:
        """Train the machine on the learned kernel, unless that was done on the way, and keep it."""
        last, solution = self._suited(machine, K), learned.solution
        if solution is None or last.C != machine.C:
            solution = last.solve_to(K(), float(self.tol))
        self._keep(rows, kernel, learned, solution, last, budget=budget)
        self._calibrate(last, target, K)

    def _keep(
        self,
        rows: Any,
        kernel: Kernel,
        learned: Learned,
        solution: Solution,
        machine: Machine,
        *,
        budget: str = "max_iter",
    ) -> None:
        """Set the attributes that say what was learned, and warn where it is not finished."""
        self.kernel_ = kernel
        self.C_ = machine.C
        self.objective_path_ = np.array(learned.path)
        self.gap_ = float(learned.gap)
        self.n_iter_ = int(learned.n_iter)
        self.converged_ = bool(learned.converged)
        z = solution.z
        self.support_ = np.flatnonzero(np.abs(z).max(axis=0) > 0.0)
        self.dual_coef_ = self._unit * np.ascontiguousarray(z[:, self.support_])
        self.intercept_ = self._unit * solution.bias + self._origin
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

    def _calibrate(self, machine: Machine, target: Target, K: Callable[[], FloatArray]) -> None:
        """Learn what outputs say about probabilities, given the learned kernel's matrix."""

    def _fitted_html(self) -> str:
        if not hasattr(self, "kernel_"):
            return ""
        order = np.argsort(-np.abs(self.weights_), kind="stable")
        rows = [(str(self.kernels_[k]), f"{self.weights_[k]:.4g}") for k in order]
        line = f"{len(rows)} kernel{'s' * (len(rows) > 1)} in use, gap {self.gap_:.2g}"
        return folded(line, rows_html(("kernel", "weight"), rows))

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
        made = kernels_times([self.kernel_], rows, self.X_fit_, [self.dual_coef_.T])
        return made + self.intercept_

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
                "this model was fitted by an earlier version, which learned no probabilities; fit "
                "it again"
            )
        return self._probabilities.probabilities(values)

    def _calibrate(self, machine: Machine, target: Target, K: Callable[[], FloatArray]) -> None:
        self._probabilities = fit_probabilities(machine, target, K())


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
