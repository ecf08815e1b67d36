"""Elections by landmark models: when they are held, what they say, and when not to trust them."""

import time

import numpy as np
import pytest
from sklearn.datasets import make_friedman1, make_moons
from sklearn.model_selection import GroupKFold
from sklearn.svm import SVC

import kernelect as ke
from kernelect._evidence.landmarks import counts
from kernelect._evidence.sampled import evidence as sampled
from kernelect.results import serialization
from kernelect.selection import _affordable, _landmark_search

GRID = ke.gaussian_grid(-8, 8)


@pytest.fixture(scope="module")
def moons():
    return make_moons(700, noise=0.25, random_state=0)


@pytest.fixture
def many(monkeypatch):
    """As if 300 rows were many."""
    monkeypatch.setattr(counts, "WHOLE_ROWS", 300)
    monkeypatch.setattr(counts, "_FEW", 60)


def test_few_rows_are_judged_whole(moons):
    chosen = ke.select(*moons, GRID)
    assert (chosen.landmarks, chosen.rank_error, chosen.m_sensitivity) == (None, None, None)
    assert chosen == ke.select(*moons, GRID, landmarks=None)


@pytest.mark.parametrize("lam", [1.0, "auto", [0.01, 0.1, 1.0]])
def test_many_rows_are_judged_by_landmarks(moons, many, lam):
    chosen = ke.select(*moons, GRID, lam=lam)
    assert chosen.landmarks <= round(4 * np.sqrt(700))
    assert 0.0 <= chosen.rank_error < 0.1
    assert chosen.m_sensitivity < 0.02
    assert chosen.model.lam == (lam if lam == 1.0 else chosen.lam)
    table = ke.evaluate(*moons, [chosen.kernel], "loo", lam=lam, landmarks=106)
    assert table.best("loo").score == pytest.approx(chosen.score, rel=1e-12)
    exact = ke.evaluate(*moons, GRID, "loo", lam=lam, landmarks=None)
    losses = exact.columns["loo"].at_best_lambda().values
    assert losses[chosen.index] < 1.01 * losses.min()
    assert f"{chosen.landmarks} landmarks" in repr(chosen)


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_a_number_of_landmarks_and_none(moons, many):
    assert ke.select(*moons, GRID, landmarks=40).landmarks <= 40
    assert ke.select(*moons, GRID, landmarks=None).landmarks is None
    by_name = ke.select(*moons, GRID, "loo")  # there is memory for what was asked for
    assert by_name.landmarks is None
    assert ke.select(*moons, GRID, "cv", landmarks=40).landmarks <= 40
    with pytest.warns(UserWarning, match="landmarks plays no part in sm"):
        ke.select(*moons, GRID, "sm", landmarks=40)


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_too_little_memory_for_matrices(moons, monkeypatch):
    monkeypatch.setattr(_affordable, "_LITTLE", 0.0)
    monkeypatch.setattr(_affordable, "free_memory", lambda: 3e6)
    chosen = ke.select(*moons, GRID, n_threads=1)
    assert 30 < chosen.landmarks < 175
    table = ke.evaluate(*moons, GRID, "loo", n_threads=1)
    assert np.nanmax(table.columns["loo"].landmarks) < 175
    monkeypatch.setattr(_affordable, "free_memory", lambda: 1e4)
    with pytest.raises(MemoryError, match="landmarks of 700 rows takes about"):
        ke.evaluate(*moons, GRID, "loo", landmarks=40)


@pytest.mark.filterwarnings("error")
def test_a_model_that_has_converged_says_nothing(moons):
    assert ke.select(*moons, GRID, lam="auto", landmarks=200).m_sensitivity <= 0.02


