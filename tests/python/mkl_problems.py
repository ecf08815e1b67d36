"""Small problems of kernel learning, as the estimators, the machines and the methods get them."""

from __future__ import annotations

import numpy as np
from problems import problem

import kernelect as ke
from kernelect._data.target import Target
from kernelect.mkl._bases import Bases
from kernelect.mkl._machines import LeastSquaresMachine
from kernelect.mkl._methods.weight_problem import Settings, WeightProblem
from kernelect.mkl._support_vectors import SVMMachine, SVRMachine

KERNELS = [
    ke.Gaussian(0.5),
    ke.Gaussian(4.0),
    ke.normalized(ke.Linear()),
    ke.normalized(ke.Polynomial(3)),
]
EPSILON = 0.1


def rows_and_target(task, n=40, seed=0):
    """Rows, and the targets of the machines: columns x n."""
    x, y = problem(task, n=n, d=3, seed=seed)
    if task == "regression":
        return x, y, y[None, :].astype(float)
    if task == "binary":
        return x, y, np.where(y == 1, 1.0, -1.0)[None, :]
    return x, y, np.array([np.where(y == k, 1.0, -1.0) for k in np.unique(y)])


def machine_for(task, targets, C=1.0, learner="svm"):
    if learner == "lssvm":
        return LeastSquaresMachine(targets, C)
    return SVRMachine(targets, C, EPSILON) if task == "regression" else SVMMachine(targets, C)


def make_problem(task, *, kernels=KERNELS, n=40, seed=0, C=1.0, learner="svm", **settings):
    """A problem as the methods get it."""
    x, y, targets = rows_and_target(task, n, seed)
    bases = Bases(kernels, x, {}, 1)
    if task == "regression":
        target = Target("regression", np.zeros(0), np.zeros(n, np.int64), targets)
    else:
        classes, codes = np.unique(y, return_inverse=True)
        target = Target("classification", classes, codes, np.zeros((0, n)))
    machine = machine_for(task, targets, C, learner)
    return WeightProblem(bases, machine, target, Settings(**settings), tol=1e-8, max_iter=300)


def matrices(given):
    """The kernel matrices of a problem, by numpy from the kernels themselves."""
    return np.array([kernel(given.bases.rows) for kernel in given.bases.kernels])
