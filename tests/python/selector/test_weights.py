"""Weights of rows and classes take part in the election, as they do in the fit."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.kernel_ridge import KernelRidge
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, NuSVC
from sklearn.utils.class_weight import compute_sample_weight

import kernelect as ke

GRID = ke.gaussian_grid(-2, 10)


@pytest.fixture(scope="module")
def unbalanced():
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)[:, :6]
    rows = np.concatenate([np.flatnonzero(y == 1)[:150], np.flatnonzero(y == 0)[:25]])
    return X[rows], y[rows]


@pytest.mark.parametrize("by_class", ["balanced", {0: 30.0}])
@pytest.mark.parametrize("machine", [SVC, NuSVC, ke.LSSVMClassifier])
def test_class_weight_takes_part(unbalanced, machine, by_class):
    X, y = unbalanced
    given = {"nu": 0.05} if machine is NuSVC else {}
    auto = None if given else "auto"  # nothing stands for lambda in NuSVC
    model = ke.KernelSelector(machine(class_weight=by_class, **given), GRID, C=auto).fit(X, y)
    weights = compute_sample_weight(by_class, y)
    lam = "auto" if auto else 1.0
    assert model.result_ == ke.select(X, y, GRID, lam=lam, sample_weight=weights)
    plain = ke.KernelSelector(machine(**given), GRID, C=auto).fit(X, y)
    assert model.best_score_ != plain.best_score_


def test_class_weight_and_sample_weight_multiply(unbalanced):
    X, y = unbalanced
    weights = 1.0 + np.arange(len(y)) % 3
    machine = SVC(class_weight="balanced")
    model = ke.KernelSelector(machine, GRID, C="auto").fit(X, y, sample_weight=weights)
    both = weights * compute_sample_weight("balanced", y)
    wanted = ke.select(X, y, GRID, lam="auto", sample_weight=both)
    assert model.result_ == wanted
    assert model.fold_results_["C"][0] == wanted.params_for(SVC)["C"]
    by_hand = SVC(class_weight="balanced", **model.best_params_)
    by_hand.fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(model.decision_function(X), by_hand.decision_function(X))


@pytest.mark.parametrize("machine", [SVR(), KernelRidge(), None])
def test_sample_weight_takes_part_in_a_regression(machine):
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(120, 1))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=120)
    y[::3] = 5.0 * rng.normal(size=40)
    weights = np.where(np.arange(120) % 3 == 0, 1e-3, 1.0)
    model = ke.KernelSelector(machine, GRID, regularization="auto")
    score = model.fit(X, y, sample_weight=weights).best_score_
    bias = not isinstance(machine, KernelRidge)
    wanted = ke.select(X, y, GRID, lam="auto", sample_weight=weights, bias=bias)
    assert score == wanted.score
    good = weights == 1.0
    assert model.score(X[good], y[good]) > 0.9


def test_a_criterion_without_weights_says_so(unbalanced):
    X, y = unbalanced
    for criterion in ("sm", "kta"):
        with pytest.warns(UserWarning, match=f"class_weight.* play no part in {criterion}: each"):
            ke.KernelSelector(SVC(class_weight="balanced"), GRID, criterion).fit(X, y)


def test_weights_as_scikit_learn_takes_them(unbalanced):
    X, y = unbalanced
    learner = ke.KernelSelector(ke.LSSVMClassifier("auto"), GRID)
    alike = learner.fit(X, y, sample_weight=1.0).result_
    assert alike == learner.fit(X, y).result_
    for weights, sentence in ((np.ones(3), r"has \(3,\)"), (np.zeros(len(y)), "leaves no row")):
        with pytest.raises(ValueError, match=sentence):
            ke.KernelSelector(SVC(), GRID).fit(X, y, sample_weight=weights)
