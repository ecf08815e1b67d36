"""The iterative solver beside the exact one, to the tolerance asked for."""

import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import scipy.sparse as sp
from child_process import ENVIRONMENT
from sklearn.model_selection import RepeatedKFold, TimeSeriesSplit

import kernelect as ke
from kernelect._evidence.landmarks.model import Landmarks
from kernelect.lssvm import _held_out, _solvers
from kernelect.lssvm._fits import system
from kernelect.lssvm._fits.streamed_kernel import StreamedKernel

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
NUMBERS = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * RNG.normal(size=300)
TARGETS = np.column_stack([NUMBERS, 1000.0 + 5.0 * X[:, 0] ** 2, np.full(300, 7.0)])
THREE = np.array(["x", "y", "z"])[np.digitize(NUMBERS, [-0.7, 0.7])]
WEIGHTS = RNG.uniform(0.2, 3.0, size=300)
NEW = np.random.default_rng(1).normal(size=(50, 3))
KERNELS = [
    ke.Gaussian(0.05),
    ke.Gaussian(1.0),
    ke.Gaussian(200.0),
    ke.Laplacian(1.0),
    ke.Polynomial(2),
]


def both(y, weights=None, *, kind=ke.LSSVMRegressor, **given):
    given = {"landmarks": 40, "tol": 1e-9, **given}
    fixed = {name: value for name, value in given.items() if name not in ("landmarks", "tol")}
    exact = kind(**fixed, solver="exact").fit(X, y, sample_weight=weights)
    return exact, kind(**given, solver="iterative").fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("bias", [True, False])
def test_the_solution_is_the_exact_one(kernel, weights, bias):
    exact, model = both(TARGETS, weights, kernel=kernel, lam=0.1, bias=bias)
    scale = np.abs(TARGETS).max(axis=0)
    np.testing.assert_allclose(model.predict(NEW) / scale, exact.predict(NEW) / scale, atol=1e-6)
    np.testing.assert_allclose(model.dual_coef_ / scale, exact.dual_coef_ / scale, atol=1e-6)
    assert model.solver_ == "iterative"
    assert 1 < model.n_passes_ < 100
    assert model.X_fit_.shape == X.shape


@pytest.mark.parametrize("convention", ["sum", "mean"])
@pytest.mark.parametrize("tol", [1e-2, 1e-5])
def test_the_residual_is_below_the_tolerance(convention, tol):
    lam = 0.1 if convention == "sum" else 0.1 / 300
    given = {"lam": lam, "lam_convention": convention, "landmarks": 30, "tol": tol}
    model = ke.LSSVMRegressor(ke.Gaussian(1.0), solver="iterative", **given).fit(X, NUMBERS)
    K = ke.Gaussian(1.0)(X)
    a = model.dual_coef_[:, 0]
    rest = NUMBERS - K @ a - 0.1 * a - model.intercept_
    assert np.linalg.norm(rest) <= 1.0001 * tol * np.linalg.norm(NUMBERS - NUMBERS.mean())
    assert abs(a.sum()) < 1e-8


def test_classes_probabilities_and_held_out_rows():
    exact, model = both(
        THREE, kind=ke.LSSVMClassifier, kernel=ke.Gaussian(8.0), lam=0.5, landmarks=150
    )
    np.testing.assert_allclose(
        model.decision_function(NEW), exact.decision_function(NEW), atol=1e-6
    )
    np.testing.assert_allclose(model.loo_residuals_, exact.loo_residuals_, atol=1e-2)
    assert model.loo_score_ == pytest.approx(exact.loo_score_, abs=0.01)
    np.testing.assert_allclose(model.predict_proba(NEW), exact.predict_proba(NEW), atol=1e-2)
    np.testing.assert_allclose(model.held_out_outputs(), exact.held_out_outputs(), atol=1e-9)


