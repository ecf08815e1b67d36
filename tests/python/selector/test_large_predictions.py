"""Predictions for many rows, with little memory, whatever way the kernel is handed over."""

import tracemalloc

import numpy as np
import pytest
from sklearn.base import is_regressor
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC, OneClassSVM

import kernelect as ke

X = np.random.default_rng(3).normal(size=(500, 3))
Y = np.where(X[:, 0] * X[:, 1] > 0, 1, 0)
NEW = np.random.default_rng(4).normal(size=(80_000, 3))
FEW = np.r_[0:20, 15_990:16_010, 79_980:80_000]
KERNELS = [ke.Laplacian(0.5), ke.Laplacian(0.5) + ke.Linear()]
GAUSSIAN = ke.Gaussian(2.0)


def plain_function(a, b):
    return GAUSSIAN(a, b)


def peak_of(action):
    tracemalloc.start()
    try:
        found = action()
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


CASES = {
    "callable": (SVC(), [plain_function], "predict"),
    "kernel": (SVC(), KERNELS, "decision_function"),
    "matrix handed over": (KernelRidge(), KERNELS, "predict"),
    "transformed": (KernelPCA(2), KERNELS, "transform"),
    "score_samples": (OneClassSVM(), KERNELS, "score_samples"),
    "one of scikit-learn's": (KernelRidge(), [GAUSSIAN], "predict"),
    "Gaussian process": (GaussianProcessRegressor(alpha=1.0), KERNELS, "predict"),
}


@pytest.mark.parametrize(("estimator", "kernels", "method"), CASES.values(), ids=CASES)
def test_new_rows_are_taken_a_few_at_a_time(estimator, kernels, method):
    task = "auto" if is_regressor(estimator) else "classification"
    model = ke.KernelSelector(estimator, kernels, "kta", task=task).fit(X, Y)
    found, peak = peak_of(lambda: getattr(model, method)(NEW))
    assert peak < 260e6  # the whole matrix is 320 MB
    np.testing.assert_allclose(found[FEW], getattr(model, method)(NEW[FEW]), rtol=1e-9, atol=1e-12)


def test_scores_take_a_few_rows_at_a_time():
    model = ke.KernelSelector(SVC(), KERNELS, "kta").fit(X, Y)
    truth = np.where(NEW[:, 0] * NEW[:, 1] > 0, 1, 0)
    score, peak = peak_of(lambda: model.score(NEW, truth))
    assert peak < 260e6
    assert score == np.mean(model.predict(NEW) == truth)


def test_matrices_of_new_rows_are_not_copied_whole():
    kernel = KERNELS[0]
    weights = np.ones(len(Y))
    weights[:100] = 0.0  # of which the estimator gets no columns
    model = ke.KernelSelector(SVC(), "precomputed", "kta").fit(
        [kernel(X)], Y, sample_weight=weights
    )
    new = kernel(NEW, X)
    found, peak = peak_of(lambda: model.predict(new))
    assert peak < 160e6  # a copy is 256 MB
    assert (found[FEW] == model.predict(new[FEW])).all()


def test_data_frames_are_put_together():
    pandas = pytest.importorskip("pandas")
    model = ke.KernelSelector(KernelPCA(2), KERNELS, "kta", task="classification").fit(X, Y)
    model.set_output(transform="pandas")
    new = pandas.DataFrame(NEW, index=np.arange(len(NEW)) + 7)
    found = model.transform(new)
    assert list(found.index) == list(new.index)
    np.testing.assert_allclose(found.to_numpy()[FEW], model.transform(NEW[FEW]), atol=1e-9)
