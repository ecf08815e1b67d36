"""Conventions of lambda are units of one ridge, also of those that are searched."""

import numpy as np
import pytest

import kernelect as ke

RNG = np.random.default_rng(0)
N = 400
X = RNG.normal(size=(N, 3))
NUMBERS = np.sin(X[:, 0]) + X[:, 1] + 0.03 * RNG.normal(size=N)
LABELS = (NUMBERS > 0).astype(int)
GRID = ke.gaussian_grid(0, 8, 2)
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize("y", [NUMBERS, LABELS], ids=["numbers", "labels"])
@pytest.mark.parametrize("landmarks", [None, 150])
@pytest.mark.parametrize("criterion", ["auto", "loo", "cv", "gcv"])
def test_elections(y, criterion, landmarks):
    total, mean = (
        ke.select(X, y, GRID, criterion, lam="auto", lam_convention=name, landmarks=landmarks)
        for name in ("sum", "mean")
    )
    assert mean.kernel == total.kernel
    if criterion == "cv":  # four fifths of the rows have as large a part of the ridge
        assert 0.4 < N * mean.lam / total.lam < 2.1
        assert mean.score == pytest.approx(total.score, rel=0.05)
        return
    assert N * mean.lam == pytest.approx(total.lam)
    assert mean.score == pytest.approx(total.score, rel=1e-3)


@pytest.mark.parametrize("kind", [ke.LSSVMClassifier, ke.LSSVMRegressor, ke.KernelSelector])
def test_learners(kind):
    y = LABELS if kind is ke.LSSVMClassifier else NUMBERS
    total, mean = (kind(lam_convention=name).fit(X, y) for name in ("sum", "mean"))
    found, wanted = (
        model.predict(X) if y is NUMBERS else model.decision_function(X) for model in (mean, total)
    )
    np.testing.assert_allclose(found, wanted, atol=0.02 * np.ptp(wanted))


def test_evaluate_and_a_kernel_without_an_election():
    total, mean = (
        ke.evaluate(X, NUMBERS, GRID, "gcv", lam="auto", lam_convention=name).columns["gcv"]
        for name in ("sum", "mean")
    )
    np.testing.assert_allclose(N * mean.lams, total.lams)
    np.testing.assert_allclose(mean.values, total.values)
    fits = [
        ke.LSSVMRegressor(ke.Gaussian(4.0), lam_convention=name).fit(X, NUMBERS)
        for name in ("sum", "mean")
    ]
    assert N * fits[1].lam_ == pytest.approx(fits[0].lam_)
