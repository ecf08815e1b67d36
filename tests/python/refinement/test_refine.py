"""Kernels refined by derivatives, and kept as they were where that is not worth it."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_friedman1
from sklearn.model_selection import GroupKFold

import kernelect as ke
from kernelect.refinement import _cross_fit, _refined
from kernelect.refinement._refine import PENALTY
from kernelect.results import Refinement

RNG = np.random.default_rng(5)
N = 160
X = RNG.normal(size=(N, 4))
SMOOTH = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1]
Y = {
    "regression": SMOOTH + 0.1 * RNG.normal(size=N),
    "several": np.column_stack([SMOOTH, X[:, 0] ** 2]) + 0.1 * RNG.normal(size=(N, 2)),
    "binary": (SMOOTH > 0).astype(int),
    "multiclass": np.digitize(SMOOTH, [-0.5, 0.5]),
}


@pytest.mark.parametrize("task", Y)
@pytest.mark.parametrize("criterion", ["auto", "loo", "evidence"])
def test_finds_the_columns_that_matter(task, criterion):
    chosen = ke.refine(X, Y[task], None, criterion, n_threads=1)
    found = chosen.refinement
    assert found.adopted
    assert found.gain > 0.0
    assert isinstance(chosen.kernel, ke.ARDGaussian)
    assert sum(found.relevance.values()) == pytest.approx(1.0)
    assert max(found.relevance, key=found.relevance.get) == "x0"
    assert found.relevance["x2"] + found.relevance["x3"] < (0.3 if task == "binary" else 0.15)
    assert chosen.kernel == chosen.table.kernels[-1]
    assert chosen.model.lam == chosen.lam
    column = chosen.table.column()
    assert column.loss[-1, 0] < column.loss[0, 0]
    again = ke.evaluate(X, Y[task], [chosen.kernel], chosen.criterion, lam=chosen.lam, n_threads=1)
    assert again.scores[chosen.criterion][0] == pytest.approx(chosen.score, rel=1e-9)


@pytest.mark.parametrize("criterion", ["sm", "kta", "ckta", "ks"])
@pytest.mark.parametrize("task", ["regression", "binary", "multiclass"])
def test_criteria_of_sums(task, criterion):
    chosen = ke.refine(X, Y[task], None, criterion, n_threads=1)
    assert chosen.refinement.criterion == criterion
    if chosen.refinement.adopted:
        assert max(chosen.refinement.relevance, key=chosen.refinement.relevance.get) == "x0"
        column = chosen.table.column()
        assert np.ravel(column.loss)[-1] < np.ravel(column.loss)[0]
        assert (chosen.lam is None) == (criterion != "ks")


def test_lambda_without_a_part():
    with pytest.warns(UserWarning, match="lam plays no part in kta"):
        ke.refine(X, Y["regression"], ke.Gaussian(4.0), "kta", lam=1.0)


def test_predicts_new_rows_better():
    rng = np.random.default_rng(8)
    new = rng.normal(size=(500, 4))
    truth = np.sin(2 * new[:, 0]) + 0.3 * new[:, 1]
    losses = []
    for chosen in (
        ke.select(X, Y["regression"], lam="auto"),
        ke.refine(X, Y["regression"]),
    ):
        model = ke.LSSVMRegressor(chosen.kernel, lam=chosen.lam).fit(X, Y["regression"])
        losses.append(np.mean((model.predict(new) - truth) ** 2))
    assert losses[1] < 0.5 * losses[0]


def test_noise_is_not_refined():
    """Where all columns count alike, the start is returned and the reason said."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(120, 10))
    y = rows.sum(axis=1) + 5.0 * rng.normal(size=120)
    start = ke.select(rows, y, lam="auto")
    chosen = ke.refine(rows, y, start, "loo", penalty=0.0)
    assert not chosen.refinement.adopted
    assert chosen.kernel == start.kernel
    assert chosen.table == start.table
    assert "no evidence" in chosen.refinement.reason
    assert "not refined" in repr(chosen)
    assert chosen.refinement.loss > 0.0


