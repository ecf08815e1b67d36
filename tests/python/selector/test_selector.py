"""KernelSelector: scikit-learn's conventions, every kind of estimator, election and hand-over."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.cluster import SpectralClustering
from sklearn.datasets import load_diabetes, load_iris
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, OneClassSVM
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


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return StandardScaler().fit_transform(X)[:150], y[:150] / 100.0


@pytest.mark.parametrize("machine", [SVC(C=3.0), NuSVC(nu=0.2), OneClassSVM(nu=0.1)])
def test_gaussian_goes_in_as_gamma(iris, machine):
    X, y = iris
    model = ke.KernelSelector(machine, GRID, "sm").fit(X, y)
    elected = ke.select(X, y, GRID, "sm").kernel
    assert model.best_kernel_ == elected
    assert model.best_params_ == elected.params_for(machine)
    by_hand = clone(machine).set_params(kernel="rbf", gamma=elected.gamma).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), by_hand.predict(X))
    np.testing.assert_array_equal(model.decision_function(X), by_hand.decision_function(X))
    assert model.estimator is machine
    assert not hasattr(machine, "support_")


def test_callable_where_scikit_learn_has_no_such_kernel(iris):
    X, y = iris
    model = ke.KernelSelector(SVC(), LAPLACIANS).fit(X, y)
    assert model.best_params_ == {"kernel": model.best_kernel_}
    gamma = model.best_kernel_.gamma
    by_hand = SVC(kernel=lambda A, B: laplacian_kernel(A, B, gamma)).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), by_hand.predict(X))


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
def test_handed_over_whole_where_callables_are_called_by_pairs(diabetes):
    X, y = diabetes
    model = ke.KernelSelector(KernelRidge(alpha=0.5), LAPLACIANS, "loo").fit(X[:100], y[:100])
    assert repr(model.best_params_["kernel"]) == f"FixedKernel({model.best_kernel_!r})"
    by_hand = KernelRidge(alpha=0.5, kernel="laplacian", gamma=model.best_kernel_.gamma)
    by_hand.fit(X[:100], y[:100])
    np.testing.assert_allclose(model.predict(X[100:]), by_hand.predict(X[100:]), rtol=1e-9)
    assert model.score(X[100:], y[100:]) == pytest.approx(by_hand.score(X[100:], y[100:]))


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
def test_multi_output(diabetes):
    X, y = diabetes
    both = np.column_stack([y, X[:, 0]])
    model = ke.KernelSelector(KernelRidge(), GRID).fit(X, both)
    assert model.predict(X).shape == both.shape
    assert ke.KernelSelector(None, GRID).fit(X, both).predict(X).shape == both.shape


def test_transformers_and_clusterings(iris):
    X, y = iris
    pca = ke.KernelSelector(KernelPCA(n_components=2), LAPLACIANS)
    Z = pca.fit_transform(X, y)
    assert Z.shape == (150, 2)
    piped = make_pipeline(pca, LogisticRegression())
    assert cross_val_score(piped, X, y, cv=3).mean() > 0.85
    for kernels in (GRID, LAPLACIANS):
        clusters = ke.KernelSelector(SpectralClustering(3, random_state=0), kernels, "sm")
        labels = clusters.fit_predict(X, y)
        assert len(np.unique(labels)) == 3
        np.testing.assert_array_equal(labels, clusters.labels_)
        assert not hasattr(clusters, "predict")


@pytest.mark.parametrize("kernels", [GRID, LAPLACIANS])
def test_frames_out_of_a_transformer(kernels):
    frame = pd.DataFrame(load_iris().data, columns=list("abcd"), index=np.arange(150) + 7)
    pca = ke.KernelSelector(KernelPCA(2, fit_inverse_transform=True), kernels, "sm")
    pca.set_output(transform="pandas")
    Z = clone(pca).fit_transform(frame, load_iris().target)
    pca.fit(frame, load_iris().target)
    assert list(Z.columns) == list(pca.get_feature_names_out()) == ["kernelpca0", "kernelpca1"]
    pd.testing.assert_index_equal(Z.index, frame.index)
    assert pca.inverse_transform(Z.to_numpy()).shape == (150, 4)
    assert isinstance(pca.set_output(transform="default").transform(frame), np.ndarray)
    assert isinstance(clone(pca).fit_transform(frame, load_iris().target), np.ndarray)
    assert not hasattr(ke.KernelSelector(SVC()), "set_output")
    assert not hasattr(ke.KernelSelector(SVC()), "inverse_transform")


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
@pytest.mark.parametrize("kernels", [GRID, LAPLACIANS, [ke.Matern(1.5, 2.0), ke.Matern(1.5, 9.0)]])
def test_gaussian_processes(iris, diabetes, kernels):
    X, y = diabetes
    process = GaussianProcessRegressor(optimizer=None, alpha=0.5, normalize_y=True)
    model = ke.KernelSelector(process, kernels, "loo", C="auto").fit(X[:100], y[:100])
    assert model.best_params_["alpha"] > 0
    assert model.score(X[100:], y[100:]) > 0.2
    X, y = iris[0][::3], iris[1][::3]
    model = ke.KernelSelector(GaussianProcessClassifier(optimizer=None), kernels, "sm").fit(X, y)
    assert model.predict_proba(X).shape == (50, 3)
    assert model.score(X, y) > 0.9


def test_no_estimator_means_our_learner(iris, diabetes):
    model = ke.KernelSelector().fit(*iris)
    assert isinstance(model.best_estimator_, ke.LSSVMClassifier)
    assert model.best_estimator_.lam_ == pytest.approx(model.result_.lam)
    assert is_classifier(model)
    np.testing.assert_array_equal(model.classes_, [0, 1, 2])
    model = ke.KernelSelector(criterion="sm").fit(*diabetes)
    assert isinstance(model.best_estimator_, ke.LSSVMRegressor)
    assert is_regressor(model)


@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_automatic_C_is_half_the_inverse_ridge(iris, convention):
    X, y = iris
    model = ke.KernelSelector(SVC(), GRID, C="auto", lam_convention=convention).fit(X, y)
    ridge = model.result_.lam * (len(y) if convention == "mean" else 1)
    assert pytest.approx(0.5 / ridge) == model.best_estimator_.C
    fixed = ke.KernelSelector(SVC(), GRID, "sm", C="auto", lam=0.25).fit(X, y)
    assert fixed.best_estimator_.C == 2.0
    cheap = ke.KernelSelector(SVC(), GRID, "sm", C="auto").fit(X, y)
    own = ke.select(X, y, [cheap.best_kernel_], "loo", lam="auto").lam
    assert pytest.approx(0.5 / own) == cheap.best_estimator_.C
    ours = ke.KernelSelector(ke.LSSVMClassifier(), GRID, C="auto").fit(X, y)
    assert ours.best_estimator_.lam_ == pytest.approx(ours.result_.lam)


@pytest.mark.parametrize("lam", [np.float32(0.5), np.int64(2), 0.5, [0.5]])
@pytest.mark.parametrize("criterion", ["auto", "sm"])
def test_automatic_C_of_a_lambda_that_is_given(iris, lam, criterion):
    ridge = float(np.ravel(lam)[0])
    machine = ke.KernelSelector(SVC(), GRID, criterion, C="auto", lam=lam).fit(*iris)
    assert machine.best_params_["C"] == pytest.approx(0.5 / ridge)
    learner = ke.KernelSelector(None, GRID, criterion, lam=lam).fit(*iris)
    assert learner.best_params_["lam"] == pytest.approx(ridge)


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


@pytest.mark.parametrize("given", ["stack", "list", "candidates"])
def test_kernel_matrices(iris, given):
    """As scikit-learn's kernel="precomputed": new rows come by their kernel values."""
    X, y = iris
    old, new = np.arange(150) % 3 > 0, np.arange(150) % 3 == 0
    kernels = [*GRID, ke.Laplacian(0.5)]
    wanted = ke.KernelSelector(SVC(), kernels, "sm").fit(X[old], y[old])
    training = [kernel(X[old]) for kernel in kernels]
    testing = [kernel(X[new], X[old]) for kernel in kernels]
    if given == "candidates":
        model = ke.KernelSelector(SVC(), training, "sm").fit(None, y[old])
    else:
        stacked = np.array(training) if given == "stack" else training
        model = ke.KernelSelector(SVC(), "precomputed", "sm").fit(stacked, y[old])
    assert model.best_index_ == wanted.best_index_
    assert model.best_params_ == {"kernel": "precomputed"}
    assert model.n_features_in_ == 100
    for X_new in (testing, np.array(testing), testing[model.best_index_]):
        np.testing.assert_array_equal(model.predict(X_new), wanted.predict(X[new]))
    assert model.score(testing, y[new]) == wanted.score(X[new], y[new])
    assert pickle.loads(pickle.dumps(model)).score(testing, y[new]) == model.score(testing, y[new])


