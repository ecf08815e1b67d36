"""Deviations of landmark models: where they see all of the kernel, those of the whole machine."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_friedman1

import kernelect as ke
from kernelect.selection import _affordable

pytestmark = pytest.mark.filterwarnings("ignore:the landmark model has not converged")
RNG = np.random.default_rng(0)
N = 300
X = RNG.normal(size=(N, 2))
Y = np.c_[np.sin(X[:, 0]), X[:, 1] ** 2] + RNG.normal(size=(N, 2)) * [0.3, 0.1]
WEIGHTS = RNG.uniform(0.5, 2.0, N)
NEW = 2.0 * RNG.normal(size=(40, 2))
KERNEL = ke.Gaussian(1.0)


def deviations(model, rows=NEW):
    return model.predict(rows, return_std=True)[1]


def both(kernel=KERNEL, weights=None, y=Y, landmarks=N, **how):
    exact = ke.LSSVMRegressor(kernel, solver="exact", **how).fit(X, y, weights)
    few = {"solver": "landmarks", "landmarks": landmarks}
    return exact, ke.LSSVMRegressor(kernel, **few, **how).fit(X, y, weights)


def assert_same_but_for_units(exact, few):
    """Where landmarks are few, one that leaves with its row is missed in the units."""
    shapes = deviations(exact) / exact._deviations._units, deviations(few) / few._posterior.units
    np.testing.assert_allclose(*shapes, rtol=1e-7)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weights"])
@pytest.mark.parametrize(("lam", "convention"), [(0.5, "sum"), (0.002, "mean")])
def test_all_landmarks_are_the_whole_machine(bias, weights, lam, convention):
    how = {"weights": weights, "lam": lam, "bias": bias, "lam_convention": convention}
    exact, few = both(ke.Polynomial(2), **how)  # which has six dimensions
    assert len(few.landmarks_) == 6
    assert_same_but_for_units(exact, few)
    exact, few = both(**how)  # landmarks leave a thousandth of the ridge
    np.testing.assert_allclose(deviations(few), deviations(exact), rtol=1e-3)


@pytest.mark.parametrize("kernel", [ke.Laplacian(1.0), ke.Gaussian(1e-4)])
def test_other_kernels(kernel):
    exact, few = both(kernel, lam=1.0)
    np.testing.assert_allclose(deviations(few), deviations(exact), rtol=1e-3)


def test_a_kernel_of_two_dimensions():
    assert_same_but_for_units(*both(ke.Linear(), lam=1.0))


def test_functions_and_sparse_rows():
    def gaussian(one, other):
        return np.exp(-0.5 * ((one[:, None] - other[None]) ** 2).sum(axis=2))

    known = deviations(both(ke.Gaussian(1.0), landmarks=40, lam=0.5)[1])
    np.testing.assert_allclose(deviations(both(gaussian, landmarks=N, lam=0.5)[1]), known, rtol=0.2)
    model = ke.LSSVMRegressor(KERNEL, lam=0.5, solver="landmarks", landmarks=40)
    model.fit(sp.csr_matrix(X), Y)
    np.testing.assert_allclose(deviations(model, sp.csr_matrix(NEW)), known, rtol=1e-9)


def test_every_target_has_a_lambda_of_its_own():
    exact, few = both(lam="auto", lam_per_target=True)
    assert len(few.lam_) == 2
    np.testing.assert_allclose(deviations(few), deviations(exact), rtol=0.02)


def test_held_out_residuals_have_the_size_they_are_said_to_have():
    rows, y = make_friedman1(3000, n_features=6, noise=1.0, random_state=0)
    model = ke.LSSVMRegressor("auto", solver="landmarks", landmarks=150).fit(rows[:2000], y[:2000])
    mean, spread = model.predict(rows[2000:], return_std=True)
    assert 0.85 < np.sqrt(np.mean(((y[2000:] - mean) / spread) ** 2)) < 1.15
    assert 0.9 < np.mean(np.abs(y[2000:] - mean) < 1.96 * spread) < 0.98


def test_what_landmarks_do_not_see_is_unknown():
    _, few = both(landmarks=15, lam=0.5)
    near, far = deviations(few, [[0.0, 0.0], [40.0, -40.0]])[:, 0]
    assert far > 1.5 * near
    assert far == pytest.approx(few._posterior.units[0] * np.sqrt(1.5), rel=0.05)


def test_pickles_and_files_keep_them(tmp_path):
    _, model = both(landmarks=15, lam=0.5)
    known = deviations(model)
    assert np.array_equal(deviations(pickle.loads(pickle.dumps(model))), known)
    ke.save(model, tmp_path / "model.npz")
    assert np.array_equal(deviations(ke.load(tmp_path / "model.npz")), known)
    model._posterior = None  # as models of former versions are
    model._deviations = None
    with pytest.raises(ValueError, match="which was not kept"):
        deviations(model)


def test_a_later_fit_forgets_them():
    exact, few = both(landmarks=15, lam=0.5)
    known = deviations(exact)
    deviations(few)
    few.set_params(solver="exact", landmarks="auto").fit(X, Y)
    np.testing.assert_array_equal(deviations(few), known)


def test_too_little_memory_is_said_before_the_work(monkeypatch):
    exact, _ = both(lam=0.5)
    monkeypatch.setattr(_affordable, "_LITTLE", 0.0)
    monkeypatch.setattr(_affordable, "free_memory", lambda: 1e5)
    with pytest.raises(MemoryError, match="held-out outputs of 300 rows takes about"):
        exact.held_out_outputs()
    with pytest.raises(MemoryError, match="the deviations of 300 rows takes about"):
        deviations(exact)
