"""Kernels as values and as functions: against scikit-learn, in its estimators, on all rows."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.cluster import SpectralClustering
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process import kernels as processes
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression
from sklearn.manifold import SpectralEmbedding
from sklearn.metrics import pairwise
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import kernelect as ke
from kernelect.kernels import Function, Normalized, Precomputed, Product, Scaled, Sum

RNG = np.random.default_rng(7)
X = RNG.normal(size=(70, 5))
Y = RNG.normal(size=(9, 5))


def unit_diagonal(function):
    def normalised(x, y):
        left = np.sqrt([function(row[None], row[None])[0, 0] for row in x])
        right = np.sqrt([function(row[None], row[None])[0, 0] for row in y])
        return function(x, y) / np.outer(left, right)

    return normalised


def rbf(gamma):
    return lambda x, y: pairwise.rbf_kernel(x, y, gamma=gamma)


def cubic(x, y):
    return pairwise.polynomial_kernel(x, y, degree=3, gamma=0.5, coef0=2.0)


FAMILIES = [
    (ke.Gaussian(3.0), rbf(1 / 6)),
    (ke.Laplacian(0.3), lambda x, y: pairwise.laplacian_kernel(x, y, gamma=0.3)),
    (ke.Matern(0.5, 1.7), processes.Matern(1.7, nu=0.5)),
    (ke.Matern(1.5, 1.7), processes.Matern(1.7, nu=1.5)),
    (ke.Matern(2.5, 1.7), processes.Matern(1.7, nu=2.5)),
    (ke.Polynomial(3, 0.5, 2.0), cubic),
    (ke.Polynomial(1), lambda x, y: x @ y.T + 1.0),
    (ke.Linear(), pairwise.linear_kernel),
]
ALGEBRA = [
    (ke.Gaussian(3.0) + ke.Linear(), lambda x, y: rbf(1 / 6)(x, y) + x @ y.T),
    (2 * ke.Linear(), lambda x, y: 2 * (x @ y.T)),
    (ke.Gaussian(3.0) * 0.25, lambda x, y: 0.25 * rbf(1 / 6)(x, y)),
    (ke.Gaussian(3.0) * ke.Polynomial(3, 0.5, 2.0), lambda x, y: rbf(1 / 6)(x, y) * cubic(x, y)),
    (ke.normalized(ke.Polynomial(3, 0.5, 2.0)), unit_diagonal(cubic)),
    (
        2 * ke.normalized(ke.Linear() + 3 * ke.Gaussian(1.0)) * ke.Laplacian(0.1) + ke.Linear(),
        lambda x, y: (
            2
            * unit_diagonal(lambda a, b: a @ b.T + 3 * rbf(0.5)(a, b))(x, y)
            * pairwise.laplacian_kernel(x, y, gamma=0.1)
            + x @ y.T
        ),
    ),
    (0.0 * ke.Gaussian(1.0), lambda x, y: np.zeros((len(x), len(y)))),
]
ALL = [pytest.param(*pair, id=repr(pair[0])) for pair in FAMILIES + ALGEBRA]
KERNELS = [pytest.param(pair[0], id=repr(pair[0])) for pair in FAMILIES + ALGEBRA]


# values


@pytest.mark.parametrize(("kernel", "function"), ALL)
def test_values(kernel, function):
    assert_allclose(kernel(X), function(X, X), rtol=1e-12, atol=1e-13)
    assert_allclose(kernel(X, Y), function(X, Y), rtol=1e-12, atol=1e-13)
    assert_allclose(kernel.diag(X), np.diagonal(function(X, X)), rtol=1e-12, atol=1e-13)
    assert_array_equal(kernel(X), kernel(X).T)


@pytest.mark.parametrize("d", [1, 2, 24, 25, 100, 784])
@pytest.mark.parametrize("kernel", [ke.Gaussian(50.0), ke.Laplacian(0.02), ke.Polynomial(2, 0.01)])
def test_number_of_features(kernel, d):
    """Distances come from differences for few features and from products for many."""
    x, y = RNG.normal(size=(67, d)), RNG.normal(size=(5, d))
    function = {
        ke.Gaussian: lambda a, b: np.exp(-0.01 * cdist(a, b, "sqeuclidean")),
        ke.Laplacian: lambda a, b: pairwise.laplacian_kernel(a, b, gamma=0.02),
        ke.Polynomial: lambda a, b: (1.0 + 0.01 * (a @ b.T)) ** 2,
    }[type(kernel)]
    for moved in (0.0, 30.0):
        a, b = x + moved, y + moved
        assert_allclose(kernel(a), function(a, a), rtol=1e-11)
        assert_allclose(kernel(a, b), function(a, b), rtol=1e-11)


@pytest.mark.parametrize("d", [3, 30])
@pytest.mark.parametrize("offset", [0.0, 1e3, 1e8])
def test_duplicates_and_neighbours_far_from_the_origin(d, offset):
    x = np.round(RNG.normal(size=(40, d)) * 1024) / 1024
    x[20:] = x[:20]
    x[30:, 0] += 2.0**-10
    kernel = ke.Gaussian(2.0**-12)
    k = kernel(x + offset)
    assert_array_equal(k[np.arange(10), np.arange(20, 30)], 1.0)
    assert_allclose(k[np.arange(10, 20), np.arange(30, 40)], np.exp(-(2.0**-9)), rtol=1e-12)
    assert_array_equal(kernel(x + offset, x[:5] + offset), k[:, :5])


@pytest.mark.parametrize("kernel", KERNELS)
def test_forms_of_rows(kernel):
    wanted, crossed = kernel(X), kernel(X, Y)
    for form in (
        np.asfortranarray(X),
        np.repeat(X, 2, axis=0)[::2],
        np.repeat(X, 2, axis=1)[:, ::2],
        X[::-1][::-1],
        X.tolist(),
        pd.DataFrame(X, columns=list("abcde")),
        np.ma.masked_array(X),
    ):
        assert_array_equal(kernel(form), wanted)
        assert_array_equal(kernel(form, Y), crossed)
        assert_array_equal(kernel.diag(form), kernel.diag(X))
    single = X.astype(np.float32)
    assert kernel(single).dtype == np.float64
    assert_array_equal(kernel(single), kernel(single.astype(np.float64)))


@pytest.mark.parametrize("kernel", KERNELS)
def test_sparse_rows(kernel):
    x, y = np.where(np.abs(X) > 0.8, X, 0.0), np.where(np.abs(Y) > 0.8, Y, 0.0)
    x[3] = 0.0  # a row without entries
    wanted, crossed = kernel(x), kernel(x, y)
    for make in (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.lil_matrix, sp.csr_array):
        assert_allclose(kernel(make(x)), wanted, rtol=1e-12, atol=1e-13)
        assert_allclose(kernel(make(x), make(y)), crossed, rtol=1e-12, atol=1e-13)
        assert_allclose(kernel(make(x), y), crossed, rtol=1e-12, atol=1e-13)
        assert_allclose(kernel(x, make(y)), crossed, rtol=1e-12, atol=1e-13)
        assert_allclose(kernel.diag(make(x)), kernel.diag(x), rtol=1e-12)


def test_one_feature_as_a_new_axis():
    """Such an array has a stride of zero, which is no reason to refuse it."""
    x = np.linspace(0.0, 1.0, 12)
    assert_array_equal(ke.Gaussian(1.0)(x[:, None]), ke.Gaussian(1.0)(x.reshape(-1, 1)))


def test_two_single_rows_give_a_number():
    value = ke.Gaussian(3.0)(X[0], Y[0])
    assert value.shape == ()
    assert value == ke.Gaussian(3.0)(X[:1], Y[:1])[0, 0]


@pytest.mark.parametrize("kernel", [ke.Matern(nu, 1e-9) for nu in (0.5, 1.5, 2.5)])
@pytest.mark.parametrize("scale", [1e100, 1e155, 1e200, 1e300])
def test_radial_kernels_of_huge_values_are_the_identity(kernel, scale):
    for radial in (kernel, ke.Gaussian(1e-9), ke.Laplacian(1e9), ke.normalized(kernel)):
        assert_array_equal(radial(scale * X), np.eye(len(X)))
    assert_array_equal(kernel(np.pad(scale * X, ((0, 0), (0, 30)))), np.eye(len(X)))


@pytest.mark.parametrize("kernel", [ke.Gaussian(1.0), ke.Laplacian(1.0), ke.Matern(2.5)])
@pytest.mark.parametrize("scale", [1e-150, 1e-200, 1e-320])
def test_radial_kernels_of_tiny_values_are_all_ones(kernel, scale):
    assert_array_equal(kernel(scale * X), np.ones((len(X), len(X))))


def test_dot_products_of_huge_values_overflow_to_infinity_or_stay():
    assert_allclose(ke.Linear()(1e100 * X) / 1e200, X @ X.T, rtol=1e-12, atol=1e-13)
    assert np.isinf(ke.Linear()(np.full((2, 3), 1e200))).all()


def test_normalized_of_a_vanishing_row_is_zero():
    k = ke.normalized(ke.Linear())([[0.0, 0.0], [3.0, 4.0], [0.0, 2.0]])
    assert_allclose(k, [[0, 0, 0], [0, 1, 0.8], [0, 0.8, 1]])
    assert_array_equal(ke.normalized(ke.Linear()).diag([[0.0], [2.0]]), [0.0, 1.0])


def test_many_rows_in_several_tiles():
    x, y = RNG.normal(size=(200, 3)), RNG.normal(size=(130, 3))
    assert_allclose(ke.Gaussian(3.0)(x, y), rbf(1 / 6)(x, y), rtol=1e-12)
    assert_allclose(ke.Gaussian(3.0)(x), rbf(1 / 6)(x, x), rtol=1e-12)


# algebra


def test_algebra_flattens_and_keeps_order():
    a, b, c = ke.Gaussian(1.0), ke.Linear(), ke.Laplacian(2.0)
    assert (a + b) + c == a + (b + c) == Sum((a, b, c)) == sum([a, b, c])
    assert (a * b) * c == a * (b * c) == Product((a, b, c)) == Product([a * b, c])
    assert 2 * a == a * 2 == Scaled(2.0, a) == np.float64(2.0) * a == a * np.int64(2)
    assert a + b != b + a
    assert ke.normalized(ke.normalized(b)) == ke.normalized(b) == Normalized(Normalized(b))


def test_callables_take_part_in_the_algebra():
    f, g = Function(pairwise.cosine_similarity), ke.Gaussian(3.0)
    cosine, gauss = pairwise.cosine_similarity, rbf(1 / 6)
    cases = [
        (f + g, lambda x, y: cosine(x, y) + gauss(x, y)),
        (2 * f * g, lambda x, y: 2 * cosine(x, y) * gauss(x, y)),
        (ke.normalized(f + g), unit_diagonal(lambda x, y: cosine(x, y) + gauss(x, y))),
    ]
    for kernel, function in cases:
        assert not kernel.in_core
        assert_allclose(kernel(X), function(X, X), rtol=1e-12, atol=1e-13)
        assert_allclose(kernel(X, Y), function(X, Y), rtol=1e-12, atol=1e-13)
        assert_allclose(kernel.diag(X), np.diagonal(function(X, X)), rtol=1e-12)


def test_noise_of_a_process_kernel_is_on_the_diagonal_only():
    noisy = processes.RBF(1.3) + processes.WhiteKernel(0.5)
    kernel = Function(noisy)
    assert_allclose(kernel(X), noisy(X))
    assert_allclose(kernel.diag(X), noisy.diag(X))
    assert_allclose(kernel(X, Y), noisy(X, Y))


def test_a_function_may_give_a_sparse_matrix():
    rows = sp.csr_matrix(np.where(np.abs(X) > 0.8, X, 0.0))
    assert_allclose(Function(lambda x, y: x @ y.T)(rows), (rows @ rows.T).toarray())


# values of their own


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_are_values(kernel):
    loaded = pickle.loads(pickle.dumps(kernel))
    names = {name: getattr(ke, name) for name in ke.__all__}
    for twin in (loaded, copy.copy(kernel), copy.deepcopy(kernel), eval(repr(kernel), names)):
        assert twin == kernel
        assert hash(twin) == hash(kernel)
        assert repr(twin) == repr(kernel)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert b"kernelect._core" not in pickle.dumps(kernel, protocol)
    assert "\n" not in repr(kernel)
    assert kernel != 3
    assert len({kernel, loaded, ke.Gaussian(17.0)}) == 2


@pytest.mark.parametrize(
    "written",
    [
        "3.0 * (2.0 * Gaussian(tau=1.0))",
        "2.0 * (Gaussian(tau=1.0) * Linear())",
        "(2.0 * Gaussian(tau=1.0)) * Linear()",
        "Gaussian(tau=1.0) * (2.0 * Linear())",
        "2.0 * (Gaussian(tau=1.0) + Linear())",
        "(Gaussian(tau=1.0) + Linear()) * Laplacian(gamma=0.5)",
        "2.0 * Gaussian(tau=1.0) + Linear() * Polynomial(degree=2, gamma=0.5)",
        "normalized(Polynomial(degree=2, coef0=0.0) + 1e-05 * Matern(nu=1.5, length_scale=3.0))",
    ],
)
def test_kernels_print_as_they_are_written(written):
    kernel = eval(written, vars(ke))
    assert repr(kernel) == written
    assert eval(repr(kernel), vars(ke)) == kernel


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_are_immutable(kernel):
    for name in (*vars(kernel), "anything"):
        with pytest.raises(FrozenInstanceError):
            setattr(kernel, name, 1.0)
    for name in vars(kernel):
        with pytest.raises(FrozenInstanceError):
            delattr(kernel, name)


def test_parametrisations_of_the_gaussian():
    for tau in (1e-300, 0.1, 1.0, 8.0, 1e300):
        kernel = ke.Gaussian(tau)
        assert kernel.gamma == 0.5 / tau
        assert kernel.sigma == tau**0.5
        assert ke.Gaussian(gamma=kernel.gamma).tau == pytest.approx(tau, rel=1e-15)
        assert ke.Gaussian(sigma=kernel.sigma).tau == pytest.approx(tau, rel=1e-15)
    assert ke.Gaussian(sigma=3) == ke.Gaussian(9) == ke.Gaussian(tau=np.float32(9.0))
    assert isinstance(ke.Gaussian(np.int64(4)).tau, float)
    assert ke.Gaussian(gamma=0.5) == ke.Gaussian(1.0)
    assert ke.Gaussian(0.5) != ke.Laplacian(0.5)


# in scikit-learn


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
