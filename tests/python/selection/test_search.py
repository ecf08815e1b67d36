"""The search for a kernel and a lambda together: where it gets to, and what it reports."""

import json

import numpy as np
import pytest
from problems import problem

import kernelect as ke
from kernelect.selection import _least_gain, _search
from kernelect.selection._search import Search

UNORDERED = [ke.Laplacian(0.3), ke.Gaussian(2.0), ke.Linear(), ke.Polynomial(2), ke.Gaussian(9.0)]


def far_out(seed, n=80):
    """Classes that a line divides, with a few rows far out.

    The best pair is a wide kernel and little lambda, far from where narrow kernels look best.
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4))
    y = (x[:, 0] + 0.3 * rng.normal(size=n) > 0).astype(int)
    return x * np.exp(rng.normal(size=(n, 1))), y


@pytest.mark.parametrize("seed", [7, 9])
def test_follows_the_valley_to_wide_kernels(seed):
    """From the middle of the bracket along the axes alone it ended 20 % above the least loss."""
    x, y = far_out(seed)
    chosen = ke.select(x, y, lam="auto")
    full = ke.evaluate(x, y, None, "loo", lam="auto")
    assert chosen.score <= 1.01 * full.scores["loo"].min()
    looked_at = np.isfinite(chosen.table.scores["loo"])
    assert looked_at.sum() < 0.1 * looked_at.size


def test_says_what_was_verified_and_by_how_much_the_winner_leads():
    x, y = problem("binary", n=90)
    chosen = ke.select(x, y, lam="auto")
    scores = chosen.table.scores["loo"]
    full = ke.evaluate(x, y, None, "loo", lam="auto")
    seen = np.isfinite(scores)
    assert chosen.verified == np.flatnonzero(seen.any(axis=1)).tolist()
    np.testing.assert_allclose(scores[seen], full.scores["loo"][seen], rtol=1e-7)
    np.testing.assert_allclose(
        chosen.table.lams[chosen.verified], full.lams[chosen.verified], rtol=1e-12
    )
    np.testing.assert_allclose(
        chosen.table.errors["loo"][seen], full.errors["loo"][seen], rtol=1e-6
    )
    least = np.sort(scores.min(axis=1))
    assert chosen.lead == pytest.approx(least[1] / least[0] - 1)
    places = range(len(scores))
    assert all(
        (reason is None) == (place in chosen.verified)
        for place, reason in zip(places, chosen.table.reasons["loo"], strict=True)
    )


@pytest.mark.filterwarnings("ignore:the winner")
def test_of_tiny_samples_all_pairs_are_computed():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(18, 40)), np.arange(18) % 6 == 0
    chosen = ke.select(x, y, lam="auto")
    full = ke.evaluate(x, y, None, "loo", lam="auto").scores["loo"]
    assert chosen.score == full.min()
    np.testing.assert_array_equal(chosen.table.scores["loo"], full)


def test_a_search_is_plain_data():
    x, y = problem("binary", n=90)
    text = json.dumps(ke.select(x, y, lam="auto").to_dict(), allow_nan=False)
    assert None in json.loads(text)["table"]["lams"][0]


def test_the_order_of_kernels_and_lambdas_does_not_matter():
    x, y = problem("regression", n=90)
    grid, lams = ke.gaussian_grid(-6, 10), np.exp2(np.arange(-12.0, 4.0))
    chosen = ke.select(x, y, grid, lam=lams)
    turned = ke.select(x, y, grid[::-1], lam=np.random.default_rng(0).permutation(lams))
    assert (turned.kernel, turned.lam) == (chosen.kernel, chosen.lam)
    assert turned.score == pytest.approx(chosen.score, rel=1e-9)


@pytest.mark.filterwarnings("ignore:the winner")
@pytest.mark.parametrize("step", [0.25, 8.0])
def test_fine_and_coarse_grids(step):
    x, y = problem("binary", n=70)
    grid = ke.gaussian_grid(-8, 16, step)
    lams = np.exp2(np.arange(-12.0, 4.0, step))
    chosen = ke.select(x, y, grid, lam=lams)
    full = ke.evaluate(x, y, grid, "loo", lam=lams).scores["loo"]
    assert chosen.score <= 1.01 * full.min()


@pytest.mark.parametrize("kind", ["binary", "regression"])
@pytest.mark.parametrize("lam", ["auto", [0.3], [1e-3, 1.0], [1e-4, 1e-2, 1.0, 1e2]])
def test_alternates_over_unordered_candidates(kind, lam):
    x, y = problem(kind, n=80)
    chosen = ke.select(x, y, UNORDERED, lam=lam)
    full = ke.evaluate(x, y, UNORDERED, "loo", lam=lam)
    among = full.scores["loo"][chosen.verified]
    assert chosen.score <= 1.01 * among.min()
    assert chosen.lam in full.lams[chosen.index]


def test_goes_on_from_where_there_is_no_value():
    """Kernels with negative eigenvalues have no loss until lambda outweighs these."""
    x, y = problem("regression", n=70)
    matrices = [ke.Gaussian(tau)(x) - 3.0 * np.eye(70) for tau in (1.0, 4.0)]
    lams = [0.01, 0.1, 1.0, 10.0, 100.0]
    chosen = ke.select(None, y, matrices, lam=lams)
    full = ke.evaluate(None, y, matrices, "loo", lam=lams).scores["loo"]
    assert np.isinf(full[:, :3]).all()
    assert chosen.score == pytest.approx(full.min())


def test_one_standard_error_rule_with_a_searched_lambda():
    x, y = problem("binary", n=80)
    best = ke.select(x, y, lam="auto")
    wide = ke.select(x, y, lam="auto", rule="one_se")
    table, j = best.table, best.table.best_lambda("loo")
    rows = np.arange(len(table.kernels))
    limit = best.score + table.errors["loo"][best.index, j[best.index]]
    assert wide.index == np.flatnonzero(table.scores["loo"][rows, j] <= limit).max()
    assert wide.lam == table.lams[wide.index, j[wide.index]]


def test_a_scorer_breaks_ties_by_the_squared_loss():
    x, y = problem("binary", n=80)
    chosen = ke.select(x, y, lam="auto", scoring="accuracy")
    full = ke.evaluate(x, y, None, "loo", lam="auto", scoring="accuracy")
    key = "loo(scoring='accuracy')"
    assert chosen.decisive == key
    assert chosen.score >= full.scores[key].max() - 0.03
    single = ke.evaluate(x, y, [chosen.kernel], "loo", lam=chosen.lam, scoring="accuracy")
    assert chosen.score == pytest.approx(single.scores[key][0])


def test_progress_never_falls():
    x, y = problem("binary", n=80)
    fractions = []
    ke.select(x, y, lam="auto", progress=fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


@pytest.mark.parametrize("convention", ["sum", "mean"])
@pytest.mark.parametrize("kind", ["multiclass", "regression"])
def test_begins_on_half_of_many_rows(kind, convention, monkeypatch):
    x, y = problem(kind, n=240)
    given = {"lam": "auto", "lam_convention": convention}
    full = ke.evaluate(x, y, None, "loo", **given).scores["loo"]
    monkeypatch.setattr(Search, "MANY", 100)
    # What else keeps regressions from the least loss of all pairs has tests of its own.
    for name in ("OUTWARDS", "LESS"):
        monkeypatch.setattr(_least_gain, name, _least_gain.LEAST_GAIN)
    monkeypatch.setattr(_search, "_FALLEN", np.inf)
    begun = ke.select(x, y, **given)
    assert begun.score <= 1.01 * full.min()
    seen = np.isfinite(begun.table.scores["loo"])
    np.testing.assert_allclose(begun.table.scores["loo"][seen], full[seen], rtol=1e-7)
    weighted = ke.LSSVMRegressor("auto", lam_convention=convention).fit(
        x, y, np.linspace(0.5, 2.0, 240)
    )
    assert np.isfinite(weighted.loo_score_)


def test_half_of_the_rows_say_what_need_not_be_looked_at(monkeypatch):
    x, numbers = problem("regression", n=240)
    y = numbers > np.median(numbers)
    monkeypatch.setattr(Search, "MANY", 200)
    fewer = ke.select(x, y, lam="auto")
    monkeypatch.setattr(_search, "_CLEARLY", np.inf)
    every = ke.select(x, y, lam="auto")
    looks = [np.isfinite(chosen.table.scores["loo"]).sum() for chosen in (fewer, every)]
    assert looks[0] < looks[1]
    assert fewer.score <= 1.01 * every.score


@pytest.mark.parametrize("noise", [0.01, 1.0])
def test_all_rows_are_walked_along_where_they_lose_much_less_than_half(noise, monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, size=(400, 2))
    y = np.sin(5 * x[:, 0]) * np.cos(5 * x[:, 1]) + noise * rng.normal(size=400)
    monkeypatch.setattr(Search, "MANY", 300)
    chosen = ke.select(x, y, lam="auto")
    looks = np.isfinite(chosen.table.scores["loo"]).sum()
    assert looks == 1 if noise == 1.0 else looks > 3
    monkeypatch.setattr(_search, "_FALLEN", np.inf)
    every = ke.select(x, y, lam="auto")
    assert chosen.score <= (1.05 if noise == 1.0 else 1.0) * every.score


def test_wide_kernels_and_small_lambdas_are_chosen_for_much_less_loss_alone(monkeypatch):
    """A few rows that lie far out, each foretold by the next, had 1,000 of cpusmall lose 21 %."""
    rng = np.random.default_rng(7)
    x = rng.standard_t(2.0, size=(300, 3))
    y = np.tanh(x[:, 0]) + 0.2 * x[:, 1] + 0.3 * rng.normal(size=300)
    careful = ke.select(x, y, lam="auto")
    for name in ("OUTWARDS", "LESS"):
        monkeypatch.setattr(_least_gain, name, _least_gain.LEAST_GAIN)
    greedy = ke.select(x, y, lam="auto")
    assert careful.index < greedy.index
    assert careful.lam > greedy.lam
    new = rng.standard_t(2.0, size=(2000, 3))
    wanted = np.tanh(new[:, 0]) + 0.2 * new[:, 1]
    lost = []
    for chosen in (careful, greedy):
        model = ke.LSSVMRegressor(chosen.kernel, lam=chosen.lam).fit(x, y)
        lost.append(np.mean((model.predict(new) - wanted) ** 2))
    assert lost[0] < lost[1]


@pytest.mark.parametrize("members", [1, 2, 3])
@pytest.mark.parametrize("scoring", ["roc_auc_ovr", "neg_log_loss"])
@pytest.mark.filterwarnings("ignore:class 2 has a single member")
def test_the_half_has_rows_of_every_class(scoring, members, monkeypatch):
    x, y = problem("binary", n=240)
    y[:members] = 2
    monkeypatch.setattr(Search, "MANY", 50)
    given = {"lam": [0.1, 1.0], "scoring": scoring}
    full = ke.evaluate(x, y, None, "loo", **given).scores[f"loo(scoring={scoring!r})"]
    assert ke.select(x, y, **given).score >= full.max() - 0.03


@pytest.mark.filterwarnings("ignore:class 1 has a single member")
@pytest.mark.filterwarnings("ignore:the winner")
def test_the_half_has_the_only_row_of_a_class(monkeypatch):
    """Without it no score is defined there, and the walk went to the largest lambda."""
    x = np.random.default_rng(1).normal(size=(240, 3))
    y = np.zeros(240, dtype=int)
    y[x[:, 0].argmax()] = 1
    grid, given = ke.gaussian_grid(-1, 5), {"lam": "auto", "scoring": "roc_auc"}
    monkeypatch.setattr(Search, "MANY", 100)
    full = ke.evaluate(x, y, grid, "loo", **given).scores["loo(scoring='roc_auc')"]
    assert ke.select(x, y, grid, **given).score >= full.max() - 0.03


def test_classes_too_small_to_halve(monkeypatch):
    x, _ = problem("binary", n=80)
    monkeypatch.setattr(Search, "MANY", 10)
    chosen = ke.select(x, np.arange(80) // 2, lam="auto", task="classification")
    assert np.isfinite(chosen.score)


@pytest.mark.parametrize("landmarks", [None, 60])
@pytest.mark.parametrize("folds", [None, 4])
@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_a_list_of_one_lambda_is_that_lambda(task, folds, landmarks):
    """It went by the rule of a search, which leaves wide kernels for a clear gain alone."""
    x = np.random.default_rng(0).normal(size=(150, 4))
    y = np.sin(x[:, 0]) + x[:, 1] + 0.3 * x[:, 2]
    y = y if task == "regression" else (y > 0).astype(int)
    given = {"folds": folds, "landmarks": landmarks}
    number, listed = (ke.select(x, y, lam=lam, **given) for lam in (0.01, [0.01]))
    assert (listed.kernel, listed.verified) == (number.kernel, number.verified)
    assert listed.score == pytest.approx(number.score, rel=1e-12)
    assert listed.lead == pytest.approx(number.lead, rel=1e-9)
    assert listed.lam == pytest.approx(0.01)
