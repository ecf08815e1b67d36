"""Criteria with derivatives in all parameters of a kernel, against differences at 50 digits."""

import numpy as np
import pytest
import scipy.sparse as sp
import twins
from refinable import (
    EXPRESSIONS,
    FAMILIES,
    FOLDS,
    LABELS,
    LAM,
    LARGE,
    TALL,
    N,
    X,
    assert_slopes_are_differences,
    target_of,
)
from twins.expressions import slopes

import kernelect as ke
from kernelect._data.target import Target
from kernelect._evidence.objective import Objective
from kernelect.criteria import Goal
from kernelect.kernels._families import FAMILIES as EVERY_FAMILY
from kernelect.kernels._parameters import Parameters

RIDGE = {
    "loo": (Goal("loo"), twins.loo),
    "log_probability": (Goal("log_probability", logarithmic=False), twins.log_probability),
    "evidence": (Goal("evidence", logarithmic=False), twins.evidence),
    "evidence 2": (
        Goal("evidence", variance=2.0, logarithmic=False),
        lambda k, y, **how: twins.evidence(k, y, variance=2.0, **how),
    ),
}


def by_folds(k, y, **how):
    """The twin of cross-validation on the folds."""
    numbers = np.zeros(N, dtype=int)
    for place, fold in enumerate(FOLDS):
        numbers[fold] = place
    return twins.cv(k, y, folds=numbers, **how)


def both(kernel, goal, twin, task="binary", *, bias=True, mean=False, folds=(), x=X):
    """The core's answer and the twin's: value, and derivatives with that in lambda last."""
    objective = Objective(goal, x, target_of(task), mean, bias, folds)
    found = objective(kernel, LAM, None)
    api = "regression" if task == "regression" else "classification"
    point = np.append(Parameters(kernel).logarithms, np.log(LAM))
    wanted = slopes(
        kernel,
        point,
        x,
        lambda k, lam: twin(k, LABELS[task], task=api, lam=lam, bias=bias, mean=mean),
    )
    return (found.value, np.append(found.by_parameters, found.by_lam)), wanted


def assert_same(found, wanted):
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-10)
    size = np.abs(wanted[1]).max()
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-9, atol=1e-11 * size)


@pytest.mark.parametrize("goal", RIDGE)
@pytest.mark.parametrize("kernel", [*FAMILIES, *EXPRESSIONS], ids=str)
def test_every_kernel(kernel, goal):
    assert_same(*both(kernel, *RIDGE[goal], "regression"))


@pytest.mark.parametrize("task", LABELS)
@pytest.mark.parametrize("mean", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("goal", RIDGE)
def test_every_task_and_convention(goal, bias, mean, task):
    assert_same(*both(ke.ARDGaussian([0.4, 1.1, 0.05]), *RIDGE[goal], task, bias=bias, mean=mean))


@pytest.mark.parametrize("task", LABELS)
@pytest.mark.parametrize("mean", [False, True])
def test_cross_validation(mean, task):
    kernel = ke.ARDGaussian([0.4, 1.1, 0.05])
    assert_same(*both(kernel, Goal("cv"), by_folds, task, mean=mean, folds=FOLDS))


@pytest.mark.parametrize("kernel", [*FAMILIES, *EXPRESSIONS], ids=str)
def test_cross_validation_of_every_kernel(kernel):
    assert_same(*both(kernel, Goal("cv"), by_folds, "regression", folds=FOLDS))


def test_no_family_is_left_out():
    """Each that has a parameter is differentiated above, by itself or on a column."""
    tried = {type(getattr(kernel, "kernel", kernel)) for kernel in FAMILIES}
    assert tried == {family for family in EVERY_FAMILY if family is not ke.Linear}


def test_weights_of_rows():
    """Weights divide the ridge, and weigh the losses of held-out rows."""
    rng = np.random.default_rng(3)
    weights, y = rng.uniform(0.5, 3.0, size=N), LABELS["regression"][:, :1]
    target = Target.of_numbers(y).weighted(weights)

    def twin(k, lam):
        outputs = twins.held_out(k, y, twins.singles(N), lam=lam, weights=weights)
        return (weights @ ((y - outputs) ** 2)[:, 0]) / weights.sum()

    kernel = ke.ARDGaussian([0.4, 1.1, 0.05])
    found = Objective(Goal("loo"), X, target, False, True)(kernel, LAM, None)
    wanted = slopes(kernel, np.append(Parameters(kernel).logarithms, np.log(LAM)), X, twin)
    assert_same((found.value, np.append(found.by_parameters, found.by_lam)), wanted)
    fold = Objective(Goal("cv"), X, target, False, True, [np.array([i]) for i in range(N)])
    assert fold(kernel, LAM, None).value == pytest.approx(found.value, rel=1e-12)
    np.testing.assert_allclose(
        fold(kernel, LAM, None).by_parameters, found.by_parameters, rtol=1e-9
    )


@pytest.mark.parametrize("kernel", [*FAMILIES[:3], *EXPRESSIONS[2:4]], ids=str)
@pytest.mark.parametrize("goal", ["loo", "evidence"])
def test_several_tiles_with_equal_rows(kernel, goal):
    x = LARGE[:, :3].copy()
    x[:5] = x[140:145]
    assert_slopes_are_differences(Objective(Goal(goal), x, TALL, False, True), kernel)


def test_threads_and_sparse_rows():
    kernel = ke.ARDGaussian([0.4, 1.1, 0.05, 0.3]) + 0.5 * ke.Laplacian(0.2)
    one = Objective(Goal("loo"), LARGE, TALL, False, True)(kernel, LAM, None)
    two = Objective(Goal("loo"), LARGE, TALL, False, True, threads=2)(kernel, LAM, None)
    assert one.value == two.value
    assert one.by_parameters.tobytes() == two.by_parameters.tobytes()
    rows = Objective(Goal("loo"), sp.csr_matrix(LARGE), TALL, False, True)(kernel, LAM, None)
    np.testing.assert_allclose(rows.by_parameters, one.by_parameters, rtol=1e-9)
