"""Elected kernels that are refined before they are handed over."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC, SVR

import kernelect as ke
from kernelect.selector import _estimator

RNG = np.random.default_rng(4)
N = 160
X = RNG.normal(size=(N, 4))
SMOOTH = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1]
NUMBERS = SMOOTH + 0.1 * RNG.normal(size=N)
CLASSES = np.where(SMOOTH > 0, "yes", "no")
NEW = np.random.default_rng(3).normal(size=(50, 4))


@pytest.mark.parametrize("machine", [SVR(C=10.0), KernelRidge(alpha=0.1)])
def test_a_width_for_every_column_is_one_width_on_scaled_columns(machine):
    model = ke.KernelSelector(machine, refine=True).fit(X, NUMBERS)
    assert isinstance(model.best_kernel_, ke.ARDGaussian)
    assert model.best_params_["kernel"] == "rbf"
    assert model.result_.refinement.adopted
    slow = clone(machine).set_params(kernel="precomputed").fit(model.best_kernel_(X), NUMBERS)
    wanted = slow.predict(model.best_kernel_(NEW, X))
    np.testing.assert_allclose(model.predict(NEW), wanted, rtol=1e-6, atol=1e-6)
    sparse = ke.KernelSelector(machine, refine=True).fit(sp.csr_matrix(X), NUMBERS)
    np.testing.assert_allclose(sparse.predict(sp.csr_matrix(NEW)), wanted, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("criterion", ["auto", "sm"])
def test_classes_and_regularisation(criterion, tmp_path):
    model = ke.KernelSelector(SVC(), criterion=criterion, refine=True, C="auto").fit(X, CLASSES)
    assert model.best_params_["C"] == pytest.approx(
        model.result_.model.params_for(SVC, model.best_kernel_)["C"]
    )
    usual = ke.KernelSelector(SVC(), criterion=criterion, C="auto").fit(X, CLASSES)
    truth = np.where(np.sin(2 * NEW[:, 0]) + 0.3 * NEW[:, 1] > 0, "yes", "no")
    assert model.score(NEW, truth) >= usual.score(NEW, truth)
    ke.save(model, tmp_path / "model.npz")
    loaded = ke.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.predict(NEW), model.predict(NEW))


def test_our_own_learners_take_the_kernel_itself():
    model = ke.KernelSelector(refine=True).fit(X, NUMBERS)
    assert model.best_params_["kernel"] == model.best_kernel_
    assert model.best_estimator_.kernel_ == model.best_kernel_


def test_refusals_and_limits_of_time():
    with pytest.raises(ValueError, match="kernel matrices do not have"):
        ke.KernelSelector(kernels=[X @ X.T], refine=True).fit(None, NUMBERS)
    with pytest.raises(ValueError, match="no parameters to refine"):
        ke.KernelSelector(kernels=[ke.Linear()], refine=True).fit(X, NUMBERS)
    with pytest.raises(TypeError, match="refine"):
        ke.KernelSelector(refine="yes").fit(X, NUMBERS)
    model = ke.KernelSelector(refine=True, time_limit=600.0).fit(X, NUMBERS)
    assert model.result_.refinement.adopted


def test_a_winner_without_parameters_is_kept():
    linear = X @ np.array([1.0, -2.0, 0.5, 3.0])
    model = ke.KernelSelector(SVR(), ["linear", "rbf"], refine=True, C="auto").fit(X, linear)
    assert model.best_kernel_ == ke.Linear()
    assert not model.result_.refinement.adopted
    assert "no parameters to refine" in model.result_.refinement.reason
    usual = ke.KernelSelector(SVR(), ["linear", "rbf"], C="auto").fit(X, linear)
    np.testing.assert_array_equal(model.predict(NEW), usual.predict(NEW))
    chosen = ke.select(X, linear, ["linear", "rbf"])
    assert ke.refine(X, linear, chosen).kernel == chosen.kernel
    with pytest.raises(ValueError, match="no parameters to refine"):
        ke.refine(X, linear, ke.select(X, linear, ["linear"]))


@pytest.mark.parametrize(
    ("kernels", "rows"),
    [
        ([ke.Linear()], X),
        ((np.dot,), X),
        (np.dot, X),
        ([X @ X.T], None),
        ("precomputed", [X @ X.T]),
    ],
    ids=["linear", "functions", "function", "matrices", "precomputed"],
)
def test_nothing_to_refine_is_refused_before_the_election(kernels, rows, monkeypatch):
    monkeypatch.setattr(_estimator, "hold_election", None)
    with pytest.raises(ValueError, match=r"refine|derivatives"):
        ke.KernelSelector(kernels=kernels, refine=True).fit(rows, NUMBERS)
