"""C chosen by exact leave-one-out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

import kernelect as ke
from kernelect.mkl._best_c import best_c
from kernelect.mkl._methods import METHODS

RANDOM = np.random.default_rng(2)
X = RANDOM.normal(size=(70, 2))
CLEAN = np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1]
Y = CLEAN + 0.2 * RANDOM.normal(size=len(X))
LABELS = np.where(CLEAN > 0.2, "up", "down")
KERNELS = [ke.Gaussian(0.5), ke.Gaussian(4.0), ke.Laplacian(0.5)]


def _left_out_loss(K: np.ndarray, y: np.ndarray, ridge: float) -> float:
    """Mean squared error of rows left out, by training without them."""
    errors = []
    for i in range(len(y)):
        rest = np.delete(np.arange(len(y)), i)
        n = len(rest)
        system = np.ones((n + 1, n + 1))
        system[:n, :n] = K[np.ix_(rest, rest)] + ridge * np.eye(n)
        system[n, n] = 0.0
        found = np.linalg.solve(system, np.append(y[rest], 0.0))
        errors.append(y[i] - K[i, rest] @ found[:n] - found[n])
    return float(np.mean(np.square(errors)))


def test_it_is_the_c_of_the_least_left_out_loss() -> None:
    K = ke.Gaussian(2.0)(X)
    found = best_c(K, Y[None])
    losses = {C: _left_out_loss(K, Y, 0.5 / C) for C in (found / 2, found, 2 * found)}
    assert min(losses, key=losses.__getitem__) == found
    assert best_c(4.0 * K, Y[None]) == pytest.approx(found / 4.0)
    assert best_c(np.ones((5, 5)), np.arange(5.0)[None]) == 1.0


@pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning", "ignore:the weights of align_linear"
)
@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("learner", ["svm", "lssvm"])
def test_every_method_without_a_c(method: str, learner: str) -> None:
    model = ke.MKLClassifier(method, KERNELS, C="auto", learner=learner).fit(X, LABELS)
    assert model.score(X, LABELS) > 0.8
    again = (
        SVC(C=model.C_, kernel=model.kernel_)
        if learner == "svm"
        else ke.LSSVMClassifier(model.kernel_, lam=0.5 / model.C_)
    )
    again.fit(X, LABELS)
    np.testing.assert_allclose(
        again.decision_function(X), model.decision_function(X), rtol=1e-2, atol=1e-2
    )


def test_regression_products_and_families() -> None:
    for model in (
        ke.MKLRegressor("ks", KERNELS, C="auto", learner="lssvm"),
        ke.MKLRegressor("gmkl", form="product", C="auto", learner="lssvm", penalty_weight=0.01),
        ke.InfiniteMKLRegressor(C="auto", learner="lssvm"),
        ke.InfiniteMKLRegressor(C="auto"),
    ):
        model.fit(X, 1e3 * Y)
        assert pytest.approx(best_c(model.kernel_(X), Y[None] / Y.std()), rel=1e-6) == model.C_
        assert model.score(X, 1e3 * Y) > 0.7
    assert ke.MKLRegressor("average", KERNELS, C=3.0).fit(X, Y).C_ == 3.0


def test_matrices_and_products_of_sums() -> None:
    matrices = [kernel(X) for kernel in KERNELS]
    stored = ke.MKLClassifier("nlmkl", matrices, C="auto", learner="lssvm").fit(None, LABELS)
    given = ke.MKLClassifier("nlmkl", KERNELS, C="auto", learner="lssvm").fit(X, LABELS)
    assert pytest.approx(given.C_) == stored.C_


def test_other_words_are_refused() -> None:
    with pytest.raises(TypeError, match="C must be a number or 'auto', not 'best'"):
        ke.MKLClassifier(C="best").fit(X, LABELS)
