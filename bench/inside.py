"""What benchmarks measure inside the package: the one module here that imports private ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import kernelect as ke
from kernelect._data.target import Target, check_target
from kernelect._dispatch import core
from kernelect._evidence.landmarks.counts import landmark_count, pool_size
from kernelect._evidence.landmarks.model import LEAF_ROWS
from kernelect._evidence.objective import Objective, Slopes
from kernelect._evidence.regularisation import check_regularisation
from kernelect._evidence.ridge import scan
from kernelect._evidence.work import CallOptions, Work
from kernelect.kernels import Kernel
from kernelect.mkl._bases import Bases
from kernelect.mkl._prepare import prepare
from kernelect.mkl._solvers.convex import Oracle, SimplexPenalty, minimize
from kernelect.mkl._support_vectors import SVMMachine
from kernelect.selection._problem import Problem

Floats = np.ndarray


def leave_one_out(
    X: Any, y: Any, kernels: Any, lam: Any, *, shortcuts: bool, task: str = "auto"
) -> ke.results.ScoreTable:
    """LOO of all candidates, with or without shortcuts for near-diagonal and low-rank kernels."""
    options = CallOptions(check_regularisation(lam, "sum", True), shortcuts=shortcuts)
    problem = Problem.make(X, y, kernels, task=task, n_threads=1)
    return problem.score([ke.criteria.LOO()], options, None)


def least_squares(
    X: Any,
    target: Target,
    kernels: Sequence[Kernel],
    lam: object,
    *,
    convention: str,
    bias: bool,
    scaling: str | None,
) -> tuple[Floats, Floats, Floats]:
    """Coefficients and biases of all candidates and lambdas, and what each kernel is times."""
    options = CallOptions(check_regularisation(lam, convention, bias))
    found = scan(Work.of(kernels, X, target), options, scaling=scaling, fit=True)
    return found["alpha"], found["bias"], found["scale"]


def leading_eigenvalues(k: Floats, count: int) -> Floats:
    """The largest eigenvalues of a matrix, on one thread."""
    found = core.leading_spectrum(
        k,
        count=count,
        vectors=False,
        tolerance=1e-10,
        vector_tolerance=0.0,
        warm=None,
        threads=1,
        progress=None,
    )
    return found["values"][:count]


__all__ = [
    "LEAF_ROWS",
    "Bases",
    "Objective",
    "Oracle",
    "SVMMachine",
    "SimplexPenalty",
    "Slopes",
    "Target",
    "check_target",
    "core",
    "landmark_count",
    "leading_eigenvalues",
    "least_squares",
    "leave_one_out",
    "minimize",
    "pool_size",
    "prepare",
]
