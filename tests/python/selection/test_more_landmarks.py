"""Elections that are held again with twice as many landmarks, where the first are too few."""

import numpy as np
import pytest
from sklearn.datasets import make_friedman1, make_moons

import kernelect as ke
from kernelect._evidence.landmarks import cost, counts
from kernelect.selection import _affordable, _landmark_search, _more_landmarks

GRID = ke.gaussian_grid(-8, 8)
FIRST = 106  # landmarks of 700 rows
pytestmark = pytest.mark.filterwarnings("ignore:the landmark model has not converged")


@pytest.fixture(autouse=True)
def many(monkeypatch):
    """As if 300 rows were many."""
    monkeypatch.setattr(counts, "WHOLE_ROWS", 300)
    monkeypatch.setattr(counts, "_FEW", 60)


@pytest.fixture(scope="module")
def friedman():
    """Rows of which 106 landmarks see too little."""
    X, y = make_friedman1(700, n_features=8, noise=0.3, random_state=0)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.fixture
def rounds(monkeypatch):
    """Landmarks of every look, in the order of the looks."""
    seen = []
    score = _landmark_search.Problem.score

    def noted(problem, criteria, options, *rest):
        if options.landmarks is not None and criteria[0].key == "loo":
            seen.append(options.landmarks.count)
        return score(problem, criteria, options, *rest)

    monkeypatch.setattr(_landmark_search.Problem, "score", noted)
    return seen


def test_twice_as_many_where_half_are_clearly_worse(friedman, rounds):
    chosen = ke.select(*friedman, GRID, lam="auto")
    assert chosen.landmarks > FIRST
    assert rounds == sorted(rounds)
    assert set(rounds) <= {FIRST, 2 * FIRST, 4 * FIRST, 700}
    first = ke.select(*friedman, GRID, lam="auto", landmarks=FIRST)
    assert first.m_sensitivity > 0.02
    assert chosen.score < first.score
    assert chosen.m_sensitivity < first.m_sensitivity
    # The losses are those of one model alone, which can be had again.
    column = chosen.table.columns["loo"]
    assert set(np.unique(column.landmarks[chosen.verified])) == {chosen.landmarks}
    again = ke.evaluate(*friedman, [chosen.kernel], "loo", lam="auto", landmarks=max(rounds))
    assert again.best("loo").score == pytest.approx(chosen.score, rel=1e-12)


def test_a_round_has_no_more_looks_than_all_work_allows(friedman, rounds, monkeypatch):
    first, second = (cost.operations(700, count) for count in (FIRST, 2 * FIRST))
    ke.select(*friedman, GRID, lam="auto")
    before = rounds.count(FIRST) * first
    for looks in (3, 2, 1):
        # What the looks before took is not to be had again.
        most = (before + (looks + 0.5) * second) / 700
        monkeypatch.setattr(_more_landmarks, "for_a_row", lambda n, most=most: most)
        rounds.clear()
        ke.select(*friedman, GRID, lam="auto")
        assert rounds.count(FIRST) * first == before
        assert rounds.count(2 * FIRST) == looks
        assert max(rounds) == 2 * FIRST


def test_none_where_the_model_has_converged(rounds):
    chosen = ke.select(*make_moons(700, noise=0.25, random_state=0), GRID, lam="auto")
    assert chosen.m_sensitivity <= 0.02
    assert set(rounds) == {FIRST}


def test_none_beyond_the_work_that_is_due(friedman, rounds, monkeypatch):
    monkeypatch.setattr(_more_landmarks, "for_a_row", lambda n: 1.0)
    with pytest.warns(UserWarning, match=f"half of its {FIRST} landmarks"):
        chosen = ke.select(*friedman, GRID, lam="auto")
    assert chosen.landmarks == FIRST
    assert set(rounds) == {FIRST}


def test_none_beyond_the_number_asked_for(friedman, rounds):
    assert ke.select(*friedman, GRID, lam="auto", landmarks=FIRST).landmarks == FIRST
    assert set(rounds) == {FIRST}


