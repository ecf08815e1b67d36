"""Stacks of kernel matrices in scikit-learn's cross-validation."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_predict,
    cross_val_score,
    train_test_split,
)
from sklearn.svm import SVC

import kernelect as ke

GRID = ke.gaussian_grid(-2, 4)
X, Y = load_iris(return_X_y=True)
STACK = np.array([kernel(X) for kernel in GRID])


def test_rows_and_columns_are_cut_of_every_matrix():
    view = ke.KernelStackView(STACK)
    assert view.shape == (150, 150)
    assert len(view) == 150
    assert view.matrices[2] is not None
    assert all(np.shares_memory(matrix, STACK) for matrix in view.matrices)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    part = view[np.ix_(test, train)]
    assert part.shape == (75, 75)
    np.testing.assert_array_equal(np.array(part), STACK[:, test][:, :, train])
    again = part[np.arange(75) < 10, 5:8]
    np.testing.assert_array_equal(np.array(again), STACK[:, test[:10]][:, :, train[5:8]])
    np.testing.assert_array_equal(np.array(view[test]), STACK[:, test])
    np.testing.assert_array_equal(np.array(view[test, ...]), STACK[:, test])
    assert view[3].shape == (1, 150)
    assert repr(again) == "KernelStackView(7 kernels, shape=(10, 3))"
    np.testing.assert_array_equal(np.array(pickle.loads(pickle.dumps(again))), np.array(again))
    np.testing.assert_array_equal(np.array(ke.KernelStackView(part)), np.array(part))
    sparse = ke.KernelStackView([sp.csr_matrix(matrix) for matrix in STACK])
    np.testing.assert_array_equal(np.array(sparse[test]), STACK[:, test])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "is empty"),
        ([STACK[0], STACK[0][:3]], r"but one has \(3, 150\) and the first \(150, 150\)"),
        ([X[:, 0]], "one shape of two axes"),
    ],
)
def test_refused(given, message):
    with pytest.raises(ValueError, match=message):
        ke.KernelStackView(given)
    with pytest.raises(IndexError, match="can be indexed by rows and columns only"):
        ke.KernelStackView(STACK)[0, 0, 0]


def test_kernel_selector_by_scikit_learn():
    """Every fold elects among and predicts with the same numbers as kernels on rows."""
    view = ke.KernelStackView(STACK)
    stored = ke.KernelSelector(SVC(), "precomputed", "sm")
    rows = ke.KernelSelector(SVC(), GRID, "sm")
    np.testing.assert_array_equal(cross_val_score(stored, view, Y), cross_val_score(rows, X, Y))
    np.testing.assert_array_equal(cross_val_predict(stored, view, Y), cross_val_predict(rows, X, Y))
    grid = {"estimator__C": [0.01, 10.0]}
    search = GridSearchCV(stored, grid).fit(view, Y)
    wanted = GridSearchCV(rows, grid).fit(X, Y)
    assert search.best_params_ == wanted.best_params_
    np.testing.assert_array_equal(search.predict(view[::7]), wanted.predict(X[::7]))


@pytest.mark.parametrize("method", ["average", "simple"])
def test_kernel_learning_by_scikit_learn(method):
    view = ke.KernelStackView(STACK)
    stored = ke.MKLClassifier(method, "precomputed")
    rows = ke.MKLClassifier(method, list(GRID))
    np.testing.assert_array_equal(cross_val_score(stored, view, Y), cross_val_score(rows, X, Y))
    for given in (view, STACK, list(STACK)):
        found = stored.fit(given, Y)
        assert found.candidate_weights_ == pytest.approx(rows.fit(X, Y).candidate_weights_)
        np.testing.assert_array_equal(found.predict(given), rows.predict(X))


def test_kernel_learning_of_numbers():
    x, y = load_diabetes(return_X_y=True)
    x, y = x[:120], y[:120] / 100.0
    view = ke.KernelStackView([kernel(x) for kernel in GRID])
    stored = cross_val_score(ke.MKLRegressor("average", "precomputed"), view, y)
    assert stored == pytest.approx(cross_val_score(ke.MKLRegressor("average", list(GRID)), x, y))


@pytest.mark.parametrize("given", [None, "text", 3])
def test_kernel_learning_refuses_what_is_no_stack(given):
    with pytest.raises(TypeError, match="X must be a list or stack of kernel matrices"):
        ke.MKLClassifier("simple", "precomputed").fit(given, Y)


def test_election_among_the_matrices_of_a_view():
    view = ke.KernelStackView(STACK)
    some = np.arange(0, 150, 3)
    for criterion in ("auto", "sm"):
        chosen = ke.select(None, Y[some], view[np.ix_(some, some)], criterion)
        expected = ke.select(X[some], Y[some], GRID, criterion)
        assert (chosen.index, chosen.score) == (expected.index, pytest.approx(expected.score))


def test_a_single_split_of_rows_says_how_to_cut_columns():
    """`train_test_split` knows nothing of columns."""
    train, test = train_test_split(ke.KernelStackView(STACK), random_state=0)
    assert (train.shape, test.shape) == ((112, 150), (38, 150))
    said = r"square .* has shape \(112, 150\); cut columns .* stack\[numpy.ix_\(rows, rows\)\]"
    with pytest.raises(ValueError, match=said):
        ke.KernelSelector(SVC(), "precomputed").fit(train, Y[:112])
    with pytest.raises(ValueError, match=said):
        ke.MKLClassifier("average", "precomputed").fit(train, Y[:112])
