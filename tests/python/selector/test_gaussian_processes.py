"""Gaussian processes keep what was given around the kernel, and say what they do not keep."""

import warnings

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern, WhiteKernel

import kernelect as ke

GRID = ke.gaussian_grid(-6, 6)


def waves(n=100):
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(n, 1))
    return X, np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=n)


def test_constants_and_noise_around_the_kernel_stay():
    X, y = waves()
    given = ConstantKernel(2.0, (1e-3, 1e3)) * RBF(1.0) + WhiteKernel(0.5, (1e-3, 1e3))
    model = ke.KernelSelector(GaussianProcessRegressor(given), GRID).fit(X, y)
    used = model.best_params_["kernel"]
    assert used == ConstantKernel(2.0, (1e-3, 1e3)) * RBF(
        model.best_kernel_.sigma, "fixed"
    ) + WhiteKernel(0.5, (1e-3, 1e3))
    learned = model.best_estimator_.kernel_
    assert learned.k1.k2.length_scale == model.best_kernel_.sigma
    assert learned.k2.noise_level == pytest.approx(0.09, rel=0.5)  # found by the optimiser
    assert given.k1.k2.length_scale == 1.0
    powers = ke.KernelSelector(GaussianProcessRegressor(RBF() ** 2), GRID).fit(X, y)
    assert powers.best_params_["kernel"].k2 == RBF(powers.best_kernel_.sigma, "fixed") ** 2
    matern = GaussianProcessRegressor(ConstantKernel() * Matern(), alpha=0.1)
    elected = ke.KernelSelector(matern, [ke.Matern(1.5, 0.5), ke.Matern(1.5, 2.0)]).fit(X, y)
    assert type(elected.best_params_["kernel"].k2) is Matern


@pytest.mark.parametrize("auto", [None, "auto"])
@pytest.mark.parametrize("given", [Matern(), RBF() + DotProduct(), RBF() * RBF(2.0)])
def test_a_covariance_that_is_replaced_is_named(given, auto):
    X, y = waves()
    model = ke.KernelSelector(GaussianProcessRegressor(given, alpha=0.1), GRID, C=auto)
    with pytest.warns(UserWarning, match="of GaussianProcessRegressor is replaced by the elected"):
        model.fit(X, y)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("given", [None, ConstantKernel() * RBF() + WhiteKernel()])
def test_deviations_are_those_of_new_observations(unit, given):
    X, y = waves(300)
    model = ke.KernelSelector(GaussianProcessRegressor(given), GRID, regularization="auto")
    model.fit(X[:150], unit * (y[:150] + 100.0))
    mean, deviation = model.predict(X[150:], return_std=True)
    standard = (unit * (y[150:] + 100.0) - mean) / deviation
    assert 0.6 < np.mean(np.abs(standard) < 1) < 0.76
    assert 0.9 < np.mean(np.abs(standard) < 2) < 0.99


FREE = [
    ConstantKernel() * RBF() + WhiteKernel(),
    ConstantKernel() * (RBF() + WhiteKernel()),
    (RBF() + WhiteKernel()) * ConstantKernel(),
    # Of variance 1, whatever the unit: predictions 20 deviations of y away were seen.
    RBF() + WhiteKernel(),
    RBF() ** 2 + WhiteKernel(),
]


