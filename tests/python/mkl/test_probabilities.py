"""Class probabilities of kernel learning: held-out outputs, order, calibration, rare classes."""

import numpy as np
import pytest
from problems import problem
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke
from kernelect._data.outputs import LogisticProbabilities
from kernelect._data.target import Target
from kernelect.mkl._held_out import fit_probabilities
from kernelect.mkl._machines import LeastSquaresMachine
from kernelect.mkl._methods import METHODS
from kernelect.mkl._support_vectors import SVMMachine

KERNELS = [ke.Gaussian(1.0), ke.Gaussian(8.0), ke.Linear()]


@pytest.mark.parametrize("method", [*METHODS, "product"])
@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_method_has_them_in_the_order_of_its_outputs(method, learner):
    x, y = problem("multiclass", n=60)
    model = (
        ke.MKLClassifier("gmkl", form="product", penalty_weight=1e-3, learner=learner)
        if method == "product"
        else ke.MKLClassifier(method, KERNELS, penalty_weight=1e-3, learner=learner)
    ).fit(x, y)
    probabilities = model.predict_proba(x)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(x))


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
def test_infinite_kernel_learning_and_names(learner):
    X, y = load_iris(return_X_y=True)
    names = np.array(["c", "a", "b"])[y]
    model = ke.InfiniteMKLClassifier("ikl", learner=learner).fit(X, names)
    probabilities = model.predict_proba(X)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(X)).all()
    assert log_loss(names, probabilities) < 0.3
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), probabilities)


def test_an_svm_is_held_out_by_folds():
    X, y = problem("binary", n=80)
    target = Target.of_labels(y)
    K = ke.Gaussian(2.0)(X)
    found = fit_probabilities(SVMMachine(target.columns().T.copy(), 1.0), target, K)
    outputs = np.empty(80)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, target.codes):
        machine = SVC(C=1.0, kernel="precomputed", tol=1e-8)
        machine.fit(K[np.ix_(train, train)], target.codes[train])
        outputs[test] = machine.decision_function(K[np.ix_(test, train)])
    expected = LogisticProbabilities.fit(outputs[:, None], target.codes)
    assert found.slope == pytest.approx(expected.slope, rel=1e-4)


def test_least_squares_leaves_out_one_row_at_a_time():
    X, y = problem("binary", n=50)
    target = Target.of_labels(y)
    K = ke.Gaussian(2.0)(X)
    found = fit_probabilities(LeastSquaresMachine(target.columns().T.copy(), 1.0), target, K)
    twin = ke.LSSVMClassifier(ke.Gaussian(2.0), lam=0.5).fit(X, y)
    expected = LogisticProbabilities.fit(twin._loo_outputs, target.codes)
    assert found.slope == pytest.approx(expected.slope, rel=1e-6)


def test_are_honest_about_rows_not_seen():
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    model = ke.MKLClassifier("simple", [ke.Gaussian(4.0), ke.Gaussian(64.0)]).fit(X[:200], y[:200])
    probabilities = model.predict_proba(X[200:])
    assert brier_score_loss(y[200:], probabilities[:, 1]) < 0.05
    assert log_loss(y[200:], probabilities) < 0.18
    surest = probabilities.max(axis=1)
    right = model.predict(X[200:]) == y[200:]
    assert abs(surest.mean() - right.mean()) < 0.04


def test_kernel_matrices():
    X, y = problem("binary", n=60)
    matrices = [kernel(X) for kernel in (ke.Gaussian(1.0), ke.Gaussian(8.0))]
    rows = ke.MKLClassifier("simple", [ke.Gaussian(1.0), ke.Gaussian(8.0)]).fit(X, y)
    stored = ke.MKLClassifier("simple", matrices).fit(None, y)
    np.testing.assert_allclose(stored.predict_proba(matrices), rows.predict_proba(X), rtol=1e-6)


@pytest.mark.parametrize("counts", [(1, 1), (1, 9), (1, 2, 8), (1, 1, 1), (2, 2)])
def test_rare_classes(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    X = np.random.default_rng(0).normal(size=(len(y), 2)) + 3.0 * y[:, None]
    model = ke.MKLClassifier("average", KERNELS).fit(X, y)
    probabilities = model.predict_proba(X)
    assert np.isfinite(probabilities).all()
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(X))


def test_a_model_of_an_earlier_version_says_so():
    X, y = problem("binary", n=40)
    model = ke.MKLClassifier("average", KERNELS).fit(X, y)
    del model._probabilities
    with pytest.raises(ValueError, match="fitted by an earlier version"):
        model.predict_proba(X)
