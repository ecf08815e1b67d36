"""Predictions for many rows, with little memory."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

import kernelect as ke

X = np.random.default_rng(3).normal(size=(300, 3))
NEW = np.random.default_rng(4).normal(size=(150_000, 3))


@pytest.mark.parametrize(
    "model",
    [
        ke.LSSVMRegressor(ke.Gaussian(2.0), lam=1.0),
        ke.LSSVMClassifier(ke.Laplacian(0.5) + ke.Linear(), lam=1.0),
        ke.MKLClassifier("average", kernels=[ke.Gaussian(1.0), ke.Gaussian(4.0)]),
    ],
    ids=["regressor", "classifier", "kernel learning"],
)
def test_new_rows_are_taken_a_few_at_a_time(model: Any) -> None:
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    model.fit(X, y)
    tracemalloc.start()
    try:
        found = model.predict(NEW)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 200e6  # the whole matrix is 360 MB
    few = np.r_[0:50, 74_990:75_010, 149_950:150_000]
    np.testing.assert_allclose(found[few], model.predict(NEW[few]), rtol=1e-12)


def test_class_weights_must_be_numbers() -> None:
    y = np.where(X[:, 0] > 0, 1, 0)
    for bad in (float("nan"), float("inf"), -1.0):
        with pytest.raises(ValueError, match="class_weight must give every class a finite weight"):
            ke.LSSVMClassifier("auto", class_weight={0: bad}).fit(X, y)
