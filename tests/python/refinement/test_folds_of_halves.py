"""Halves of the rows that refine for each other, where the caller says how rows are held out."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, TimeSeriesSplit

import kernelect as ke

RNG = np.random.default_rng(5)
N = 160
X = RNG.normal(size=(N, 4))
SMOOTH = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1]
NUMBERS = SMOOTH + 0.1 * RNG.normal(size=N)
LABELS = (SMOOTH > 0).astype(int)
TOO_FEW = {
    "three whole folds": {"folds": KFold(3)},
    "one part held out": {"folds": [(np.arange(100), np.arange(100, N))]},
    "a series": {"folds": TimeSeriesSplit(4)},
    "three groups": {"groups": np.arange(N) % 3},
}


@pytest.mark.parametrize("folds", [2, 3, 5])
@pytest.mark.parametrize("criterion", ["auto", "loo", "evidence"])
@pytest.mark.parametrize("y", [NUMBERS, LABELS], ids=["numbers", "labels"])
def test_a_number_of_folds_is_that_of_each_half(folds, criterion, y):
    chosen = ke.refine(X, y, None, criterion, folds=folds)
    assert chosen.refinement.adopted
    assert max(chosen.refinement.relevance, key=chosen.refinement.relevance.get) == "x0"


@pytest.mark.parametrize("kind", [ke.LSSVMClassifier, ke.LSSVMRegressor])
@pytest.mark.parametrize("folds", [2, 3])
def test_learners(kind, folds):
    y = LABELS if kind is ke.LSSVMClassifier else NUMBERS
    refined = kind("refined", folds=folds).fit(X, y)
    assert refined.selection_.refinement.adopted
    report = kind(folds=folds).fit(X, y).report_
    assert np.isfinite(report.losses).all()


@pytest.mark.parametrize("given", TOO_FEW.values(), ids=TOO_FEW)
@pytest.mark.parametrize("criterion", ["auto", "loo"])
def test_folds_that_leave_a_half_none_of_its_own(given, criterion):
    chosen = ke.refine(X, NUMBERS, None, criterion, **given)
    assert not chosen.refinement.adopted
    assert "each half of the rows needs two folds of its own" in chosen.refinement.reason
    groups = given.get("groups")
    model = ke.LSSVMRegressor(folds=given.get("folds")).fit(X, NUMBERS, groups=groups)
    assert "each half of the rows needs two folds of its own" in model.report_.reason


def test_many_rows_with_one_part_held_out():
    """Of more rows a committee elects its Laplacian on half of them, if that can be done."""
    rows = np.random.default_rng(0).normal(size=(2100, 2))
    y = np.sin(2 * rows[:, 0])
    folds = [(np.arange(1500), np.arange(1500, 2100))]
    model = ke.LSSVMRegressor("committee", folds=folds, n_jobs=-1).fit(rows, y)
    assert model.loo_score_ > 0.99
