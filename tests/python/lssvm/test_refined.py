"""Learners that refine what they elect, and those that take the best way there is."""

import numpy as np
import pytest
from sklearn.base import clone

import kernelect as ke

RNG = np.random.default_rng(2)
N = 160
X = RNG.normal(size=(N, 4))
SMOOTH = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1]
NUMBERS = SMOOTH + 0.1 * RNG.normal(size=N)
CLASSES = np.digitize(SMOOTH, [-0.5, 0.5])
NEW = np.random.default_rng(3).normal(size=(400, 4))
TRUTH = np.sin(2 * NEW[:, 0]) + 0.3 * NEW[:, 1]


@pytest.mark.parametrize("kernel", ["refined", "best"])
def test_regressor(kernel):
    model = ke.LSSVMRegressor(kernel).fit(X, NUMBERS)
    assert isinstance(model.kernel_, ke.ARDGaussian)
    assert model.selection_.refinement.adopted
    usual = ke.LSSVMRegressor().fit(X, NUMBERS)
    losses = [np.mean((one.predict(NEW) - TRUTH) ** 2) for one in (model, usual)]
    assert losses[0] < 0.5 * losses[1]
    if kernel == "refined":
        chosen = ke.refine(X, NUMBERS)
        assert model.kernel_ == chosen.kernel
        assert model.lam_ == pytest.approx(chosen.lam)
    mean, deviation = model.predict(NEW, return_std=True)
    assert mean.shape == deviation.shape


@pytest.mark.parametrize("kernel", ["refined", "best"])
def test_classifier(kernel):
    model = ke.LSSVMClassifier(kernel).fit(X, CLASSES)
    usual = ke.LSSVMClassifier().fit(X, CLASSES)
    truth = np.digitize(TRUTH, [-0.5, 0.5])
    assert model.score(NEW, truth) >= usual.score(NEW, truth)
    assert model.predict_proba(NEW).shape == (400, 3)


def test_a_given_lambda_stays():
    model = ke.LSSVMRegressor("refined", lam=0.25).fit(X, NUMBERS)
    assert model.lam_ == 0.25
    assert model.selection_.refinement.adopted
    mean = ke.LSSVMRegressor("refined", lam=0.25 / N, lam_convention="mean").fit(X, NUMBERS)
    np.testing.assert_allclose(mean.kernel_.gammas, model.kernel_.gammas, rtol=0.05)
    with pytest.raises(ValueError, match="relative to each kernel"):
        ke.LSSVMRegressor("refined", lam=1.0, kernel_scaling="centered").fit(X, NUMBERS)


def test_alike_columns_stay_as_elected():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(80, 8))
    y = rows.sum(axis=1) + 4.0 * rng.normal(size=80)
    model = ke.LSSVMRegressor("best").fit(rows, y)
    usual = ke.LSSVMRegressor("auto").fit(rows, y)
    if model.report_.kept == "auto":
        np.testing.assert_array_equal(model.predict(rows), usual.predict(rows))
    assert model.report_.names == ["auto", "refined", "committee"]


def test_best_reports_what_it_did(tmp_path):
    model = ke.LSSVMRegressor("best").fit(X, NUMBERS)
    report = model.report_
    assert report.kept == "refined"
    assert report.losses[1] < report.losses[0]
    assert "refined *" in repr(report)
    assert "<table" in report._repr_html_()
    assert report.to_dict()["kept"] == "refined"
    ke.save(model, tmp_path / "model.npz")
    loaded = ke.load(tmp_path / "model.npz")
    assert loaded.report_ == report
    assert loaded.selection_ == model.selection_
    np.testing.assert_array_equal(loaded.predict(NEW), model.predict(NEW))
    again = clone(model).set_params(kernel="auto").fit(X, NUMBERS)
    assert not hasattr(again, "report_")
    model.set_params(kernel="auto").fit(X, NUMBERS)
    assert not hasattr(model, "report_")


def test_too_few_rows():
    model = ke.LSSVMRegressor("best").fit(X[:30], NUMBERS[:30])
    assert "too few" in model.report_.reason
    assert model.kernel_ == ke.LSSVMRegressor().fit(X[:30], NUMBERS[:30]).kernel_


def test_several_targets_groups_and_weights():
    y = np.column_stack([NUMBERS, X[:, 0] ** 2, np.zeros(N)])
    for kernel in ("refined", "best"):
        model = ke.LSSVMRegressor(kernel).fit(X, y)
        assert model.predict(NEW).shape == (400, 3)
        ke.LSSVMRegressor(kernel).fit(X, NUMBERS, groups=np.arange(N) // 4)
        weights = np.where(np.arange(N) < 20, 0.0, 1.0 + np.arange(N) / N)
        ke.LSSVMRegressor(kernel).fit(X, NUMBERS, sample_weight=weights)
    with pytest.raises(ValueError, match="lam_per_target"):
        ke.LSSVMRegressor("best", lam_per_target=True).fit(X, y[:, :2])
    ke.LSSVMRegressor("refined", lam_per_target=True).fit(X, y[:, :2])


def test_limit_of_time():
    with pytest.warns(UserWarning, match="time_limit"):
        model = ke.LSSVMRegressor("refined", time_limit=0.05).fit(X, NUMBERS)
    assert model.selection_.partial
    whole = ke.LSSVMRegressor("best", time_limit=600.0).fit(X, NUMBERS)
    assert whole.report_.kept == "refined"
