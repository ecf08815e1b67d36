"""Learners whose kernels predict together."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import TimeSeriesSplit

import kernelect as ke
from kernelect._data.target import Target
from kernelect._evidence.regularisation import check_regularisation
from kernelect._evidence.work import CallOptions
from kernelect.kernels._candidates import Candidates
from kernelect.lssvm import _fits
from kernelect.lssvm._elections.committee import elect_and_remember
from kernelect.selection._problem import Problem

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(220, 3))
# A smooth part for Gaussians, an edge for Laplacians.
CLEAN = np.sin(2.0 * X[:, 0]) + 0.5 * (X[:, 1] > 0.3)
Y = CLEAN + 0.1 * RANDOM.normal(size=len(X))
LABELS = np.array(["low", "middle", "high"])[np.digitize(CLEAN, [-0.3, 0.7])]


@pytest.fixture(scope="module")
def model():
    return ke.LSSVMRegressor("committee").fit(X, Y)


def _alone(model):
    """The members as learners of their own."""
    committee = model.committee_
    return [
        ke.LSSVMRegressor(kernel, lam=lam).fit(X, Y)
        for kernel, lam in zip(committee.kernels, committee.lams, strict=True)
    ]


def test_it_is_the_weighted_sum_of_its_members(model):
    committee = model.committee_
    assert 2 <= len(committee.kernels) <= 5
    assert {type(kernel) for kernel in committee.kernels} == {ke.Gaussian, ke.Laplacian}
    assert committee.weights.sum() == pytest.approx(1.0)
    new = RANDOM.normal(size=(70, 3))
    wanted = sum(
        weight * one.predict(new)
        for weight, one in zip(committee.weights, _alone(model), strict=True)
    )
    np.testing.assert_allclose(model.predict(new), wanted, rtol=1e-9, atol=1e-9)
    held_out = sum(
        weight * one.held_out_outputs(4)
        for weight, one in zip(committee.weights, _alone(model), strict=True)
    )
    np.testing.assert_allclose(model.held_out_outputs(4), held_out, atol=1e-9)


def test_what_it_says_about_itself(model):
    committee, elected = model.committee_, ke.LSSVMRegressor("auto").fit(X, Y)
    assert committee.elected == elected.kernel_ == model.selection_.kernel
    assert committee.elected_loss == pytest.approx(np.mean(elected.loo_residuals_**2), rel=1e-6)
    assert committee.loss == pytest.approx(np.mean(model.loo_residuals_**2), rel=1e-9)
    assert committee.loss < committee.elected_loss
    # Weights that have seen the rows look better.
    seen = sum(
        weight * one.loo_residuals_
        for weight, one in zip(committee.weights, _alone(model), strict=True)
    )
    assert np.mean(seen**2) < committee.loss
    assert json.loads(json.dumps(committee.to_dict()))["kernels"] == list(
        map(repr, committee.kernels)
    )
    assert f"{len(committee.kernels)} of {committee.n_candidates} models" in repr(committee)
    assert max(map(len, repr(committee).splitlines()[:2])) <= 88
    assert committee._repr_html_().count("<tr>") == 1 + len(committee.kernels)
    assert pickle.loads(pickle.dumps(committee)) == committee


def test_only_members_are_fitted_after_the_elections(model, monkeypatch):
    fitted = []
    scan = _fits.system.scan
    monkeypatch.setattr(_fits.system, "scan", lambda *a, **k: fitted.append(1) or scan(*a, **k))
    ke.LSSVMRegressor("committee").fit(X, Y)
    assert len(fitted) == len(model.committee_.kernels)


@pytest.mark.parametrize("rows", [60, 220, 900])
def test_remembered_outputs_are_those_of_the_models(rows):
    """Also where the search computes all, or begins on half of the rows."""
    random = np.random.default_rng(rows)
    own = random.normal(size=(rows, 2))
    target = Target.of_numbers(own[:, 0] ** 2 + 0.1 * random.normal(size=rows))
    options = CallOptions(check_regularisation("auto", "sum", True))
    problem = Problem(target, Candidates("auto", own, rows), 1)
    found, kept = elect_and_remember(problem, options, tick=None)
    assert any(kernel == found.kernel for kernel, _ in kept)
    for kernel, lam in list(kept)[:3]:
        one = ke.LSSVMRegressor(kernel, lam=lam).fit(own, target.values[0])
        residuals = target.values[0] - kept[kernel, lam][:, 0]
        np.testing.assert_allclose(residuals, one.loo_residuals_, rtol=1e-6, atol=1e-9)


def test_classes_probabilities_and_weights():
    model = ke.LSSVMClassifier("committee", class_weight="balanced").fit(X, LABELS)
    assert isinstance(model.kernel_, list)
    assert model.dual_coef_.shape == (len(model.kernel_), len(X), 3)
    assert model.decision_function(X).shape == (len(X), 3)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert (model.classes_[model.predict_proba(X).argmax(axis=1)] == model.predict(X)).all()
    weights = RANDOM.integers(1, 4, len(X)).astype(float)
    other = ke.LSSVMClassifier("committee").fit(X, LABELS, sample_weight=weights)
    assert other.committee_ != model.committee_


@pytest.mark.parametrize(
    "parameters",
    [
        {"lam": 0.1},
        {"lam_convention": "mean"},
        {"bias": False},
        {"lam": 0.1, "kernel_scaling": "centered"},
    ],
    ids=str,
)
def test_parameters_reach_the_members(parameters):
    model = ke.LSSVMRegressor("committee", **parameters).fit(X, Y)
    if "lam" in parameters and "kernel_scaling" not in parameters:
        np.testing.assert_array_equal(model.committee_.lams, 0.1)
    parameters.pop("lam", None)
    parameters.pop("kernel_scaling", None)
    wanted = sum(
        weight * ke.LSSVMRegressor(kernel, lam=lam, **parameters).fit(X, Y).predict(X)
        for kernel, lam, weight in zip(
            model.committee_.kernels, model.committee_.lams, model.committee_.weights, strict=True
        )
    )
    np.testing.assert_allclose(model.predict(X), wanted, rtol=1e-8, atol=1e-8)


def test_several_targets_one_of_them_constant():
    targets = np.column_stack([Y, np.full(len(X), 3.0), -2.0 * Y])
    model = ke.LSSVMRegressor("committee").fit(X, targets)
    np.testing.assert_allclose(model.predict(X)[:, 1], 3.0)
    assert model.loo_residuals_.shape == targets.shape
    np.testing.assert_allclose(model.loo_residuals_[:, 1], 0.0, atol=1e-9)


def test_several_labels_per_row():
    labels = np.column_stack([Y > 0, X[:, 1] > 0.3]).astype(int)
    model = ke.LSSVMClassifier("committee").fit(X, labels)
    assert (model.predict(X) == labels).mean() > 0.9


def test_sparse_rows_pickles_and_second_fits(model):
    sparse = ke.LSSVMRegressor("committee").fit(sp.csr_matrix(X), Y)
    np.testing.assert_allclose(sparse.predict(X), model.predict(X), rtol=1e-5, atol=1e-5)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    second = clone(model).fit(X, Y).set_params(kernel="rbf").fit(X, Y)
    assert not hasattr(second, "committee_")
    assert second.dual_coef_.ndim == 2


def test_groups_and_folds_stay_whole():
    """Copies of rows tell each other's targets, so that narrow kernels win unless held out too."""
    random = np.random.default_rng(1)
    rows = np.repeat(random.normal(size=(60, 3)), 4, axis=0) + 0.001 * random.normal(size=(240, 3))
    numbers = np.sin(2.0 * rows[:, 0]) + np.repeat(random.normal(size=60), 4)
    groups = np.repeat(np.arange(60), 4)
    blind = ke.LSSVMRegressor("committee").fit(rows, numbers)
    model = ke.LSSVMRegressor("committee").fit(rows, numbers, groups=groups)
    assert model.committee_.loss > 10 * blind.committee_.loss
    assert model.loo_residuals_.shape == (240,)
    series = ke.LSSVMRegressor("committee", folds=TimeSeriesSplit(4)).fit(X, Y)
    assert np.isfinite(series.loo_residuals_).all()  # also of rows that are never held out


