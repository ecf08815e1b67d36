"""The core's ridge systems on stored kernel matrices: every path against honest retraining."""

import golden
import numpy as np
import pytest
import twins
from ridge_core import NO_WEIGHTS, TAUS, ridge, rows_targets_folds
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict

from kernelect._dispatch import core


@pytest.mark.parametrize("tau", TAUS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("mean", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("shortcuts", [True, False])
def test_held_out_outputs_are_honest_retraining(tau, bias, mean, weighted, shortcuts):
    x, y, folds = rows_targets_folds(60)
    K = twins.gaussian(x, tau)
    weights = np.random.default_rng(1).uniform(0.3, 4.0, size=60) if weighted else None
    lam = 0.01 if mean else 0.4
    found = ridge(
        [K],
        y,
        [lam],
        folds=[folds[:4], [[5, 50]]],
        mean=mean,
        bias=bias,
        shortcuts=shortcuts,
        weights=weights if weighted else NO_WEIGHTS,
    )
    how = {"mean": mean, "bias": bias, "weights": weights}
    assert found["error"] == [[""]]
    loo = np.vstack([twins.retrained(K, y, [i], lam, **how) for i in range(60)])
    np.testing.assert_allclose(found["loo"]["outputs"][0, 0], loo, atol=1e-10)
    np.testing.assert_allclose(found["loo"]["squared"][0, 0], ((y - loo) ** 2).mean(axis=0))
    outputs = found["cv"][0]["outputs"][0, 0]
    for fold in folds[:4]:
        np.testing.assert_allclose(
            outputs[fold], twins.retrained(K, y, fold, lam, **how), atol=1e-10
        )
    pair = found["cv"][1]["outputs"][0, 0]
    np.testing.assert_allclose(
        pair[[5, 50]], twins.retrained(K, y, [5, 50], lam, **how), atol=1e-10
    )
    assert np.isnan(np.delete(pair, [5, 50], axis=0)).all()
    held_out = ((y - pair)[[5, 50]] ** 2).mean(axis=0)
    np.testing.assert_allclose(found["cv"][1]["squared"][0, 0], held_out)

    rho = 60 * lam if mean else lam
    ridges = np.full(60, rho) if weights is None else rho / weights
    alpha, b = twins.fit(K, y, ridges, bias)
    np.testing.assert_allclose(found["alpha"][0, 0], alpha, atol=1e-9)
    np.testing.assert_allclose(found["bias"][0, 0], b, atol=1e-9)
    # Leverages and GCV from the hat matrix, which maps targets to fitted values.
    unit, _ = twins.fit(K, np.eye(60), ridges, bias)
    hat = twins.hat(K, ridges, bias)
    np.testing.assert_allclose(found["leverages"][0, 0], np.diag(hat), atol=1e-9)
    np.testing.assert_allclose(found["trace"][0, 0], np.trace(unit), rtol=1e-9)
    w = np.ones(60) if weights is None else weights
    residuals = np.sqrt(w)[:, None] * (y - hat @ y)
    gcv = (residuals**2).mean(axis=0) / (1 - np.trace(hat) / 60) ** 2
    np.testing.assert_allclose(found["gcv"][0, 0], gcv, rtol=1e-8)


GOLDEN = [(*system, *item) for system, wanted in golden.RIDGE.items() for item in wanted.items()]


@pytest.mark.parametrize(("bias", "lam", "mean", "criterion", "value"), GOLDEN)
def test_golden_values(bias, lam, mean, criterion, value):
    gram = twins.gaussian(golden.X, golden.TAU)
    how = {"bias": bias, "mean": mean, "bif_order": 3 * mean}
    found = ridge([gram], golden.Y, [lam], folds=[golden.FOLDS], **how)
    if criterion == "gcv":
        got = found["gcv"]
    else:
        got = (found["loo"] if criterion == "loo" else found[criterion][0])["squared"]
    np.testing.assert_allclose(got[0, 0, 0], value, rtol=1e-10)


def test_golden_bias_regression_and_bayesian_regularisation():
    K = twins.gaussian(golden.X, golden.TAU)
    found = ridge([K], golden.Y)
    np.testing.assert_allclose(found["bias"][0, 0, 0], golden.BIAS, rtol=1e-10)
    numbers = ridge([K], golden.T)["loo"]["squared"][0, 0, 0]
    np.testing.assert_allclose(numbers, golden.REGRESSION["loo"], rtol=1e-10)
    gamma = np.array([1 / (2 * golden.TAU)])
    br = core.bayesian_regularisation(found["loo"]["squared"][0, 0], 7, gamma)
    np.testing.assert_allclose(br, golden.CLASSIFICATION["br"], rtol=1e-10)
    # Scaling the target by s adds n log s.
    scaled = core.bayesian_regularisation(9.0 * found["loo"]["squared"][0, 0], 7, gamma)
    np.testing.assert_allclose(scaled - br, 7 * np.log(3.0))
    with pytest.raises(ValueError, match="not all 0"):
        core.bayesian_regularisation(np.ones(1), 7, np.zeros(2))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("tau", [0.001, 1.0, 1e5])
def test_bif_is_its_definition_and_tends_to_retraining(tau, bias):
    x, y, folds = rows_targets_folds(40, seed=2)
    K, lam = twins.gaussian(x, tau), 0.02
    for order in (1, 3, 4):
        found = ridge([K], y[:, 0], [lam], folds=[folds], mean=True, bias=bias, bif_order=order)
        got = found["bif"][0]["outputs"][0, 0, :, 0]
        for fold in folds:
            expected = twins.influence_expansion(K, y[:, 0], fold, lam=lam, order=order, bias=bias)
            np.testing.assert_allclose(got[fold], expected, atol=1e-9)
    found = ridge([K], y[:, 0], [1.0], folds=[folds], mean=True, bias=bias, bif_order=200, cv=True)
    np.testing.assert_allclose(found["bif"][0]["outputs"], found["cv"][0]["outputs"], atol=1e-9)


def test_zero_one_losses():
    x, y, folds = rows_targets_folds(50, seed=3)
    K, labels = twins.gaussian(x, 1.0), y[:, 0]
    found = ridge([K], labels, folds=[folds], zero_one=True)
    for part in (found["loo"], found["cv"][0]):
        wrong = part["outputs"][0, 0, :, 0] * labels < 0
        np.testing.assert_allclose(part["zero_one"][0, 0], wrong.mean())
        np.testing.assert_array_equal(part["point_zero_one"][0, 0], wrong)
        errors = (labels - part["outputs"][0, 0, :, 0]) ** 2
        np.testing.assert_allclose(part["point_squared"][0, 0], errors)
    two = ridge([K], np.column_stack([labels, -labels]), folds=[folds], zero_one=True)
    np.testing.assert_allclose(two["loo"]["zero_one"], found["loo"]["zero_one"])
    np.testing.assert_allclose(two["loo"]["squared"].mean(), found["loo"]["squared"].mean())

    classes = np.digitize(x[:, 0], [-0.5, 0.5])
    columns = np.where(classes[:, None] == np.arange(3), 1.0, -1.0)
    several = ridge([K], columns, zero_one=True)["loo"]
    wrong = several["outputs"][0, 0].argmax(axis=1) != classes
    np.testing.assert_array_equal(several["point_zero_one"][0, 0], wrong)
    np.testing.assert_allclose(
        several["point_squared"][0, 0], ((columns - several["outputs"][0, 0]) ** 2).mean(axis=1)
    )


@pytest.mark.parametrize("shortcuts", [True, False])
@pytest.mark.parametrize("lam", [1.0, 0.1, 0.37])
def test_the_identity_kernel(shortcuts, lam):
    labels = np.repeat([1.0, -1.0], 20)
    without = ridge([np.eye(40)], labels, [lam], bias=False, zero_one=True, shortcuts=shortcuts)
    # Held-out outputs are 0, which counts one half whatever rounding makes of it.
    np.testing.assert_allclose(without["loo"]["zero_one"], 0.5)
    np.testing.assert_allclose(without["loo"]["squared"], 1.0)
    # With a bias the output is the mean of the other labels: always wrong for balanced classes.
    with_bias = ridge([np.eye(40)], labels, [lam], zero_one=True, shortcuts=shortcuts)
    np.testing.assert_allclose(with_bias["loo"]["zero_one"], 1.0)
    np.testing.assert_allclose(with_bias["loo"]["outputs"][0, 0, :, 0], -labels / 39)


def test_scikit_learn_agrees():
    x, y, _ = rows_targets_folds(45, seed=4)
    K, lam = twins.gaussian(x, 0.8), 0.3
    model = KernelRidge(kernel="precomputed", alpha=lam)
    splits = list(KFold(4, shuffle=True, random_state=0).split(x))
    found = ridge([K], y, [lam], folds=[[test for _, test in splits]], bias=False)
    loo = cross_val_predict(model, K, y, cv=LeaveOneOut())
    np.testing.assert_allclose(found["loo"]["outputs"][0, 0], loo, atol=1e-10)
    cv = cross_val_predict(model, K, y, cv=splits)
    np.testing.assert_allclose(found["cv"][0]["outputs"][0, 0], cv, atol=1e-10)

    lambdas = [0.01, 0.3, 7.0]
    for bias in (True, False):
        path = ridge([x @ x.T], y[:, 1], lambdas, bias=bias)["loo"]["point_squared"][0]
        peer = RidgeCV(alphas=lambdas, fit_intercept=bias, store_cv_results=True).fit(x, y[:, 1])
        np.testing.assert_allclose(path, peer.cv_results_.T, rtol=1e-7)


def test_singular_kernels_and_tiny_ridges():
    x, y, folds = rows_targets_folds(40, seed=8)
    x[:10] = x[10:20]
    K = twins.gaussian(x, 1.0)
    found = ridge([K, np.eye(40)], y, [0.0, 1e-18, 1e-6], folds=[folds])
    (none, jittered, plain), healthy = found["error"][0], found["error"][1]
    assert "singular" in none
    assert "positive lam" in none
    assert jittered == plain == ""
    assert healthy == ["", "", ""]
    assert np.isnan(found["loo"]["outputs"][0, 0]).all()
    assert found["jitter"][0, 1] >= 1e-12
    assert found["jitter"][0, 2] == 0.0
    assert np.isfinite(found["cv"][0]["outputs"][0, 1:]).all()
    small = twins.retrained(K, y, folds[1], 1e-6)
    np.testing.assert_allclose(found["cv"][0]["outputs"][0, 2][folds[1]], small, atol=1e-6)

    # A kernel of full rank needs no ridge.
    full = twins.gaussian(x[10:], 0.05)
    loo = ridge([full], y[10:], [0.0])["loo"]["outputs"][0, 0]
    np.testing.assert_allclose(loo[3], twins.retrained(full, y[10:], [3], 0.0)[0], atol=1e-9)

    indefinite = ridge([-np.eye(40)], y, [0.5])
    assert "not positive semidefinite" in indefinite["error"][0][0]
    assert "not finite" in ridge([np.full((40, 40), np.nan)], y)["error"][0][0]


def test_weighted_gcv_knows_of_the_jitter():
    """GCV is n |W^1/2 (y - f)|^2 / (n - tr S)^2, also where a singular matrix needed a jitter."""
    x = np.repeat(np.linspace(0.0, 1.0, 6), 2)[:, None]
    y = np.sin(5 * np.arange(12.0))
    weights = np.geomspace(1e-3, 1e3, 12)
    found = ridge([x @ x.T], y, [1e-16], weights=weights)
    assert found["jitter"][0, 0] > 0
    penalty = 1e-16 / weights + found["fit_jitter"][0, 0]
    residuals = penalty * found["alpha"][0, 0, :, 0]
    free = 12 - found["leverages"][0, 0].sum()
    wanted = 12 * (weights * residuals**2).sum() / free**2
    assert found["gcv"][0, 0, 0] == pytest.approx(wanted, rel=1e-6)
