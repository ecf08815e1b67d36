"""Cross-validation of a few folds, for which models are trained again: the closed form's values."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

import kernelect as ke

KERNELS = [ke.Gaussian(0.01), ke.Gaussian(1.0), ke.Gaussian(2.0**12), ke.Linear()]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("convention", ["sum", "mean"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("folds", [2, 3, 7])
def test_alone_and_beside_leave_one_out(bias, convention, weighted, folds):
    random = np.random.default_rng(folds)
    X = random.normal(size=(91, 3))
    y = np.sin(X).sum(axis=1)
    given = {"folds": folds, "bias": bias, "lam": [1e-3, 0.5], "lam_convention": convention}
    given["sample_weight"] = random.uniform(0.5, 2.0, size=91) if weighted else None
    alone = ke.evaluate(X, y, KERNELS, "cv", **given).columns["cv"].values
    beside = ke.evaluate(X, y, KERNELS, ["cv", "loo", "gcv"], **given).columns["cv"].values
    assert alone == pytest.approx(beside, rel=1e-7)


def test_a_ridge_too_small_for_a_factor_is_left_to_the_closed_form():
    X = np.random.default_rng(0).normal(size=(60, 1))
    y = np.sin(X[:, 0])
    given = {"lam": 1e-18, "folds": KFold(3)}
    alone = ke.evaluate(X, y, [ke.Gaussian(2.0**14)], "cv", **given).columns["cv"]
    beside = ke.evaluate(X, y, [ke.Gaussian(2.0**14)], ["cv", "loo"], **given).columns["cv"]
    assert alone.values == pytest.approx(beside.values)
    assert alone.reasons == beside.reasons
