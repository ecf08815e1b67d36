"""Screening of many rows by a sample of them against all: what it says, and when it goes on."""

import time

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_moons

import kernelect as ke
from kernelect._evidence.landmarks import counts
from kernelect._evidence.sampled import evidence as sampled
from kernelect.results import serialization
from kernelect.selection import _landmark_search
from kernelect.selection._screening import shortlist

GRID = ke.gaussian_grid(-8, 8)
ROWS = 1500


@pytest.fixture(autouse=True)
def many(monkeypatch):
    """As if 1000 rows were many, and 96 a sample to begin with."""
    monkeypatch.setattr(counts, "WHOLE_ROWS", 300)
    monkeypatch.setattr(counts, "_FEW", 60)
    monkeypatch.setattr(sampled, "SCREEN_ALL", 1000)
    monkeypatch.setattr(sampled, "_FEWEST", 96)
    monkeypatch.setattr(_landmark_search, "_LEAST", 200)


@pytest.fixture(scope="module")
def moons():
    return make_moons(ROWS, noise=0.25, random_state=0)


def test_the_result_says_that_rows_were_sampled_and_how_sure_it_is(moons):
    chosen = ke.select(*moons, GRID, lam="auto")
    exact = ke.evaluate(*moons, GRID, ["kta", ke.criteria.SM(r=1), "sm", "ckta"])
    for key, column in chosen.table.columns.items():
        if key == "loo":
            continue
        assert column.label.startswith(f"{key} (")
        assert column.label.endswith("of 1500 rows)")
        offset = np.abs(column.values - exact.scores[key])
        assert (offset <= 6.0 * chosen.table.errors[key]).mean() > 0.9
        assert column.rivals[exact.best(key).index] == 1.0
        assert column.rivals.sum() < len(GRID)
    assert chosen.landmarks is not None
    assert serialization.from_dict(serialization.to_dict(chosen)) == chosen


def test_up_to_a_number_of_rows_all_pairs_are_screened(moons):
    X, y = moons
    table = ke.select(X[:900], y[:900], GRID).table
    assert table.columns["sm"].label == "sm"
    assert table.columns["sm"].rivals is None
    np.testing.assert_array_equal(
        table.scores["sm"], ke.evaluate(X[:900], y[:900], GRID, "sm").scores["sm"]
    )


def test_the_same_decision_whatever_the_threads_and_the_clock(moons):
    chosen = ke.select(*moons, GRID, lam="auto", n_threads=1)
    slow = ke.select(*moons, GRID, lam="auto", n_threads=2, progress=lambda _: time.sleep(0.01))
    assert slow == chosen
    other = ke.select(*moons, GRID, lam="auto", random_state=1)
    assert not np.array_equal(other.table.scores["sm"], chosen.table.scores["sm"])
    assert abs(other.index - chosen.index) <= 1


def test_two_seeds_differ_by_no_more_than_is_said(moons):
    scores = [ke.select(*moons, GRID, lam="auto", random_state=seed) for seed in range(3)]
    losses = np.array([each.score for each in scores])
    reported = max(each.m_sensitivity for each in scores) * losses.min()
    errors = max(np.nanmax(each.table.errors["loo"]) for each in scores)
    assert np.ptp(losses) <= reported + 2.0 * errors


def test_a_sample_that_never_decides_ends_in_all_pairs(moons, monkeypatch):
    monkeypatch.setattr(sampled, "_decided", lambda *_: False)
    table = ke.select(*moons, GRID).table
    exact = ke.evaluate(*moons, GRID, ["kta", "sm"])
    for key in ("kta", "sm"):
        assert table.columns[key].label == key
        np.testing.assert_array_equal(table.scores[key], exact.scores[key])


def test_a_sample_doubles_until_it_decides(moons, monkeypatch):
    decided = iter([False, False, True])
    monkeypatch.setattr(sampled, "_decided", lambda *_: next(decided))
    assert ke.select(*moons, GRID).table.columns["sm"].label == "sm (384 of 1500 rows)"


def test_beyond_the_largest_sample_the_rivals_go_on(moons, monkeypatch):
    monkeypatch.setattr(sampled, "_decided", lambda *_: False)
    monkeypatch.setattr(sampled, "_MOST", 192)
    column = ke.select(*moons, GRID).table.columns["sm"]
    assert column.label == "sm (192 of 1500 rows)"


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_whatever_may_be_the_best_is_on_the_shortlist(moons):
    table = ke.select(*moons, GRID).table
    kta, sm = (np.flatnonzero(table.columns[key].rivals) for key in ("kta", "sm(r=1)"))
    low, high = min(*kta, *sm), max(*kta, *sm)
    assert shortlist(table) == list(range(max(low - 1, 0), min(high + 1, len(GRID) - 1) + 1))
    kernels = [*GRID[4:12], ke.Laplacian(1.0), ke.Linear()]
    table = ke.select(*moons, kernels, landmarks=40).table
    for key in ("kta", "sm(r=1)", "sm"):
        assert set(np.flatnonzero(table.columns[key].rivals)) <= set(shortlist(table))


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_functions_and_matrices_beside_them(moons):
    X, y = moons
    matrix = ke.Gaussian(0.5)(X, X)
    kernels = [ke.kernels.Function(ke.Gaussian(0.25)), ke.Gaussian(1.0), matrix]
    chosen = ke.select(X, y, kernels, landmarks=60)
    exact = ke.evaluate(X, y, [ke.Gaussian(0.25), ke.Gaussian(1.0), ke.Gaussian(0.5)], "sm")
    np.testing.assert_allclose(chosen.table.scores["sm"], exact.scores["sm"], rtol=0.2)


