"""Criteria of landmark models against honest retraining, for every kind of problem and input."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import twins
from problems import problem
from refusals import refuses

import kernelect as ke
from kernelect._data.target import check_target
from kernelect._evidence.landmarks import counts, landmark_work, sums
from kernelect._evidence.landmarks.model import choose
from kernelect.results import serialization

KERNELS = [ke.Gaussian(1.0), ke.Gaussian(8.0), ke.Laplacian(0.2)]
M = 15


def landmarks_of(kernel, x, count=M, seed=0):
    """Those that evaluate chooses."""
    order = landmark_work.first_rows(len(x), len(x), seed)
    return choose(kernel, x[order], order, count, seed=seed).numbers


def scores(table, key):
    return table.columns[key].values


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_leave_one_out_and_gcv_are_those_of_refits(task, bias, convention):
    x, y = problem(task, n=60, d=4)
    kind = "regression" if task == "regression" else "classification"
    lams = [0.01, 0.2]
    table = ke.evaluate(
        x, y, KERNELS, ["loo", "gcv"], lam=lams, bias=bias, lam_convention=convention, landmarks=M
    )
    mean = convention == "mean"
    for place, kernel in enumerate(KERNELS):
        k, chosen = kernel(x), landmarks_of(kernel, x)
        targets = twins.columns(k, y, kind)
        near = twins.nystroem(k, chosen)
        for at, lam in enumerate(lams):
            how = {"lam": lam, "bias": bias, "mean": mean}
            outputs = twins.landmark_outputs(k, targets, chosen, twins.singles(60), **how)
            expected = twins.mean_loss(k, y, outputs, kind)
            assert scores(table, "loo")[place, at] == pytest.approx(expected, rel=1e-7)
            expected = twins.gcv(near, y, task=kind, **how)
            assert scores(table, "gcv")[place, at] == pytest.approx(expected, rel=1e-7)
    column = table.columns["loo"]
    assert (column.landmarks == M).all()
    left = twins.what_is_left(KERNELS[0](x), landmarks_of(KERNELS[0], x))
    spread = 1.0 - KERNELS[0](x).mean()
    np.testing.assert_allclose(column.rank_errors[0], left / spread, rtol=0.05)


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_folds_keep_the_landmarks_and_score_the_other_rows(task):
    x, y = problem(task, n=60, d=4)
    kind = "regression" if task == "regression" else "classification"
    folds = np.arange(60) % 4
    splits = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(4)]
    table = ke.evaluate(x, y, KERNELS, ["cv", "ks"], lam=0.3, folds=splits, landmarks=M)
    whole = ke.evaluate(x, y, KERNELS, "stability")
    for place, kernel in enumerate(KERNELS):
        k, chosen = kernel(x), landmarks_of(kernel, x)
        targets = twins.columns(k, y, kind)
        outputs = twins.landmark_outputs(
            k, targets, chosen, twins.parts(folds), drop=False, lam=0.3
        )
        others = np.setdiff1d(np.arange(60), chosen)
        expected = np.mean((targets - outputs)[others] ** 2)
        assert scores(table, "cv")[place] == pytest.approx(expected, rel=1e-7)
        variance = 1.0 if kind == "classification" else np.var(y)
        penalty = scores(whole, "stability")[place] / 60
        assert scores(table, "ks")[place] == pytest.approx(expected / variance + penalty, rel=1e-6)


def test_many_folds_are_taken_a_few_at_a_time():
    x, y = problem("regression", n=60, d=4)
    table = ke.evaluate(x, y, KERNELS[:1], "cv", lam=0.3, folds=30, landmarks=M, random_state=1)
    few = ke.evaluate(x, y, KERNELS[:1], "loo", lam=0.3, landmarks=M)
    assert scores(table, "cv")[0] == pytest.approx(scores(few, "loo")[0], rel=0.3)


def test_br_is_that_of_the_landmark_model():
    x, y = problem("binary", n=60, d=4)
    table = ke.evaluate(x, y, KERNELS, "br", lam=0.3, landmarks=M)
    k, chosen = KERNELS[0](x), landmarks_of(KERNELS[0], x)
    outputs = twins.landmark_outputs(
        k, twins.columns(k, y, "classification"), chosen, twins.singles(60), lam=0.3
    )
    loss = twins.mean_loss(k, y, outputs, "classification")
    expected = 30 * np.log(60 * loss / 2) + np.log(0.5**2 / 2) / 2
    assert scores(table, "br")[0] == pytest.approx(expected, rel=1e-8)
    assert "Gaussian" in table.reasons["br"][2]


def test_losses_scores_and_weights():
    x, y = problem("binary", n=60, d=4)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 60)
    weights[[3, 8]] = 0.0
    asked = ["loo", ke.criteria.LOO(loss="zero_one")]
    table = ke.evaluate(x, y, KERNELS, asked, lam=0.3, landmarks=M, sample_weight=weights)
    kept = np.flatnonzero(weights)
    xk, yk, wk = x[kept], np.asarray(y)[kept], weights[kept]
    k, chosen = KERNELS[0](xk), landmarks_of(KERNELS[0], xk)
    targets = twins.columns(k, yk, "classification")
    outputs = twins.landmark_outputs(k, targets, chosen, twins.singles(58), lam=0.3, weights=wk)
    expected = np.average(((targets - outputs) ** 2)[:, 0], weights=wk)
    assert scores(table, "loo")[0] == pytest.approx(expected, rel=1e-7)
    wrong = np.average((targets * outputs < 0)[:, 0], weights=wk)
    assert scores(table, "loo(loss='zero_one')")[0] == pytest.approx(wrong, rel=1e-7)
    table = ke.evaluate(x, y, KERNELS, "loo", lam=0.3, landmarks=M, scoring="roc_auc")
    assert (scores(table, "loo(scoring='roc_auc')") > 0.5).all()


@pytest.mark.parametrize("threads", [2, 3])
def test_results_do_not_depend_on_threads(threads):
    x, y = problem("multiclass", n=60, d=4)
    one, other = (
        ke.evaluate(x, y, KERNELS, ["loo", "cv", "gcv"], lam="auto", landmarks=M, n_threads=count)
        for count in (1, threads)
    )
    assert one == other


def test_lam_auto_goes_with_the_scale_of_the_kernel():
    x, y = problem("regression", n=200, d=3)
    table = ke.evaluate(x, y, KERNELS, "loo", lam="auto", landmarks=60)
    whole = ke.evaluate(x, y, KERNELS, "loo", lam="auto")
    np.testing.assert_allclose(table.lams, whole.lams, rtol=0.01)
    near, exact = scores(table, "loo"), scores(whole, "loo")
    np.testing.assert_allclose(near.min(axis=1), exact.min(axis=1), rtol=0.1)


def test_all_rows_as_landmarks_are_the_whole_model():
    x, y = problem("binary", n=50, d=4)
    kernel = [ke.Gaussian(1.0)]
    table = ke.evaluate(x, y, kernel, "gcv", lam=[0.1, 1.0], landmarks=50)
    whole = ke.evaluate(x, y, kernel, "gcv", lam=[0.1, 1.0])
    np.testing.assert_allclose(scores(table, "gcv"), scores(whole, "gcv"), rtol=1e-8)


def forms(x, path):
    stored = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=x.shape)
    stored[:] = x
    yield "memory map", np.load(path, mmap_mode="r")
    yield "sparse", sp.csr_matrix(x)
    yield "frame", pd.DataFrame(x, columns=list("abcd"))
    yield "lists", x.tolist()
    yield "columns", np.asfortranarray(x)


def test_every_form_of_rows_gives_the_same_numbers(tmp_path):
    x, y = problem("binary", n=60, d=4)
    x = np.where(np.abs(x) < 0.5, 0.0, x)
    kernels = [*KERNELS, ke.on_columns([0, 2], ke.Gaussian(1.0)) * ke.Linear()]
    how = {"lam": [0.1, 1.0], "landmarks": M}
    expected = ke.evaluate(x, y, kernels, ["loo", "cv"], **how)
    for name, rows in forms(x, tmp_path / "rows.npy"):
        found = ke.evaluate(rows, y, kernels, ["loo", "cv"], **how)
        for key in ("loo", "cv"):
            np.testing.assert_allclose(
                scores(found, key), scores(expected, key), rtol=1e-6, err_msg=name
            )


def test_functions_and_matrices_have_landmarks_too():
    x, y = problem("binary", n=60, d=4)
    kernel = ke.Gaussian(2.0)
    expected = ke.evaluate(x, y, [kernel], "loo", lam=0.2, landmarks=M)
    function = ke.kernels.Function(kernel)
    found = ke.evaluate(x, y, [function], "loo", lam=0.2, landmarks=M)
    np.testing.assert_allclose(scores(found, "loo"), scores(expected, "loo"), rtol=1e-7)
    matrix = ke.evaluate(None, y, [kernel(x)], "loo", lam=0.2, landmarks=M)
    assert scores(matrix, "loo")[0] == pytest.approx(scores(expected, "loo")[0], rel=0.2)
    with_sums = ke.evaluate(x, y, [function], ["sm", "loo"], lam=0.2, landmarks=M)
    assert np.isfinite(scores(with_sums, "loo")).all()


def test_the_matrix_of_a_function_is_never_whole(monkeypatch):
    monkeypatch.setattr(counts, "_SMALL_POOL", 50)
    monkeypatch.setattr(landmark_work, "MEMORY", 8.0)
    monkeypatch.setattr(sums, "MEMORY", 8.0)
    x, y = problem("regression", n=5000, d=3)
    shapes = []

    def function(a, b):
        shapes.append((len(a), len(b)))
        return ke.Gaussian(2.0)(a, b)

    table = ke.evaluate(x, y, [function], "loo", lam=0.2, landmarks=10)
    assert np.isfinite(scores(table, "loo")).all()
    assert max(rows * columns for rows, columns in shapes) <= 2048 * 10


def test_a_sample_of_many_rows_is_scored(monkeypatch):
    x, y = problem("binary", n=3000, d=3)
    whole = ke.evaluate(x, y, KERNELS, "loo", lam=0.2, landmarks=M)
    monkeypatch.setattr(counts, "SCORE_ALL", 1000)
    monkeypatch.setattr(counts, "SCORED", 600)
    some = ke.evaluate(x, y, KERNELS, "loo", lam=0.2, landmarks=M)
    again = ke.evaluate(x, y, KERNELS, "loo", lam=0.2, landmarks=M)
    assert some == again
    apart = np.abs(scores(some, "loo") - scores(whole, "loo"))
    assert (apart < 4 * some.errors["loo"]).all()
    ratio = some.errors["loo"] / whole.errors["loo"]
    np.testing.assert_allclose(ratio, np.sqrt(5), rtol=0.15)
    # The same rows for all kernels: their differences are known better than they are.
    gaps = np.diff(scores(some, "loo")) - np.diff(scores(whole, "loo"))
    assert (np.abs(gaps) < some.errors["loo"][1:]).all()


def test_rare_classes_are_scored(monkeypatch):
    monkeypatch.setattr(counts, "SCORE_ALL", 500)
    monkeypatch.setattr(counts, "SCORED", 400)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4000, 2))
    y = np.zeros(4000, dtype=int)
    y[:8], y[8:2000] = 2, 1
    x[:8] += 4.0
    rng.shuffle(order := np.arange(4000))
    x, y = x[order], y[order]
    table = ke.evaluate(x, y, [ke.Gaussian(1.0)], "loo", lam=0.2, landmarks=40)
    scored = landmark_work.ScoredRows.of(check_target(y), 0)
    sizes = np.bincount(scored.target.codes)
    assert sizes[2] == 8
    assert 400 <= sizes.sum() <= 408
    weights = scored.target.weights
    assert weights[scored.target.codes == 2].sum() / weights.sum() == pytest.approx(0.002)
    monkeypatch.setattr(counts, "SCORE_ALL", 5000)
    whole = ke.evaluate(x, y, [ke.Gaussian(1.0)], "loo", lam=0.2, landmarks=40)
    assert scores(table, "loo")[0] == pytest.approx(scores(whole, "loo")[0], rel=0.1)


def test_rows_left_out_foretell_new_rows_where_many_are_landmarks():
    rng = np.random.default_rng(3)

    def drawn(rows):
        x = rng.uniform(-2.0, 2.0, size=(rows, 2))
        return x, np.sin(2.0 * x[:, 0]) * x[:, 1] + 0.3 * rng.normal(size=rows)

    (old, y), (new, wanted) = drawn(400), drawn(4000)
    for lam in (0.003, 0.1, 3.0):
        model = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=lam, landmarks=120).fit(old, y)
        left_out, unseen = (r**2 for r in (model.loo_residuals_, model.predict(new) - wanted))
        error = np.hypot(*(each.std() / np.sqrt(len(each)) for each in (left_out, unseen)))
        assert abs(left_out.mean() - unseen.mean()) < 2.0 * error


def test_landmarks_are_chosen_without_a_look_at_the_target():
    x, y = problem("regression", n=100, d=3)
    seen = []
    for target in (y, y[::-1].copy()):
        table = ke.evaluate(x, target, KERNELS, "loo", lam=0.2, landmarks=M)
        seen.append(table.columns["loo"].rank_errors)
    np.testing.assert_array_equal(*seen)


def test_the_seed_decides_which_rows_are_landmarks():
    x, y = problem("regression", n=100, d=3)
    one, same, other = (
        ke.evaluate(x, y, KERNELS, "loo", lam=0.2, landmarks=M, random_state=seed)
        for seed in (3, 3, 4)
    )
    assert one == same
    assert one != other


def test_kernels_are_compared_on_the_same_rows(monkeypatch):
    monkeypatch.setattr(counts, "SCORE_ALL", 100)
    monkeypatch.setattr(counts, "SCORED", 100)
    x, y = problem("regression", n=800, d=3)
    pair = [ke.Gaussian(2.0), ke.Gaussian(4.0)]

    def losses(seed):
        table = ke.evaluate(x, y, pair, "loo", lam=0.2, landmarks=60, random_state=seed)
        return scores(table, "loo").ravel()

    found = np.array([losses(seed) for seed in range(16)])
    together, apart = found[:, 0] - found[:, 1], found[:, 0] - np.roll(found[:, 1], 1)
    assert together.var() < apart.var() / 4.0


def test_kernels_of_low_rank_and_kernels_without_a_model():
    x, y = problem("regression", n=60, d=3)
    zero = ke.kernels.Function(lambda a, b: np.zeros((len(a), len(b))))
    table = ke.evaluate(x, y, [ke.Linear(), zero], ["loo", "cv", "gcv"], landmarks=M)
    assert table.columns["loo"].landmarks[0] == 3
    for key in ("loo", "cv", "gcv"):
        assert "zero on all rows" in table.reasons[key][1]
        assert table.reasons[key][0] is None
        assert table.winner(key) == 0


def test_results_travel():
    x, y = problem("binary", n=60, d=4)
    table = ke.evaluate(x, y, KERNELS, ["loo", "sm"], lam=[0.1, 1.0], landmarks=M)
    assert serialization.from_dict(serialization.to_dict(table)) == table
    flat = ke.evaluate(x, y, KERNELS, "loo", landmarks=M)
    assert flat.columns["loo"].landmarks.shape == (3,)


def test_what_cannot_be_had_is_refused_in_a_sentence():
    x, y = problem("binary", n=60, d=4)

    def ask(landmarks, criteria="loo"):
        return lambda: ke.evaluate(x, y, KERNELS, criteria, landmarks=landmarks)

    refuses(ask(61), ValueError, "landmarks=61 is more than the 60 rows")
    refuses(ask(0), ValueError, "landmarks must be")
    refuses(ask(2.5), TypeError, "landmarks must be")
    refuses(ask(9, "bif"), ValueError, "bif needs whole kernel matrices")
    with pytest.warns(UserWarning, match="landmarks plays no part in sm"):
        ke.evaluate(x, y, KERNELS, "sm", landmarks=9)