def test_starts_from_a_kernel_and_from_a_selection():
    begun = ke.select(X, Y["regression"], lam="auto")
    assert ke.refine(X, Y["regression"], begun) == ke.refine(X, Y["regression"])
    kernel = ke.Matern(1.5, 2.0) + ke.Linear()
    chosen = ke.refine(X, Y["regression"], kernel)
    assert chosen.refinement.start == kernel
    assert len(chosen.kernel.terms[0].length_scale) == 4
    one = ke.refine(X, Y["regression"], ke.Gaussian(30.0), per_column=False, lam=1.0)
    assert isinstance(one.kernel, ke.Gaussian)
    assert one.refinement.start_lam == 1.0
    assert one.refinement.relevance == {}


def test_names_constant_columns_and_sparse_rows():
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"]).assign(e=3.0)
    chosen = ke.refine(frame, Y["regression"])
    assert list(chosen.refinement.relevance) == [*"abcde"]
    assert chosen.refinement.relevance["e"] == 0.0
    sparse = ke.refine(sp.csr_matrix(frame.to_numpy()), Y["regression"])
    np.testing.assert_allclose(sparse.kernel.gammas, chosen.kernel.gammas, rtol=1e-3)


def test_rows_that_are_held_out_together():
    groups = np.arange(N) // 8
    chosen = ke.refine(X, Y["regression"], groups=groups)
    assert chosen.criterion == "cv"
    assert chosen.refinement.adopted
    same = ke.refine(X, Y["regression"], folds=GroupKFold(5), groups=groups)
    assert same.refinement.adopted


@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_conventions_of_lambda(convention):
    chosen = ke.refine(X, Y["regression"], lam_convention=convention, bias=convention == "sum")
    factor = 1.0 if convention == "sum" else 1.0 / N
    other = ke.refine(X, Y["regression"], bias=convention == "sum")
    assert chosen.lam == pytest.approx(factor * other.lam, rel=0.05)


def test_weights():
    weights = np.where(np.arange(N) < 10, 0.0, 1.0)
    chosen = ke.refine(X, Y["regression"], sample_weight=weights)
    assert chosen.lam == pytest.approx(ke.refine(X[10:], Y["regression"][10:]).lam, rel=1e-6)
    ke.refine(X, Y["binary"], sample_weight=1.0 + np.arange(N) / N)


def test_too_few_rows_for_so_many_parameters():
    rows = np.random.default_rng(0).normal(size=(30, 20))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = ke.refine(rows, rows[:, 0])
    assert not chosen.refinement.adopted
    assert "too few for 20 parameters" in chosen.refinement.reason
    assert np.isnan(chosen.refinement.loss)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"start": ke.Linear()}, ValueError, "no parameters to refine"),
        ({"start": lambda a, b: a @ b.T}, TypeError, "derivatives of a function"),
        ({"start": ke.kernels.Function(np.dot)}, ValueError, "are not known"),
        (
            {"start": "rbf"},
            TypeError,
            r"start must be .* not 'rbf'; give the kernel with its width",
        ),
        ({"bounds": (2.0, 4.0)}, ValueError, "leave the start out"),
        ({"bounds": 3.0}, TypeError, "two factors"),
        ({"criterion": "gcv"}, ValueError, "derivatives of gcv are not known"),
        ({"criterion": "nonsense"}, ValueError, "unknown criterion"),
        ({"penalty": -1.0}, ValueError, "penalty"),
        ({"penalty": "none"}, TypeError, "penalty"),
        ({"lam": [0.1, 1.0]}, TypeError, "one number"),
        ({"per_column": 3}, TypeError, "per_column"),
        ({"time_limit": 0}, ValueError, "time_limit"),
    ],
)
def test_bad_calls(given, error, words):
    with pytest.raises(error, match=words):
        ke.refine(X, Y["regression"], **given)