@pytest.mark.parametrize("convention", ["sum", "mean"])
@pytest.mark.parametrize("weighted", [False, True])
def test_held_out_folds_without_a_matrix(monkeypatch, convention, weighted):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = np.c_[np.sin(2 * X[:, 0]), X[:, 1]] + 0.1 * rng.normal(size=(200, 2))
    lam = 0.3 if convention == "sum" else 1e-3
    how = {"lam": lam, "lam_convention": convention, "tol": 1e-10}
    weights = rng.uniform(0.5, 2.0, 200) if weighted else None
    model = ke.LSSVMRegressor(ke.Gaussian(2.0), solver="iterative", **how)
    model.fit(X, y, sample_weight=weights)
    for folds in (4, TimeSeriesSplit(3)):
        wanted = model.held_out_outputs(folds)
        with monkeypatch.context() as little:
            little.setattr(_held_out, "is_free", lambda need: False)
            little.setattr(_held_out, "scan", None)
            found = model.held_out_outputs(folds)
            with pytest.raises(ValueError, match="every row at most once"):
                model.held_out_outputs(RepeatedKFold(n_splits=2, n_repeats=2))
        np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-7)
    labels = np.digitize(y[:, 0], [-0.5, 0.5])
    model = ke.LSSVMClassifier(ke.Gaussian(2.0), lam=0.3, solver="iterative", tol=1e-10)
    wanted = model.fit(X, labels).held_out_outputs(3)
    monkeypatch.setattr(_held_out, "WHOLE_ROWS", 100)
    np.testing.assert_allclose(model.held_out_outputs(3), wanted, rtol=1e-7, atol=1e-7)


def test_left_out_rows_of_narrow_kernels():
    """What landmarks do not see is nearly a diagonal there."""
    exact, model = both(NUMBERS, WEIGHTS, kernel=ke.Gaussian(0.01), lam=0.3, landmarks=30)
    assert np.median(np.abs(model.loo_residuals_ - exact.loo_residuals_)) < 0.01
    assert np.corrcoef(model.loo_residuals_, exact.loo_residuals_)[0, 1] > 0.99


def test_elections_and_lambdas(tmp_path):
    exact, model = both(NUMBERS, kernel="auto", landmarks="auto")
    assert (model.kernel_, model.lam_) == (exact.kernel_, pytest.approx(exact.lam_))
    np.testing.assert_allclose(model.predict(NEW), exact.predict(NEW), atol=1e-6)
    judged = ke.LSSVMRegressor("auto", solver="iterative", landmarks=150).fit(X, NUMBERS)
    assert judged.selection_.landmarks is not None
    exact, model = both(TARGETS, kernel=ke.Gaussian(2.0), lam_per_target=True, landmarks=300)
    np.testing.assert_allclose(model.lam_[:2], exact.lam_[:2], rtol=1e-6)
    np.testing.assert_allclose(model.predict(NEW)[:, :2], exact.predict(NEW)[:, :2], atol=1e-3)
    ke.save(model, tmp_path / "model.npz")
    for other in (pickle.loads(pickle.dumps(model)), ke.load(tmp_path / "model.npz")):
        np.testing.assert_array_equal(other.predict(NEW), model.predict(NEW))
    again = model.set_params(solver="exact", landmarks="auto", tol=1e-3).fit(X, TARGETS)
    assert not hasattr(again, "n_passes_")


def test_sparse_rows_and_functions():
    given = {"lam": 0.2, "landmarks": 40, "tol": 1e-9, "solver": "iterative"}
    wanted = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=0.2).fit(X, NUMBERS).predict(NEW)
    sparse = ke.LSSVMRegressor(ke.Gaussian(1.0), **given).fit(sp.csr_array(X), NUMBERS)
    np.testing.assert_allclose(sparse.predict(sp.csr_array(NEW)), wanted, atol=1e-6)
    function = ke.LSSVMRegressor(lambda a, b: np.asarray(ke.Gaussian(1.0)(a, b)), **given)
    np.testing.assert_allclose(function.fit(X, NUMBERS).predict(NEW), wanted, atol=1e-6)


