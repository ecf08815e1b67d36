"""The elected kernel in every kind of estimator."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.cluster import SpectralClustering
from sklearn.datasets import load_iris
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC, OneClassSVM

import kernelect as ke

GRID = ke.gaussian_grid(-2, 6)
LAPLACIANS = [ke.Laplacian(2.0**k) for k in range(-5, 1)]


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
    assert model.best_params_["kernel"].k2.noise_level > 0
    assert model.best_params_["alpha"] == 0.0  # the noise is in the kernel
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
def test_automatic_C_is_twice_the_inverse_ridge(iris, convention):
    X, y = iris
    model = ke.KernelSelector(SVC(), GRID, C="auto", lam_convention=convention).fit(X, y)
    ridge = model.result_.lam * (len(y) if convention == "mean" else 1)
    assert model.fold_results_["C"][0] == pytest.approx(2 / ridge)
    fixed = ke.KernelSelector(SVC(), GRID, "sm", C="auto", lam=0.25).fit(X, y)
    assert fixed.best_estimator_.C == 8.0
    cheap = ke.KernelSelector(SVC(), GRID, "sm", C="auto").fit(X, y)
    own = ke.select(X, y, [cheap.best_kernel_], "loo", lam="auto").lam
    assert pytest.approx(2 / own) == cheap.best_estimator_.C
    ours = ke.KernelSelector(ke.LSSVMClassifier("auto"), GRID, C="auto").fit(X, y)
    assert ours.best_estimator_.lam_ == pytest.approx(ours.result_.lam)


@pytest.mark.parametrize("lam", [np.float32(0.5), np.int64(2), 0.5, [0.5]])
@pytest.mark.parametrize("criterion", ["auto", "sm"])
def test_automatic_C_of_a_lambda_that_is_given(iris, lam, criterion):
    ridge = float(np.ravel(lam)[0])
    machine = ke.KernelSelector(SVC(), GRID, criterion, C="auto", lam=lam).fit(*iris)
    assert machine.best_params_["C"] == pytest.approx(2 / ridge)
    learner = ke.KernelSelector(None, GRID, criterion, lam=lam).fit(*iris)
    assert learner.best_params_["lam"] == pytest.approx(ridge)


@pytest.mark.parametrize("name", ["return_std", "return_cov"])
def test_keywords_reach_the_estimator(diabetes, name):
    """Of a Gaussian process deviations and covariances come with the predictions."""
    X, y = diabetes
    model = make_pipeline(
        StandardScaler(),
        ke.KernelSelector(GaussianProcessRegressor(alpha=0.5, normalize_y=True), criterion="sm"),
    ).fit(X, y)
    mean, spread = model.predict(X[:9], **{name: True})
    inner = model[-1].best_estimator_
    wanted = inner.predict(model[0].transform(X[:9]), **{name: True})
    np.testing.assert_array_equal(mean, wanted[0])
    np.testing.assert_array_equal(spread, wanted[1])
    assert spread.shape == {"return_std": (9,), "return_cov": (9, 9)}[name]
    with pytest.raises(TypeError, match="no_such_keyword"):
        model.predict(X[:9], no_such_keyword=1)


def test_columns_of_a_frame_are_named(iris):
    """As by select: which columns are no numbers, or have none."""
    X, y = iris
    frame = pd.DataFrame(X, columns=["sl", "sw", "pl", "pw"])
    model = ke.KernelSelector(SVC(), criterion="sm").fit(frame, y)
    text, gap = frame.assign(sw="wide", pw="long"), frame.assign(pl=np.nan)
    for call in (lambda rows: ke.KernelSelector(SVC()).fit(rows, y), model.predict):
        with pytest.raises(ValueError, match="columns 'sw', 'pw' are not numeric"):
            call(text)
        with pytest.raises(ValueError, match="column 'pl' has missing values"):
            call(gap)
