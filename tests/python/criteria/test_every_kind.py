"""What holds for every criterion, whatever its evidence: each line of the catalogue is run here."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from catalogue import (
    CRITERIA,
    MOMENTS,
    RIDGE,
    SPECTRUM,
    assert_same,
    criteria_for,
    fold_numbers,
    table,
)
from kernel_catalogue import DEFINITE, OF_DIFFERENCES, OF_TURNED_ROWS
from problems import TASKS, problem
from scipy import sparse

import kernelect as ke

KERNELS = [kernel.build() for kernel in DEFINITE]
# The kernel's unit shows: in the value itself, or because a multiple of a Gaussian is none.
SEES_THE_UNIT = ("mmd", "stability", "ks", "ep", "br", "evidence(variance=2.0)")
# A shift of the target shows in these, and its unit in all criteria that fit it.
SEES_THE_MEAN = ("kta",)

# Their best value, where nothing is left below the fraction.
REACH_INFINITY = ("kcsm", "er_ratio")

every_task = pytest.mark.parametrize("task", TASKS)


def assert_close(result, wanted, criteria, rtol=1e-10, atol=1e-13):
    for criterion in criteria:
        for value, other in zip(
            result.scores[criterion.key], wanted.scores[criterion.key], strict=True
        ):
            allowed = max(rtol, criterion.precision(other)) if np.isfinite(other) else 0.0
            np.testing.assert_allclose(value, other, rtol=allowed, atol=atol, err_msg=criterion.key)


# What must not change a score.


@every_task
def test_order_of_the_rows(task):
    x, y = problem(task, n=40)
    order = np.random.default_rng(1).permutation(40)
    folds, criteria = fold_numbers(y), criteria_for(task)
    plain = table(x, y, KERNELS, criteria, task, folds=folds)
    moved = table(x[order], y[order], KERNELS, criteria, task, folds=folds[order])
    assert_close(moved, plain, criteria)


@every_task
def test_order_of_the_features(task):
    x, y = problem(task, n=40, d=6)
    criteria = criteria_for(task)
    plain = table(x, y, KERNELS, criteria, task)
    assert_close(table(x[:, ::-1], y, KERNELS, criteria, task), plain, criteria)


@every_task
def test_order_of_the_candidates(task):
    x, y = problem(task, n=40)
    order = np.random.default_rng(2).permutation(len(KERNELS))
    criteria = criteria_for(task)
    plain = table(x, y, KERNELS, criteria, task)
    moved = table(x, y, [KERNELS[i] for i in order], criteria, task)
    for key, values in plain.scores.items():
        np.testing.assert_allclose(moved.scores[key], values[order], rtol=1e-11, err_msg=key)


@every_task
def test_company_of_candidates(task):
    x, y = problem(task, n=40)
    criteria = criteria_for(task)
    together = table(x, y, KERNELS, criteria, task)
    for place, kernel in enumerate(KERNELS):
        alone = table(x, y, [kernel], criteria, task)
        for key, values in together.scores.items():
            assert values[place] == pytest.approx(alone.scores[key][0], rel=1e-10), (key, kernel)


@every_task
def test_company_of_criteria(task):
    x, y = problem(task, n=40)
    criteria = criteria_for(task)
    together = table(x, y, KERNELS, criteria, task)
    for criterion in criteria:
        alone = table(x, y, KERNELS, [criterion], task)
        np.testing.assert_allclose(
            together.scores[criterion.key], alone.scores[criterion.key], rtol=1e-12
        )


def test_swapped_labels():
    x, y = problem("binary", n=40)
    folds, criteria = fold_numbers(y), criteria_for("binary")
    plain = table(x, y, KERNELS, criteria, folds=folds)
    assert_close(table(x, 1 - y, KERNELS, criteria, folds=folds), plain, criteria)


def test_sign_and_mean_of_a_regression_target():
    x, t = problem("regression", n=40)
    folds, criteria = fold_numbers(t), criteria_for("regression")
    plain = table(x, t, KERNELS, criteria, "regression", folds=folds)
    turned = table(x, -t, KERNELS, criteria, "regression", folds=folds)
    assert_close(turned, plain, criteria)
    shifted = table(x, t + 3.0, KERNELS, criteria, "regression", folds=folds)
    assert_close(shifted, plain, [c for c in criteria if c.name not in SEES_THE_MEAN])


@every_task
def test_rows_that_move_and_turn(task):
    x, y = problem(task, n=40)
    x = np.round(256 * x) / 256
    criteria = criteria_for(task)
    kernels = [kernel.build() for kernel in OF_DIFFERENCES if kernel in DEFINITE]
    plain = table(x, y, kernels, criteria, task)
    assert_close(table(x + 200.0, y, kernels, criteria, task), plain, criteria)
    kernels = [kernel.build() for kernel in OF_TURNED_ROWS if kernel in DEFINITE]
    turn, _ = np.linalg.qr(np.random.default_rng(3).normal(size=(x.shape[1],) * 2))
    plain = table(x, y, kernels, criteria, task)
    assert_close(table(x @ turn, y, kernels, criteria, task), plain, criteria)


@pytest.mark.parametrize("factor", [0.125, 1000.0])
@every_task
def test_scale_of_the_kernel_and_its_ridge(task, factor):
    x, y = problem(task, n=40)
    criteria = [c for c in criteria_for(task) if not {c.name, c.key} & {*SEES_THE_UNIT}]
    plain = table(x, y, KERNELS, criteria, task, lam=0.5)
    scaled = table(x, y, [factor * k for k in KERNELS], criteria, task, lam=0.5 * factor)
    assert_close(scaled, plain, criteria)


# Forms of the same rows.


@every_task
def test_forms_of_rows(task):
    x, y = problem(task, n=40)
    criteria = criteria_for(task)

    def scores(rows):
        return table(rows, y, KERNELS, criteria, task)

    plain = scores(x)
    fixed = x.copy()
    fixed.flags.writeable = False
    forms = (np.asfortranarray(x), np.repeat(x, 2, axis=1)[:, ::2], x[::-1][::-1], x.tolist())
    for form in (*forms, fixed):
        assert_same(scores(form), plain)
    single = x.astype(np.float32)
    assert_same(scores(single), scores(single.astype(float)))
    x = np.where(np.abs(x) > 0.7, x, 0.0)
    assert_close(scores(sparse.csr_array(x)), scores(x), criteria)


@every_task
def test_forms_of_matrices(task):
    x, y = problem(task, n=40)
    criteria = criteria_for(task)
    matrices = [kernel.matrix(x) for kernel in DEFINITE]
    plain = table(None, y, matrices, criteria, task)
    for form in ([np.asfortranarray(k) for k in matrices], np.stack(matrices), iter(matrices)):
        assert_same(table(None, y, form, criteria, task), plain)
    rows = [c for c in criteria if c.name not in ("br", "ep")]  # these look at the kernel itself
    assert_close(plain, table(x, y, KERNELS, rows, task), rows)


# Threads and memory.


@every_task
def test_number_of_threads(task):
    x, y = problem(task, n=150)
    criteria = criteria_for(task, SPECTRUM + RIDGE)
    one = table(x, y, KERNELS, criteria, task, n_threads=1)
    for n_threads in (2, 3, None):
        assert_same(table(x, y, KERNELS, criteria, task, n_threads=n_threads), one)


@every_task
def test_place_of_the_rows_in_memory(task):
    x, y = problem(task, n=40, d=3)
    criteria = criteria_for(task)
    room = np.empty(x.size + 8)
    results = []
    for offset in range(8):
        view = room[offset : offset + x.size].reshape(x.shape)
        view[...] = x
        results.append(table(view, y, KERNELS, criteria, task, n_threads=1))
    for result in results[1:]:
        assert_same(result, results[0])


@pytest.mark.filterwarnings("ignore::UserWarning")  # here: to change filters is not thread-safe
def test_calls_from_several_threads():
    problems = [problem("binary", n=60, seed=seed) for seed in range(4)]
    criteria = [criterion.build() for criterion in criteria_for("binary", SPECTRUM + RIDGE)]

    def scores(index):
        return ke.evaluate(*problems[index], KERNELS, criteria, n_threads=1)

    alone = [scores(index) for index in range(4)]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(scores, range(4)))
    for first, second in zip(alone, together, strict=True):
        assert_same(first, second)


# Degenerate candidates.

N = 30
BAD = {
    "zero": np.zeros((N, N)),
    "ones": np.ones((N, N)),
    "identity": np.eye(N),
    "tiny": 1e-300 * np.eye(N),
    "huge": 1e300 * np.eye(N),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_degenerate_candidates(criterion, name):
    """No NaN, the worst value with a reason or a value without; the good candidate is unharmed."""
    task = criterion.tasks[0]
    x, y = problem(task, n=N)
    good = ke.Gaussian(1.0)(x)
    alone = table(None, y, [good], [criterion], task)
    result = table(None, y, [BAD[name], good], [criterion], task)
    score, kept = result.scores[criterion.key]
    reason, none = result.reasons[criterion.key]
    assert kept == pytest.approx(alone.scores[criterion.key][0], rel=1e-10)
    assert (none is None) == (alone.reasons[criterion.key][0] is None)
    assert result.direction[criterion.key] == criterion.direction
    check_value(criterion, score, reason)
    if name == "zero" and criterion.kind == "moments" and criterion.direction:
        assert criterion.direction * score < criterion.direction * kept


def check_value(criterion, score, reason):
    """A number, or the worst value with a reason."""
    assert not np.isnan(score)
    if reason is not None:
        assert reason
        assert score == (-np.inf if criterion.direction > 0 else np.inf)
    elif np.isinf(score):
        assert criterion.name in REACH_INFINITY
        assert score > 0


@pytest.mark.parametrize("lam", [1.0, "auto"])
@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_a_candidate_that_overflows(criterion, lam):
    task = criterion.tasks[0]
    x, y = problem(task, n=24)
    kernels = [ke.Polynomial(20), ke.normalized(ke.Polynomial(20)), ke.Gaussian(1e18)]
    result = table(1e9 * x, y, kernels, [criterion], task, lam=lam)
    values = result.scores[criterion.key].reshape(3, -1)
    assert np.isfinite(values[2]).any()
    for row, reason in zip(values, result.reasons[criterion.key], strict=True):
        for score in row:
            check_value(criterion, score, reason)


def test_the_kinds_are_complete():
    assert {criterion.kind for criterion in CRITERIA} == {"moments", "spectrum", "ridge"}
    assert len(CRITERIA) == len(MOMENTS) + len(SPECTRUM) + len(RIDGE)