def test_none_beyond_the_memory(friedman, rounds, monkeypatch):
    twice = _affordable.demand

    def demand(*given, landmarks=None, **others):
        if landmarks is not None and landmarks.count > FIRST:
            return 1e18
        return twice(*given, landmarks=landmarks, **others)

    monkeypatch.setattr(_affordable, "demand", demand)
    assert ke.select(*friedman, GRID, lam="auto").landmarks == FIRST
    assert set(rounds) == {FIRST}


def test_a_limit_of_time_bounds_the_rounds(friedman, rounds, monkeypatch):
    monkeypatch.setattr(
        _more_landmarks, "for_a_row", lambda n: 1.0
    )  # which a limit takes the place of
    chosen = ke.select(*friedman, GRID, lam="auto", time_limit=600.0)
    assert not chosen.partial
    assert max(rounds) in (2 * FIRST, 4 * FIRST)
    look = _landmark_search.LandmarkSearch._look

    def slow(search, place):
        found = look(search, place)
        search._seconds = 1000.0
        return found

    rounds.clear()
    monkeypatch.setattr(_landmark_search.LandmarkSearch, "_look", slow)
    chosen = ke.select(*friedman, GRID, lam="auto", time_limit=600.0)
    assert not chosen.partial
    assert set(rounds) == {FIRST}


def test_candidates_without_an_order(friedman, rounds):
    kernels = [ke.Gaussian(16.0), ke.Laplacian(8.0), ke.Linear(), ke.Gaussian(0.01)]
    chosen = ke.select(*friedman, kernels, lam="auto")
    assert chosen.landmarks > FIRST
    # What is far behind is not looked at again.
    assert rounds.count(max(rounds)) < rounds.count(FIRST)


def test_where_there_is_work_for_one_look_it_is_at_the_winner(friedman, rounds, monkeypatch):
    kernels = [ke.Laplacian(8.0), ke.Gaussian(8.0), ke.Gaussian(16.0), ke.Linear()]
    first = ke.select(*friedman, kernels, lam="auto", landmarks=FIRST)
    before = len(rounds) * cost.operations(700, FIRST)
    work = before + 1.5 * cost.operations(700, 2 * FIRST)
    monkeypatch.setattr(_more_landmarks, "for_a_row", lambda n: work / 700)
    chosen = ke.select(*friedman, kernels, lam="auto")
    assert chosen.landmarks == 2 * FIRST
    assert chosen.verified == [first.index] == [chosen.index]
    assert chosen.score < first.score


def test_the_learner_has_the_landmarks_of_the_election(friedman):
    model = ke.LSSVMRegressor("auto").fit(*friedman)
    assert model.selection_.landmarks > FIRST
    assert len(model.landmarks_) == model.selection_.landmarks
    assert len(ke.LSSVMRegressor("auto", landmarks=FIRST).fit(*friedman).landmarks_) == FIRST


def test_progress_grows(friedman):
    seen = []
    ke.select(*friedman, GRID, lam="auto", progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_same_whatever_the_threads(friedman):
    one = ke.select(*friedman, GRID, lam="auto", n_threads=1)
    assert one == ke.select(*friedman, GRID, lam="auto", n_threads=3)


def test_memory_is_foretold_for_the_most_landmarks():
    assert cost.most_landmarks(20_000) == 2 * counts.landmark_count(20_000)
    assert cost.most_landmarks(200_000) == counts.landmark_count(200_000)
    known = ke.memory_estimate((20_000, 20), criteria="auto", landmarks=1132, n_threads=1)
    assert ke.memory_estimate((20_000, 20), criteria="auto", n_threads=1) == known


def test_more_rows_have_no_fewer_landmarks():
    most = [cost.most_landmarks(n) for n in (20_000, 30_000, 50_000, 100_000)]
    assert most == sorted(most)
    assert most[-1] > 2 * most[0]
