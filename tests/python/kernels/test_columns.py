"""Kernels on groups of columns, by place and by name."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.svm import SVC

import kernelect as ke


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(3)
    X = random.normal(size=(40, 5))
    y = (X[:, 1] * X[:, 3] + 0.3 * random.normal(size=40) > 0).astype(int)
    return X, y


@pytest.mark.parametrize(
    ("columns", "places"),
    [
        ([0, 3], [0, 3]),
        ([3, 0], [3, 0]),
        ([-1], [4]),
        (2, [2]),
        (slice(1, 4), [1, 2, 3]),
        (slice(None, None, 2), [0, 2, 4]),
        (np.array([True, False, False, True, False]), [0, 3]),
        (np.array([1, 2]), [1, 2]),
    ],
)
def test_places_slices_and_masks(data, columns, places):
    X, _ = data
    for kernel in (ke.Gaussian(2.0), ke.Laplacian(0.3), ke.Polynomial(2), ke.Linear()):
        on = ke.on_columns(columns, kernel)
        np.testing.assert_array_equal(on(X), kernel(X[:, places]))
        np.testing.assert_array_equal(on(X[:7], X[7:]), kernel(X[:7][:, places], X[7:][:, places]))
        np.testing.assert_allclose(on.diag(X), np.diagonal(on(X)), rtol=1e-12)


def test_sums_products_and_nesting(data):
    X, _ = data
    a, b = ke.Gaussian(0.7), ke.Polynomial(2)
    mixed = ke.on_columns([0, 1], a) + 2 * ke.on_columns([2], b) * ke.on_columns(slice(3, 5), a)
    wanted = a(X[:, :2]) + 2 * b(X[:, [2]]) * a(X[:, 3:])
    np.testing.assert_allclose(mixed(X), wanted, rtol=1e-13)
    nested = ke.on_columns([4, 1, 3], ke.on_columns([0, 2], a) + ke.Linear())
    np.testing.assert_allclose(nested(X), a(X[:, [4, 3]]) + ke.Linear()(X[:, [4, 1, 3]]))
    unit = ke.normalized(ke.on_columns([1], b))
    np.testing.assert_allclose(unit.diag(X), 1.0)


def test_sparse_rows_and_foreign_kernels(data):
    X, _ = data
    kernel = ke.on_columns([0, 4], ke.Gaussian(1.0))
    np.testing.assert_allclose(kernel(sp.csr_matrix(X)), kernel(X), atol=1e-12)
    foreign = ke.on_columns([0, 4], ke.kernels.Function(cosine_similarity))
    np.testing.assert_allclose(foreign(X), cosine_similarity(X[:, [0, 4]]))
    np.testing.assert_allclose(foreign.diag(X), 1.0)


def test_scores_are_those_of_the_columns(data):
    X, y = data
    grid = ke.gaussian_grid(-3, 3)
    criteria = ["sm", "ckta", "loo"]
    on = ke.evaluate(X, y, [ke.on_columns([1, 3], k) for k in grid], criteria)
    plain = ke.evaluate(np.ascontiguousarray(X[:, [1, 3]]), y, grid, criteria)
    for key in criteria:
        np.testing.assert_allclose(on.scores[key], plain.scores[key], rtol=1e-12)


def test_election_finds_the_telling_columns(data):
    X, y = data
    candidates = [ke.on_columns([i, j], ke.Gaussian(1.0)) for i in range(5) for j in range(i)]
    assert ke.select(X, y, candidates).kernel == ke.on_columns([3, 1], ke.Gaussian(1.0))


def test_names_of_a_data_frame(data):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcde"))
    kernel = ke.on_columns(["d", "b"], ke.Gaussian(1.0)) + ke.on_columns("a", ke.Linear())
    wanted = ke.Gaussian(1.0)(X[:, [3, 1]]) + ke.Linear()(X[:, [0]])
    np.testing.assert_allclose(kernel(frame), wanted, rtol=1e-12)
    shuffled = frame[list("edcba")]
    np.testing.assert_allclose(kernel(shuffled), wanted, rtol=1e-12)
    with pytest.raises(ValueError, match="need a data frame"):
        kernel(X)

    chosen = ke.select(frame, y, [kernel, ke.Linear()]).kernel
    assert chosen == kernel
    assert repr(chosen).startswith("on_columns(['d', 'b'], Gaussian")
    np.testing.assert_allclose(chosen(X), wanted, rtol=1e-12)  # SVC hands over plain arrays
    assert SVC(kernel=chosen).fit(frame, y).score(frame, y) > 0.8

    model = ke.LSSVMClassifier(kernel).fit(frame, y)
    by_place = ke.LSSVMClassifier(
        ke.on_columns([3, 1], ke.Gaussian(1.0)) + ke.on_columns(0, ke.Linear())
    ).fit(X, y)
    np.testing.assert_allclose(model.decision_function(frame), by_place.decision_function(X))
    nested = ke.on_columns(["a", "c"], ke.on_columns(["c"], ke.Linear()))
    np.testing.assert_allclose(nested(frame), ke.Linear()(X[:, [2]]))


def test_ard_gaussian(data):
    X, y = data
    scales = [0.5, 1.0, 2.0, 4.0, 1e6]
    kernel = ke.ARDGaussian(0.5 / np.square(scales))
    wanted = ke.Gaussian(1.0)(X / np.array(scales))
    np.testing.assert_allclose(kernel(X), wanted, rtol=1e-12)
    np.testing.assert_allclose(kernel(sp.csr_matrix(X)), wanted, atol=1e-12)
    part = ke.on_columns([1, 3], ke.ARDGaussian([0.5, 0.5 / 16]))
    np.testing.assert_allclose(part(X), ke.Gaussian(1.0)(X[:, [1, 3]] / [1.0, 4.0]))
    theirs = kernel.params_for(GaussianProcessRegressor())["kernel"]
    np.testing.assert_allclose(theirs(X), wanted, rtol=1e-12)
    assert ke.select(X, y, [kernel, ke.ARDGaussian([1.0] * 5)], criterion="sm").index in (0, 1)
    with pytest.raises(ValueError, match="4 features"):
        kernel(X[:, :4])


def test_value_semantics():
    kernel = ke.on_columns(slice(1, 3), ke.Gaussian(1.0))
    assert pickle.loads(pickle.dumps(kernel)) == kernel
    assert len({kernel, ke.on_columns(slice(1, 3), ke.Gaussian(1.0))}) == 1
    assert kernel != ke.on_columns([1, 2], ke.Gaussian(1.0))
    assert repr(kernel) == "on_columns(slice(1, 3, None), Gaussian(tau=1.0))"


@pytest.mark.parametrize(
    ("columns", "kernel", "error", "message"),
    [
        ([], ke.Linear(), ValueError, "no column is named"),
        ([0, 0], ke.Linear(), ValueError, "column 0 is given twice"),
        ([0, "a"], ke.Linear(), TypeError, "all places, all names or a mask"),
        ([False, False], ke.Linear(), ValueError, "leaves no column"),
        (1.5, ke.Linear(), TypeError, "must be places, names"),
        ([0], "linear", TypeError, "needs a kernel"),
        (slice("a", "b"), ke.Linear(), TypeError, "a slice takes whole numbers"),
    ],
)
def test_refusals(columns, kernel, error, message):
    with pytest.raises(error, match=message):
        ke.on_columns(columns, kernel)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([7], "no column 7; X has 5 columns"),
        ([True, False], "mask has 2 entries, but X has 5 columns"),
        (slice(5, 9), "leaves none of the 5 columns"),
    ],
)
def test_refusals_at_the_rows(data, columns, message):
    with pytest.raises(ValueError, match=message):
        ke.on_columns(columns, ke.Linear())(data[0])


def test_unknown_name(data):
    frame = pd.DataFrame(data[0], columns=["alpha", "beta", "gamma", "delta", "eta"])
    with pytest.raises(ValueError, match=r"no column 'gama'; did you mean 'gamma'\?"):
        ke.evaluate(frame, data[1], [ke.on_columns("gama", ke.Linear())])


@pytest.mark.parametrize(
    "kernel",
    [
        ke.on_columns([3, 0, 2], ke.Laplacian(0.3)),
        ke.on_columns([3, 2, 1, 0], ke.Gaussian(1.0)),
        ke.ARDGaussian([1.0, 0.5, 2.0, 1.0]),
    ],
)
def test_sparse_views_are_sorted(kernel):
    # Far from the origin and close together: these distances are taken entry by entry.
    x = np.array([[100.0, 0.0, 200.0, 0.0], [100.0, 0.0, 200.0, 0.1], [0.0, 2.0, 1.0, 0.0]])
    np.testing.assert_allclose(kernel(sp.csr_matrix(x)), kernel(x), rtol=1e-12)
