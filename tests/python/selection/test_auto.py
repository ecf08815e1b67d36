"""The default election: a screening, and exact verification of a shortlist."""

import pytest
from problems import problem

import kernelect as ke
from kernelect.selection import _auto

KERNELS = [ke.Gaussian(0.01), ke.Gaussian(1.0), ke.Gaussian(2.0**12), ke.Polynomial(2)]


def test_auto_verifies_a_bracket():
    x, y = problem("binary", n=80, d=3)
    chosen = ke.select(x, y)
    screen = ke.evaluate(x, y, None, ["kta", ke.criteria.SM(r=1)])
    ends = sorted(screen.best(key).index for key in screen.scores)
    assert chosen.verified == list(range(ends[0] - 1, ends[1] + 2))
    exact = ke.evaluate(x, y, None, "loo")
    best = min(chosen.verified, key=lambda i: exact.scores["loo"][i])
    assert chosen.index == best
    assert chosen.score == pytest.approx(exact.scores["loo"][best], rel=1e-9)
    others = sorted(exact.scores["loo"][chosen.verified])
    assert chosen.lead == pytest.approx(others[1] / others[0] - 1, rel=1e-6)
    unverified = chosen.table.reasons["loo"][0]
    assert unverified == "not on the shortlist"
    assert "verified" in repr(chosen)


def test_auto_on_unordered_candidates_and_generators():
    x, y = problem("binary", n=41, d=3)
    chosen = ke.select(x, y, KERNELS)
    assert chosen.index in chosen.verified
    matrices = [kernel(x) for kernel in KERNELS]
    exact = ke.evaluate(None, y, matrices, "loo")
    passed = ke.select(None, y, (K for K in matrices))
    assert passed.verified == [0, 1, 2, 3]
    assert passed.index == exact.best("loo").index
    assert repr(passed.kernel) == f"Precomputed({passed.index})"


def test_auto_searches_lambda_too():
    x, y = problem("binary", n=90, d=3)
    chosen = ke.select(x, y, lam="auto")
    full = ke.evaluate(x, y, None, "loo", lam="auto")
    assert chosen.score <= 1.01 * full.scores["loo"].min()
    single = ke.evaluate(x, y, [chosen.kernel], "loo", lam=chosen.lam)
    assert chosen.score == pytest.approx(single.scores["loo"][0], rel=1e-7)


@pytest.mark.parametrize("task", ["binary", "regression", "multiclass"])
@pytest.mark.parametrize("how", [{}, {"scoring": "r2"}, {"folds": 4}])
def test_of_many_rows_the_bracket_is_walked_along(task, how, monkeypatch):
    if task != "regression":
        how = {**how, "scoring": "accuracy"} if "scoring" in how else how
    x, y = problem(task, n=150, d=3)
    whole = ke.select(x, y, **how)
    monkeypatch.setattr(_auto, "_LOOK_AT_ALL", 100)
    seen = []
    walked = ke.select(x, y, **how, progress=seen.append)
    key = walked.decisive
    assert set(walked.verified) <= set(whole.verified)
    start = int(walked.table.ranking("sm(r=1)")[0])
    assert start in walked.verified
    losses = {place: walked.table.choice(key, place).score for place in walked.verified}
    for place, loss in losses.items():
        assert loss == pytest.approx(whole.table.choice(key, place).score, rel=1e-9)
    better = min if walked.table.columns[key].direction < 0 else max
    assert walked.score == better(losses.values())
    # Every neighbour of the winner in the bracket was looked at, or lies where the walk came from.
    for beside in (walked.index - 1, walked.index + 1):
        assert beside in walked.verified or beside not in whole.verified
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_a_walk_ends_where_time_is_up(monkeypatch):
    monkeypatch.setattr(_auto, "_LOOK_AT_ALL", 100)
    x, y = problem("binary", n=150, d=3)
    looks, score = [], _auto.Problem.score

    def slow(self, criteria, *args):
        table = score(self, criteria, *args)
        if criteria[0].key == "loo":
            looks.append(args[-1])
            self.deadline._end = 0.0
        return table

    monkeypatch.setattr(_auto.Problem, "score", slow)
    with pytest.warns(UserWarning, match="time"):
        chosen = ke.select(x, y, time_limit=1000.0)
    assert chosen.partial
    assert len(looks) <= 2
