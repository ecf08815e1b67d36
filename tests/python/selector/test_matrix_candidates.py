"""Kernel matrices as candidates of KernelSelector."""

import pickle

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

import kernelect as ke

GRID = ke.gaussian_grid(-2, 6)


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
    model = ke.KernelSelector(SVC(), "precomputed", "loo", C="auto")
    model.fit(stack, y, sample_weight=weights)
    rows = ke.KernelSelector(SVC(), GRID, "loo", C="auto").fit(X, y, sample_weight=weights)
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