def test_penalty_bounds_and_unused_arguments():
    free = ke.refine(X, Y["regression"], penalty=0.0)
    held = ke.refine(X, Y["regression"], penalty=100.0)
    spread = [np.ptp(np.log(one.kernel.gammas)) for one in (free, held)]
    assert spread[1] < spread[0]
    near = ke.refine(X, Y["regression"], bounds=(0.5, 2.0))
    factors = np.array(near.kernel.gammas) * 2.0 * near.refinement.start.tau
    assert factors.min() >= 0.4999
    assert factors.max() <= 2.0001
    with pytest.warns(UserWarning, match="penalty plays no part"):
        ke.refine(X, Y["regression"], ke.Laplacian(0.5), penalty=0.5)


def test_limit_of_time():
    start = ke.select(X, Y["regression"], lam="auto")
    with pytest.warns(UserWarning, match="time_limit"):
        chosen = ke.refine(X, Y["regression"], start, time_limit=1e-6)
    assert chosen.partial
    assert not chosen.refinement.adopted
    assert "time was up" in chosen.refinement.reason


def test_progress_rises_and_interrupts():
    seen = []
    ke.refine(X, Y["regression"], progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0

    def stop(fraction):
        if fraction > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ke.refine(X, Y["regression"], progress=stop)


def test_the_penalty_is_given_up_where_unseen_rows_are_predicted_better_without():
    rows, y = make_friedman1(300, 8, noise=0.5, random_state=0)  # three columns say nothing
    held, chosen = ke.refine(rows, y, penalty=PENALTY), ke.refine(rows, y)
    assert chosen.refinement.loss < 0.99 * held.refinement.loss
    assert chosen.refinement.evaluations > held.refinement.evaluations
    assert chosen.refinement.relevance["x7"] < held.refinement.relevance["x7"]
    # Labels are refined by leave-one-out, and keep it.
    labels = y > np.median(y)
    assert ke.refine(rows, labels) == ke.refine(rows, labels, penalty=PENALTY)


def test_many_rows_refine_on_a_sample(monkeypatch):
    monkeypatch.setattr(_refined, "MANY", 60)
    monkeypatch.setattr(_cross_fit, "MANY", 60)
    for convention in ("sum", "mean"):
        chosen = ke.refine(X, Y["regression"], lam_convention=convention)
        assert chosen.refinement.adopted
        assert chosen.score > chosen.table.scores["evidence"][0, 0]


def test_threads_do_not_matter():
    one, two = (ke.refine(X, Y["binary"], n_threads=threads) for threads in (1, 2))
    assert one == two


@pytest.mark.parametrize("start", [None, ke.Gaussian(2.0)])
def test_saved_and_loaded(start):
    chosen = ke.refine(X, Y["regression"], start)
    data = ke.serialization.to_dict(chosen)
    assert ke.serialization.from_dict(data) == chosen
    assert pickle.loads(pickle.dumps(chosen)) == chosen
    assert chosen.to_dict()["refinement"]["adopted"] is True
    data["refinement"]["evaluations"] = -1
    with pytest.raises(ValueError, match="evaluations"):
        ke.serialization.from_dict(data)


def test_says_what_it_did():
    found = ke.refine(X, Y["regression"]).refinement
    assert "refined from Gaussian" in repr(found)
    assert "x0" in repr(found)
    assert "<td" in found._repr_html_()
    assert found == found  # noqa: PLR0124
    assert found != "text"
    assert hash(found) == hash(found)
    with pytest.raises(TypeError, match="sets out from a kernel"):
        Refinement("rbf", None, "loo", False, "", 1.0, 1.0, 1.0, 0, {})


@pytest.mark.parametrize("sizes", [(60, 61), (51, 70), (41, 60, 59)])
def test_halves_do_not_depend_on_the_names_of_classes(sizes):
    """Of a class with an odd number of rows one half has a row more than the other."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(sum(sizes), 4))
    y = np.empty(len(X), dtype=int)
    y[np.argsort(X[:, 0] + 0.3 * X[:, 1] ** 2)] = np.repeat(np.arange(len(sizes)), sizes)
    one, other = (
        ke.refine(X, np.array(list(names))[y], ke.Gaussian(4.0), lam=0.3).refinement
        for names in ("abc", "cba")
    )
    assert one.adopted == other.adopted
    assert other.loss == pytest.approx(one.loss, rel=1e-6)
    assert other.start_loss == pytest.approx(one.start_loss, rel=1e-9)