def test_a_limit_of_time_keeps_the_sample_that_is_done(moons, monkeypatch):
    decide = sampled._decided

    def late(*given):
        time.sleep(1.1)
        return decide(*given) and False  # and goes on

    monkeypatch.setattr(sampled, "_decided", late)
    with pytest.warns(UserWarning, match="time_limit=1 seconds was reached"):
        chosen = ke.select(*moons, GRID, lam="auto", time_limit=1.0)
    assert chosen.partial
    assert chosen.decisive == "sm"
    assert chosen.table.columns["sm"].label == "sm (96 of 1500 rows)"


def test_no_evidence_is_said_of_shuffled_labels(moons):
    X, y = moons
    with pytest.warns(UserWarning, match="no evidence"):
        ke.select(X, np.random.default_rng(0).permutation(y), GRID, lam="auto")


def test_rare_classes_are_screened_and_scored(monkeypatch):
    monkeypatch.setattr(sampled, "_MOST", 192)
    X, y = make_classification(3000, 6, n_informative=4, random_state=0, class_sep=2.0)
    y[np.flatnonzero(y == 1)[40:]] = 0
    chosen = ke.select(X, y, GRID, lam="auto")
    exact = ke.evaluate(X, y, GRID, "sm")
    offset = np.abs(chosen.table.scores["sm"] - exact.scores["sm"])
    assert (offset < 0.15 * exact.scores["sm"]).all()
    # Of the narrowest kernels a few pairs of neighbours decide, which a sample may miss.
    assert (offset <= 6.0 * chosen.table.errors["sm"])[len(GRID) // 2 :].all()


@pytest.mark.parametrize("tau", [2.0**-8, 2.0**-4, 1.0, 64.0])
def test_relative_lambdas_are_those_of_the_kernel_not_of_its_landmarks(moons, tau):
    kernel = ke.Gaussian(tau)
    table = ke.evaluate(*moons, [kernel], "loo", lam="auto", landmarks=40)
    k = kernel(moons[0])
    exact = np.trace(k) / ROWS - k.mean()
    ratio = table.columns["loo"].lams[0] / 2.0 ** np.arange(-10, 11)
    np.testing.assert_allclose(ratio, exact, rtol=0.01)


def test_differences_of_kernels_are_paired(moons, monkeypatch):
    """With landmarks and scored rows in common the difference of two kernels varies far less."""
    monkeypatch.setattr(counts, "SCORE_ALL", 1000)
    monkeypatch.setattr(counts, "SCORED", 300)
    kernels = [ke.Gaussian(0.5), ke.Gaussian(1.0)]
    found = np.array([
        ke.evaluate(*moons, kernels, "loo", landmarks=60, random_state=seed).scores["loo"]
        for seed in range(16)
    ])  # fmt: skip
    paired = np.var(found[:, 0] - found[:, 1])
    apart = np.var(found[:, 0] - np.roll(found[:, 1], 1))
    assert paired < apart / 4.0


def test_evaluate_by_a_sample(moons):
    X, y = moons
    exact = ke.evaluate(X, y, GRID, ["sm", "kta", "ckta"])
    table = ke.evaluate(X, y, GRID, ["sm", "kta", "ckta", "loo"], sample=200, landmarks=20)
    again = ke.evaluate(X, y, GRID, ["sm", "kta"], sample=200, n_threads=2)
    for key in ("sm", "kta"):
        assert table.columns[key].label == f"{key} (200 of 1500 rows)"
        assert (np.abs(table.scores[key] - exact.scores[key]) <= 6.0 * table.errors[key]).all()
        assert np.array_equal(table.scores[key], again.scores[key])
    assert table.columns["loo"].label == "loo"
    half = ke.evaluate(X, y, GRID, "sm", sample=750)
    assert half == ke.evaluate(X, y, GRID, "sm")
    found = ke.evaluate(X, y, GRID, "kta", sample="auto")
    assert abs(found.best().index - exact.best("kta").index) <= 1


@pytest.mark.parametrize(
    ("sample", "error", "words"),
    [
        (2.5, TypeError, "sample must be a whole number of rows, 'auto' or None, not 2.5"),
        ("all", TypeError, "sample must be"),
        (0, ValueError, "sample must be a whole number of at least 1, not 0"),
        (1501, ValueError, "sample=1501 is more than the 1500 rows; give fewer, or None"),
    ],
)
def test_samples_that_are_none(moons, sample, error, words):
    with pytest.raises(error, match=words):
        ke.evaluate(*moons, GRID, sample=sample)


def test_samples_of_criteria_that_have_none(moons):
    with pytest.raises(ValueError, match="fsm cannot be estimated by a sample of rows"):
        ke.evaluate(*moons, GRID, ["sm", "fsm"], sample=200)
    with pytest.warns(UserWarning, match="sample plays no part in loo"):
        ke.evaluate(*moons, GRID[:1], "loo", sample=200, landmarks=20)


def test_select_by_a_sample(moons):
    chosen = ke.select(*moons, GRID, "sm", sample=200)
    assert chosen.table.columns["sm"].label == "sm (200 of 1500 rows)"
    table = ke.evaluate(*moons, GRID, "sm", sample=200)
    assert chosen.score == table.best("sm").score
    chosen = ke.select(*moons, GRID, sample=64)  # of the screening
    assert chosen.table.columns["kta"].label == "kta (64 of 1500 rows)"
    assert chosen.decisive == "loo"
    with pytest.warns(UserWarning, match="sample plays no part in loo"):
        ke.select(*moons, GRID[-2:], "loo", sample=200, landmarks=200)
