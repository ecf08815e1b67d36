"""Rows at the ends of floating point: kernels that overflow or vanish are left out or refused."""

import warnings

import numpy as np
import pytest
from refusals import refuses
from sklearn.exceptions import ConvergenceWarning

import kernelect as ke
from kernelect.mkl._methods import METHODS

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(24, 3))
NUMBERS = ROWS[:, 0] + 0.2 * RNG.normal(size=24)
TABLES = {
    "1e200": 1e200 * ROWS,
    "1e100": 1e100 * ROWS,
    "1e-100": 1e-100 * ROWS,
    "1e-200": 1e-200 * ROWS,
    "one row of 1e200": np.vstack([ROWS[:-1], np.full((1, 3), 1e200)]),
}
KERNELS = [ke.Gaussian(1.0), ke.Gaussian(1e300), ke.Linear(), ke.Polynomial(2), ke.Polynomial(3)]
KINDS = {ke.MKLClassifier: (NUMBERS > 0).astype(int), ke.MKLRegressor: NUMBERS}


def fitted(estimator, x, y):
    """Fit, with no warning but those of the library; None where it refuses in one sentence."""
    said = "scale"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            estimator.fit(x, y)
        except ValueError as refusal:
            said, estimator = str(refusal), None
    assert any(word in said for word in ("scale", "constant", "all rates are 0"))
    assert "nan" not in said
    assert {warning.category for warning in caught} <= {UserWarning, ConvergenceWarning}
    return estimator


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("x", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("method", [*METHODS, "product"])
def test_predictions_are_finite(method, x, kind, learner):
    ways = [{"method": "gmkl", "form": "product"}]
    if method != "product":
        scalings = ("diagonal", "none", "trace", "centered")
        ways = [{"method": method, "kernels": KERNELS, "scaling": scaling} for scaling in scalings]
    for way in ways:
        model = fitted(kind(**way, learner=learner, max_iter=20), x, KINDS[kind])
        if model is not None:
            values = model.decision_function(x) if hasattr(model, "classes_") else model.predict(x)
            assert np.isfinite(values).all()


def test_what_is_left_out_is_named():
    y = KINDS[ke.MKLClassifier]
    for method in METHODS:
        model = ke.MKLClassifier(method, KERNELS, scaling="trace", max_iter=20)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(TABLES["one row of 1e200"], y)
        said = [str(w.message) for w in caught if "too large" in str(w.message)]
        assert said[0].startswith("3 of the 5 kernels have entries too large or too small")
        assert "Linear(), Polynomial(degree=2), Polynomial(degree=3); scale X" in said[0]
        assert (model.candidate_weights_[2:] == 0.0).all()


def test_nothing_is_left():
    y = KINDS[ke.MKLClassifier]
    model = ke.MKLClassifier("average", [ke.Linear(), ke.Polynomial(2)], scaling="none")
    refuses(lambda: model.fit(TABLES["1e200"], y), ValueError, "every kernel has entries too large")
    product = ke.MKLClassifier("gmkl", form="product")
    refuses(lambda: product.fit(TABLES["1e200"], y), ValueError, "column 0 is too large or too")
    refuses(lambda: product.fit(TABLES["1e-200"], y), ValueError, "column 0 is too large or too")


@pytest.mark.parametrize(
    "model",
    [
        ke.MKLRegressor("average", [ke.Linear(), ke.Polynomial(3)], scaling="none"),
        ke.LSSVMRegressor(ke.Polynomial(3)),
    ],
)
def test_new_rows_far_beyond_those_of_the_fit(model):
    model.fit(ROWS, NUMBERS)
    new = np.vstack([ROWS[:1], np.full((1, 3), 1e200)])
    refuses(lambda: model.predict(new), ValueError, "X: row 1 is so large that the kernel has no")
