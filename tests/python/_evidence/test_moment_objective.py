"""Closed forms on sums with derivatives, against differences at 50 digits."""

import numpy as np
import pytest
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
)
from refinable import target_of as target_of_columns
from twins.expressions import slopes

import kernelect as ke
from kernelect._data.target import Target
from kernelect._evidence.objective import Objective
from kernelect.criteria import CKTA, EKTA, KS, KTA, SM
from kernelect.kernels._parameters import Parameters

ARD = ke.ARDGaussian([0.4, 1.1, 0.05])
TASKS, CLASSES = [*LABELS], ["binary", "multiclass"]
# The papers' forms know one target.
SINGLE = {**LABELS, "regression": LABELS["regression"][:, 0]}


def target_of(task):
    return Target.of_numbers(SINGLE[task]) if task == "regression" else target_of_columns(task)


def sm(**how):
    return SM(**how), lambda k, y, task: twins.sm(k, y, task=task, **how)


FORMS = {
    "sm": (*sm(), TASKS),
    "sm 1": (*sm(r=1), TASKS),
    "sm 3": (*sm(r=3), TASKS),
    "sm 4 sum": (*sm(r=4, normalization="sum"), TASKS),
    "sm 2 plain": (*sm(weighted=False), CLASSES),
    "sm 3 relative": (*sm(r=3, relative=True), TASKS),
    "kta": (KTA(), lambda k, y, task: twins.kta(k, y, task=task), TASKS),
    "ekta": (EKTA(), lambda k, y, task: twins.ekta(k, y), CLASSES),
    "ckta": (CKTA(), lambda k, y, task: twins.ckta(k, y, task=task), TASKS),
    "survey": (CKTA("survey"), lambda k, y, task: twins.ckta(k, y, "survey"), ["binary"]),
}


def both(kernel, criterion, twin, task, *, x=X):
    objective = Objective(criterion.goal(), x, target_of(task), False, True)
    found = objective(kernel, LAM, None)
    api = "regression" if task == "regression" else "classification"
    point = np.append(Parameters(kernel).logarithms, 0.0)
    value, wanted = slopes(kernel, point, x, lambda k, lam: twin(k, SINGLE[task], api))
    return (found.value, found.by_parameters), (value, wanted[:-1])


def assert_same(found, wanted):
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-10)
    size = max(np.abs(wanted[1]).max(), abs(wanted[0]))  # a factor may play no part
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-8, atol=1e-11 * size)


@pytest.mark.parametrize("form", ["sm", "sm 3", "kta", "ckta"])
@pytest.mark.parametrize("kernel", [*FAMILIES, *EXPRESSIONS], ids=str)
def test_every_kernel(kernel, form):
    assert_same(*both(kernel, *FORMS[form][:2], "regression"))


@pytest.mark.parametrize(
    ("form", "task"), [(form, task) for form in FORMS for task in FORMS[form][2]]
)
def test_every_form_and_task(form, task):
    assert_same(*both(ARD, *FORMS[form][:2], task))


@pytest.mark.parametrize("task", LABELS)
@pytest.mark.parametrize("kernel", [ARD, EXPRESSIONS[3]], ids=str)
def test_cross_validation_with_stability(kernel, task):
    numbers = np.zeros(N, dtype=int)
    for place, fold in enumerate(FOLDS):
        numbers[fold] = place
    goal = KS(eta=0.7).goal()
    found = Objective(goal, X, target_of(task), False, True, FOLDS)(kernel, LAM, None)
    api = "regression" if task == "regression" else "classification"
    point = np.append(Parameters(kernel).logarithms, np.log(LAM))
    wanted = slopes(
        kernel,
        point,
        X,
        lambda k, lam: twins.ks(k, SINGLE[task], folds=numbers, eta=0.7, lam=lam, task=api),
    )
    assert_same((found.value, np.append(found.by_parameters, found.by_lam)), wanted)


@pytest.mark.parametrize("form", ["sm", "kta", "ckta"])
@pytest.mark.parametrize("kernel", [*FAMILIES[:3], *EXPRESSIONS[2:4]], ids=str)
def test_several_tiles(kernel, form):
    objective = Objective(FORMS[form][0].goal(), LARGE[:, :3].copy(), TALL, False, True)
    assert_slopes_are_differences(objective, kernel)


def test_values_are_those_of_the_criteria_and_threads_do_not_matter():
    y = TALL.values[0]
    for criterion in (SM(), KTA(), CKTA()):
        one, two = (
            Objective(criterion.goal(), LARGE, TALL, False, True, threads=threads)(
                ke.Gaussian(2.0), LAM, None
            )
            for threads in (1, 2)
        )
        table = ke.evaluate(LARGE, y, [ke.Gaussian(2.0)], criterion)
        assert one.value == pytest.approx(table.scores[criterion.key][0], rel=1e-13)
        assert one.by_parameters.tobytes() == two.by_parameters.tobytes()
        assert one.by_lam == 0.0


def test_forms_without_derivatives_and_without_a_value():
    assert ke.criteria.Stability().goal() is None
    assert ke.criteria.MMD().goal() is None
    with pytest.raises(ValueError, match="vanishes"):
        Objective(CKTA().goal(), np.ones((9, 2)), target_of("binary"), False, True)(
            ke.Gaussian(1.0), LAM, None
        )
