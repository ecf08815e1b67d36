"""Infinite kernel learning: not above any finite choice, and families that say what they are."""

import numpy as np
import pytest
from mkl_problems import rows_and_target

import kernelect as ke
from kernelect.mkl import ARDGaussianFamily, GaussianFamily, PolynomialFamily

INTERVAL = (2.0**-6, 2.0**4)


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize("method", ["ifkl", "ikl"])
def test_not_above_any_grid_of_the_interval(method, task, learner):
    x, y, _ = rows_and_target(task, n=50)
    kinds = ke.InfiniteMKLClassifier, ke.MKLClassifier
    if task == "regression":
        kinds = ke.InfiniteMKLRegressor, ke.MKLRegressor
    own = {"lam": 2.0, "t": 3} if method == "ifkl" else {}
    family = GaussianFamily(INTERVAL)
    infinite = kinds[0](method, family, **own, tol=1e-4, learner=learner).fit(x, y)
    assert infinite.converged_
    value = infinite.objective_path_[-1]
    for count, offset in ((4, 0.0), (11, 0.0), (16, 0.3)):
        rates = np.geomspace(*INTERVAL, count) * 2.0 ** (offset * np.linspace(1, -1, count))
        grid = [ke.Gaussian(gamma=g) for g in rates]
        finite = kinds[1]("fkl", grid, learner=learner, **(own or {"lam": 0.0})).fit(x, y)
        assert value <= finite.objective_path_[-1] + infinite.gap_
    assert (np.diff(infinite.objective_path_) <= 1e-6).all()
    assert infinite.weights_.sum() == pytest.approx(1.0)
    assert (infinite.weights_ > 0).all()
    assert all(INTERVAL[0] <= k.gamma <= INTERVAL[1] for k in infinite.kernels_)


def test_a_plateau_hides_no_peak():
    # Narrow kernels are all the identity, and score alike; a lower place of the scan has a higher
    # peak beside it.
    values = np.array([1.0, 3.0, 2.0, 4.0, 4.0 - 1e-12, 4.0, 4.0, 4.0])
    search = GaussianFamily(INTERVAL).search(rows_and_target("binary")[0], 1, None)
    search.scan.scores = lambda score: values
    assert search.peaks(None)[1] == [3, 1]


def test_not_above_a_grid_where_narrow_kernels_win():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 13))
    y = (x[:, 0] + 0.7 * x[:, 1] * x[:, 2] + rng.normal(size=120) > 0).astype(int)
    infinite = ke.InfiniteMKLClassifier("ikl", tol=1e-4).fit(x, y)
    grid = [ke.Gaussian(gamma=g) for g in np.geomspace(2.0**-10, 2.0**10, 61)]
    finite = ke.MKLClassifier("simple", grid, tol=1e-6).fit(x, y)
    assert infinite.objective_path_[-1] <= finite.objective_path_[-1] + infinite.gap_


def test_degrees_are_the_finite_problem():
    x, y, _ = rows_and_target("binary", n=50)
    infinite = ke.InfiniteMKLClassifier("ifkl", PolynomialFamily((1, 6)), tol=1e-6).fit(x, y)
    finite = ke.MKLClassifier("fkl", [ke.Polynomial(d) for d in range(1, 7)], tol=1e-7).fit(x, y)
    assert infinite.objective_path_[-1] == pytest.approx(finite.objective_path_[-1], rel=2e-6)


def test_both_families_are_not_above_either():
    x, y, _ = rows_and_target("binary", n=50)
    both = ke.InfiniteMKLClassifier("ikl", "both", tol=1e-4).fit(x, y)
    for name in ("gaussian", "polynomial"):
        one = ke.InfiniteMKLClassifier("ikl", name, tol=1e-4).fit(x, y)
        assert both.objective_path_[-1] <= one.objective_path_[-1] + both.gap_


def test_rates_of_features_are_not_above_a_common_one():
    x, y, _ = rows_and_target("binary", n=50)
    common = ke.InfiniteMKLClassifier("ikl", GaussianFamily(INTERVAL), tol=1e-4).fit(x, y)
    each = ke.InfiniteMKLClassifier("ikl", ARDGaussianFamily(INTERVAL), tol=1e-4).fit(x, y)
    assert each.objective_path_[-1] <= common.objective_path_[-1] + each.gap_
    assert all(isinstance(kernel, ke.ARDGaussian) for kernel in each.kernels_)


def test_rounds_that_run_out_are_reported():
    x, y, _ = rows_and_target("binary", n=50)
    with pytest.warns(ke.mkl.ConvergenceWarning, match="max_rounds"):
        found = ke.InfiniteMKLClassifier("ikl", max_rounds=1).fit(x, y)
    assert not found.converged_
    assert found.n_rounds_ == 1


@pytest.mark.parametrize("family", ["gaussian", "polynomial", "ard"])
def test_rows_that_are_all_equal(family):
    with pytest.raises(ValueError, match="every kernel of the family is constant"):
        ke.InfiniteMKLClassifier("ikl", family).fit(np.ones((20, 2)), [0, 1] * 10)


def test_seeds():
    x, y, _ = rows_and_target("binary", n=30)
    seeded = ke.InfiniteMKLClassifier("ikl", "ard", random_state=np.random.RandomState(3)).fit(x, y)
    again = ke.InfiniteMKLClassifier("ikl", "ard", random_state=np.random.RandomState(3)).fit(x, y)
    assert seeded.kernels_ == again.kernels_
    with pytest.raises(ValueError, match="cannot be used to seed"):
        ke.InfiniteMKLClassifier("ikl", "ard", random_state="a").fit(x, y)


def test_interval_of_one_point():
    x, y, _ = rows_and_target("binary", n=30)
    found = ke.InfiniteMKLClassifier("ifkl", GaussianFamily((0.5, 0.5))).fit(x, y)
    assert found.kernels_ == [ke.Gaussian(gamma=0.5)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GaussianFamily((2.0, 1.0)), "is an empty interval"),
        (lambda: ARDGaussianFamily((2.0, 1.0)), "is an empty interval"),
        (lambda: PolynomialFamily((5, 2)), "is an empty interval"),
        (lambda: GaussianFamily((0.0, 1.0)), "positive finite"),
        (lambda: PolynomialFamily((1, 2.5)), "whole numbers"),
    ],
)
def test_bad_ranges(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"family": "gausian"}, ValueError, "family must be one of"),
        ({"family": []}, ValueError, "empty list"),
        ({"family": 3}, TypeError, "family must be one of"),
        ({"method": "fkl"}, ValueError, "'ifkl' or 'ikl'"),
        ({"lam": -1.0}, ValueError, "lam must be zero or a positive finite number"),
        ({"t": 0}, ValueError, "t must be a whole number"),
        ({"C": 0.0}, ValueError, "C must be a positive finite number"),
    ],
)
def test_bad_parameters(parameters, error, message):
    x, y, _ = rows_and_target("binary", n=30)
    with pytest.raises(error, match=message):
        ke.InfiniteMKLClassifier(**parameters).fit(x, y)
