"""Learners that refine what they elect."""

import numpy as np
import pytest
from problems import CLASS_EDGES, uneven_columns

import kernelect as ke

X, NUMBERS, CLASSES, NEW, TRUTH = uneven_columns()
N = len(X)


def _loss_beside_usual(model):
    usual = ke.LSSVMRegressor("auto").fit(X, NUMBERS)
    losses = [np.mean((one.predict(NEW) - TRUTH) ** 2) for one in (model, usual)]
    return losses[0] / losses[1]


def test_regressor():
    model = ke.LSSVMRegressor("refined").fit(X, NUMBERS)
    assert isinstance(model.kernel_, ke.ARDGaussian)
    assert model.selection_.refinement.adopted
    assert _loss_beside_usual(model) < 0.5
    chosen = ke.refine(X, NUMBERS)
    assert model.kernel_ == chosen.kernel
    assert model.lam_ == pytest.approx(chosen.lam)
    mean, deviation = model.predict(NEW, return_std=True)
    assert mean.shape == deviation.shape


def test_classifier():
    model = ke.LSSVMClassifier("refined").fit(X, CLASSES)
    usual = ke.LSSVMClassifier("auto").fit(X, CLASSES)
    truth = np.digitize(TRUTH, CLASS_EDGES)
    assert model.score(NEW, truth) >= usual.score(NEW, truth)
    assert model.predict_proba(NEW).shape == (400, 3)


def test_a_given_lambda_stays():
    model = ke.LSSVMRegressor("refined", lam=0.25).fit(X, NUMBERS)
    assert model.lam_ == 0.25
    assert model.selection_.refinement.adopted
    mean = ke.LSSVMRegressor("refined", lam=0.25 / N, lam_convention="mean").fit(X, NUMBERS)
    # Widths of columns that say nothing are not determined, what they say together is.
    both = [list(one.selection_.refinement.relevance.values()) for one in (mean, model)]
    np.testing.assert_allclose(*both, atol=0.005)
    np.testing.assert_allclose(mean.predict(NEW), model.predict(NEW), atol=0.05)
    with pytest.raises(ValueError, match="relative to each kernel"):
        ke.LSSVMRegressor("refined", lam=1.0, kernel_scaling="centered").fit(X, NUMBERS)


def test_alike_columns_stay_as_elected():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(80, 8))
    y = rows.sum(axis=1) + 4.0 * rng.normal(size=80)
    model = ke.LSSVMRegressor("refined").fit(rows, y)
    assert not model.selection_.refinement.adopted
    np.testing.assert_array_equal(
        model.predict(rows), ke.LSSVMRegressor("auto").fit(rows, y).predict(rows)
    )


def test_several_targets_groups_and_weights():
    y = np.column_stack([NUMBERS, X[:, 0] ** 2, np.zeros(N)])
    model = ke.LSSVMRegressor("refined").fit(X, y)
    assert model.predict(NEW).shape == (400, 3)
    ke.LSSVMRegressor("refined").fit(X, NUMBERS, groups=np.arange(N) // 4)
    weights = np.where(np.arange(N) < 20, 0.0, 1.0 + np.arange(N) / N)
    ke.LSSVMRegressor("refined").fit(X, NUMBERS, sample_weight=weights)
    ke.LSSVMRegressor("refined", lam_per_target=True).fit(X, y[:, :2])


def test_limit_of_time():
    with pytest.warns(UserWarning, match="time_limit"):
        model = ke.LSSVMRegressor("refined", time_limit=0.01).fit(X, NUMBERS)
    assert model.selection_.partial
