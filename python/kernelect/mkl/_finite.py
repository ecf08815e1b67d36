"""The fit that the estimators of finite kernel learning share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._data.rows import column_names, real_matrix
from .._data.target import Target
from .._support.arguments import check_choice
from .._support.arrays import FloatArray
from .._support.blas_memory import take_blas_memory
from .._support.threads import limit_blas
from .._support.warning import warn_caller
from ..kernels import ARDGaussian, Kernel, Scaled, WeightedSum
from ..kernels._stack_view import matrices_in
from ..kernels.heuristics import scale
from ._bases import Bases, BaseStack
from ._clock import limited
from ._machines import Machine
from ._methods import METHODS, check_method, warn_about_unused
from ._methods.gmkl import learn_product
from ._methods.weight_problem import Settings, WeightProblem
from ._prediction import KernelMachine
from ._prepare import Prepared, prepare
from ._solvers.convex import Learned

# Weights below this share of the largest are left out of the learned kernel.
_UNUSED = 1e-10


class FiniteMKL(KernelMachine):
    """Learns weights of given kernels."""

    method: Any
    kernels: Any
    scaling: Any
    lam: Any
    t: Any
    cv: Any
    projection: Any
    p: Any
    form: Any
    penalty: Any
    penalty_weight: Any
    r: Any
    normalization: Any
    eta: Any
    folds: Any
    cv_results_: dict[str, Any]

    @property
    def _sparse(self) -> bool:
        return not self._learns_rates

    @property
    def _precomputed(self) -> bool:
        """Whether kernel matrices come in place of rows."""
        return isinstance(self.kernels, str) and self.kernels == "precomputed"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        return tags

    @property
    def _learns_rates(self) -> bool:
        """Whether the kernel is a product of Gaussians of single features."""
        return bool(self.method == "gmkl" and self.form == "product")

    def fit(self, X: Any, y: Any) -> Any:
        """Learn the weights of the kernels and train the machine.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features), or None
            Rows; with ``kernels="precomputed"`` a list, a stack or a `KernelStackView` of kernel
            matrices; None where `kernels` is a list of such.
        y : array-like of shape (n,)
            Target.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._check_parameters()
        kernels = self.kernels
        if self._precomputed:
            wanted = "with kernels='precomputed' X must be a list or stack of kernel matrices"
            kernels, X = matrices_in(X, wanted), None
        rows = None if X is None else self._rows(X, fit=True)
        target = self._check_target(y, None if rows is None else rows.shape[0])
        machine = self._machine(target)
        take_blas_memory(self._threads())
        with limited(self.time_limit), limit_blas(self._threads()):
            if self._learns_rates:
                return self._fit_product(rows, machine, target)
            prepared = prepare(
                kernels,
                rows,
                target.size,
                scaling=self.scaling,
                threads=self._threads(),
                names=column_names(X),
            )
            if prepared.stored:
                rows = None  # new rows come as matrices too
            return self._fit_kernels(prepared, rows, machine, target)

    def _fit_kernels(self, prepared: Prepared, rows: Any, machine: Machine, target: Target) -> Any:
        """Learn weights of the kernels."""
        stack = prepared.bases.stack()
        machine = self._suited(
            machine, lambda: self._matrix(stack, np.full(stack.size, 1.0 / stack.size))
        )
        problem = self._problem(prepared.bases, machine, target)
        learned = METHODS[self.method](problem)
        self._keep_weights(problem, learned, prepared)
        for name in ("lam", "t", "cv_results"):
            if name in problem.notes:
                setattr(self, f"{name}_", problem.notes[name])
        for name in ("error", "loss"):  # of regressors squares in the unit of y
            if "cv_results" in problem.notes:
                self.cv_results_[name] *= self._unit**2
        self._n_fit = target.size
        self._train(
            rows,
            self._combined(),
            learned,
            machine=machine,
            target=target,
            K=lambda: self._matrix(problem.stack, learned.weights),
        )
        return self

    def _matrix(self, stack: BaseStack, weights: FloatArray) -> FloatArray:
        total = stack.combine(weights)
        return total**2 if self.method == "nlmkl" else total

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_method(self.method)
        check_choice(self.form, "form", ("sum", "product"))
        check_choice(self.projection, "projection", ("euclidean", "paper"))
        warn_about_unused(self.method, self._settings(), self.max_iter)
        if self._learns_rates and self.scaling != "diagonal":
            warn_caller("scaling plays no part with form='product', whose kernels have one size")

    def _remedy(self) -> str:
        if self.method == "fkl" and self.projection == "paper":
            return "pass projection='euclidean'"
        if self.scaling == "none":
            return "raise tol, or bring the kernels to one size with scaling='diagonal'"
        return super()._remedy()

    def _settings(self) -> Settings:
        return Settings(
            lam=self.lam,
            t=self.t,
            cv=self.cv,
            projection=self.projection,
            p=self.p,
            form=self.form,
            penalty=self.penalty,
            penalty_weight=self.penalty_weight,
            r=self.r,
            normalization=self.normalization,
            eta=self.eta,
            folds=self.folds,
        )

    def _problem(self, bases: Bases, machine: Machine, target: Target) -> WeightProblem:
        tol, most = float(self.tol), int(self.max_iter)
        return WeightProblem(bases, machine, target, self._settings(), tol, most)

    def _keep_weights(self, problem: WeightProblem, learned: Learned, prepared: Prepared) -> None:
        largest = float(np.abs(learned.weights).max())
        if largest == 0.0:
            raise ValueError(
                "all weights are 0, because the penalty outweighs what the kernels gain; lower "
                "penalty_weight or raise C"
            )
        used = np.flatnonzero(np.abs(learned.weights) > _UNUSED * largest)
        self.weights_ = learned.weights[used]
        self.kernels_: list[Kernel] = [problem.bases.kernels[k] for k in used]
        self._places = [prepared.places[k] for k in used]
        self.candidate_weights_ = np.zeros(prepared.count)
        self.candidate_weights_[self._places] = self.weights_

    def _combined(self) -> Kernel:
        signed = bool((self.weights_ < 0.0).any())
        kernel: Kernel = WeightedSum(self.kernels_, self.weights_, signed=signed)
        return kernel * kernel if self.method == "nlmkl" else kernel

    def _fit_product(self, rows: Any, machine: Machine, target: Target) -> Any:
        """Learn a rate per feature (GMKL products)."""
        if self.kernels is not None:
            raise ValueError(
                "gmkl with form='product' makes one Gaussian per feature by itself; leave "
                "kernels=None"
            )
        if rows is None:
            raise ValueError("X is None, but gmkl with form='product' needs rows; pass X")
        whole = ARDGaussian(np.ones(rows.shape[1]))
        machine = self._suited(machine, lambda: scale(rows)(rows))
        problem = self._problem(Bases([whole], rows, {}, self._threads()), machine, target)
        learned = learn_product(problem, rows)
        used = np.flatnonzero(learned.weights)
        if not len(used):
            raise ValueError(
                "all rates are 0, because the penalty outweighs what the features gain; lower "
                "penalty_weight or raise C"
            )
        self.weights_ = learned.weights[used]
        self.candidate_weights_ = learned.weights
        self.kernels_ = [
            ARDGaussian(rate * np.eye(rows.shape[1])[j])
            for j, rate in zip(used, self.weights_, strict=True)
        ]
        kernel = ARDGaussian(learned.weights)
        self._train(rows, kernel, learned, machine=machine, target=target, K=lambda: kernel(rows))
        return self

    def _cross_matrices(self, X: Any) -> FloatArray:
        count = len(self.candidate_weights_)
        wanted = (
            f"the kernels were given as matrices, so X must be {count} matrices of shape "
            f"(m, {self._n_fit}) between m new rows and those of the fit, in the same order"
        )
        listed = matrices_in(X, wanted)
        matrices = [real_matrix(matrix, f"matrix {k} of X") for k, matrix in enumerate(listed)]
        shape = (*matrices[0].shape[:1], self._n_fit) if matrices else (0, self._n_fit)
        if len(matrices) != count or any(matrix.shape != shape for matrix in matrices):
            raise ValueError(wanted)
        if not all(np.isfinite(matrix).all() for matrix in matrices):
            raise ValueError("X contains NaN or infinity; every entry must be a finite number")
        total = np.zeros(shape)
        for place, weight, kernel in zip(self._places, self.weights_, self.kernels_, strict=True):
            # Scaling of a stored matrix is a factor.
            factor = kernel.weight if isinstance(kernel, Scaled) else 1.0
            total += weight * factor * matrices[place]
        return (total**2 if self.method == "nlmkl" else total)[:, self.support_]
