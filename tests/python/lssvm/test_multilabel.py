"""Several labels per row: indicator matrices as targets of the least-squares classifier."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_multilabel_classification
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_classifier_multioutput

import kernelect as ke


@pytest.fixture(scope="module")
def labelled():
    return make_multilabel_classification(120, 8, n_classes=4, n_labels=2, random_state=0)


def test_scikit_learns_own_check():
    check_classifier_multioutput("LSSVMClassifier", ke.LSSVMClassifier("auto"))
    assert get_tags(ke.LSSVMClassifier("auto")).classifier_tags.multi_label
    assert not get_tags(ke.KernelSelector(ke.LSSVMClassifier("auto"))).classifier_tags.multi_label


def test_each_label_is_a_machine_of_its_own(labelled):
    X, Y = labelled
    model = ke.LSSVMClassifier(ke.Gaussian(20.0), lam=0.5).fit(X, Y)
    for k in range(Y.shape[1]):
        one = ke.LSSVMClassifier(ke.Gaussian(20.0), lam=0.5).fit(X, Y[:, k])
        np.testing.assert_allclose(
            model.decision_function(X)[:, k], one.decision_function(X), rtol=1e-9, atol=1e-12
        )
        np.testing.assert_array_equal(model.predict(X)[:, k], one.predict(X))
        np.testing.assert_allclose(
            model.predict_proba(X)[:, k], one.predict_proba(X)[:, 1], rtol=1e-5
        )
        np.testing.assert_allclose(model.loo_residuals_[:, k], one.loo_residuals_, rtol=1e-8)


def test_elects_for_all_labels_together(labelled):
    X, Y = labelled
    model = ke.LSSVMClassifier("auto").fit(X, Y)
    assert model.predict(X).shape == Y.shape
    assert model.predict(X).dtype.kind == "i"
    assert model.classes_.tolist() == [0, 1, 2, 3]
    held_out = np.where(Y > 0, 1, -1) - model.loo_residuals_ > 0
    assert model.loo_score_ == (held_out == Y).all(axis=1).mean()
    assert model.score(X, Y) > model.loo_score_ > 0.3
    assert cross_val_score(ke.LSSVMClassifier("auto"), X, Y, cv=3).mean() > 0.3
    assert model.held_out_outputs().shape == Y.shape


def test_sparse_and_boolean_indicators(labelled):
    X, Y = labelled
    fixed = ke.LSSVMClassifier(ke.Gaussian(20.0), lam=0.5)
    expected = fixed.fit(X, Y).decision_function(X)
    for form in (sparse.csr_matrix(Y), sparse.csr_array(Y), Y.astype(bool), Y.tolist()):
        np.testing.assert_array_equal(fixed.fit(X, form).decision_function(X), expected)


def test_labels_that_all_or_no_rows_have_do_not_stop_the_election(labelled):
    X, Y = labelled
    padded = np.column_stack([np.zeros(len(Y), int), Y, np.ones(len(Y), int)])
    model, plain = ke.LSSVMClassifier("auto").fit(X, padded), ke.LSSVMClassifier("auto").fit(X, Y)
    assert model.kernel_ == plain.kernel_
    assert model.lam_ == pytest.approx(plain.lam_)
    np.testing.assert_array_equal(model.predict(X)[:, 1:-1], plain.predict(X))
    assert not model.predict(X)[:, 0].any()
    assert model.predict(X)[:, -1].all()
    assert (model.predict_proba(X)[:, 0] < 0.5).all()
    assert (model.predict_proba(X)[:, -1] > 0.5).all()


def test_weights_of_rows(labelled):
    X, Y = labelled
    weights = np.ones(len(Y))
    weights[:40] = 0.0
    fixed = ke.LSSVMClassifier(ke.Gaussian(20.0), lam=0.5)
    expected = fixed.fit(X[40:], Y[40:]).decision_function(X)
    weighted = fixed.fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(weighted.decision_function(X), expected, rtol=1e-9)


def test_refusals(labelled):
    X, Y = labelled
    with pytest.raises(ValueError, match="columns with entries other than 0 and 1; give one label"):
        ke.LSSVMClassifier("auto").fit(X, np.column_stack([Y[:, 0] + 1, Y[:, 1] * 3]))
    with pytest.raises(ValueError, match="class_weight weighs each row by its one class"):
        ke.LSSVMClassifier("auto", class_weight="balanced").fit(X, Y)


def test_constant_targets_of_a_regression_do_not_stop_the_election():
    X, Y = make_multilabel_classification(60, 5, n_classes=2, random_state=1)
    both = np.column_stack([Y[:, 0] + 0.5 * X[:, 0], np.full(60, 3.0)])
    model = ke.LSSVMRegressor("auto").fit(X, both)
    assert model.kernel_ == ke.LSSVMRegressor("auto").fit(X, both[:, 0]).kernel_
    np.testing.assert_allclose(model.predict(X)[:, 1], 3.0, rtol=1e-9)