def test_a_model_that_has_not_converged_is_said_to():
    X, y = make_friedman1(700, n_features=10, noise=0.5, random_state=0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    with pytest.warns(UserWarning, match="has not converged: with half of its 30 landmarks"):
        chosen = ke.select(X, y, GRID, lam="auto", landmarks=30)
    assert chosen.m_sensitivity > 0.02


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_the_sensitivity_is_that_of_half_the_landmarks(moons):
    kernel = [ke.Gaussian(0.01)]
    whole = ke.evaluate(*moons, kernel, "loo", lam=[0.1, 1.0], landmarks=60)
    column = whole.columns["loo"]
    chosen = ke.select(*moons, kernel, "loo", lam=[0.1, 1.0], landmarks=60)
    place = int(column.best_lambda()[0])
    assert chosen.m_sensitivity == column.sensitivities[0, place] > 0.0


@pytest.mark.parametrize("weighted", [False, True])
def test_the_sensitivity_is_that_of_rows_as_they_count(moons, weighted):
    """Fewer landmarks of few rows are the first of more, so that the models can be had apart."""
    weights = np.where(np.arange(700) < 350, 1.0, 1e-3) if weighted else None
    given = {"lam": 0.1, "sample_weight": weights}
    kernel, (X, y) = [ke.Gaussian(0.01)], moons
    y = np.where(np.arange(700) < 350, y, np.random.default_rng(0).permutation(y))
    half, whole = (
        ke.evaluate(X, y, kernel, "loo", landmarks=count, **given).columns["loo"]
        for count in (30, 60)
    )
    change = half.values[0] / whole.values[0] - 1.0
    assert whole.sensitivities[0] == pytest.approx(change, rel=1e-9)


def test_the_search_begins_on_a_part_of_many_rows(moons, many, monkeypatch):
    expected = ke.select(*moons, GRID, lam="auto")
    monkeypatch.setattr(_landmark_search, "_LEAST", 100)
    monkeypatch.setattr(sampled, "SCREEN_ALL", 500)
    monkeypatch.setattr(sampled, "_FEWEST", 80)
    chosen = ke.select(*moons, GRID, lam="auto")
    assert abs(chosen.index - expected.index) <= 1
    assert chosen.table.columns["sm"].label == "sm (160 of 700 rows)"
    assert chosen == ke.select(*moons, GRID, lam="auto", n_threads=3)


def test_a_part_of_the_rows_says_nothing_about_the_ridge(moons, many, monkeypatch):
    """In the mean convention a lambda is another ridge on a part of the rows than on all."""
    monkeypatch.setattr(_landmark_search, "_LEAST", 100)
    lams = np.logspace(-5, 0, 11)
    mean = ke.select(*moons, GRID, lam=lams, lam_convention="mean")
    total = ke.select(*moons, GRID, lam=699 * lams)  # the ridges of rows left out
    assert mean.kernel == total.kernel
    assert 699 * mean.lam == pytest.approx(total.lam)
    assert mean.score == pytest.approx(total.score)


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_candidates_without_an_order(moons, many):
    kernels = [ke.Gaussian(0.1), ke.Laplacian(1.0), ke.Linear(), ke.Polynomial(3)]
    chosen = ke.select(*moons, kernels, lam="auto")
    exact = ke.select(*moons, kernels, lam="auto", landmarks=None)
    losses = exact.table.columns["loo"].at_best_lambda().values
    assert losses[chosen.index] < 1.05 * losses.min()
    assert len(chosen.verified) >= 2


def test_folds_groups_scores_and_rules(moons, many):
    X, y = moons
    groups = np.arange(700) // 7
    chosen = ke.select(X, y, GRID, folds=GroupKFold(4), groups=groups)
    assert chosen.decisive == "cv"
    assert chosen.landmarks is not None
    chosen = ke.select(X, y, GRID, scoring="roc_auc")
    assert chosen.score > 0.9
    wide = ke.select(X, y, GRID, rule="one_se")
    assert wide.landmarks is not None


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_regression_of_several_targets(many):
    X, y = make_friedman1(700, random_state=0)
    chosen = ke.select(X, np.c_[y, -y], GRID, lam="auto")
    assert chosen.landmarks is not None
    assert chosen.model.lam == chosen.lam


def test_progress(moons, many):
    seen = []
    ke.select(*moons, GRID, lam="auto", progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_a_slow_machine_decides_alike(many):
    x, y = make_friedman1(700, noise=0.1, random_state=0)  # of which landmarks are doubled
    slow = ke.select(x, y, GRID, lam="auto", progress=lambda _: time.sleep(0.002))
    assert slow == ke.select(x, y, GRID, lam="auto")


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_noise_is_said_to_be_noise(moons, many):
    x, y = moons
    with pytest.warns(UserWarning, match="no evidence"):
        ke.select(x, np.random.default_rng(1).permutation(y), GRID)


def test_a_limit_of_time_leaves_the_best_so_far(moons, many, monkeypatch):
    look = _landmark_search.LandmarkSearch._look

    def slow(search, place):
        if place not in search._seen and search._seen:
            time.sleep(2.0)
        return look(search, place)

    monkeypatch.setattr(_landmark_search.LandmarkSearch, "_look", slow)
    with pytest.warns(UserWarning, match="time_limit=2 seconds was reached"):
        chosen = ke.select(*moons, GRID, lam="auto", time_limit=2.0)
    assert chosen.partial
    assert len(chosen.verified) == 1


def test_results_travel(moons, many):
    chosen = ke.select(*moons, GRID, lam="auto")
    again = serialization.from_dict(serialization.to_dict(chosen))
    assert again == chosen
    assert again.m_sensitivity == chosen.m_sensitivity
    plain = chosen.to_dict()
    assert plain["landmarks"] == chosen.landmarks
    assert plain["rank_error"] == chosen.rank_error


def test_learners_and_selectors_hold_such_elections(moons, many):
    X, y = moons
    model = ke.LSSVMClassifier("auto").fit(X, y)
    assert model.selection_.landmarks is not None
    assert model.score(X, y) > 0.9
    chosen = ke.KernelSelector(SVC(), C="auto").fit(X, y)
    assert chosen.result_.landmarks is not None
    assert chosen.score(X, y) > 0.9
    fixed = ke.KernelSelector(SVC(), landmarks=None).fit(X, y)
    assert fixed.result_.landmarks is None
