"""The least-squares learners: scikit-learn's conventions, exactness, options."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelect as ke


def _election_counts_copies(estimator):
    """Elections, and a classifier's probabilities, rest on leave-one-out.

    A row of weight two is left out as one row, two copies one at a time.
    """
    elects = "auto" in (estimator.kernel, estimator.lam)
    if not elects and not hasattr(estimator, "predict_proba"):
        return {}
    reason = "leave-one-out of a doubled row is not that of a row of weight two"
    kinds = ("dense", "sparse")
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}


@parametrize_with_checks(
    [
        ke.LSSVMClassifier("auto"),
        ke.LSSVMRegressor(),
        ke.LSSVMClassifier("committee"),
        ke.LSSVMRegressor("committee"),
        ke.LSSVMRegressor("refined"),
        ke.LSSVMClassifier(),
        ke.LSSVMClassifier(kernel="rbf", lam=1.0),
        ke.LSSVMRegressor(bias=False, lam=0.1, kernel=ke.Gaussian(1.0)),
        ke.LSSVMClassifier("auto", solver="landmarks"),
        ke.LSSVMRegressor("rbf", lam=1.0, solver="iterative"),
    ],
    expected_failed_checks=_election_counts_copies,
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X)[:200], y[:200]


def test_kernel_ridge_is_scikit_learns():
    X, y = load_diabetes(return_X_y=True)
    kernel = ke.Gaussian(0.5)
    ours = ke.LSSVMRegressor(kernel, lam=0.3, bias=False).fit(X[:300], y[:300])
    theirs = KernelRidge(alpha=0.3, kernel="rbf", gamma=kernel.gamma).fit(X[:300], y[:300])
    np.testing.assert_allclose(ours.predict(X[300:]), theirs.predict(X[300:]), rtol=1e-9)
    np.testing.assert_allclose(ours.dual_coef_[:, 0], theirs.dual_coef_, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("scaling", ["none", "trace", "centered"])
@pytest.mark.parametrize("weighted", [False, True])
def test_loo_residuals_are_honest(cancer, scaling, weighted):
    X, y = cancer[0][:60], cancer[1][:60]
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 60) if weighted else None
    model = ke.LSSVMClassifier(ke.Gaussian(40.0), lam=0.5, kernel_scaling=scaling)
    model.fit(X, y, sample_weight=weights)
    fixed = ke.LSSVMClassifier(ke.Gaussian(40.0), lam=model.lam_)
    for i in (0, 7, 33):
        keep = np.arange(60) != i
        left = fixed.fit(X[keep], y[keep], None if weights is None else weights[keep])
        truth = 1.0 if y[i] == 1 else -1.0
        held_out = truth - left.decision_function(X[[i]])[0]
        assert model.loo_residuals_[i] == pytest.approx(held_out, rel=1e-8)


def test_held_out_outputs_are_honest(cancer):
    X, y = cancer
    model = ke.LSSVMClassifier(ke.Gaussian(20.0), lam=0.5).fit(X, y)
    splitter = KFold(4, shuffle=True, random_state=2)
    outputs = model.held_out_outputs(splitter)
    for train, test in splitter.split(X):
        again = clone(model).fit(X[train], y[train])
        np.testing.assert_allclose(outputs[test, 0], again.decision_function(X[test]), rtol=1e-8)


def test_scaling_moves_lambda_only(cancer):
    X, y = cancer
    kernel = ke.Gaussian(2.0**15)
    plain = ke.LSSVMClassifier(kernel, lam=1.0).fit(X, y)
    scaled = ke.LSSVMClassifier(kernel, lam=1.0, kernel_scaling="centered").fit(X, y)
    assert scaled.loo_score_ > plain.loo_score_
    same = ke.LSSVMClassifier(kernel, lam=scaled.lam_).fit(X, y)
    np.testing.assert_allclose(same.decision_function(X), scaled.decision_function(X), rtol=1e-6)


def test_elects_kernel_and_lambda(cancer):
    X, y = cancer
    model = ke.LSSVMClassifier("auto").fit(X, y)
    assert isinstance(model.kernel_, ke.Gaussian)
    assert model.selection_.lam == pytest.approx(model.lam_)
    assert model.loo_score_ > 0.93
    assert ke.LSSVMClassifier("auto", lam=1.0).fit(X, y).lam_ == 1.0
    assert 0.0 < ke.LSSVMClassifier(ke.Gaussian(16.0)).fit(X, y).lam_ < 10.0


def test_a_fit_without_an_election_keeps_none_of_an_earlier_one(cancer):
    model = ke.LSSVMClassifier("auto").fit(*cancer)
    model.set_params(kernel="rbf").fit(*cancer)
    assert not hasattr(model, "selection_")


def test_multiclass_strings_and_probabilities():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = ke.LSSVMClassifier("auto").fit(X, names)
    assert list(model.classes_) == sorted(set(names))
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(X))
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), probabilities)
    confident = probabilities.max(axis=1) > 0.9
    assert confident.mean() > 0.3
    assert (model.predict(X)[confident] == names[confident]).mean() > 0.97


def test_each_target_its_own_lambda():
    X, y = load_diabetes(return_X_y=True)
    Y = np.column_stack([y, X[:, 2], np.random.default_rng(0).normal(size=len(y))])
    model = ke.LSSVMRegressor(ke.Gaussian(0.05), lam_per_target=True).fit(X, Y)
    assert model.lam_.shape == (3,)
    assert len(set(model.lam_)) > 1
    for column in range(3):
        single = ke.LSSVMRegressor(ke.Gaussian(0.05)).fit(X, Y[:, column])
        assert single.lam_ == pytest.approx(model.lam_[column])
        np.testing.assert_allclose(
            single.predict(X[:20]), model.predict(X[:20])[:, column], rtol=1e-6, atol=1e-9
        )
    shared = ke.LSSVMRegressor(ke.Gaussian(0.05)).fit(X, Y)
    assert isinstance(shared.lam_, float)


def test_class_weight_moves_the_boundary(cancer):
    X, y = cancer
    keep = np.concatenate([np.flatnonzero(y == 0)[:20], np.flatnonzero(y == 1)])
    plain = ke.LSSVMClassifier(ke.Gaussian(30.0), lam=1.0).fit(X[keep], y[keep])
    balanced = ke.LSSVMClassifier(ke.Gaussian(30.0), lam=1.0, class_weight="balanced")
    balanced.fit(X[keep], y[keep])
    assert (balanced.predict(X) == 0).sum() > (plain.predict(X) == 0).sum()


@pytest.mark.parametrize(
    "name", ["rbf", "gaussian", "laplacian", "matern", "polynomial", "poly", "linear"]
)
def test_kernels_by_name(cancer, name):
    X, y = cancer
    assert ke.LSSVMClassifier(name, lam=1.0).fit(X, y).loo_score_ > 0.85


def test_precomputed_and_callable(cancer):
    X, y = cancer
    kernel = ke.Gaussian(16.0)
    direct = ke.LSSVMClassifier(kernel, lam=1.0).fit(X[:150], y[:150])
    stored = ke.LSSVMClassifier("precomputed", lam=1.0).fit(kernel(X[:150]), y[:150])
    called = ke.LSSVMClassifier(lambda A, B: rbf_kernel(A, B, gamma=1 / 32), lam=1.0)
    called.fit(X[:150], y[:150])
    wanted = direct.decision_function(X[150:])
    K = kernel(X[150:], X[:150])
    np.testing.assert_allclose(stored.decision_function(K), wanted, rtol=1e-9)
    np.testing.assert_allclose(called.decision_function(X[150:]), wanted, rtol=1e-9)


def test_composes(cancer):
    X, y = cancer
    pipeline = make_pipeline(StandardScaler(), ke.LSSVMClassifier("rbf"))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    search = GridSearchCV(
        ke.LSSVMClassifier("rbf"), {"lam": [0.1, 1.0], "kernel": [ke.Gaussian(8.0), "rbf"]}, cv=3
    )
    assert search.fit(X, y).best_score_ > 0.9
    groups = np.arange(len(y)) % 5
    assert cross_val_score(
        ke.LSSVMClassifier("rbf", lam=1.0), X, y, cv=GroupKFold(3), groups=groups
    ).all()


def test_a_pickle_names_no_compiled_module(cancer):
    X, y = cancer
    data = pickle.dumps(ke.LSSVMClassifier("auto", lam=1.0).fit(X, y))
    assert b"kernelect._core" not in data
    np.testing.assert_array_equal(pickle.loads(data).predict(X), pickle.loads(data).predict(X))


def test_data_frames(cancer):
    pd = pytest.importorskip("pandas")
    X, y = cancer
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])])
    model = ke.LSSVMClassifier("rbf", lam=1.0).fit(frame, y)
    assert list(model.feature_names_in_) == list(frame.columns)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"kernel": "gausian"}, "did you mean 'gaussian'"),
        ({"lam": -1.0}, "lam"),
        ({"kernel_scaling": "max"}, "kernel_scaling"),
        (
            {"class_weight": "bal"},
            "^class_weight must be 'balanced', a dict of labels and weights, or None, not 'bal'",
        ),
        ({"n_jobs": 0}, "^n_jobs must be at least 1, or -1 for all available CPUs, not 0"),
    ],
)
def test_bad_parameters(cancer, parameters, words):
    with pytest.raises(ValueError, match=words):
        ke.LSSVMClassifier(**parameters).fit(*cancer)


def test_bad_weights(cancer):
    X, y = cancer
    with pytest.raises(ValueError, match="negative"):
        ke.LSSVMClassifier("rbf", lam=1.0).fit(X, y, sample_weight=-np.ones(len(y)))
    with pytest.raises(ValueError, match="non-zero"):
        ke.LSSVMClassifier("rbf", lam=1.0).fit(X, y, sample_weight=np.zeros(len(y)))
    for learner in (ke.LSSVMClassifier("auto"), ke.LSSVMRegressor("auto")):
        with pytest.raises(ValueError, match=f"sample_weight leaves one row of {len(y)}; give"):
            learner.fit(X, y, sample_weight=np.arange(len(y)) == 3)


def test_a_kernel_matrix_must_be_symmetric():
    K = np.eye(20) + np.triu(0.1 * np.ones((20, 20)), 1)
    y = np.arange(20.0)
    with pytest.raises(ValueError, match="the kernel matrix is not symmetric"):
        ke.LSSVMRegressor("precomputed", lam=1.0).fit(K, y)
    with pytest.raises(ValueError, match="is not symmetric"):
        ke.LSSVMRegressor(lambda a, b=None: K, lam=1.0).fit(np.zeros((20, 2)), y)


@pytest.mark.parametrize("kind", [list, np.array, lambda y: np.array(y, dtype=object)])
def test_text_is_no_target_of_a_regressor(kind):
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match=r"y holds text \('no'\), .* LSSVMClassifier takes labels"):
        ke.LSSVMRegressor("auto").fit(X, kind(["no", "yes"] * 20))
