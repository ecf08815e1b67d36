"""A limit of time: the best decision so far, said to be partial."""

import time
import warnings

import numpy as np
import pytest
from kernelect.serialization import from_dict, to_dict

import kernelect as ke
from kernelect._support import deadline
from kernelect.selection import _deadline


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 3))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves one second each time the limit is looked at."""
    now = [0.0]

    def monotonic():
        now[0] += 1.0
        return now[0]

    monkeypatch.setattr(deadline.time, "monotonic", monotonic)


@pytest.mark.parametrize(
    ("criterion", "lam"),
    [("auto", 1.0), ("auto", "auto"), ("loo", 1.0), ("loo", "auto"), ("sm", 1.0)],
)
def test_ample_time_changes_nothing(data, criterion, lam):
    free = ke.select(*data, criterion=criterion, lam=lam, n_threads=1)
    limited = ke.select(*data, criterion=criterion, lam=lam, n_threads=1, time_limit=1e6)
    assert repr(limited) == repr(free)
    assert not limited.partial
    for key, values in free.table.scores.items():
        np.testing.assert_array_equal(limited.table.scores[key], values)
        assert limited.table.reasons[key] == free.table.reasons[key]


def test_what_is_not_reached_is_said(data, clock):
    with pytest.warns(UserWarning, match="31 by sm, .* by loo"):
        table = ke.evaluate(*data, criteria=["sm", "loo"], n_threads=1, time_limit=12.5)
    whole = ke.evaluate(*data, criteria=["sm", "loo"])
    done = np.array([reason is None for reason in table.reasons["loo"]])
    assert table.partial
    assert "partial: the time limit was reached" in repr(table)
    assert 0 < done.sum() < 31
    # The most promising come first.
    assert set(np.flatnonzero(done)) == set(whole.ranking("sm")[: done.sum()])
    np.testing.assert_array_equal(table.scores["loo"][done], whole.scores["loo"][done])
    assert np.isposinf(table.scores["loo"][~done]).all()
    assert from_dict(to_dict(table)).partial


@pytest.mark.parametrize("lam", [1.0, [0.1, 1.0]])
def test_best_so_far(data, clock, lam):
    with pytest.warns(UserWarning, match="time_limit=6.5 seconds was reached"):
        chosen = ke.select(*data, criterion="loo", lam=lam, n_threads=1, time_limit=6.5)
    assert chosen.partial
    assert "partial" in repr(chosen)
    assert from_dict(to_dict(chosen)).partial
    assert chosen.table.reasons["loo"][chosen.index] is None


@pytest.mark.parametrize("rule", ["best", "one_se"])
@pytest.mark.parametrize("lam", [1.0, "auto"])
def test_auto_falls_back_on_the_screening(data, monkeypatch, lam, rule):
    monkeypatch.setattr(deadline.Deadline, "tick", lambda self, shown, *_: lambda fraction: None)
    with pytest.warns(UserWarning, match="0 by loo"):
        chosen = ke.select(*data, lam=lam, rule=rule, time_limit=1e-9)
    assert chosen.criterion == "sm"
    assert chosen.kernel == ke.select(*data, criterion="sm").kernel
    assert chosen.partial


@pytest.mark.filterwarnings("ignore:the winner")
@pytest.mark.parametrize("criterion", ["auto", "loo"])
def test_one_standard_error_of_a_generator_that_ends_early(data, clock, criterion):
    given = {"criterion": criterion, "n_threads": 1, "time_limit": 8.5}
    chosen = []
    for rule in ("best", "one_se"):
        with pytest.warns(UserWarning, match="time_limit"):
            chosen.append(ke.select(*data, iter(ke.gaussian_grid(-3, 6)), rule=rule, **given))
    assert all(one.partial for one in chosen)
    assert chosen[1].index >= chosen[0].index


def test_matrices(data, clock):
    X, y = data
    matrices = [ke.Gaussian(t)(X) for t in (0.5, 1.0, 2.0, 4.0)]
    with pytest.warns(UserWarning, match="time_limit"):
        table = ke.evaluate(None, y, matrices, ["sm", "loo"], n_threads=1, time_limit=3.5)
    assert table.partial
    assert len(table.kernels) == 4
    assert table.reasons["sm"][0] is None
    assert table.reasons["sm"][-1] == table.reasons["loo"][-1] == "not reached within time_limit"
    with pytest.warns(UserWarning, match="time_limit"):
        streamed = ke.evaluate(None, y, iter(matrices), "loo", n_threads=1, time_limit=2.5)
    assert 1 <= len(streamed.kernels) < 4


def test_nothing_done_is_an_error(data):
    with pytest.raises(TimeoutError, match="no candidate was scored within time_limit"):
        ke.select(*data, criterion="loo", time_limit=1e-9)


@pytest.mark.alone
def test_real_time(data):
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 5))
    y = X[:, 0] * X[:, 1]
    start = time.monotonic()
    with pytest.warns(UserWarning, match="time_limit"):
        table = ke.evaluate(X, y, ke.gaussian_grid(-40, 40, 0.05), ["sm", "loo"], time_limit=1.0)
    assert table.partial
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    ("limit", "error"), [(0, ValueError), (-1, ValueError), ("1", TypeError), (True, TypeError)]
)
def test_refusals(data, limit, error):
    with pytest.raises(error, match="time_limit must be"):
        ke.evaluate(*data, time_limit=limit)


def test_selector_passes_it_on(data, clock):
    with pytest.warns(UserWarning, match="time_limit"):
        model = ke.KernelSelector(criterion="loo", time_limit=6.5, lam=1.0).fit(*data)
    assert model.result_.partial


def test_order_is_spread():
    for count in (1, 2, 7, 31):
        order = _deadline.coarse_to_fine(count)
        assert sorted(order) == list(range(count))
        assert order[0] == count // 2
    assert set(_deadline.coarse_to_fine(31)[:3]) == {15, 15 - 8, 15 + 8}


@pytest.mark.parametrize("criterion", ["loo", "er"])
def test_several_lambdas_and_matrices_that_are_not_reached(data, criterion):
    def slow(width):
        def kernel(a, b):
            time.sleep(0.2)
            return ke.Gaussian(width)(a, b)

        return kernel

    kernels = [slow(w) for w in (1.0, 2.0, 4.0)]
    with pytest.warns(UserWarning, match="time_limit=0.3 seconds was reached"):
        table = ke.evaluate(*data, kernels, criterion, lam=[0.1, 1.0], time_limit=0.3)
    assert table.partial
    assert table.scores[criterion].shape == (3, 2)


@pytest.mark.parametrize("calls", [*range(1, 12), 20, 30, 40])
def test_a_search_that_ends_early_keeps_its_lambdas(monkeypatch, calls):
    """Where time is up while further lambdas of a kernel are computed, its best one is known."""
    left = [calls]

    def over(self):
        left[0] -= 1
        self.reached = self.reached or left[0] < 0
        return self.reached

    monkeypatch.setattr(_deadline.Deadline, "over", over)
    X = np.random.default_rng(0).normal(size=(80, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            chosen = ke.select(X, np.sin(2 * X[:, 0]), lam="auto", time_limit=600, n_threads=1)
        except TimeoutError:
            return
    if chosen.decisive == "loo":
        assert np.isfinite(chosen.lam)
        assert np.isfinite(chosen.score)
