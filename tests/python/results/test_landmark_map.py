"""Features of landmarks: their values, scikit-learn's manners, and where they come from."""

import pickle

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from refusals import refuses
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelect as ke
from kernelect._evidence.landmarks import contest
from kernelect.kernels import _chunks
from kernelect.results import LandmarkMap

X = np.random.default_rng(0).normal(size=(80, 3))
Y = np.sin(2 * X[:, 0]) + X[:, 1]
KERNEL = ke.Gaussian(2.0)


@parametrize_with_checks([LandmarkMap(), LandmarkMap("laplacian", landmarks=5)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def test_features_are_those_of_the_definition():
    made = LandmarkMap(KERNEL, landmarks=12).fit(X)
    Z = X[made.landmarks_]
    L = np.linalg.cholesky(KERNEL(Z))
    wanted = scipy.linalg.solve_triangular(L, KERNEL(Z, X), lower=True).T
    np.testing.assert_allclose(made.transform(X), wanted, atol=1e-10)
    np.testing.assert_array_equal(made.X_fit_, Z)
    fewer = LandmarkMap(KERNEL, landmarks=5).fit(X)
    np.testing.assert_allclose(fewer.transform(X), wanted[:, :5], atol=1e-10)
    whole = LandmarkMap(KERNEL).fit_transform(X)  # as many as there are rows
    np.testing.assert_allclose(whole @ whole.T, KERNEL(X), atol=1e-9)
    assert list(made.get_feature_names_out()[:2]) == ["landmarkmap0", "landmarkmap1"]


def test_rows_in_parts_of_any_kind(monkeypatch):
    made = LandmarkMap(KERNEL, landmarks=12).fit(X)
    wanted = made.transform(X)
    sparse = LandmarkMap(KERNEL, landmarks=12).fit(sp.csr_array(X))
    np.testing.assert_allclose(sparse.transform(sp.csr_array(X)), wanted, atol=1e-9)
    np.testing.assert_allclose(made.transform(sp.csr_array(X)), wanted, atol=1e-9)
    np.testing.assert_array_equal(
        LandmarkMap(KERNEL, landmarks=12, n_threads=2).fit_transform(X), wanted
    )
    function = LandmarkMap(lambda a, b: np.asarray(KERNEL(a, b)), landmarks=80).fit_transform(X)
    np.testing.assert_allclose(function @ function.T, KERNEL(X), atol=1e-9)
    monkeypatch.setattr(_chunks, "_MEMORY", 8.0 * 64 * 3)
    np.testing.assert_array_equal(made.transform(X), wanted)


def test_in_pipelines_copies_and_files(tmp_path):
    X, y = load_iris(return_X_y=True)
    chosen = ke.select(X, y, criterion="loo", landmarks=100)
    made = chosen.feature_map()
    assert (made.kernel, made.landmarks) == (chosen.kernel, chosen.landmarks)
    model = make_pipeline(made, LogisticRegression(max_iter=1000))
    assert cross_val_score(model, X, y).mean() > 0.9
    fitted = clone(made).fit(X)
    wanted = fitted.transform(X)
    ke.save(fitted, tmp_path / "map.npz")
    for other in (pickle.loads(pickle.dumps(fitted)), ke.load(tmp_path / "map.npz")):
        np.testing.assert_array_equal(other.transform(X), wanted)


def test_a_linear_learner_is_the_learner_with_landmarks():
    model = ke.LSSVMRegressor(KERNEL, lam=0.1, bias=False, landmarks=20).fit(X, Y)
    made = model.feature_map()
    ridge = Ridge(alpha=0.1, fit_intercept=False).fit(made.transform(X), Y)
    np.testing.assert_allclose(ridge.predict(made.transform(X)), model.predict(X), atol=1e-8)
    again = clone(made).fit(X)
    np.testing.assert_array_equal(again.landmarks_, model.landmarks_)


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
@pytest.mark.parametrize("pivoted", [True, False])
def test_the_map_of_an_election_has_the_landmarks_that_won(pivoted, monkeypatch):
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(2100, 2))
    numbers = np.sin(rows[:, 0])
    monkeypatch.setattr(contest, "_CLEARLY", np.inf if pivoted else 0.0)
    chosen = ke.select(rows, numbers, [ke.Gaussian(0.1)], "loo", lam=0.1, landmarks=30)
    made = chosen.feature_map()
    assert made.pivoted is pivoted
    model = ke.LSSVMRegressor(chosen.kernel, lam=0.1, landmarks=30).fit(rows, numbers)
    np.testing.assert_array_equal(made.fit(rows).landmarks_, model.landmarks_)
    again = ke.serialization.from_dict(ke.serialization.to_dict(chosen))
    assert again.feature_map().pivoted is pivoted


def test_refusals():
    refuses(
        lambda: LandmarkMap(landmarks=81).fit(X), ValueError, "landmarks=81 is more than the 80"
    )
    refuses(lambda: LandmarkMap("rbv").fit(X), ValueError, "unknown kernel 'rbv'")
    refuses(lambda: LandmarkMap(ke.kernels.Precomputed(0)).fit(X), ValueError, "landmarks are rows")
    chosen = ke.select(X, Y, [KERNEL], "loo")
    refuses(chosen.feature_map, ValueError, "feature_map(landmarks=500)")
    exact = ke.LSSVMRegressor(KERNEL).fit(X, Y)
    refuses(exact.feature_map, ValueError, "use solver='landmarks'")
