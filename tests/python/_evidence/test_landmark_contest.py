"""Landmarks by pivoting or as rows come: whichever predicts rows better that are in neither set."""

import numpy as np
import pytest

import kernelect as ke
from kernelect._evidence.landmarks import contest, landmark_work

M = 60
pytestmark = pytest.mark.filterwarnings("ignore:the landmark model has not converged")


def outliers(n=2400):
    """Rows of heavy tails, where pivoting takes those far out, which tell nothing of the others."""
    rng = np.random.default_rng(0)
    x = rng.standard_t(1.5, size=(n, 3))
    return x, np.sin(2.0 * x[:, 0]) * (np.abs(x).max(axis=1) < 3.0), ke.Gaussian(1.0)


def clusters(n=2400):
    """Rows in clusters of unequal sizes, of which a draw misses the small ones."""
    rng = np.random.default_rng(1)
    centres = 20.0 * rng.normal(size=(50, 3))
    shares = 1.0 / np.arange(1, 51)
    which = rng.choice(50, size=n, p=shares / shares.sum())
    return centres[which] + 0.1 * rng.normal(size=(n, 3)), np.sin(3.0 * which), ke.Gaussian(1.0)


def loo(x, y, kernel, **how):
    table = ke.evaluate(x, y, [kernel], "loo", lam="auto", landmarks=M, **how)
    return table.best("loo").score


@pytest.fixture
def taken(monkeypatch):
    """Which set was taken, each time."""
    found = []

    def better_of(spread, alike, *args, **how):
        better = contest.better_of(spread, alike, *args, **how)
        found.append("spread" if better is spread else "alike")
        return better

    monkeypatch.setattr(landmark_work, "better_of", better_of)
    return found


@pytest.mark.parametrize(("problem", "expected"), [(outliers, "alike"), (clusters, "spread")])
def test_the_better_set_is_taken(problem, expected, taken, monkeypatch):
    x, y, kernel = problem()
    found = loo(x, y, kernel)
    assert taken == [expected]
    losses = {}
    for name in ("spread", "alike"):
        monkeypatch.setattr(
            landmark_work,
            "better_of",
            lambda spread, alike, *_, name=name, **__: spread if name == "spread" else alike,
        )
        losses[name] = loo(x, y, kernel)
    assert found == losses.pop(expected)
    assert found < 0.95 * next(iter(losses.values()))


def test_a_kernel_has_the_same_landmarks_whatever_is_asked_of_it(taken):
    x, y, kernel = outliers()
    chosen = ke.select(x, y, [kernel], lam="auto", landmarks=M)
    weighted = ke.evaluate(x, y, [kernel], "loo", lam=3.0, landmarks=M, n_threads=2)
    fitted = ke.LSSVMRegressor(kernel, lam=chosen.lam, solver="landmarks", landmarks=M).fit(x, y)
    assert set(taken) == {"alike"}
    assert np.mean(fitted.loo_residuals_**2) == pytest.approx(chosen.score, rel=1e-9)
    assert weighted.columns["loo"].rank_errors[0] == pytest.approx(chosen.rank_error)


def test_the_target_decides_between_two_sets_that_have_not_seen_it(monkeypatch):
    x, y, kernel = outliers()
    drawn = []

    def better_of(spread, alike, *args, **how):
        drawn.append((spread.numbers.tobytes(), alike.numbers.tobytes()))
        return contest.better_of(spread, alike, *args, **how)

    monkeypatch.setattr(landmark_work, "better_of", better_of)
    for target in (y, y[::-1].copy(), x[:, 1]):
        loo(x, target, kernel)
    assert len(set(drawn)) == 1
    assert len(drawn) == 3


def test_a_set_drawn_as_rows_come_is_not_said_to_be_all_there_is(taken):
    x, y, kernel = outliers()
    chosen = ke.select(x, y, [kernel], lam="auto", landmarks=M)
    assert taken[-1] == "alike"
    assert chosen.m_sensitivity > 0.0


def test_few_rows_have_no_contest(taken):
    x, y, kernel = outliers(1000)
    loo(x, y, kernel)
    loo(*outliers()[:2], ke.Linear())  # of which fewer landmarks are all there are
    assert taken == []


def test_functions_and_matrices_have_no_contest(taken):
    x, y, kernel = outliers()
    loo(x, y, ke.kernels.Function(kernel))
    ke.evaluate(None, y, [kernel(x)], "loo", lam=1.0, landmarks=M)
    assert taken == []


def test_weights_count_in_the_contest(taken):
    x, y, kernel = outliers()
    weights = np.where(np.arange(len(y)) % 2 == 0, 1.0, 1e-9)
    y = np.where(weights == 1.0, y, 1e3 * np.random.default_rng(2).normal(size=len(y)))
    loo(x, y, kernel, sample_weight=weights)
    assert taken == ["alike"]


def test_rows_of_dask_have_the_same_landmarks(taken):
    arrays = pytest.importorskip("dask.array")
    x, y, kernel = outliers()
    x = np.ascontiguousarray(x)
    local = loo(x, y, kernel)
    found = loo(arrays.from_array(x, chunks=(700, 3)), arrays.from_array(y, chunks=700), kernel)
    assert found == local
    assert taken == ["alike", "alike"]


def test_a_preconditioner_has_pivoted_landmarks(taken):
    x, y, kernel = outliers()
    ke.LSSVMRegressor(kernel, lam=1.0, solver="iterative", landmarks=M).fit(x, y)
    assert taken == []