@pytest.mark.parametrize("kernel", [*KERNELS, ke.Gaussian(1.0) + ke.Linear()], ids=repr)
@pytest.mark.parametrize("rows", [X, sp.csr_array(X)], ids=["dense", "sparse"])
def test_streamed_products(kernel, rows):
    numbers = np.arange(0, 300, 7)
    zeros = np.zeros(len(numbers))
    landmarks = Landmarks(kernel, rows[numbers], numbers, zeros, zeros)
    v, few = RNG.normal(size=(2, 300)), RNG.normal(size=(2, len(numbers)))
    K = kernel(X)
    one, two = (StreamedKernel(landmarks, rows, threads) for threads in (1, 3))
    size = np.abs(K).max()
    for found, wanted in (
        (one.times(v, None), v @ K),
        (one.to_landmarks(v), v @ K[:, numbers]),
        (one.from_landmarks(few), few @ K[numbers]),
        (one.own(slice(0, 50)), np.diag(K)[:50]),
    ):
        np.testing.assert_allclose(found / size, wanted / size, atol=1e-11)
    np.testing.assert_array_equal(one.times(v, None), two.times(v, None))


def test_no_matrix_is_made(monkeypatch):
    """Neither n x n nor n x m, beside a chunk of rows."""
    monkeypatch.setattr(system, "single_work", None)
    monkeypatch.setattr(_solvers, "single_work", None)
    model = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=0.2, landmarks=40, solver="iterative")
    assert model.fit(X, NUMBERS).loo_score_ > 0.5


def test_too_few_passes_are_said():
    model = ke.LSSVMRegressor(
        ke.Gaussian(1.0), lam=0.01, landmarks=5, solver="iterative", tol=1e-8, max_passes=4
    )
    with pytest.warns(UserWarning, match=r"relative residual of .* after 4 passes"):
        model.fit(X, NUMBERS)
    assert model.n_passes_ == 4
    assert model.score(X, NUMBERS) > 0.5


def test_what_rounding_allows_no_more():
    model = ke.LSSVMRegressor(ke.Gaussian(50.0), lam=1e-6, solver="iterative", tol=1e-15)
    with pytest.warns(UserWarning, match="relative residual"):
        model.fit(X, NUMBERS)
    exact = ke.LSSVMRegressor(ke.Gaussian(50.0), lam=1e-6).fit(X, NUMBERS)
    np.testing.assert_allclose(model.predict(NEW), exact.predict(NEW), atol=1e-3)


def test_time_limits(monkeypatch):
    slow = StreamedKernel.times

    def delayed(self, vectors, tick):
        time.sleep(0.15)
        if tick is not None:
            tick(0.5)
        return slow(self, vectors, tick)

    monkeypatch.setattr(StreamedKernel, "times", delayed)
    given = {"lam": 0.01, "landmarks": 5, "solver": "iterative", "tol": 1e-10}
    model = ke.LSSVMRegressor(ke.Gaussian(1.0), time_limit=2.0, **given)
    with pytest.warns(UserWarning, match="when time_limit was reached"):
        model.fit(X, NUMBERS)
    hasty = ke.LSSVMRegressor(ke.Gaussian(1.0), time_limit=0.05, **given)
    with pytest.warns(UserWarning, match="when time_limit was reached"):
        hasty.fit(X, NUMBERS)
    assert hasty.n_passes_ == 0  # the landmark model in the place of the machine
    few = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=0.01, landmarks=5).fit(X, NUMBERS)
    np.testing.assert_allclose(hasty.predict(NEW), few.predict(NEW), atol=1e-9)
    assert model.score(X, NUMBERS) > few.score(X, NUMBERS)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tol": 0.0}, "tol"),
        ({"tol": "small"}, "tol"),
        ({"max_passes": 0}, "max_passes"),
        ({"kernel": "committee"}, "members of a committee"),
        ({"landmarks": 301}, "landmarks=301 is more than the 300 rows"),
    ],
)
def test_refusals(given, words):
    with pytest.raises(ValueError, match=words):
        ke.LSSVMRegressor(**{"solver": "iterative", **given}).fit(X, NUMBERS)


