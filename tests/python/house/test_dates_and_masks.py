"""What NumPy would take for plain numbers: dates as nanoseconds, and entries under a mask."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC, SVR

import kernelect as ke

CLASSIFIERS = [
    ke.LSSVMClassifier("auto"),
    ke.KernelSelector(SVC()),
    ke.MKLClassifier(),
    ke.InfiniteMKLClassifier(),
]
REGRESSORS = [
    ke.LSSVMRegressor("auto"),
    ke.KernelSelector(SVR()),
    ke.KernelSelector(KernelRidge()),
    ke.MKLRegressor(),
    ke.InfiniteMKLRegressor(),
]
named = pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: str(model)[:30])
numbered = pytest.mark.parametrize("model", REGRESSORS, ids=lambda model: str(model)[:30])


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True)
    return X[::3], y[::3]


@pytest.fixture(scope="module")
def days():
    return pd.date_range("2020", periods=50)


@numbered
def test_dates_are_no_numbers(flowers, days, model):
    X, _ = flowers
    for dates in (pd.Series(days), days.to_numpy(), (days - days[0]).to_numpy()):
        with pytest.raises(ValueError, match=r"dates or times, .* days since the first"):
            model.fit(X, dates)


@pytest.mark.parametrize("ask", [ke.select, ke.evaluate])
@pytest.mark.parametrize("task", ["auto", "regression"])
def test_dates_are_not_labels_where_hardly_two_are_equal(flowers, days, ask, task):
    with pytest.raises(ValueError, match="dates or times"):
        ask(flowers[0], days, task=task)


def test_a_few_dates_may_be_labels(flowers, days):
    X, y = flowers
    assert ke.select(X, days.to_numpy()[y], ke.gaussian_grid(-1, 1)).table.task == "classification"


@named
def test_rows_under_a_mask_are_missing(flowers, model):
    X, y = flowers
    hidden = np.ma.masked_array(X, mask=X > 7)
    with pytest.raises(ValueError, match="X: column 0 has missing values"):
        model.fit(hidden, y)
    with pytest.raises(ValueError, match="X: column 0 has missing values"):
        model.fit(X, y).predict(hidden)
    whole = np.ma.masked_array(X)
    assert np.array_equal(model.fit(whole, y).predict(whole), model.fit(X, y).predict(X))


@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=lambda model: str(model)[:30])
def test_a_target_under_a_mask_is_missing(flowers, model):
    X, y = flowers
    with pytest.raises(ValueError, match="y has 2 missing values; drop those rows"):
        model.fit(X, np.ma.masked_array(y, mask=np.arange(50) < 2))