def test_kernel_matrices_in_other_estimators(iris, diabetes):
    X, y = iris
    weights = np.arange(150) % 4
    stack = np.array([kernel(X) for kernel in GRID])
    model = ke.KernelSelector(SVC(), "precomputed", "sm", C="auto")
    model.fit(stack, y, sample_weight=weights)
    rows = ke.KernelSelector(SVC(), GRID, "sm", C="auto").fit(X, y, sample_weight=weights)
    assert model.best_params_["C"] == pytest.approx(rows.best_params_["C"], rel=1e-9)
    np.testing.assert_array_equal(model.predict(stack), rows.predict(X))
    ours = ke.KernelSelector(None, "precomputed").fit(stack, y)
    assert ours.score(stack, y) == ke.KernelSelector(None, GRID).fit(X, y).score(X, y)
    pca = ke.KernelSelector(KernelPCA(2), "precomputed", "sm")
    assert pca.fit_transform(stack, y).shape == (150, 2)
    X, y = diabetes
    ridge = ke.KernelSelector(KernelRidge(), "precomputed", "loo")
    both = np.column_stack([y, X[:, 0]])
    assert ridge.fit([kernel(X) for kernel in GRID], both).predict(GRID[0](X)).shape == (150, 2)


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (None, TypeError, "must be a list or stack of kernel matrices, not None"),
        ([[1.0, 2.0], [3.0, 4.0]], ValueError, r"each of shape \(n, n\)"),
        (np.zeros((2, 150, 3)), ValueError, "must be a kernel, a callable or a square matrix"),
        (np.zeros((2, 30, 30)), ValueError, "but y has 150 entries"),
    ],
)
def test_kernel_matrices_refused(iris, X, error, message):
    with pytest.raises(error, match=message):
        ke.KernelSelector(SVC(), "precomputed", "sm").fit(X, iris[1])


