"""Wide and narrow kernels against extended precision, where plain double precision fails."""

from __future__ import annotations

import functools

import mpmath
import numpy as np
import pytest
import reference as ref
from catalogue import CRITERIA, Kernel, assert_scores, criteria_for, table
from problems import TASKS, problem
from scipy import sparse

import kernelect as ke

DIGITS = 60
WIDE = [2.0**i for i in (5, 8, 11, 14, 15, 17, 20, 25, 28, 30)]
NARROW = [2.0**i for i in (-30, -15, -10, -7, -5, -4, -3, -2, -1, 0, 2)]
# FSM falls to zero with the overlap of the rows while its d_i stay near one, rounded at 1e-16. The
# other criteria keep their relative precision down to where doubles end.
FSM_ATOL, TINY = 1e-14, 1e-290


def tolerances(key):
    return {"rtol": 1e-10, "atol": FSM_ATOL if key == "fsm" else TINY, "err_msg": key}


@functools.cache
def exact_scores(kernel, task, n, balanced=False, offset=0.0):
    """The twins in mpmath's arithmetic, as floats, by key."""
    x, y = problem(task, n=n, d=3, balanced=balanced)
    with mpmath.workdps(DIGITS):
        k = kernel.matrix(ref.extended(x + offset))
        return {c.key: float(c.reference(k, y, task)) for c in criteria_for(task)}


def compare(result, kernels, *problem_arguments):
    wanted = [exact_scores(kernel, *problem_arguments) for kernel in kernels]
    for key, values in result.scores.items():
        np.testing.assert_allclose(values, [row[key] for row in wanted], **tolerances(key))


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("task", TASKS)
def test_wide_gaussians(task, convert):
    x, y = problem(task, n=20, d=3)
    kernels = [Kernel("Gaussian", (tau,)) for tau in WIDE]
    built = [kernel.build() for kernel in kernels]
    result = table(convert(x), y, built, criteria_for(task), task)
    compare(result, kernels, task, 20)


def test_wide_gaussians_with_balanced_classes():
    """Plain labels are then orthogonal to the ones, and everything cancels."""
    x, y = problem("binary", n=20, d=3, balanced=True)
    kernels = [Kernel("Gaussian", (tau,)) for tau in WIDE[::3]]
    result = table(x, y, [kernel.build() for kernel in kernels], CRITERIA)
    compare(result, kernels, "binary", 20, True)


@pytest.mark.parametrize("task", TASKS)
def test_narrow_gaussians(task):
    x, y = problem(task, n=20, d=3)
    kernels = [Kernel("Gaussian", (tau,)) for tau in NARROW]
    result = table(x, y, [kernel.build() for kernel in kernels], criteria_for(task), task)
    compare(result, kernels, task, 20)


def test_dyadic_ladder_from_narrow_to_wide():
    """The whole range in one call, by chains of squarings."""
    x, y = problem("binary", n=20, d=3)
    exponents = list(range(-15, 31))
    result = table(x, y, list(ke.gaussian_grid(-15, 30)), CRITERIA)
    chosen = slice(1, None, 6)
    wanted = [exact_scores(Kernel("Gaussian", (2.0**i,)), "binary", 20) for i in exponents[chosen]]
    for key, values in result.scores.items():
        np.testing.assert_allclose(values[chosen], [row[key] for row in wanted], **tolerances(key))


def test_several_tiles():
    x, y = problem("binary", n=140, d=3)
    kernels = [Kernel("Gaussian", (2.0**i,)) for i in (15, 30)]
    result = table(x, y, [kernel.build() for kernel in kernels], CRITERIA)
    compare(result, kernels, "binary", 140)


@pytest.mark.parametrize(
    "kernel",
    [
        Kernel("Laplacian", (2.0**-8,)),
        Kernel("Laplacian", (2.0**-30,)),
        Kernel("Matern", (0.5, 2.0**8)),
        Kernel("Matern", (0.5, 2.0**30)),
        Kernel("Matern", (1.5, 2.0**5)),
        Kernel("Matern", (1.5, 2.0**10)),
        Kernel("Matern", (1.5, 2.0**15)),
        Kernel("Matern", (2.5, 2.0**5)),
        Kernel("Matern", (2.5, 2.0**10)),
        Kernel("Matern", (2.5, 2.0**15)),
    ],
    ids=str,
)
def test_other_wide_kernels(kernel):
    x, y = problem("binary", n=20, d=3)
    compare(table(x, y, [kernel.build()], CRITERIA), [kernel], "binary", 20)


@pytest.mark.parametrize("tau", [2.0**10, 2.0**15])
def test_wide_precomputed_matrices(tau):
    """The matrix is as rounded as doubles are; its centred form must lose nothing more."""
    x, y = problem("binary", n=24, d=3)
    matrix = ref.gaussian(x, tau)
    result = table(None, y, [matrix], CRITERIA)
    with mpmath.workdps(DIGITS):
        assert_scores(result, CRITERIA, [ref.extended(matrix)], y)


@pytest.mark.parametrize("offset", [10.0, 100.0])
@pytest.mark.parametrize(
    "kernel", [Kernel("Linear", ()), Kernel("Polynomial", (2, 1.0, 1.0))], ids=str
)
def test_dot_products_far_from_the_origin(kernel, offset):
    """Features that are not centred: the centred kernel is small against the kernel itself."""
    x, y = problem("binary", n=20, d=3)
    centred = [c for c in CRITERIA if c.name in ("ckta", "fsm", "kcsm", "mmd", "ekta", "sm")]
    result = table(x + offset, y, [kernel.build()], centred)
    compare(result, [kernel], "binary", 20, False, offset)
