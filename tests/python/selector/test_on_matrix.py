"""Machines that were trained on a matrix are those that rows would have made."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.svm import SVC, SVR, NuSVC, NuSVR

import kernelect as ke
from kernelect.selector import _rows
from kernelect.selector._on_matrix import fit_on_matrix, takes_matrix

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 5))
TWO = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=90) > 0, "yes", "no")
THREE = np.digitize(X[:, 0], [-0.5, 0.5])
NUMBERS = np.sin(X[:, 0]) + X[:, 1]
MACHINES = [
    (SVC(gamma=0.25, C=3.0), TWO),
    (SVC(gamma=0.25, class_weight="balanced"), THREE),
    (SVC(gamma=0.25, decision_function_shape="ovo"), THREE),
    (NuSVC(gamma=0.25, nu=0.3), TWO),
    (SVR(gamma=0.25, C=3.0), NUMBERS),
    (NuSVR(gamma=0.25), NUMBERS),
]


@pytest.mark.parametrize(("machine", "y"), MACHINES)
def test_same_machine_as_from_rows(machine, y):
    plain, other = clone(machine).fit(X, y), clone(machine)
    assert takes_matrix(other, X, {})
    fit_on_matrix(other, X, y)
    assert other.get_params() == plain.get_params()
    assert set(vars(other)) == set(vars(plain))
    assert (other.n_features_in_, other.shape_fit_) == (plain.n_features_in_, plain.shape_fit_)
    np.testing.assert_array_equal(other.support_, plain.support_)
    np.testing.assert_array_equal(other.support_vectors_, plain.support_vectors_)
    np.testing.assert_allclose(other.dual_coef_, plain.dual_coef_, atol=1e-3)
    new = rng.normal(size=(20, 5))
    expected = plain.predict(new)
    for each in (other, pickle.loads(pickle.dumps(other))):
        if y is NUMBERS:
            np.testing.assert_allclose(each.predict(new), expected, atol=1e-3)
        else:
            np.testing.assert_array_equal(each.predict(new), expected)
            np.testing.assert_allclose(
                each.decision_function(new), plain.decision_function(new), atol=1e-3
            )


def test_single_precision_and_other_layouts():
    plain, other = SVC(gamma=0.25).fit(X.astype(np.float32), TWO), SVC(gamma=0.25)
    fit_on_matrix(other, np.asfortranarray(X, dtype=np.float32), TWO)
    assert other.support_vectors_.dtype == np.float64
    np.testing.assert_array_equal(other.predict(X), plain.predict(X))


@pytest.mark.parametrize("name", ["_gamma", "support_vectors_"])
def test_a_machine_that_keeps_its_rows_in_another_way_is_fitted_to_them(monkeypatch, name):
    plain, other = SVC(gamma=0.25).fit(X, TWO), SVC(gamma=0.25)
    # Like a later scikit-learn that reads another attribute: what is set from outside is lost once.
    given = []

    def lose_the_first(machine, key, value):
        if key == name and machine.kernel == "rbf" and not given:
            given.append(value)
            value = value * 0.5
        object.__setattr__(machine, key, value)

    monkeypatch.setattr(SVC, "__setattr__", lose_the_first, raising=False)
    fit_on_matrix(other, X, TWO)
    assert len(given) == 1
    np.testing.assert_array_equal(other.support_vectors_, plain.support_vectors_)
    np.testing.assert_array_equal(other.decision_function(X), plain.decision_function(X))


def test_what_is_not_trained_so():
    class Own(SVC):
        pass

    assert not takes_matrix(Own(gamma=0.25), X, {})
    assert not takes_matrix(SVC(gamma="scale"), X, {})
    assert not takes_matrix(SVC(kernel="poly", gamma=0.25), X, {})
    assert not takes_matrix(SVC(gamma=0.25), X, {"sample_weight": np.ones(90)})
    assert not takes_matrix(ke.LSSVMClassifier(), X, {})


def test_a_refused_fit_leaves_the_kernel():
    machine = SVC(gamma=0.25, class_weight={"maybe": 2.0})
    with pytest.raises(ValueError, match="class_weight"):
        fit_on_matrix(machine, X, TWO)
    assert machine.kernel == "rbf"


def test_selector_trains_so(monkeypatch):
    trained = []

    def noted(machine, rows, y):
        trained.append(type(machine))
        fit_on_matrix(machine, rows, y)

    monkeypatch.setattr(_rows, "fit_on_matrix", noted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = ke.KernelSelector(SVC(), C="auto").fit(X, TWO)
    assert trained == [SVC]
    again = SVC(**selector.best_params_).fit(X, TWO)
    np.testing.assert_array_equal(selector.predict(X), again.predict(X))
