"""KernelSelector by scikit-learn's conventions: checks, searches, frames, weights, routing."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.decomposition import KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelect as ke

GRID = ke.gaussian_grid(-2, 6)
LAPLACIANS = [ke.Laplacian(2.0**k) for k in range(-5, 1)]


def _expected(selector):
    """Checks that contradict what the meta-estimator is for."""
    reason = "the election counts rows, not weights: a doubled row is two rows to leave out"
    kinds = ("dense", "sparse")
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
@pytest.mark.filterwarnings("ignore:columns have very different scales:UserWarning")
@pytest.mark.filterwarnings("ignore:no evidence:UserWarning")
@parametrize_with_checks(
    [
        ke.KernelSelector(),
        ke.KernelSelector(task="classification"),
        ke.KernelSelector(SVC(), criterion="sm"),
        ke.KernelSelector(SVR(), C="auto"),
        ke.KernelSelector(KernelRidge(), LAPLACIANS, "loo"),
        ke.KernelSelector(KernelPCA(n_components=2), [ke.Gaussian(4.0), ke.Gaussian(400.0)]),
    ],
    expected_failed_checks=_expected,
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def test_grid_search_outside_election_inside(iris):
    X, y = iris
    search = GridSearchCV(ke.KernelSelector(SVC(), GRID, "sm"), {"estimator__C": [0.1, 10.0]}, cv=3)
    search.fit(X, y)
    assert search.best_params_["estimator__C"] == search.best_estimator_.best_estimator_.C
    assert search.best_score_ > 0.9
    outer = GridSearchCV(ke.KernelSelector(SVC(), GRID), {"criterion": ["sm", "kta", "loo"]}, cv=3)
    assert outer.fit(X, y).best_score_ > 0.9


def test_results_table(iris):
    X, y = iris
    model = ke.KernelSelector(SVC(), GRID).fit(X, y)
    frame = pd.DataFrame(model.cv_results_)
    assert len(frame) == len(GRID)
    winner = frame.loc[frame["rank_test_score"] == 1].iloc[0]
    assert winner["kernel"] == model.best_kernel_ == model.result_.kernel
    assert winner["mean_test_score"] == -model.best_score_
    assert frame["rank_sm"].min() == 1
    assert model.best_index_ == model.result_.index


def test_election_only(iris):
    model = ke.KernelSelector(SVC(), GRID, refit=False).fit(*iris)
    assert model.best_params_["kernel"] == "rbf"
    assert not hasattr(model, "best_estimator_")
    assert not hasattr(model, "predict")


def test_data_frames_and_column_groups(iris):
    X, y = iris
    frame = pd.DataFrame(X, columns=["sl", "sw", "pl", "pw"])
    candidates = [
        ke.on_columns(["pl", "pw"], ke.Gaussian(t)) + ke.on_columns(["sl", "sw"], ke.Gaussian(1.0))
        for t in (0.5, 2.0)
    ]
    model = ke.KernelSelector(SVC(), candidates).fit(frame, y)
    np.testing.assert_array_equal(model.feature_names_in_, frame.columns)
    assert model.score(frame, y) > 0.9
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"sl": "other"}))


def test_sparse_rows(iris):
    X, y = iris
    rows = sp.csr_matrix(X)
    model = ke.KernelSelector(SVC(), GRID, "sm").fit(rows, y)
    dense = ke.KernelSelector(SVC(), GRID, "sm").fit(X, y)
    assert model.best_kernel_ == dense.best_kernel_
    np.testing.assert_array_equal(model.predict(rows), dense.predict(X))


def test_sparse_rows_with_long_indices(iris):
    """Scikit-learn's machines refuse them; files and matrix products make them."""
    X, y = iris
    rows = sp.csr_array(X)
    rows.indices, rows.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    model = ke.KernelSelector(SVC(), GRID, "sm").fit(rows, y)
    np.testing.assert_array_equal(
        model.predict(rows), ke.KernelSelector(SVC(), GRID, "sm").fit(X, y).predict(X)
    )
    assert rows.indices.dtype == np.int64


def test_pickle(iris):
    X, y = iris
    model = ke.KernelSelector(SVC(), LAPLACIANS).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_sample_weight(iris):
    X, y = iris
    weights = np.where(y == 2, 0.0, 1.0 + (np.arange(150) % 3))
    with pytest.warns(UserWarning, match="play no part in sm"):
        model = ke.KernelSelector(SVC(), GRID, "sm").fit(X, y, sample_weight=weights)
    counted = y != 2
    assert model.best_kernel_ == ke.select(X[counted], y[counted], GRID, "sm").kernel
    by_hand = SVC(**model.best_params_).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(model.predict(X), by_hand.predict(X))
    assert model.score(X, y, sample_weight=weights) > model.score(X, y)


def test_rows_of_no_weight_in_a_support_vector_machine_with_a_callable(iris):
    """Scikit-learn's own machine then mixes up the rows (its pull request 27763)."""
    X, y = iris
    weights = np.arange(150) % 4
    counted = weights > 0
    model = ke.KernelSelector(SVC(), LAPLACIANS, "loo").fit(X, y, sample_weight=weights)
    by_hand = SVC(kernel=model.best_kernel_)
    by_hand.fit(X[counted], y[counted], sample_weight=weights[counted])
    np.testing.assert_array_equal(model.predict(X), by_hand.predict(X))


def test_metadata_routing(iris):
    X, y = iris
    weights = np.where(y == 1, 5.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        asks = SVC().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        model = ke.KernelSelector(asks, GRID, "loo").fit(X, y, sample_weight=weights)
        by_hand = SVC(**model.best_params_).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(model.decision_function(X), by_hand.decision_function(X))
        wanted = by_hand.score(X, y, sample_weight=weights)
        assert model.score(X, y, sample_weight=weights) == wanted
        silent = ke.KernelSelector(SVC(), GRID, "loo")
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
            silent.fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("learner", [ke.KernelSelector(SVC(), GRID), ke.LSSVMClassifier("auto")])
def test_scikit_learn_callbacks(iris, learner):
    callback = pytest.importorskip("sklearn.callback")

    class Counter:
        def __init__(self):
            self.calls = []

        def setup(self, estimator, context):
            self.calls.append("setup")

        def on_fit_task_begin(self, estimator, context):
            self.calls.append("begin")

        def on_fit_task_end(self, estimator, context):
            self.calls.append("end")

        def teardown(self, estimator, context):
            self.calls.append("teardown")

    counter = Counter()
    assert isinstance(counter, callback.FitCallback)
    model = clone(learner).set_callbacks(counter).fit(*iris)
    np.testing.assert_array_equal(
        model.predict(iris[0]), clone(learner).fit(*iris).predict(iris[0])
    )
    assert counter.calls[0] == "setup"
    assert counter.calls[-1] == "teardown"
    assert counter.calls.count("begin") == counter.calls.count("end") == 101
