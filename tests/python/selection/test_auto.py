"""The default election: a screening, and exact verification of a shortlist."""

import pytest
from problems import problem

import kernelect as ke

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
