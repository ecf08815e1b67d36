"""Elected kernels in the estimators of scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.cluster import SpectralClustering
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression
from sklearn.manifold import SpectralEmbedding
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import kernelect as ke
from kernelect.kernels import Precomputed

RNG = np.random.default_rng(7)
X = RNG.normal(size=(70, 5))
Y = RNG.normal(size=(9, 5))
CLASSES = np.where(X[:, 0] + X[:, 1] ** 2 > 0.7, "yes", "no")
NUMBERS = np.sin(X[:, 0]) + X[:, 1]
ELECTED = [
    ke.Gaussian(3.0),
    ke.Laplacian(0.3),
    ke.Matern(1.5, 2.0),
    ke.Polynomial(2, 0.5, 1.0),
    ke.Linear(),
    0.5 * ke.Gaussian(3.0) + ke.normalized(ke.Polynomial(2)),
]


@pytest.mark.parametrize("kernel", ELECTED, ids=repr)
@pytest.mark.parametrize(
    ("estimator", "target", "output"),
    [
        (SVC(), CLASSES, "decision_function"),
        (NuSVC(nu=0.3), CLASSES, "decision_function"),
        (SVR(), NUMBERS, "predict"),
        (NuSVR(), NUMBERS, "predict"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_support_vector_machines(kernel, estimator, target, output):
    same_machine(kernel, estimator, target, output)


@pytest.mark.parametrize("kernel", ELECTED[:3], ids=repr)
def test_one_class_machine(kernel):
    same_machine(kernel, OneClassSVM(nu=0.3), None, "decision_function")


def same_machine(kernel, estimator, target, output):
    """Against the same machine on the kernel matrix."""
    own = clone(estimator).set_params(kernel="precomputed", tol=1e-7).fit(kernel(X), target)
    wanted = getattr(own, output)(kernel(Y, X))
    for params in (
        kernel.params_for(estimator),
        kernel.params_for(type(estimator)),
        {"kernel": kernel},
    ):
        fitted = clone(estimator).set_params(**params, tol=1e-7).fit(X, target)
        assert_allclose(getattr(fitted, output)(Y), wanted, atol=1e-5)


@pytest.mark.parametrize("kernel", ELECTED, ids=repr)
def test_kernel_ridge_regression(kernel):
    wanted = kernel(Y, X) @ np.linalg.solve(kernel(X) + np.eye(len(X)), NUMBERS)
    for params in (kernel.params_for(KernelRidge()), {"kernel": kernel}):
        fitted = KernelRidge(alpha=1.0).set_params(**params).fit(X, NUMBERS)
        assert_allclose(fitted.predict(Y), wanted, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("kernel", ELECTED, ids=repr)
def test_kernel_pca(kernel):
    """By inner products of the scores, which do not depend on the signs of eigenvectors."""
    own = KernelPCA(3, kernel="precomputed", eigen_solver="dense").fit(kernel(X))
    wanted = own.transform(kernel(Y, X))
    fitted = KernelPCA(3, eigen_solver="dense").set_params(**kernel.params_for(KernelPCA())).fit(X)
    scores = fitted.transform(Y)
    assert_allclose(scores @ scores.T, wanted @ wanted.T, rtol=1e-8, atol=1e-7)


@pytest.mark.parametrize("kernel", ELECTED, ids=repr)
def test_nystroem(kernel):
    model = Nystroem(n_components=20, random_state=0)
    features = model.set_params(**kernel.params_for(model)).fit_transform(X)
    own = Nystroem(n_components=20, random_state=0, kernel=kernel)
    wanted = own.fit_transform(X)
    assert_allclose(features @ features.T, wanted @ wanted.T, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("kernel", [ke.Gaussian(3.0), ke.Laplacian(0.3), ke.Matern(1.5, 2.0)])
def test_spectral_methods_take_the_kernel_as_affinity(kernel):
    x = np.vstack([X[:20], X[:20] + 8.0])
    params = kernel.params_for(SpectralClustering())
    assert set(params) <= {"affinity", "gamma"}
    found = SpectralClustering(2, random_state=0).set_params(**params).fit(x)
    assert_allclose(found.affinity_matrix_, kernel(x), rtol=1e-12)
    assert len(set(found.labels_[:20])) == len(set(found.labels_[20:])) == 1
    embedding = SpectralEmbedding(2, random_state=0)
    embedding.set_params(**kernel.params_for(embedding)).fit(x)
    assert_allclose(embedding.affinity_matrix_, kernel(x), rtol=1e-12)


@pytest.mark.parametrize("kernel", ELECTED, ids=repr)
def test_gaussian_processes_keep_the_elected_kernel(kernel):
    """Their optimiser would move free parameters, and the choice would be lost."""
    model = GaussianProcessRegressor(alpha=0.1)
    model.set_params(**kernel.params_for(model)).fit(X, NUMBERS)
    wanted = kernel(Y, X) @ np.linalg.solve(kernel(X) + 0.1 * np.eye(len(X)), NUMBERS)
    assert_allclose(model.predict(Y), wanted, rtol=1e-8, atol=1e-7)
    assert_allclose(model.kernel_(Y), kernel(Y), rtol=1e-12)
    classifier = GaussianProcessClassifier()
    classifier.set_params(**kernel.params_for(GaussianProcessClassifier)).fit(X, CLASSES)
    assert_allclose(classifier.kernel_(Y), kernel(Y), rtol=1e-12)
    assert classifier.predict_proba(Y).shape == (len(Y), 2)
    assert clone(model).fit(X, NUMBERS).predict(Y) == pytest.approx(model.predict(Y))
    assert pickle.loads(pickle.dumps(model)).predict(Y) == pytest.approx(model.predict(Y))


def test_names_of_scikit_learn_where_it_has_the_kernel():
    assert ke.Gaussian(8.0).params_for(SVC()) == {"kernel": "rbf", "gamma": 0.0625}
    assert ke.Gaussian(8.0).params_for(KernelRidge) == {"kernel": "rbf", "gamma": 0.0625}
    assert ke.Linear().params_for(SVR) == {"kernel": "linear"}
    assert ke.Polynomial(2, 0.5, 3.0).params_for(SVC) == {
        "kernel": "poly",
        "degree": 2,
        "gamma": 0.5,
        "coef0": 3.0,
    }
    assert ke.Laplacian(1.0).params_for(SVC) == {"kernel": ke.Laplacian(1.0)}
    assert Precomputed(3).params_for(SVC) == {"kernel": "precomputed"}
    assert Precomputed(3).params_for(SpectralClustering) == {"affinity": "precomputed"}


def test_classes_that_need_arguments_are_read_without_an_object():
    class Machine:
        def __init__(self, kernel, needed):
            self.kernel, self.needed = kernel, needed

    assert ke.Gaussian(1.0).params_for(Machine) == {"kernel": ke.Gaussian(1.0)}


@pytest.mark.parametrize("estimator", [LinearRegression(), LinearRegression, 3])
def test_estimators_without_a_kernel_are_refused(estimator):
    with pytest.raises(ValueError, match=r"has no 'kernel' parameter to put Gaussian\(tau=1.0\)"):
        ke.Gaussian(1.0).params_for(estimator)


def test_sparse_rows_in_a_support_vector_machine():
    rows = sp.csr_matrix(np.where(np.abs(X) > 0.5, X, 0.0))
    kernel = ke.Laplacian(0.3)
    sparse = SVC(kernel=kernel).fit(rows, CLASSES).decision_function(rows)
    dense = SVC(kernel=kernel).fit(rows.toarray(), CLASSES).decision_function(rows.toarray())
    assert_allclose(sparse, dense, atol=1e-6)