@pytest.mark.parametrize("unit", [1e-6, 1e6])
@pytest.mark.parametrize("given", FREE, ids=str)
def test_what_a_process_finds_by_itself_begins_in_the_unit_of_y(given, unit):
    """With y of 1e6 constants and noise stood at scikit-learn's bounds, deviations were 1e-6."""
    X, y = waves()
    model = ke.KernelSelector(GaussianProcessRegressor(given), GRID)
    plain = model.fit(X, y).predict(X, return_std=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as that a parameter is close to its bound
        scaled = model.fit(X, unit * y).predict(X, return_std=True)
    for found, expected in zip(scaled, plain, strict=True):
        np.testing.assert_allclose(found / unit, expected, atol=1e-3)


@pytest.mark.filterwarnings("ignore:The optimal value found")
@pytest.mark.parametrize("normal", [True, False])
def test_constants_with_a_wish_in_them_stay(normal):
    X, y = waves(40)
    kept = ConstantKernel(1.0, "fixed") * RBF() + WhiteKernel(2.0) + ConstantKernel(1.0, (0.5, 2.0))
    free = kept + WhiteKernel()
    model = ke.KernelSelector(GaussianProcessRegressor(free, normalize_y=normal), GRID)
    used = model.fit(X, 1e3 * y).best_params_["kernel"]
    assert used.k1.k1.k1.k1 == ConstantKernel(1.0, "fixed")
    assert (used.k1.k1.k2, used.k1.k2) == (WhiteKernel(2.0), ConstantKernel(1.0, (0.5, 2.0)))
    assert (used.k2 == WhiteKernel()) == normal


@pytest.mark.filterwarnings("ignore:The optimal value found")
def test_a_process_without_a_constant_stays_where_there_is_a_wish_in_its_noise():
    X, y = waves(40)
    for process in (
        GaussianProcessRegressor(RBF() + WhiteKernel(0.5)),
        GaussianProcessRegressor(RBF() + WhiteKernel(1.0, "fixed")),
        GaussianProcessRegressor(RBF(), alpha=0.1),
        GaussianProcessRegressor(RBF(), normalize_y=True),
    ):
        model = ke.KernelSelector(process, GRID).fit(X, 1e3 * y)
        used = model.best_params_["kernel"]
        given = process.kernel
        assert used == RBF(model.best_kernel_.sigma, "fixed") or used.k2 == given.k2
        assert "alpha" not in model.best_params_


def test_constants_and_noise_stay_around_a_kernel_of_another_kind():
    X, y = waves()
    given = ConstantKernel() * Matern() + WhiteKernel()
    with pytest.warns(UserWarning, match=r"the kernel Matern\(.*\) of .* replaced by .* RBF"):
        model = ke.KernelSelector(GaussianProcessRegressor(given), GRID).fit(X, y)
    assert 0.2 < model.predict(X, return_std=True)[1].min() < 0.5  # noise of 0.3 is in the data


def test_a_classifier_keeps_the_constant_too():
    X, y = waves(60)
    process = GaussianProcessClassifier(ConstantKernel(4.0, "fixed") * RBF())
    model = ke.KernelSelector(process, GRID, "sm").fit(X, y > 0)
    sigma = model.best_kernel_.sigma
    assert model.best_params_["kernel"] == ConstantKernel(4.0, "fixed") * RBF(sigma, "fixed")
    assert model.score(X, y > 0) > 0.8


def test_a_bare_process_gets_signal_and_noise():
    X, y = waves()
    bare = ke.KernelSelector(GaussianProcessRegressor(), GRID).fit(X, y)
    asked = ke.KernelSelector(GaussianProcessRegressor(), GRID, regularization="auto").fit(X, y)
    assert bare.best_params_ == asked.best_params_
    assert bare.predict(X, return_std=True)[1].min() > 0.2  # noise of 0.3 is in the data
    noisy = ke.KernelSelector(GaussianProcessRegressor(alpha=0.1), GRID).fit(X, y)
    assert "alpha" not in noisy.best_params_
    classes = ke.KernelSelector(GaussianProcessClassifier(), GRID).fit(X, y > 0)
    assert set(classes.best_params_) == {"kernel"}


def test_a_process_of_several_kernels_does_not_lose_its_noise_with_them():
    """The elected kernel stood for the whole sum, without signal and noise: R2 of -5.5 was seen."""
    X, y = waves()
    process = GaussianProcessRegressor(RBF() + DotProduct() + WhiteKernel())
    with pytest.warns(UserWarning, match="is replaced by the elected"):
        model = ke.KernelSelector(process, GRID).fit(X, 100.0 * y)
    assert model.score(X, 100.0 * y) > 0.7
    assert 20 < model.predict(X, return_std=True)[1].min() < 50
