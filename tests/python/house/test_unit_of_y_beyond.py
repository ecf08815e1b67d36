"""The unit and the origin of y: kernels that are refined, committees, and the solvers of many rows.

A search that stops where its gain is small beside the value stopped elsewhere in another unit.
"""

from functools import cache

import numpy as np
import pytest

import kernelect as ke

RNG = np.random.default_rng(1)
X = RNG.uniform(-2, 2, size=(130, 3))
T = np.sin(2 * X[:, 0]) + 0.3 * np.abs(X[:, 1]) + 0.2 * RNG.normal(size=130)
T = (T - T.mean()) / T.std()
CHANGES = [(1e-6, 0.0), (77.0, 152.0), (1e6, -3e7)]
FEW = {"solver": "landmarks", "landmarks": 60}
WAYS = {
    "refined": ke.LSSVMRegressor("refined"),
    "committee": ke.LSSVMRegressor("committee"),
    "best": ke.LSSVMRegressor("best"),
    "landmarks": ke.LSSVMRegressor(**FEW),
    "landmarks, refined": ke.LSSVMRegressor("refined", **FEW),
    "landmarks, best": ke.LSSVMRegressor("best", **FEW),
    "iterative": ke.LSSVMRegressor(solver="iterative"),
    "iterative, best": ke.LSSVMRegressor("best", solver="iterative"),
    "selector": ke.KernelSelector(refine=True),
}
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def predicted(name, y):
    """Predictions and, where a way has them, deviations."""
    model = WAYS[name].fit(X[:110], y[:110])
    if "iterative" in name:
        return model.predict(X), np.ones(len(X))
    return model.predict(X, return_std=True)


@cache
def predicted_of_t(name):
    return predicted(name, T)


@pytest.mark.parametrize(("scale", "shift"), CHANGES)
@pytest.mark.parametrize("name", WAYS)
def test_predictions(name, scale, shift):
    found, deviations = predicted(name, scale * T + shift)
    usual, usual_deviations = predicted_of_t(name)
    np.testing.assert_allclose((found - shift) / scale, usual, atol=1e-5)
    if "iterative" not in name:
        np.testing.assert_allclose(deviations / scale, usual_deviations, rtol=1e-5)


@pytest.mark.parametrize("criterion", ["auto", "loo", "cv", "evidence", "sm", "kta", "ckta", "ks"])
def test_refinements(criterion):
    usual = ke.refine(X, T, criterion=criterion)
    assert usual.refinement.adopted
    for scale, shift in CHANGES:
        found = ke.refine(X, scale * T + shift, criterion=criterion)
        assert found.refinement.adopted
        rates = [one.kernel.gammas for one in (found, usual)]
        np.testing.assert_allclose(*rates, rtol=1e-4)
        assert usual.lam is None or found.lam == pytest.approx(usual.lam, rel=1e-4)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("unit", [2.0**-480, 2.0**480])
def test_the_verdict_on_targets_whose_squares_fill_the_range(unit):
    """Squares of squared residuals left it: no error was known, or an infinite one."""
    usual, found = (ke.refine(X, scale * T) for scale in (1.0, unit))
    assert found.refinement.adopted
    assert found.refinement.gain_error == pytest.approx(
        unit**2 * usual.refinement.gain_error, rel=1e-3, abs=0.0
    )
    reports = [ke.LSSVMRegressor().fit(X, scale * T).report_ for scale in (1.0, unit)]
    np.testing.assert_allclose(reports[1].gain_errors, unit**2 * reports[0].gain_errors, rtol=1e-3)


@pytest.mark.parametrize("scale", [2.0**-500, 2.0**-300, 2.0**300, 2.0**500])
@pytest.mark.parametrize("criterion", ["auto", "loo", "cv", "bif"])
@pytest.mark.parametrize("weights", [None, 1.0 + np.arange(130) % 3], ids=["plain", "weighted"])
def test_how_sure_an_election_is_of_targets_of_any_size(scale, criterion, weights):
    """Squares of their losses have no room, and standard errors are made of such."""
    grid = ke.gaussian_grid(-4, 8, 2)
    plain = ke.select(X, T, grid, criterion, sample_weight=weights)
    found = ke.select(X, scale * T, grid, criterion, sample_weight=weights)
    assert found.evidence == pytest.approx(plain.evidence, rel=1e-6)
    errors = [chosen.table.columns[chosen.decisive].errors for chosen in (found, plain)]
    np.testing.assert_allclose(errors[0] / scale / scale, errors[1], rtol=1e-6)
    assert len(ke.rivals(found)) == len(ke.rivals(plain))
