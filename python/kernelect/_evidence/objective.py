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
    """A value, and its derivatives in the logarithms of the parameters and of lambda."""

    value: float
    by_parameters: FloatArray
    by_lam: float


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
        parameters, tables = Parameters(kernel), Tables()
        program = kernel._program(tables)
        seen = tables.of(self.rows)
        leaves = parameters.leaves(program, seen)
        sample = make_sample(seen)
        assert self.goal.ridge is not None
        value, by_lam = 0.0, 0.0
        slopes = np.zeros(len(parameters.items))
        weights = np.zeros(0) if self.target.weights is None else self.target.weights
        for share, ridge, folds in self._systems(lam):
            # The core shares the work out itself, so that bits do not depend on the threads.
            with limit_blas(1):
                found = core.ridge_objective(
                    sample,
                    program,
                    goal=self.goal.ridge,
                    targets=self.target.columns(),
                    rho=ridge,
                    bias=self.bias,
                    weights=weights,
                    folds=folds,
                    variance=self.goal.variance,
                    leaves=leaves,
                    threads=self.threads,
                    progress=tick,
                )
            value += share * found["value"]
            by_lam += share * ridge * found["by_rho"]
            slopes += share * parameters.gradient(found, leaves)
        return Slopes(value, slopes, by_lam)

    def _systems(self, lam: float) -> list[tuple[float, float, list[NDArray[np.int64]]]]:
        """Ridges with the folds that are held out of them, and their shares in the whole.

        In the mean convention a fit on m rows has the ridge m lambda.
        """
        n, goal = self.target.size, self.goal.ridge
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
