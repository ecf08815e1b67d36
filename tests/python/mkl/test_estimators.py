"""The estimators of kernel learning obey scikit-learn's rules."""

import pickle

import numpy as np
import pytest
from problems import problem
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import kernelect as ke
from kernelect.mkl._methods import METHODS

ESTIMATORS = [
    ke.MKLClassifier(),
    ke.MKLRegressor(),
    ke.InfiniteMKLClassifier(),
    ke.InfiniteMKLRegressor(),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", [ke.MKLClassifier, ke.MKLRegressor])
@pytest.mark.parametrize("method", [*METHODS, "product"])
@pytest.mark.filterwarnings("ignore:the weights of align_linear make an indefinite sum")
def test_scikit_learn_checks_of_every_method(kind, method):
    # A small penalty: on labels that no kernel explains, a large one rightly leaves no weight.
    if method == "product":
        estimator = kind("gmkl", form="product", penalty_weight=1e-3)
    else:
        own = {"penalty_weight": 1e-3} if method == "gmkl" else {}
        estimator = kind(method, [ke.Gaussian(1.0), ke.Polynomial(2)], **own)
    check_estimator(estimator, on_skip=None)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_clone_pickle_and_refit(estimator):
    regression = estimator._task == "regression"
    x, y = problem("regression" if regression else "multiclass", n=50)
    fitted = clone(estimator).fit(x, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(x) == fitted.predict(x)).all()
    assert again.kernel_ == fitted.kernel_
    assert b"kernelect._core" not in pickle.dumps(fitted)
    other = clone(fitted).fit(x, y)
    assert (other.predict(x) == fitted.predict(x)).all()


def test_pipeline_and_grid_search():
    x, y = load_iris(return_X_y=True)
    kernels = [ke.Gaussian(0.5), ke.Gaussian(4.0), ke.Linear()]
    pipeline = make_pipeline(StandardScaler(), ke.MKLClassifier("simple", kernels))
    assert cross_val_score(pipeline, x, y, cv=3).mean() > 0.9
    search = GridSearchCV(
        pipeline,
        {"mklclassifier__C": [0.1, 10.0], "mklclassifier__method": ["simple", "alignf"]},
        cv=3,
    ).fit(x, y)
    assert search.best_score_ > 0.9


def test_the_learned_kernel_in_another_machine():
    x, y = problem("binary", n=60)
    found = ke.MKLClassifier("simple", [ke.Gaussian(0.5), ke.Gaussian(4.0)], tol=1e-7).fit(x, y)
    svm = SVC(C=1.0, kernel=found.kernel_, tol=1e-8).fit(x, y)
    assert svm.decision_function(x) == pytest.approx(found.decision_function(x), abs=1e-4)


def test_feature_names():
    pd = pytest.importorskip("pandas")
    x, y = problem("binary", n=40, d=3)
    frame = pd.DataFrame(x, columns=["a", "b", "c"])
    found = ke.MKLClassifier("average", [ke.Gaussian(1.0), ke.Linear()]).fit(frame, y)
    assert found.feature_names_in_.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        found.predict(frame[["b", "a", "c"]])


def test_sparse_rows():
    x, y = problem("binary", n=60)
    x = np.where(np.abs(x) < 0.5, 0.0, x)
    dense = ke.MKLClassifier("simple", tol=1e-7).fit(x, y)
    thin = ke.MKLClassifier("simple", tol=1e-7).fit(sparse.csr_matrix(x), y)
    assert thin.objective_path_[-1] == pytest.approx(dense.objective_path_[-1], rel=1e-6)
    assert (thin.predict(sparse.csr_matrix(x)) == dense.predict(x)).all()


def test_text_labels():
    x, y = problem("binary", n=40)
    names = np.array(["no", "yes"])[y]
    found = ke.MKLClassifier("simple", [ke.Gaussian(1.0), ke.Linear()]).fit(x, names)
    assert set(found.predict(x)) <= {"no", "yes"}
    assert found.classes_.tolist() == ["no", "yes"]