def test_what_is_not_for_iterations():
    with pytest.raises(ValueError, match="not a precomputed matrix"):
        ke.LSSVMRegressor("precomputed", solver="iterative").fit(np.eye(300), NUMBERS)
    with pytest.warns(UserWarning, match="tol and max_passes play no part"):
        ke.LSSVMRegressor(ke.Gaussian(1.0), tol=1e-5, max_passes=7).fit(X, NUMBERS)
    model = ke.LSSVMRegressor(ke.Gaussian(1.0), solver="iterative").fit(X, NUMBERS)
    with pytest.raises(ValueError, match="use solver='landmarks' or 'exact' for deviations"):
        model.predict(X, return_std=True)
    with pytest.raises(ValueError, match="has no landmarks"):
        model.feature_map()


CHILD = """
import numpy as np, kernelect as ke
X = np.random.default_rng(0).normal(size=(60_000, 5))
model = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=1e-3, landmarks=50, solver="iterative", tol=1e-9)
from kernelect._evidence.landmarks.model import Landmarks
from kernelect.lssvm._fits.streamed_kernel import StreamedKernel
whole = StreamedKernel.times
def times(self, vectors, tick):
    print("begun", flush=True)
    return whole(self, vectors, tick)
StreamedKernel.times = times
try:
    model.fit(X, X[:, 0])
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.alone
@pytest.mark.skipif(sys.platform == "win32", reason="signals as Unix has them")
def test_it_can_be_interrupted():
    given = {"stdout": subprocess.PIPE, "text": True, "env": ENVIRONMENT}
    with subprocess.Popen([sys.executable, "-c", CHILD], **given) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        started = time.monotonic()
        assert child.stdout.readline() == "stopped\n"
        assert time.monotonic() - started < 5.0  # a pass takes longer
        assert child.wait(timeout=60) == 0


@pytest.mark.parametrize("passes", [1, 2, 3])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_left_out_rows_are_predicted_no_better_than_others_by_an_unsolved_system(passes, weights):
    model = ke.LSSVMRegressor(
        ke.Gaussian(1.0), lam=1.0, landmarks=10, solver="iterative", tol=1e-8, max_passes=passes
    )
    with pytest.warns(UserWarning, match="relative residual"):
        model.fit(X, NUMBERS, weights)
    assert np.count_nonzero(model.dual_coef_) == len(X)
    seen = np.average((NUMBERS - model.predict(X)) ** 2, weights=weights)
    assert np.average(model.loo_residuals_**2, weights=weights) > seen


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_left_out_rows_of_the_landmark_model_that_was_taken(weights):
    """They are exact: the models without one of them are fitted here."""
    kernel = ke.Gaussian(1.0)
    model = ke.LSSVMRegressor(
        kernel, lam=1e-3, landmarks=12, solver="iterative", tol=1e-8, max_passes=1
    )
    with pytest.warns(UserWarning, match="relative residual"):
        model.fit(X, NUMBERS, weights)
    chosen = np.flatnonzero(model.dual_coef_)
    assert len(chosen) == 12
    features = np.column_stack([kernel(X, X[chosen]), np.ones(len(X))])
    ridge = np.zeros((13, 13))
    ridge[:12, :12] = 1e-3 * kernel(X[chosen])
    counts = np.ones(len(X)) if weights is None else weights
    for row in np.setdiff1d(np.arange(len(X)), chosen)[::40]:
        w = np.where(np.arange(len(X)) == row, 0.0, counts)
        normal = features.T @ (w[:, None] * features) + ridge
        coefficients = np.linalg.solve(normal, features.T @ (w * NUMBERS))
        wanted = NUMBERS[row] - features[row] @ coefficients
        assert model.loo_residuals_[row] == pytest.approx(wanted, rel=1e-6)
