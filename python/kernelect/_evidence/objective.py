"""A criterion of one kernel with its derivatives in the kernel's parameters and in lambda."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._data.rows import Rows, Tables, make_sample
from .._data.target import Target
from .._dispatch import core
from .._support.arrays import FloatArray
from .._support.progress import Tick
from .._support.threads import limit_blas
from ..criteria import Goal
from ..kernels import Kernel
from ..kernels._parameters import Parameters


@dataclass(frozen=True)
class Slopes:
    """A value, and its derivatives in the logarithms of the parameters and of lambda.

    Beside them what had to be added to the diagonal of the kernel matrix.
    """

    value: float
    by_parameters: FloatArray
    by_lam: float
    jitter: float = 0.0


class _Seen:
    """A kernel on rows, as the core wants it, and its parameters."""

    def __init__(self, kernel: Kernel, rows: Rows) -> None:
        views = Tables()
        self.parameters = Parameters(kernel)
        self.program = kernel._program(views)
        self.tables = views.of(rows)
        self.leaves = self.parameters.leaves(self.program, self.tables)

    def gradient(self, found: core._KernelGradient) -> FloatArray:
        """Return derivatives in the logarithms of the parameters."""
        return self.parameters.gradient(found, self.leaves)


@dataclass(frozen=True)
class Objective:
    """What is differentiated: a goal on rows and a target, and how ridges are made."""

    goal: Goal
    rows: Rows
    target: Target
    mean: bool
    bias: bool
    folds: Sequence[NDArray[np.int64]] = ()
    threads: int = 1

    def __call__(self, kernel: Kernel, lam: float, tick: Tick | None) -> Slopes:
        """Compute value and derivatives."""
        seen = _Seen(kernel, self.rows)
        value, by_lam, jitter = 0.0, 0.0, 0.0
        slopes = np.zeros(len(seen.parameters.items))
        # Beside a stability, losses are taken in the unit of the target.
        unit = self.target.unit**2 if self.goal.form is not None else 1.0
        for share, ridge, folds in self._systems(lam):
            found = self._of_system(seen, ridge, folds, tick)
            value += share * found["value"] / unit
            by_lam += share * ridge * found["by_rho"] / unit
            slopes += share * seen.gradient(found) / unit
            jitter = max(jitter, found["jitter"])
        if self.goal.form is not None:
            closed = self._of_sums(seen, tick)
            factor = self.goal.factor / (1.0 if self.goal.ridge is None else self.target.size)
            value += factor * closed["value"]
            slopes += factor * seen.gradient(closed)
        return Slopes(value, slopes, by_lam, jitter)

    def _of_system(
        self, seen: _Seen, ridge: float, folds: list[NDArray[np.int64]], tick: Tick | None
    ) -> core._RidgeObjective:
        """Compute what is asked of one ridge system."""
        assert self.goal.ridge is not None
        # The core shares the work out itself, so that bits do not depend on the threads.
        with limit_blas(1):
            return core.ridge_objective(
                make_sample(seen.tables),
                seen.program,
                goal=self.goal.ridge,
                targets=self.target.columns(),
                rho=ridge,
                bias=self.bias,
                weights=np.zeros(0) if self.target.weights is None else self.target.weights,
                folds=folds,
                variance=self.goal.variance,
                leaves=seen.leaves,
                threads=self.threads,
                progress=tick,
            )

    def _of_sums(self, seen: _Seen, tick: Tick | None) -> core._MomentObjective:
        """Compute a closed form on sums, which sees regression targets centred."""
        assert self.goal.form is not None
        regression = self.target.task == "regression"
        targets = self.target.centred() if regression else np.zeros((0, self.target.size))
        codes = np.unique(self.target.codes, return_inverse=True)[1].astype(np.int64)
        with limit_blas(1):
            return core.moment_objective(
                make_sample(seen.tables, codes),
                targets,
                np.zeros(len(targets)),
                seen.program,
                self.goal.form,
                leaves=seen.leaves,
                threads=self.threads,
                progress=tick,
            )

    def _systems(self, lam: float) -> list[tuple[float, float, list[NDArray[np.int64]]]]:
        """Ridges with the folds that are held out of them, and their shares in the whole.

        In the mean convention a fit on m rows has the ridge m lambda.
        """
        n, goal = self.target.size, self.goal.ridge
        if goal is None:
            return []
        if goal != "cv" or not self.mean:
            rows = n - 1 if goal in ("loo", "log_probability") else n
            return [(1.0, rows * lam if self.mean else lam, list(self.folds))]
        counts = np.ones(n) if self.target.weights is None else self.target.weights
        whole = sum(counts[fold].sum() for fold in self.folds)
        systems = []
        for size in sorted({len(fold) for fold in self.folds}):
            folds = [fold for fold in self.folds if len(fold) == size]
            share = sum(counts[fold].sum() for fold in folds) / whole
            systems.append((float(share), (n - size) * lam, folds))
        return systems
