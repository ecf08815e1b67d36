"""Learners with landmarks beside honest refits, in all forms of target and rows."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GroupKFold

import kernelect as ke
from kernelect._evidence.landmarks import counts
from kernelect.lssvm import _solvers
from kernelect.lssvm._elections import budget

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
NOISE = 0.3 * RNG.normal(size=150)
NUMBERS = np.sin(2 * X[:, 0]) + X[:, 1] + NOISE
LABELS = np.array(["b", "a"])[(NUMBERS > 0).astype(int)]
THREE = np.array(["x", "y", "z"])[np.digitize(NUMBERS, [-0.7, 0.7])]
MANY = (np.column_stack([NUMBERS, -NUMBERS + X[:, 2], X[:, 0]]) > 0).astype(int)
TARGETS = np.column_stack([NUMBERS, 1000.0 + X[:, 0] ** 2])
KERNEL = ke.Gaussian(1.5)
WEIGHTS = RNG.uniform(0.5, 2.0, size=150)


def refit(rows, columns, landmarks, ridge, *, weights, bias):
    """Solve the landmark model by its definition: the function that predicts rows."""
    K, Kmm = KERNEL(rows, landmarks), KERNEL(landmarks)
    ones = np.ones((len(rows), 1)) if bias else np.zeros((len(rows), 0))
    A = np.hstack([K, ones])
    penalty = np.zeros((A.shape[1], A.shape[1]))
    penalty[: len(Kmm), : len(Kmm)] = ridge * Kmm
    found = np.linalg.solve(
        A.T @ (weights[:, None] * A) + penalty, A.T @ (weights[:, None] * columns)
    )
    return lambda new: (
        np.hstack([KERNEL(new, landmarks), np.ones((len(new), 1))[:, : ones.shape[1]]]) @ found
    )


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_the_model_and_its_left_out_rows_are_those_of_refits(weights, bias, convention):
    given = {"lam": 0.3 if convention == "sum" else 0.002, "lam_convention": convention}
    model = ke.LSSVMRegressor(KERNEL, **given, bias=bias, landmarks=20)
    model.fit(X, TARGETS, sample_weight=weights)
    assert model.solver_ == "landmarks"
    assert model.dual_coef_.shape == (20, 2)
    np.testing.assert_array_equal(model.X_fit_, X[model.landmarks_])
    w = np.ones(150) if weights is None else weights
    how = {"weights": w, "bias": bias}
    ridge = model.lam_ * (150 if convention == "mean" else 1)
    new = np.random.default_rng(1).normal(size=(30, 3))
    wanted = refit(X, TARGETS, X[model.landmarks_], ridge, **how)(new)
    np.testing.assert_allclose(model.predict(new), wanted, rtol=1e-7, atol=1e-7)
    for row in (0, 1, *model.landmarks_[:2]):
        rest = np.arange(150) != row
        kept = model.landmarks_[model.landmarks_ != row]
        short = model.lam_ * (149 if convention == "mean" else 1)
        own = refit(X[rest], TARGETS[rest], X[kept], short, weights=w[rest], bias=bias)
        left = TARGETS[row] - own(X[[row]])[0]
        np.testing.assert_allclose(model.loo_residuals_[row], left, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "y"),
    [
        (ke.LSSVMClassifier, LABELS),
        (ke.LSSVMClassifier, THREE),
        (ke.LSSVMClassifier, MANY),
        (ke.LSSVMRegressor, NUMBERS),
        (ke.LSSVMRegressor, TARGETS),
    ],
)
def test_all_rows_as_landmarks_are_the_exact_machine(kind, y, tmp_path):
    exact = kind(KERNEL, solver="exact").fit(X, y)
    model = kind(KERNEL, solver="landmarks", landmarks=150).fit(X, y)
    np.testing.assert_allclose(model.lam_, exact.lam_, rtol=1e-9)
    np.testing.assert_allclose(model.loo_residuals_, exact.loo_residuals_, atol=3e-3)
    assert model.loo_score_ == pytest.approx(exact.loo_score_, abs=1e-3)
    new = np.random.default_rng(2).normal(size=(40, 3))
    outputs = "decision_function" if kind is ke.LSSVMClassifier else "predict"
    np.testing.assert_allclose(
        getattr(model, outputs)(new), getattr(exact, outputs)(new), atol=1e-3
    )
    if kind is ke.LSSVMClassifier:
        np.testing.assert_allclose(model.predict_proba(new), exact.predict_proba(new), atol=1e-3)
    ke.save(model, tmp_path / "model.npz")
    for other in (pickle.loads(pickle.dumps(model)), ke.load(tmp_path / "model.npz")):
        np.testing.assert_array_equal(getattr(other, outputs)(new), getattr(model, outputs)(new))
        np.testing.assert_array_equal(other.landmarks_, model.landmarks_)
        assert other.solver_ == "landmarks"


def test_sparse_rows_functions_and_frames():
    def own(one, other):
        return np.exp(-((one[:, None] - other[None]) ** 2).sum(axis=2) / 1.5)

    dense = ke.LSSVMClassifier(KERNEL, landmarks=25).fit(X, LABELS)
    sparse = ke.LSSVMClassifier(KERNEL, landmarks=25).fit(sp.csr_array(X), LABELS)
    np.testing.assert_array_equal(sparse.landmarks_, dense.landmarks_)
    outputs = sparse.decision_function(sp.csr_array(X))
    np.testing.assert_allclose(outputs, dense.decision_function(X), atol=1e-7)
    function = ke.LSSVMClassifier(own, landmarks=25).fit(X, LABELS)
    assert function.dual_coef_.shape == (25, 1)
    assert function.loo_score_ == pytest.approx(dense.loo_score_, abs=0.05)
    assert function.decision_function(X).shape == (150,)


def test_memory_maps(tmp_path):
    mapped = np.memmap(tmp_path / "rows", dtype=np.float64, mode="w+", shape=X.shape)
    mapped[:] = X
    model = ke.LSSVMRegressor(KERNEL, landmarks=25).fit(mapped, NUMBERS)
    wanted = ke.LSSVMRegressor(KERNEL, landmarks=25).fit(X, NUMBERS)
    np.testing.assert_array_equal(model.dual_coef_, wanted.dual_coef_)
    assert not np.may_share_memory(model.X_fit_, mapped)  # the file may go


def test_an_election_with_landmarks_and_auto(monkeypatch):
    model = ke.LSSVMClassifier("auto", solver="landmarks").fit(X, LABELS)
    assert model.selection_.landmarks is not None
    assert model.kernel_ == model.selection_.kernel
    assert model.loo_score_ == pytest.approx(model.selection_.held_out_score, abs=0.01)
    assert "landmarks" in model._repr_html_()
    assert ke.LSSVMClassifier("auto").fit(X, LABELS).solver_ == "exact"
    assert ke.LSSVMClassifier("auto").fit(X, LABELS).landmarks_ is None
    monkeypatch.setattr(counts, "WHOLE_ROWS", 100)
    assert ke.LSSVMClassifier("auto").fit(X, LABELS).solver_ == "landmarks"
    assert ke.LSSVMClassifier("auto", solver="exact").fit(X, LABELS).solver_ == "exact"
    assert ke.LSSVMClassifier("precomputed").fit(KERNEL(X), LABELS).solver_ == "exact"
    monkeypatch.setattr(counts, "WHOLE_ROWS", 10_000)
    monkeypatch.setattr(_solvers, "is_free", lambda need: need < 150**2 * 8)
    # Where memory is short of the matrix, and then of that many landmarks.
    with pytest.raises(MemoryError, match="give fewer landmarks"):
        ke.LSSVMClassifier("auto").fit(X, LABELS)
    with pytest.raises(MemoryError, match="use solver='landmarks'"):
        ke.LSSVMClassifier("auto", solver="exact").fit(X, LABELS)


def test_folds_groups_weights_and_lambdas_of_targets():
    groups = np.arange(150) // 5
    model = ke.LSSVMRegressor(KERNEL, landmarks=30, folds=GroupKFold(5))
    model.fit(X, NUMBERS, groups=groups)
    how = {"landmarks": 30, "folds": GroupKFold(5), "groups": groups}
    with pytest.warns(UserWarning, match="has not converged"):
        wanted = ke.select(X, NUMBERS, [KERNEL], "cv", lam="auto", **how)
    assert model.lam_ == pytest.approx(wanted.lam, rel=1e-9)
    weights = np.where(np.arange(150) % 5 == 0, 0.0, WEIGHTS)
    kept = np.flatnonzero(weights)
    one = ke.LSSVMRegressor(KERNEL, landmarks=30).fit(X, NUMBERS, sample_weight=weights)
    two = ke.LSSVMRegressor(KERNEL, landmarks=30).fit(
        X[kept], NUMBERS[kept], sample_weight=weights[kept]
    )
    np.testing.assert_array_equal(one.dual_coef_, two.dual_coef_)
    np.testing.assert_array_equal(one.landmarks_, kept[two.landmarks_])
    np.testing.assert_array_equal(one.X_fit_, X[one.landmarks_])
    both = ke.LSSVMRegressor(KERNEL, landmarks=30, lam_per_target=True).fit(X, TARGETS)
    for k in range(2):
        alone = ke.LSSVMRegressor(KERNEL, landmarks=30).fit(X, TARGETS[:, k])
        assert both.lam_[k] == alone.lam_
        np.testing.assert_allclose(both.predict(X)[:, k], alone.predict(X), rtol=1e-9)
    balanced = ke.LSSVMClassifier(KERNEL, landmarks=30, class_weight="balanced").fit(X, LABELS)
    assert balanced.loo_score_ > 0.8


@pytest.mark.parametrize("scaling", ["none", "trace", "centered"])
def test_scalings_of_a_fixed_lambda(scaling):
    kernel = ke.Polynomial(2)
    given = {"lam": 0.1, "kernel_scaling": scaling}
    exact = ke.LSSVMRegressor(kernel, **given).fit(X, NUMBERS)
    model = ke.LSSVMRegressor(kernel, landmarks=150, **given).fit(X, NUMBERS)
    assert model.lam_ == pytest.approx(exact.lam_, rel=1e-9)
    np.testing.assert_allclose(model.predict(X), exact.predict(X), atol=1e-7)


def test_an_elected_lambda_is_not_scaled_again():
    with pytest.warns(UserWarning, match="plays no part"):
        model = ke.LSSVMRegressor("auto", kernel_scaling="centered").fit(X, NUMBERS)
    assert model.lam_ == pytest.approx(model.selection_.lam, rel=1e-12)


def test_of_many_rows_a_sample_is_left_out(monkeypatch):
    monkeypatch.setattr(counts, "SCORE_ALL", 100)
    monkeypatch.setattr(counts, "SCORED", 60)
    rare = np.where(np.arange(150) < 4, "rare", LABELS)
    model = ke.LSSVMClassifier(KERNEL, landmarks=30).fit(X, rare)
    known = np.isfinite(model.loo_residuals_).all(axis=1)
    assert 60 <= known.sum() < 90
    assert known[:4].all()
    assert model.predict_proba(X).shape == (150, 3)
    assert 0.6 < model.loo_score_ < 1.0
    numbers = ke.LSSVMRegressor(KERNEL, landmarks=30).fit(X, NUMBERS)
    assert np.isfinite(numbers.loo_residuals_).sum() == 60
    assert 0.5 < numbers.loo_score_ < 1.0


def test_time_limits(monkeypatch):
    monkeypatch.setattr(budget, "_FEW", 100)
    monkeypatch.setattr(budget, "_TRIAL", 60)
    model = ke.LSSVMClassifier("auto", solver="landmarks", time_limit=60.0).fit(X, LABELS)
    assert not model.selection_.partial
    rows, labels = np.random.default_rng(3).normal(size=(40_000, 3)), np.arange(40_000) % 2
    with pytest.raises(TimeoutError, match="the fit of 40000 rows was not done within time_limit"):
        ke.LSSVMClassifier(KERNEL, lam=1.0, landmarks=300, time_limit=1e-9).fit(rows, labels)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"solver": "landmark"}, "solver"),
        ({"landmarks": 0}, "landmarks"),
        ({"landmarks": 2.5}, "landmarks"),
        ({"landmarks": "many"}, "landmarks"),
        ({"landmarks": 151}, "landmarks=151 is more than the 150 rows"),
        ({"kernel": "committee", "solver": "landmarks"}, "members of a committee"),
        ({"kernel": "committee", "landmarks": 10}, "members of a committee"),
    ],
)
def test_refusals(given, words):
    with pytest.raises(ValueError, match=words):
        ke.LSSVMClassifier(**given).fit(X, LABELS)


def test_what_landmarks_cannot():
    with pytest.raises(ValueError, match="not a precomputed matrix"):
        ke.LSSVMClassifier("precomputed", solver="landmarks").fit(KERNEL(X), LABELS)
    with pytest.warns(UserWarning, match="landmarks=10 plays no part with solver='exact'"):
        ke.LSSVMClassifier(KERNEL, solver="exact", landmarks=10).fit(X, LABELS)
    model = ke.LSSVMRegressor(KERNEL, landmarks=10).fit(X, NUMBERS)
    with pytest.raises(ValueError, match="pass folds to fit, or use solver='exact'"):
        model.held_out_outputs()
    again = clone(model).set_params(solver="exact", landmarks="auto").fit(X, NUMBERS)
    assert again.landmarks_ is None
    assert again.held_out_outputs().shape == (150, 1)


@pytest.mark.parametrize("solver", ["landmarks", "iterative"])
@pytest.mark.parametrize("kernel", ["auto", "rbf"])
@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_folds_have_rows_to_score_that_are_no_landmarks(solver, kernel):
    """The default of 500 landmarks was all rows of a small set, and no candidate had a value."""
    groups = np.repeat(np.arange(30), 5)
    model = ke.LSSVMRegressor(kernel, solver=solver).fit(X, NUMBERS, groups=groups)
    assert model.score(X, NUMBERS) > 0.5
    if solver == "landmarks":
        assert len(model.landmarks_) <= 75


@pytest.mark.parametrize(
    "asked",
    [
        lambda: ke.LSSVMRegressor(KERNEL, landmarks=150, folds=5).fit(X, NUMBERS),
        lambda: ke.select(X, NUMBERS, landmarks=150, folds=5),
        lambda: ke.evaluate(X, NUMBERS, criteria="cv", landmarks=150),
    ],
)
def test_folds_refuse_landmarks_that_are_all_rows(asked):
    with pytest.raises(ValueError, match=r"landmarks=150 are all rows, .* give half of them"):
        asked()
