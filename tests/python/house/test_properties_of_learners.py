"""What must hold for all data, of landmarks, samples, refinement, committees and ``"best"``.

The unit of y is ``test_unit_of_y.py``'s, arguments that would be ignored are looked for by
``test_unused_arguments_of_scale.py``, and rows in every form by ``test_properties.py`` too.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import twins
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_catalogue import DEFINITE
from problems import TASKS, api_task, problem
from scipy import sparse
from unused_arguments import walk

import kernelect as ke
from kernelect._evidence.landmarks import landmark_work
from kernelect._evidence.landmarks.choice import choose

few = settings(max_examples=10)
fewer = settings(max_examples=3)
seeds = st.integers(0, 10_000)
sizes = st.integers(24, 45)
tasks = st.sampled_from(TASKS)
ways = st.sampled_from([{"landmarks": 7}, {"sample": 12}])
learners = st.sampled_from(["committee", "refined", "best"])
BAD = [0.0 * ke.Linear(), ke.Polynomial(20, 1e10), 1e300 * ke.Linear(), ke.Gaussian(1e-300)]
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def criterion(way):
    return "loo" if "landmarks" in way else "ckta"


def table(x, y, kernels, task, way, **given):
    return ke.evaluate(x, y, kernels, criterion(way), task=api_task(task), **way, **given)


def predicted(kernel, x, y, task, new=None):
    """What a learner says of rows by numbers, whatever its classes are called."""
    make = ke.LSSVMRegressor if task == "regression" else ke.LSSVMClassifier
    model = make(kernel).fit(x, y)
    say = model.predict if task == "regression" else model.decision_function
    return say(x if new is None else new)


@few
@given(ways, tasks, sizes, seeds)
def test_order_and_company_of_candidates(way, task, n, seed):
    x, y = problem(task, n=n, seed=seed)
    rng = np.random.default_rng(seed)
    company = [DEFINITE[i].build() for i in rng.permutation(len(DEFINITE))[:4]]
    together = table(x, y, company, task, way).scores[criterion(way)]
    order = rng.permutation(4)
    moved = table(x, y, [company[i] for i in order], task, way).scores[criterion(way)]
    np.testing.assert_allclose(moved, together[order], rtol=1e-9)
    alone = table(x, y, [company[0]], task, way).scores[criterion(way)]
    np.testing.assert_allclose(alone, together[:1], rtol=1e-9)


@few
@given(ways, tasks, sizes, seeds, st.sampled_from([1.0, 1e9, 1e150, 1e-150]))
def test_no_nan_and_no_bad_candidate_wins(way, task, n, seed, unit):
    x, y = problem(task, n=n, seed=seed)
    good = ke.Gaussian(4.0 * unit**2)
    kernels = [[*BAD, good][i] for i in np.random.default_rng(seed).permutation(5)]
    found = table(unit * x, y, kernels, task, way)
    scores, reasons = found.scores[criterion(way)], found.reasons[criterion(way)]
    assert not np.isnan(scores).any()
    assert reasons[kernels.index(good)] is None
    assert reasons[int(found.ranking(criterion(way))[0])] is None


@few
@given(tasks, sizes, seeds, st.integers(-50, 50))
def test_landmarks_of_rows_that_move_and_of_names_that_change(task, n, seed, shift):
    x, y = problem(task, n=n, seed=seed)
    x = np.round(256 * x) / 256  # translations are exact
    kernels, way = [ke.Gaussian(2.0), ke.Matern(1.5, 2.0)], {"landmarks": 7}
    plain = table(x, y, kernels, task, way).scores["loo"]
    np.testing.assert_allclose(table(x + shift, y, kernels, task, way).scores["loo"], plain, 1e-8)
    turned = -y if task == "regression" else np.max(y) - y
    np.testing.assert_allclose(table(x, turned, kernels, task, way).scores["loo"], plain, 1e-8)


@few
@given(sizes, seeds, st.floats(1e-3, 1e3))
def test_landmarks_see_no_unit_of_the_kernel_that_its_ridge_has(n, seed, factor):
    x, y = problem("binary", n=n, seed=seed)
    way, kernel = {"landmarks": 7}, ke.Gaussian(2.0)
    plain = table(x, y, [kernel], "binary", way, lam=0.5).scores["loo"]
    found = table(x, y, [factor * kernel], "binary", way, lam=0.5 * factor).scores["loo"]
    np.testing.assert_allclose(found, plain, rtol=1e-8)


@few
@given(tasks, sizes, seeds, st.floats(1e-3, 1e2), st.booleans())
def test_landmark_closed_forms_are_retraining(task, n, seed, lam, bias):
    x, y = problem(task, n=n, seed=seed)
    kernel, order = ke.Gaussian(2.0), landmark_work.first_rows(n, n, 0)
    found = table(x, y, [kernel], task, {"landmarks": 7}, lam=lam, bias=bias).scores["loo"]
    k, chosen = kernel(x), choose(kernel, x[order], order, 7, seed=0).numbers
    targets = twins.columns(k, y, api_task(task))
    outputs = twins.landmark_outputs(k, targets, chosen, twins.singles(n), lam=lam, bias=bias)
    assert found[0] == pytest.approx(twins.mean_loss(k, y, outputs, api_task(task)), rel=1e-6)


@fewer
@given(st.sampled_from(["loo", "evidence"]), seeds)
def test_a_refined_kernel_has_the_score_of_any_candidate(criterion, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, size=(60, 4))
    y = np.sin(3 * x[:, 0]) + 0.1 * rng.normal(size=60)
    refined = ke.refine(x, y, ke.Gaussian(2.0), criterion, lam=0.3)
    assert refined.refinement.adopted  # three columns say nothing
    company = [ke.Linear(), refined.kernel, ke.Gaussian(2.0)]
    scores = ke.evaluate(x, y, company, criterion, lam=refined.lam).scores[criterion]
    assert refined.score == pytest.approx(scores[1], rel=1e-6)


@fewer
@given(learners, tasks, sizes, seeds, st.sampled_from([1.0, 1e9, 1e150, 1e-150]))
def test_learners_predict_numbers_on_rows_that_say_little(kernel, task, n, seed, unit):
    x, y = problem(task, n=n, seed=seed)
    x[:, 0] = 1.0  # a column that is constant, and rows that are the same
    x[1:4] = x[0]
    assert np.isfinite(predicted(kernel, unit * x, y, task)).all()


@fewer
@given(learners, tasks, sizes, seeds)
def test_forms_of_rows_give_the_same_numbers(kernel, task, n, seed):
    x, y = problem(task, n=n, seed=seed)
    fixed = x.copy()
    fixed.flags.writeable = False
    wanted = predicted(kernel, x, y, task)
    backwards = np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1]
    for form in (np.asfortranarray(x), fixed, backwards, x.tolist(), pd.DataFrame(x)):
        np.testing.assert_array_equal(predicted(kernel, form, y, task), wanted)
    single = x.astype(np.float32)
    wanted = predicted(kernel, single.astype(float), y, task)
    np.testing.assert_array_equal(predicted(kernel, single, y, task), wanted)
    x = np.where(np.abs(x) > 0.4, x, 0.0)
    found = predicted(kernel, sparse.csr_array(x), y, task)
    np.testing.assert_allclose(found, predicted(kernel, x, y, task), rtol=1e-5, atol=1e-6)


@fewer
@given(learners, tasks, sizes, seeds, st.integers(-20, 20))
def test_learners_of_rows_that_move_and_of_names_that_change(kernel, task, n, seed, shift):
    x, y = problem(task, n=n, seed=seed)
    x = np.round(256 * x) / 256
    wanted = predicted(kernel, x, y, task)
    found = predicted(kernel, x + shift, y, task)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    if task == "regression":
        found = -predicted(kernel, x, -y, task)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    else:
        named = np.array(["a", "b", "c", "d"])[(y > 0) + 0 if task == "binary" else y]
        np.testing.assert_array_equal(predicted(kernel, x, named, task), wanted)
        backwards = np.array(["d", "c", "b", "a"])[(y > 0) + 0 if task == "binary" else y]
        found = predicted(kernel, x, backwards, task)
        found = -found if task == "binary" else found[:, ::-1]
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


@fewer
@given(st.sampled_from(["loo", "evidence", "cv"]), sizes, seeds)
def test_refinement_goes_with_its_columns(criterion, n, seed):
    x, y = problem("regression", n=n, seed=seed)
    order = np.random.default_rng(seed).permutation(x.shape[1])
    how = {"lam": 0.3, "folds": 3} if criterion == "cv" else {"lam": 0.3}
    plain = ke.refine(x, y, ke.Gaussian(2.0), criterion, **how)
    moved = ke.refine(x[:, order], y, ke.Gaussian(2.0), criterion, **how)
    assert moved.score == pytest.approx(plain.score, rel=1e-6)
    assert not np.isnan(plain.score)
    k = [chosen.kernel(rows) for chosen, rows in ((plain, x), (moved, x[:, order]))]
    np.testing.assert_allclose(k[1], k[0], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lam", 3.0),
        ("lam_convention", "mean"),
        ("bias", False),
        ("folds", 4),
        ("kernel_scaling", "trace"),
        ("tol", 0.1),
        ("max_passes", 3),
        ("landmarks", 20),
    ],
)
@pytest.mark.parametrize("kernel", ["committee", "refined", "best"])
def test_no_argument_is_ignored(kernel, name, value):
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, size=(50, 3))
    y = np.sin(2 * x[:, 0]) + 0.5 * x[:, 1] + 0.3 * rng.normal(size=50)

    def fitted(**how):
        model = ke.LSSVMRegressor(kernel, **how).fit(x, y)
        return repr(model.kernel_), np.ravel(model.lam_).tolist(), model.dual_coef_.tolist()

    walk(lambda: fitted(**{name: value}), fitted, name, "learners", kernel)
