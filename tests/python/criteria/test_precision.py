"""Wide and narrow kernels against extended precision, where plain double precision fails."""

from __future__ import annotations

import functools

import mpmath
import numpy as np
import pytest
import twins
from catalogue import BY_KEY, MOMENTS, RIDGE, SPECTRUM, assert_scores, criteria_for, table
from kernel_catalogue import EXTREMES, Kernel
from problems import TASKS, problem
from scipy import sparse

import kernelect as ke

DIGITS = 150  # a narrow kernel is 1 + 1e-103 in places
WIDE = (5, 11, 15, 20, 25, 30)  # exponents of tau
NARROW = (-30, -15, -7, -4, -2, 0, 2)
# FSM falls to zero with the overlap of the rows while its d_i stay near one, rounded at 1e-16. The
# other criteria keep their relative precision down to where doubles end.
FSM_ATOL, TINY = 1e-14, 1e-290


def gaussians(exponents):
    return [Kernel("Gaussian", (2.0**i,)) for i in exponents]


def tolerances(key):
    return {"rtol": 1e-10, "atol": FSM_ATOL if key == "fsm" else TINY, "err_msg": key}


@functools.cache
def exact_matrix(kernel, task, n, balanced=False, offset=0.0):
    x, _ = problem(task, n=n, d=3, balanced=balanced)
    with mpmath.workdps(DIGITS):
        return kernel.matrix(twins.extended(x + offset))


@functools.cache
def exact_score(key, kernel, task, n, *options):
    """The twin in mpmath's arithmetic, as a float."""
    _, y = problem(task, n=n, d=3, balanced=bool(options and options[0]))
    with mpmath.workdps(DIGITS):
        return float(BY_KEY[key].reference(exact_matrix(kernel, task, n, *options), y, task))


def compare(result, kernels, *problem_arguments):
    for key, values in result.scores.items():
        wanted = [exact_score(key, kernel, *problem_arguments) for kernel in kernels]
        np.testing.assert_allclose(values, wanted, **tolerances(key))


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("task", TASKS)
def test_wide_gaussians(task, convert):
    x, y = problem(task, n=20, d=3)
    kernels = gaussians(WIDE)
    built = [kernel.build() for kernel in kernels]
    result = table(convert(x), y, built, criteria_for(task, MOMENTS), task)
    compare(result, kernels, task, 20)


def test_wide_gaussians_with_balanced_classes():
    """Plain labels are then orthogonal to the ones, and everything cancels."""
    x, y = problem("binary", n=20, d=3, balanced=True)
    kernels = gaussians((15, 30))
    result = table(x, y, [kernel.build() for kernel in kernels], MOMENTS)
    compare(result, kernels, "binary", 20, True)


@pytest.mark.parametrize("task", TASKS)
def test_narrow_gaussians(task):
    x, y = problem(task, n=20, d=3)
    kernels = gaussians(NARROW)
    result = table(x, y, [kernel.build() for kernel in kernels], criteria_for(task, MOMENTS), task)
    compare(result, kernels, task, 20)


def test_dyadic_ladder_from_narrow_to_wide():
    """The whole range in one call, by chains of squarings."""
    x, y = problem("binary", n=20, d=3)
    chosen = [i for i in NARROW + WIDE if i >= -15]
    result = table(x, y, list(ke.gaussian_grid(-15, 30)), MOMENTS)
    for key, values in result.scores.items():
        wanted = [exact_score(key, kernel, "binary", 20) for kernel in gaussians(chosen)]
        np.testing.assert_allclose(values[[i + 15 for i in chosen]], wanted, **tolerances(key))


def test_several_tiles():
    x, y = problem("binary", n=140, d=3)
    kernels = gaussians((15, 30))
    criteria = [BY_KEY[key] for key in ("sm", "sm(r=3)", "ckta", "fsm", "kcsm", "mmd")]
    result = table(x, y, [kernel.build() for kernel in kernels], criteria)
    compare(result, kernels, "binary", 140)


@pytest.mark.parametrize("kernel", EXTREMES, ids=str)
def test_other_wide_and_narrow_kernels(kernel):
    x, y = problem("binary", n=20, d=3)
    compare(table(x, y, [kernel.build()], MOMENTS), [kernel], "binary", 20)


@pytest.mark.parametrize("tau", [2.0**10, 2.0**15])
def test_wide_precomputed_matrices(tau):
    """The matrix is as rounded as doubles are; its centred form must lose nothing more."""
    x, y = problem("binary", n=24, d=3)
    matrix = twins.gaussian(x, tau)
    result = table(None, y, [matrix], MOMENTS)
    with mpmath.workdps(DIGITS):
        assert_scores(result, MOMENTS, [twins.extended(matrix)], y)


@pytest.mark.parametrize("offset", [10.0, 100.0])
@pytest.mark.parametrize(
    "kernel", [Kernel("Linear", ()), Kernel("Polynomial", (2, 1.0, 1.0))], ids=str
)
def test_dot_products_far_from_the_origin(kernel, offset):
    """Features that are not centred: the centred kernel is small against the kernel itself."""
    x, y = problem("binary", n=20, d=3)
    centred = [c for c in MOMENTS if c.name in ("ckta", "fsm", "kcsm", "mmd", "ekta", "sm")]
    result = table(x + offset, y, [kernel.build()], centred)
    compare(result, [kernel], "binary", 20, False, offset)


@pytest.mark.parametrize("exponent", [-7, 0, 6, 12, 16])
@pytest.mark.parametrize("task", TASKS)
def test_eigenvalues_and_ridge_systems(task, exponent):
    x, y = problem(task, n=16, d=2, balanced=True)
    criteria = criteria_for(task, SPECTRUM + RIDGE)
    result = table(x, y, [ke.Gaussian(2.0**exponent)], criteria, task)
    with mpmath.workdps(30):
        rows = twins.extended(x)
        matrix = twins.gaussian(rows, mpmath.mpf(2) ** exponent)
        assert_scores(result, criteria, [matrix], y, task, x=rows)