def test_new_rows_of_kernel_matrices_refused(iris):
    X, y = iris
    stack = [kernel(X) for kernel in GRID]
    model = ke.KernelSelector(SVC(), "precomputed", "sm").fit(stack, y)
    for wrong in (X, stack[:3], None, "text"):
        with pytest.raises(ValueError, match=r"of shape \(m, 150\), or one for each of the 9"):
            model.predict(wrong)
    with pytest.raises(ValueError, match="NaN or infinity"):
        model.predict(np.full((2, 150), np.nan))
    with pytest.raises(ValueError, match="no kernel matrices among the candidates"):
        ke.KernelSelector(SVC()).fit(None, y)
    with pytest.raises(ValueError, match="needs a function of rows"):
        ke.KernelSelector(GaussianProcessClassifier(), "precomputed", "sm").fit(stack, y)


def test_sample_weight(iris):
    X, y = iris
    weights = np.where(y == 2, 0.0, 1.0 + (np.arange(150) % 3))
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
    model = ke.KernelSelector(SVC(), LAPLACIANS, "sm").fit(X, y, sample_weight=weights)
    by_hand = SVC(kernel=model.best_kernel_)
    by_hand.fit(X[counted], y[counted], sample_weight=weights[counted])
    np.testing.assert_array_equal(model.predict(X), by_hand.predict(X))


