"""Refinements on a sample of many rows: their lambdas are those of all rows."""

import numpy as np
import pytest

import kernelect as ke
from kernelect.lssvm._elections import ways
from kernelect.refinement import _cross_fit, _refined

RNG = np.random.default_rng(5)
N = 400
X = RNG.normal(size=(N, 2))
Y = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1] + 0.3 * RNG.normal(size=N)
GIVEN = {"per_column": False, "n_threads": 1}


@pytest.fixture(autouse=True)
def many(monkeypatch):
    """As if 100 rows were enough to refine on."""
    monkeypatch.setattr(_refined, "MANY", 100)
    monkeypatch.setattr(_cross_fit, "MANY", 100)
    monkeypatch.setattr(ways, "_SAMPLE", 100)


@pytest.mark.parametrize("rows", [150, N])
@pytest.mark.parametrize("criterion", ["evidence", "loo"])
def test_lambdas_of_both_conventions_are_one_ridge(rows, criterion):
    x, y, start = X[:rows], Y[:rows], ke.Gaussian(0.05)
    total = ke.refine(x, y, start, criterion, lam=0.3, **GIVEN)
    mean = ke.refine(x, y, start, criterion, lam=0.3 / rows, lam_convention="mean", **GIVEN)
    assert total.refinement.adopted
    assert mean.refinement.adopted
    assert mean.lam * rows == pytest.approx(total.lam, rel=0.3)
    assert mean.refinement.start_lam == 0.3 / rows
    for chosen in (total, mean):
        assert chosen.model.rows == rows
        assert chosen.model.lam == pytest.approx(chosen.lam)
        assert chosen.table.columns[chosen.criterion].lams[-1, 0] == chosen.lam
    assert mean.model.ridge == pytest.approx(mean.lam * rows)


@pytest.mark.parametrize("given", [{}, {"solver": "landmarks", "landmarks": 80}])
def test_learners(given):
    fits = [
        ke.LSSVMRegressor("refined", lam_convention=convention, **given).fit(X, Y)
        for convention in ("sum", "mean")
    ]
    ridges = [fit.lam_ * (N if fit.lam_convention == "mean" else 1) for fit in fits]
    assert all(fit.selection_.refinement.adopted for fit in fits)
    assert ridges[1] == pytest.approx(ridges[0], rel=0.3)
