"""What all estimators of kernel learning share: a learned kernel in, a kernel machine out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from .._data.rows import check_table
from .._data.target import Target, Task
from .._support.arguments import check_choice, check_number, check_whole
from .._support.arrays import FloatArray
from .._support.deadline import Deadline, TimeUp
from .._support.memory import refuse_bytes
from .._support.notebooks import FittedDetails, folded, rows_html
from .._support.threads import resolve_jobs
from .._support.warning import warn_caller
from ..kernels import Kernel
from ..kernels._chunks import kernels_times
from ._best_c import best_c
from ._clock import finish
from ._machines import LeastSquaresMachine, Machine, Solution
from ._solvers.convex import Learned
from ._support_vectors import SVMMachine, SVRMachine

# As it comes, and so no wish.
_EPSILON = 0.1
# Kernel matrices that training takes at least: the learned one, and LIBSVM's rows or a factor.
_MATRICES = {"svm": 1.4, "lssvm": 2.0}


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
    time_limit: Any = None  # and no limit
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
        check_table(X)
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
        if self.learner == "lssvm" and self.epsilon not in (0.0, _EPSILON):
            warn_caller("epsilon plays no part with learner='lssvm', which counts every residual")
        check_whole(self.max_iter, "max_iter", least=1)
        check_choice(self.learner, "learner", ("svm", "lssvm"))
        if self.time_limit is not None:
            Deadline(self.time_limit)

    def _check_target(self, y: Any, n: int | None) -> Target:
        """Check what is to be predicted."""
        raise NotImplementedError

    @property
    def _chooses_c(self) -> bool:
        return isinstance(self.C, str) and self.C == "auto"

    def _machine(self, target: Target) -> Machine:
        """Make the machine asked for; one that chooses its C begins with 1.

        Refused before any work where there is no memory to train it, whatever finds the weights.
        """
        matrix = 8.0 * target.size**2
        rows = f"kernel learning of {target.size} rows"
        refuse_bytes(rows, _MATRICES[self.learner] * matrix, "give fewer rows")
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
        finish()
        last, solution, late = machine, learned.solution, learned.late
        try:
            suited = self._suited(machine, K)
            if solution is None or suited.C != machine.C:
                last, solution = suited, suited.solve_to(K(), float(self.tol))
        except TimeUp:
            if solution is None:
                raise
            late = True
        self._keep(rows, kernel, learned, solution, last, budget=budget)
        try:
            self._calibrate(last, target, K)
        except TimeUp:
            late = True
        if late:
            warn_caller(
                f"time_limit={float(self.time_limit):g} seconds was reached; the weights are the "
                f"best so far, after {learned.n_iter} of at most {self.max_iter} machines"
                + self._left_out()
            )

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
        if not learned.converged and not learned.late:
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

    def _left_out(self) -> str:
        """Return what else there was no time for, to end a sentence."""
        return ""

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
