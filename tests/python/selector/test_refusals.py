"""What KernelSelector refuses, before the work."""

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC, OneClassSVM

import kernelect as ke

GRID = ke.gaussian_grid(-2, 6)


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
        with pytest.raises(ValueError, match=r"requires y to be passed.*looks at it"):
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