def test_metadata_routing(iris):
    X, y = iris
    weights = np.where(y == 1, 5.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        asks = SVC().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        model = ke.KernelSelector(asks, GRID, "sm").fit(X, y, sample_weight=weights)
        by_hand = SVC(**model.best_params_).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(model.decision_function(X), by_hand.decision_function(X))
        wanted = by_hand.score(X, y, sample_weight=weights)
        assert model.score(X, y, sample_weight=weights) == wanted
        silent = ke.KernelSelector(SVC(), GRID, "sm")
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
            silent.fit(X, y, sample_weight=weights)


@pytest.mark.parametrize(
    ("selector", "error", "message"),
    [
        (ke.KernelSelector(SVC(), C=10.0), ValueError, r"set a number on the estimator itself"),
        (ke.KernelSelector(SVC), TypeError, r"must be an estimator such as SVC\(\)"),
        (ke.KernelSelector(LogisticRegression()), ValueError, "neither a 'kernel' nor"),
        (
            ke.KernelSelector(make_pipeline(StandardScaler(), SVC())),
            ValueError,
            "at the end of the pipeline",
        ),
        (ke.KernelSelector(SVC(), GRID, "stability"), ValueError, "cannot elect"),
        (ke.KernelSelector(SVC(), GRID, "smm"), ValueError, "did you mean 'sm'"),
        (
            ke.KernelSelector(NuSVC(), GRID, "sm", C="auto"),
            ValueError,
            "needs a parameter C, alpha or lam, which NuSVC does not have; leave C=None",
        ),
        (
            ke.KernelSelector(SVC(), [np.eye(150)] * 2),
            ValueError,
            "values on new rows; fit with X=",
        ),
        (ke.KernelSelector(KernelPCA(), GRID, "sm", C="auto"), ValueError, "KernelPCA is not"),
        (ke.KernelSelector(SVC(), GRID, n_jobs=0), ValueError, "^n_jobs must be at least 1, or -1"),
        (ke.KernelSelector(SVC(), GRID, n_jobs="2"), TypeError, "^n_jobs must be a whole number"),
        (ke.KernelSelector(SVC(), GRID, refit="yes"), TypeError, "refit must be"),
    ],
)
def test_refusals(iris, selector, error, message):
    with pytest.raises(error, match=message):
        selector.fit(*iris)


def test_labels_are_needed(iris):
    machine, transformer = OneClassSVM(), KernelPCA(2)
    for call in (
        lambda: ke.KernelSelector(machine, GRID).fit(iris[0], None),
        lambda: ke.KernelSelector(machine, GRID).fit(iris[0]),
        lambda: ke.KernelSelector(machine, GRID).fit_predict(iris[0]),
        lambda: ke.KernelSelector(transformer, GRID).fit_transform(iris[0]),
        lambda: ke.KernelSelector(SVC(), "precomputed").fit([np.eye(3)]),
    ):
        with pytest.raises(ValueError, match=r"requires y to be passed.*looks at labels"):
            call()


@pytest.mark.parametrize("machine", [LogisticRegression(), NuSVC()])
def test_misfits_are_refused_before_the_work(iris, machine):
    def progress(fraction):
        raise AssertionError("the election has begun")

    with pytest.raises(ValueError, match=r"neither a 'kernel' nor|parameter C, alpha or lam"):
        ke.KernelSelector(machine, GRID, C="auto", progress=progress).fit(*iris)


def test_single_classes_are_named_plainly(iris):
    X, y = iris
    with pytest.raises(ValueError, match=r"leaves a single class \(0\)"):
        ke.KernelSelector(SVC(), GRID, "sm").fit(X, y, sample_weight=y == 0)
    with pytest.raises(ValueError, match=r"^class 1 has a single member"):
        ke.KernelSelector(SVC(), GRID, "cv").fit(X[:51], y[:51])


@pytest.mark.parametrize("learner", [ke.KernelSelector(SVC(), GRID), ke.LSSVMClassifier()])
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
