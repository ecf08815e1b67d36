"""Deviations of predictions: Gaussian processes, left-out rows, coverage, units."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_diabetes
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.metrics.pairwise import rbf_kernel

import kernelect as ke
from kernelect._evidence.signal import unit_of
from kernelect.lssvm import _fits


def sines(n, seed=0, noise=0.3):
    random = np.random.default_rng(seed)
    X = random.uniform(-3, 3, (n, 2))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + noise * random.normal(size=n)


def test_is_the_gaussian_process():
    X, y = sines(80)
    new = np.random.default_rng(1).uniform(-5, 5, (30, 2))
    model = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.3, bias=False).fit(X, y)
    mean, deviation = model.predict(new, return_std=True)
    square = float(np.mean(model.loo_residuals_ * model.dual_coef_[:, 0]))
    process = ConstantKernel(square) * RBF(np.sqrt(0.5 / ke.Gaussian(2.0).gamma))
    twin = GaussianProcessRegressor(process + WhiteKernel(0.3 * square), optimizer=None, alpha=0)
    expected, spread = twin.fit(X, y).predict(new, return_std=True)
    np.testing.assert_allclose(mean, expected, rtol=1e-8)
    np.testing.assert_allclose(deviation, spread, rtol=1e-8)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_left_out_have_the_deviation_that_the_fit_without_them_tells(bias, weighted):
    X, y = sines(40)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 40) if weighted else np.ones(40)
    fixed = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.4, bias=bias)
    whole = fixed.fit(X, y, weights)
    residuals, coefficients = whole.loo_residuals_, whole.dual_coef_[:, 0]
    for i in (0, 17, 39):
        keep = np.arange(40) != i
        left = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.4, bias=bias)
        left.fit(X[keep], y[keep], weights[keep])
        unit = np.sqrt(np.mean(left.loo_residuals_ * left.dual_coef_[:, 0]))
        new = left.predict(X[[i]], return_std=True)[1][0] / unit
        # 1 / P_ii is the residual over alpha_i; the row's own noise is that of its weight.
        own = residuals[i] / coefficients[i]
        assert new**2 - 0.4 + 0.4 / weights[i] == pytest.approx(own, rel=1e-7)


def test_conventions_of_lambda_are_one_thing():
    X, y = sines(40)
    both = [
        ke.LSSVMRegressor(ke.Gaussian(2.0), lam=lam, lam_convention=name).fit(X, y)
        for name, lam in (("sum", 0.4), ("mean", 0.01))
    ]
    ours, theirs = (model.predict(X, return_std=True)[1] for model in both)
    np.testing.assert_allclose(theirs / theirs[0], ours / ours[0], rtol=1e-9)
    # Without a row the mean convention has a smaller ridge, so its residuals are those of another
    # model, 1/n away.
    np.testing.assert_allclose(theirs, ours, rtol=0.02)


@pytest.mark.parametrize(("scaling", "lam"), [("none", "auto"), ("centered", 0.1)])
def test_covers_what_it_says(scaling, lam):
    X, y = sines(200)
    new, truth = sines(2000, seed=9)
    model = ke.LSSVMRegressor("auto", lam=lam, kernel_scaling=scaling).fit(X, y)
    mean, deviation = model.predict(new, return_std=True)
    standard = (truth - mean) / deviation
    assert 0.63 < np.mean(np.abs(standard) < 1) < 0.74
    assert 0.93 < np.mean(np.abs(standard) < 2) < 0.98
    X, y = load_diabetes(return_X_y=True)
    mean, deviation = (
        ke.LSSVMRegressor("auto").fit(X[:250], y[:250]).predict(X[250:], return_std=True)
    )
    assert 0.60 < np.mean(np.abs(y[250:] - mean) < deviation) < 0.76


def test_scaled_kernels_have_the_same_deviations():
    X, y = sines(60)
    scaled = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.3, kernel_scaling="centered").fit(X, y)
    plain = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=scaled.lam_).fit(X, y)
    both = [model.predict(X, return_std=True)[1] for model in (scaled, plain)]
    np.testing.assert_allclose(*both, rtol=1e-7)


def test_left_out_residuals_have_unit_variance():
    X, y = sines(100)
    model = ke.LSSVMRegressor(ke.Gaussian(8.0), lam=0.1).fit(X, y)
    unit = unit_of(model.loo_residuals_[:, None], model.dual_coef_)[0]
    variances = unit**2 * model.loo_residuals_ / model.dual_coef_[:, 0]
    assert np.mean(model.loo_residuals_**2 / variances) == pytest.approx(1.0)


def test_far_away_it_grows_and_near_the_rows_it_is_the_noise():
    X, y = sines(150, noise=0.1)
    model = ke.LSSVMRegressor("auto").fit(X, y)
    near, far = model.predict([[0.0, 0.0], [40.0, -40.0]], return_std=True)[1]
    assert 0.08 < near < 0.16
    assert far > 3 * near


@pytest.mark.parametrize("scale", [1e-150, 1e-6, 1e6, 1e150])
def test_follows_the_unit_of_y(scale):
    X, y = sines(60)
    fixed = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.3)
    plain = fixed.fit(X, y).predict(X, return_std=True)[1]
    scaled = fixed.fit(X, scale * (y + 3.0)).predict(X, return_std=True)[1]
    np.testing.assert_allclose(scaled / scale, plain, rtol=1e-6)


def test_targets_with_lambdas_of_their_own():
    X, y = sines(70)
    both = np.column_stack([y, 5.0 * np.random.default_rng(3).normal(size=70)])
    model = ke.LSSVMRegressor(ke.Gaussian(2.0), lam_per_target=True).fit(X, both)
    mean, deviation = model.predict(X, return_std=True)
    assert mean.shape == deviation.shape == (70, 2)
    assert len(set(np.atleast_1d(model.lam_).tolist())) == 2
    for k, lam in enumerate(model.lam_):
        one = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=lam).fit(X, both[:, k])
        np.testing.assert_allclose(deviation[:, k], one.predict(X, return_std=True)[1], rtol=1e-7)


def test_tiles_and_blocks_change_nothing(monkeypatch):
    X, y = sines(90)
    model = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.3).fit(X, y)
    whole = model.predict(X, return_std=True)[1]
    monkeypatch.setattr(_fits.deviation, "_BLOCK", 16)
    monkeypatch.setattr(ke.kernels._chunks, "_MEMORY", 1.0)
    monkeypatch.setattr(ke.kernels._chunks, "_FEWEST", 7)
    again = pickle.loads(pickle.dumps(model)).predict(X, return_std=True)[1]
    np.testing.assert_allclose(again, whole, rtol=1e-10)


def test_factor_in_blocks(monkeypatch):
    random = np.random.default_rng(0).normal(size=(70, 90))
    matrix = random @ random.T
    monkeypatch.setattr(_fits.deviation, "_BLOCK", 16)
    factor = np.tril(_fits.deviation.cholesky_in_blocks(matrix.copy()))
    np.testing.assert_allclose(factor @ factor.T, matrix, rtol=1e-12, atol=1e-12)


def test_new_rows_are_never_a_whole_matrix(monkeypatch):
    X, y = sines(50)
    asked = []

    def watched(left, right):
        asked.append(len(left) * len(right))
        return rbf_kernel(left, right, gamma=0.5)

    model = ke.LSSVMRegressor(watched, lam=0.5).fit(X, y)
    monkeypatch.setattr(ke.kernels._chunks, "_MEMORY", 8.0 * 2048 * 64)
    asked.clear()
    many = np.tile(X, (100, 1))
    deviation = model.predict(many, return_std=True)[1]
    assert deviation.shape == (5000,)
    assert max(asked) <= 2048 * 64 < 5000 * 50


def test_sparse_rows_pickles_and_second_fits():
    X, y = sines(60)
    model = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.3).fit(X, y)
    small = len(pickle.dumps(model))
    deviation = model.predict(X, return_std=True)[1]
    assert len(pickle.dumps(model)) == small
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X, return_std=True)[1], deviation)
    thin = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.3).fit(sparse.csr_matrix(X), y)
    np.testing.assert_allclose(thin.predict(X, return_std=True)[1], deviation, rtol=1e-9)
    doubled = model.fit(X, 2.0 * y).predict(X, return_std=True)[1]
    np.testing.assert_allclose(doubled, 2.0 * deviation, rtol=1e-9)


def test_a_singular_kernel():
    X = np.repeat(np.arange(6.0), 10)[:, None]
    y = X[:, 0] + np.random.default_rng(0).normal(size=60)
    model = ke.LSSVMRegressor(ke.Linear(), lam=1e-14).fit(X, y)
    deviation = model.predict(X, return_std=True)[1]
    assert np.isfinite(deviation).all()
    expected = np.std(y - np.polyval(np.polyfit(X[:, 0], y, 1), X[:, 0]))
    np.testing.assert_allclose(deviation, expected, rtol=0.1)


def test_refusals():
    X, y = sines(30)
    model = ke.LSSVMRegressor("precomputed", lam=1.0).fit(ke.Gaussian(1.0)(X), y)
    with pytest.raises(ValueError, match=r"return_std needs k\(x, x\) of the new rows"):
        model.predict(ke.Gaussian(1.0)(X), return_std=True)
    with pytest.raises(TypeError, match="return_std must be True or False"):
        ke.LSSVMRegressor(ke.Gaussian(1.0)).fit(X, y).predict(X, return_std="yes")


@pytest.mark.parametrize("bias", [True, False])
def test_sized_by_the_residuals_of_one_model_they_are_its_own(bias):
    X, y = sines(700)  # more than a block
    weights = 0.5 + np.arange(700) % 3
    model = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.3, bias=bias).fit(X, y, weights)
    model.predict(X[:2], return_std=True)
    own = model._deviations
    np.testing.assert_allclose(
        own.sized_by(model.loo_residuals_[:, None])(X[:9]), own(X[:9]), rtol=2e-3
    )


@pytest.mark.parametrize("kernel", ["committee", "best"])
def test_of_a_committee_cover_new_rows(kernel):
    random = np.random.default_rng(3)
    X = random.uniform(-3, 3, (1500, 3))
    y = np.column_stack([np.abs(X[:, 0]) + np.sin(3 * X[:, 1]), X[:, 2]])
    y = y + [0.2, 2.0] * random.normal(size=(1500, 2))
    model = ke.LSSVMRegressor(kernel).fit(X[:300], y[:300])
    assert isinstance(model.kernel_, list)
    mean, deviation = model.predict(X[300:], return_std=True)
    covered = (np.abs(y[300:] - mean) < 1.96 * deviation).mean(axis=0)
    assert (np.abs(covered - 0.95) < 0.03).all(), covered
    far = model.predict(X[:5] + 40.0, return_std=True)[1]
    assert (far > 1.1 * deviation.max(axis=0)).all()
    again = pickle.loads(pickle.dumps(model)).predict(X[300:], return_std=True)[1]
    np.testing.assert_array_equal(again, deviation)