def test_models_in_files(model, tmp_path):
    for name, fitted in {
        "regressor": model,
        "classifier": ke.LSSVMClassifier("committee").fit(X, LABELS),
    }.items():
        assert isinstance(fitted.kernel_, list)
        ke.save(fitted, tmp_path / name)
        again = ke.load(tmp_path / name)
        np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
        assert again.committee_ == fitted.committee_


def test_noise_leaves_the_elected_kernel_alone():
    alone = 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        rows, noise = random.normal(size=(60, 4)), random.normal(size=60)
        model = ke.LSSVMRegressor("committee").fit(rows, noise)
        if model.committee_.kernels == [model.committee_.elected]:
            alone += 1
            elected = ke.LSSVMRegressor("auto").fit(rows, noise)
            np.testing.assert_array_equal(model.predict(rows), elected.predict(rows))
            assert "stays alone" in repr(model.committee_)
    assert alone >= 6


def test_rows_that_are_all_equal_have_no_committee():
    model = ke.LSSVMRegressor("committee").fit(np.ones((6, 2)), np.arange(6.0))
    assert not hasattr(model, "committee_")
    np.testing.assert_allclose(model.predict(np.ones((1, 2))), 2.5, atol=0.5)


def test_a_lambda_per_target_needs_one_kernel():
    with pytest.raises(ValueError, match="lam_per_target=True gives every target"):
        ke.LSSVMRegressor("committee", lam_per_target=True).fit(X, np.column_stack([Y, Y]))


def test_it_is_no_worse_on_wine():
    rows, labels = load_wine(return_X_y=True)
    rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    model = ke.LSSVMClassifier("committee").fit(rows[::2], labels[::2])
    assert model.score(rows[1::2], labels[1::2]) > 0.95
