"""What must hold for all data, on problems that hypothesis picks, for every kind of evidence.

Sums have more of them in ``criteria/test_invariances.py``; arguments that would be ignored are
refused by ``test_unused_arguments.py``.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import twins
from catalogue import CRITERIA, RIDGE, SPECTRUM, fold_numbers, table
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_catalogue import DEFINITE, OF_DIFFERENCES, OF_TURNED_ROWS
from problems import TASKS, api_task, problem
from scipy import sparse

import kernelect as ke

few = settings(max_examples=25)
seeds = st.integers(0, 10_000)
sizes = st.integers(20, 45)
tasks = st.sampled_from(TASKS)
solved = st.sampled_from(SPECTRUM + RIDGE)  # sums are looked at elsewhere
kernels = st.sampled_from(DEFINITE)
# The kernel's unit shows in these values.
SEES_THE_UNIT = ("ks", "ep", "br", "evidence(variance=2.0)")
# Share one grid, so that widths are those of the data that hypothesis picks.
GRID = ke.gaussian_grid(-3, 6, 3)


def of(criterion, seed, n):
    """Rows and a target of the first or the last task for which a criterion has a form."""
    task = criterion.tasks[0 if seed % 2 else -1]
    return task, *problem(task, n=n, seed=seed)


def close(found, wanted, criterion, rtol=1e-8, atol=1e-11):
    (values,), (others,) = found.scores.values(), wanted.scores.values()
    for value, other in zip(values, others, strict=True):
        allowed = max(rtol, criterion.precision(other)) if np.isfinite(other) else 0.0
        np.testing.assert_allclose(value, other, rtol=allowed, atol=atol, err_msg=criterion.key)


@few
@given(solved, kernels, sizes, seeds)
def test_order_of_rows_and_names_of_classes(criterion, kernel, n, seed):
    task, x, y = of(criterion, seed, n)
    folds, order = fold_numbers(y), np.random.default_rng(seed).permutation(n)
    plain = table(x, y, [kernel.build()], [criterion], task, folds=folds)
    moved = table(x[order], y[order], [kernel.build()], [criterion], task, folds=folds[order])
    close(moved, plain, criterion)
    turned = -y if task == "regression" else np.max(y) - y
    close(table(x, turned, [kernel.build()], [criterion], task, folds=folds), plain, criterion)


@few
@given(solved, sizes, seeds, st.integers(-50, 50))
def test_rows_that_move_and_turn(criterion, n, seed, shift):
    task, x, y = of(criterion, seed, n)
    x = np.round(256 * x) / 256  # translations are exact
    still = [kernel.build() for kernel in OF_DIFFERENCES if kernel in DEFINITE][seed % 4]
    plain = table(x, y, [still], [criterion], task)
    close(table(x + shift, y, [still], [criterion], task), plain, criterion)
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(x.shape[1],) * 2))
    round_ = [kernel.build() for kernel in OF_TURNED_ROWS if kernel in DEFINITE][seed % 4]
    plain = table(x, y, [round_], [criterion], task)
    close(table(x @ turn, y, [round_], [criterion], task), plain, criterion)


@few
@given(solved, kernels, sizes, seeds, st.floats(1e-3, 1e3))
def test_scale_of_the_kernel_and_its_ridge(criterion, kernel, n, seed, factor):
    if {criterion.name, criterion.key} & {*SEES_THE_UNIT}:
        return
    task, x, y = of(criterion, seed, n)
    plain = table(x, y, [kernel.build()], [criterion], task, lam=0.5)
    scaled = table(x, y, [factor * kernel.build()], [criterion], task, lam=0.5 * factor)
    close(scaled, plain, criterion)


@few
@given(st.sampled_from(CRITERIA), sizes, seeds)
def test_order_and_company_of_candidates(criterion, n, seed):
    task, x, y = of(criterion, seed, n)
    rng = np.random.default_rng(seed)
    company = [DEFINITE[i].build() for i in rng.permutation(len(DEFINITE))[:4]]
    company += [GRID[i] for i in rng.permutation(len(GRID))[:2]]
    together = table(x, y, company, [criterion], task)
    place = int(rng.integers(len(company)))
    alone = table(x, y, [company[place]], [criterion], task)
    np.testing.assert_allclose(
        together.scores[criterion.key][place], alone.scores[criterion.key][0], rtol=1e-9
    )


def forms(x):
    """The same numbers as arrays that lie in memory in every way."""
    fixed = x.copy()
    fixed.flags.writeable = False
    return {
        "fortran": np.asfortranarray(x),
        "read-only": fixed,
        "backwards": x[::-1][::-1],
        "negative strides": np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1],
        "every second": np.repeat(x, 2, axis=0)[::2],
        "frame": pd.DataFrame(x),
        "lists": x.tolist(),
    }


def answers(x, y, task):
    """What every path of evidence and every solver says of these rows."""
    kind = api_task(task)
    make = ke.LSSVMRegressor if task == "regression" else ke.LSSVMClassifier
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {
            "sampled": ke.evaluate(x, y, GRID, "ckta", sample=12, task=kind).scores["ckta"],
            "landmarks": ke.evaluate(x, y, GRID, "loo", landmarks=7, task=kind).scores["loo"],
            "exact": ke.evaluate(x, y, GRID, ["loo", "pep"], task=kind).scores["loo"],
            "refined": ke.refine(x, y, GRID[1], "evidence", lam=0.5, task=kind).score,
        }
        for solver in ("exact", "landmarks", "iterative"):
            model = make(GRID[1], lam=0.5, solver=solver, landmarks=7).fit(x, y)
            found[solver] = model.predict(x)
    return found


@settings(max_examples=4)
@given(tasks, sizes, seeds)
def test_forms_of_rows_give_the_same_bits(task, n, seed):
    x, y = problem(task, n=n, seed=seed)
    wanted = answers(x, y, task)
    for name, form in forms(x).items():
        for path, value in answers(form, y, task).items():
            np.testing.assert_array_equal(value, wanted[path], err_msg=f"{name}, {path}")
    single = x.astype(np.float32)
    wanted = answers(single.astype(float), y, task)
    for path, value in answers(single, y, task).items():
        np.testing.assert_array_equal(value, wanted[path], err_msg=path)


@settings(max_examples=4)
@given(tasks, sizes, seeds)
def test_sparse_rows_give_the_same_numbers(task, n, seed):
    x, y = problem(task, n=n, seed=seed)
    x = np.where(np.abs(x) > 0.6, x, 0.0)
    wanted = answers(x, y, task)
    for path, value in answers(sparse.csr_array(x), y, task).items():
        np.testing.assert_allclose(value, wanted[path], rtol=1e-6, atol=1e-8, err_msg=path)


@few
@given(sizes, seeds, st.floats(1e-6, 1e6), st.floats(-10.0, 10.0), st.integers(0, 3))
def test_learners_follow_the_unit_of_the_target(n, seed, factor, shift, place):
    """With y = s t + c every solver predicts s times what it did, plus c."""
    x, t = problem("regression", n=n, seed=seed)
    how = [
        {"kernel": GRID[1], "lam": 0.3},
        {"kernel": GRID[1], "lam": 0.3, "solver": "landmarks", "landmarks": 8},
        {"kernel": GRID[1], "lam": 0.3, "solver": "iterative", "tol": 1e-10},
        {"kernel": GRID[0] + GRID[1], "lam": "auto"},
    ][place]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = ke.LSSVMRegressor(**how).fit(x, t).predict(x)
        found = ke.LSSVMRegressor(**how).fit(x, factor * (t + shift)).predict(x)
    np.testing.assert_allclose(found / factor - shift, plain, rtol=1e-6, atol=1e-6)


@settings(max_examples=10)
@given(tasks, kernels, seeds, st.floats(1e-3, 1e2), st.tuples(st.booleans(), st.booleans()))
def test_closed_forms_are_retraining(task, kernel, seed, lam, conventions):
    bias, mean = conventions
    x, y = problem(task, n=20, seed=seed)
    how = {"lam": lam, "bias": bias, "mean": mean, "task": api_task(task)}
    asked = [criterion for criterion in RIDGE if criterion.key in ("loo", "cv")]
    ridge = {"lam": lam, "bias": bias, "lam_convention": "mean" if mean else "sum"}
    found = table(x, y, [kernel.build()], asked, task, **ridge)
    matrix = kernel.matrix(x)
    wanted = {"loo": twins.loo(matrix, y, **how)}
    wanted["cv"] = twins.cv(matrix, y, folds=fold_numbers(y), **how)
    for key, value in wanted.items():
        assert found.scores[key][0] == pytest.approx(value, rel=1e-7), key


@few
@given(st.sampled_from(CRITERIA), sizes, seeds, st.sampled_from([1.0, 1e9, 1e150, 1e-150]))
def test_no_nan_and_no_bad_candidate_wins(criterion, n, seed, unit):
    task, x, y = of(criterion, seed, n)
    bad = [0.0 * ke.Linear(), ke.Polynomial(20, 1e10), 1e300 * ke.Linear(), ke.Gaussian(1e-300)]
    good = ke.Gaussian(4.0 * unit**2)
    rng = np.random.default_rng(seed)
    kernels = [[*bad, good][i] for i in rng.permutation(5)]
    found = table(unit * x, y, kernels, [criterion], task)
    scores, reasons = found.scores[criterion.key], found.reasons[criterion.key]
    assert not np.isnan(scores).any()
    assert reasons[kernels.index(good)] is None or not np.isfinite(scores).any()
    if criterion.direction and any(reason is None for reason in reasons):
        assert reasons[int(found.ranking(criterion.key)[0])] is None
