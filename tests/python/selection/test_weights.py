"""Weights of rows take part wherever a model is fitted; elsewhere a warning says they do not."""

import catalogue
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut
from sklearn.preprocessing import StandardScaler

import kernelect as ke
from kernelect._dispatch import core
from kernelect.criteria._held_out import standard_errors

GRID = ke.gaussian_grid(-2, 4)
LAMS = [0.05, 1.0]


def problem(task, n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n)
    if task == "binary":
        y = np.where(y > 0, "b", "a")
    if task == "multiclass":
        y = np.digitize(y, [-0.4, 0.4])
    return X, y, rng.integers(1, 4, size=n)


def kind(task):
    return "regression" if task == "regression" else "classification"


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_a_weight_is_a_number_of_rows_that_are_held_out_together(task, bias):
    X, y, weights = problem(task)
    rows = np.repeat(np.arange(len(y)), weights)
    how = {"lam": LAMS, "bias": bias, "task": kind(task)}
    found = ke.evaluate(X, y, GRID, ["loo", "br"], **how, sample_weight=weights)
    repeated = ke.evaluate(
        X[rows], y[rows], GRID, "cv", **how, folds=LeaveOneGroupOut(), groups=rows
    )
    np.testing.assert_allclose(found.scores["loo"], repeated.scores["cv"], rtol=1e-9)
    if task != "multiclass":
        means = found.scores["loo"] * weights.sum() / len(y)
        br = [
            [
                core.bayesian_regularisation(np.array([q]), len(y), np.array([kernel.gamma]))
                for q in row
            ]
            for kernel, row in zip(GRID, means, strict=True)
        ]
        np.testing.assert_allclose(found.scores["br"], br, rtol=1e-9)
    folds = [
        (np.flatnonzero(~np.isin(np.arange(len(y)), test)), test)
        for _, test in KFold(4).split(np.zeros(len(y)))
    ]
    whole = [tuple(np.flatnonzero(np.isin(rows, part)) for part in fold) for fold in folds]
    criteria = ["cv", ke.criteria.KS(eta=0.0)]
    if task != "regression":
        criteria.append(ke.criteria.CV(loss="zero_one"))
    found = ke.evaluate(X, y, GRID, criteria, **how, sample_weight=weights, folds=folds)
    repeated = ke.evaluate(X[rows], y[rows], GRID, criteria, **how, folds=whole)
    for key in found.scores:
        np.testing.assert_allclose(found.scores[key], repeated.scores[key], rtol=1e-9)


def test_training_losses_and_the_series_weigh_rows_too():
    X, y, weights = problem("regression")
    rows = np.repeat(np.arange(len(y)), weights)
    # The spectrum is that of the rows as they are, so only the loss can be compared.
    er = [ke.criteria.ER(eta=0.0), ke.criteria.GCV()]
    found = ke.evaluate(X, y, GRID, er, lam=LAMS, sample_weight=weights)
    repeated = ke.evaluate(X[rows], y[rows], GRID, er, lam=LAMS)
    np.testing.assert_allclose(found.scores["er(eta=0.0)"], repeated.scores["er(eta=0.0)"])
    assert not np.allclose(found.scores["gcv"], ke.evaluate(X, y, GRID, er, lam=LAMS).scores["gcv"])
    how = {"lam": 0.1, "lam_convention": "mean", "sample_weight": weights}
    series = ke.evaluate(X, y, GRID, [ke.criteria.BIF(order=60), "cv"], **how)
    np.testing.assert_allclose(series.scores["bif(order=60)"], series.scores["cv"], rtol=1e-6)


@pytest.mark.parametrize(
    "criterion", [*catalogue.MOMENTS, *catalogue.SPECTRUM, *catalogue.RIDGE], ids=lambda c: c.key
)
def test_every_criterion_weighs_rows_or_says_that_it_does_not(criterion, recwarn):
    task = criterion.tasks[0]
    X, y, weights = problem(task)
    plain = ke.evaluate(X, y, GRID, [criterion.object], task=kind(task))
    recwarn.clear()
    table = ke.evaluate(X, y, GRID, [criterion.object], task=kind(task), sample_weight=weights)
    said = [str(w.message) for w in recwarn if "play no part" in str(w.message)]
    same = np.array_equal(table.scores[criterion.key], plain.scores[criterion.key])
    assert bool(said) == same == (not criterion.object.weighs_rows)
    assert all(criterion.key in sentence for sentence in said)


def test_ones_are_no_weights(recwarn):
    X, y, _ = problem("binary")
    assert ke.evaluate(X, y, GRID, ["sm", "loo"], sample_weight=np.ones(60)) == ke.evaluate(
        X, y, GRID, ["sm", "loo"]
    )
    assert not [w for w in recwarn if "sample_weight" in str(w.message)]


def test_scores_weigh_rows():
    X, y, weights = problem("binary")
    table = ke.evaluate(X, y, GRID, "loo", scoring="accuracy", sample_weight=weights)
    model = ke.LSSVMClassifier(GRID[2], lam=1.0).fit(X, y, sample_weight=weights)
    truth = np.where(y == "b", 1.0, -1.0)
    outputs = truth - model.loo_residuals_
    accuracy = accuracy_score(truth > 0, outputs > 0, sample_weight=weights)
    assert table.scores["loo(scoring='accuracy')"][2] == pytest.approx(accuracy)
    X, y, weights = problem("regression")
    table = ke.evaluate(X, y, GRID, "loo", scoring="r2", sample_weight=weights)
    model = ke.LSSVMRegressor(GRID[2], lam=1.0).fit(X, y, sample_weight=weights)
    r2 = r2_score(y, y - model.loo_residuals_, sample_weight=weights)
    assert table.scores["loo(scoring='r2')"][2] == pytest.approx(r2)
    with pytest.raises(ValueError, match="sample_weight"):
        ke.evaluate(X, y, GRID, "loo", scoring="neg_max_error", sample_weight=weights)


def unequal(n=400):
    """Rows whose first half wants a wide kernel and whose second half a narrow one."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(n, 1))
    first = np.arange(n) < n // 2
    y = np.where(first, np.sin(X[:, 0] / 2), np.sin(5 * X[:, 0])) + 0.3 * rng.normal(size=n)
    return X + 20 * first[:, None], y, first


@pytest.mark.parametrize("lam", [0.1, "auto"])
@pytest.mark.parametrize("criterion", ["auto", "loo", "cv"])
def test_an_election_follows_the_rows_that_count(criterion, lam):
    X, y, first = unequal()
    grid = ke.gaussian_grid(-8, 6)
    elected = []
    for heavy in (first, ~first):
        weights = np.where(heavy, 1.0, 1e-3)
        chosen = ke.select(X, y, grid, criterion, lam=lam, sample_weight=weights)
        losses = ke.evaluate(X, y, grid, "loo", lam=lam, sample_weight=weights).columns["loo"]
        assert losses.at_best_lambda().values[chosen.index] < 1.02 * losses.values.min()
        elected.append(chosen.index)
    assert elected[0] >= elected[1] + 3


def test_learners_choose_lambda_by_weighted_losses():
    X, y, first = unequal()
    weights = np.where(first, 1.0, 1e-3)
    model = ke.LSSVMRegressor(ke.Gaussian(1.0)).fit(X, y, sample_weight=weights)
    best = ke.select(X, y, [ke.Gaussian(1.0)], "loo", lam="auto", sample_weight=weights)
    assert model.lam_ == pytest.approx(best.lam)
    loss = np.average(model.loo_residuals_**2, weights=weights)
    assert loss == pytest.approx(best.score)


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
@pytest.mark.parametrize("form", ["rows", "auto", "matrices", "generator"])
@pytest.mark.parametrize("criterion", ["loo", "auto", "sm", "groups", "pairs", "splitter"])
def test_rows_of_no_weight_are_left_out(form, criterion):
    X, y, _ = problem("multiclass", n=90)
    kept = (np.arange(90) % 4 != 1) & (y != 2)
    groups = np.arange(90) // 5

    def kernels(rows):
        if form in ("rows", "auto"):
            return "auto" if form == "auto" else GRID
        stack = [kernel(X[rows]) for kernel in GRID]
        return iter(stack) if form == "generator" else stack

    def elect(rows, **given):
        folds = {
            "groups": {"criterion": "cv", "folds": GroupKFold(3), "groups": groups[rows]},
            "splitter": {"criterion": "cv", "folds": KFold(3)},
            "pairs": {"criterion": "cv", "folds": pairs if given else fewer},
        }
        data = X[rows] if form in ("rows", "auto") else None
        how = folds.get(criterion, {"criterion": criterion})
        return ke.select(data, y[rows], kernels(rows), **how, **given)

    thirds = [np.flatnonzero(np.arange(90) % 3 == k) for k in range(3)]
    unseen = np.flatnonzero(~kept)[:3]
    pairs = [(np.setdiff1d(np.arange(90), part), part) for part in [*thirds, unseen]]
    place = np.cumsum(kept) - 1
    fewer = [tuple(place[part[kept[part]]] for part in pair) for pair in pairs[:3]]
    found = elect(slice(None), sample_weight=kept)
    wanted = elect(kept)
    assert found.table == wanted.table
    assert found.index == wanted.index
    assert found.model == wanted.model


@pytest.mark.parametrize(
    ("weights", "error", "sentence"),
    [
        (3.0, TypeError, "a number of at least zero for each row, not 3.0"),
        ("heavy", TypeError, "a number of at least zero for each row, not 'heavy'"),
        (np.ones(5), ValueError, r"y has 60 entries, but sample_weight has \(5,\)"),
        (-np.ones(60), ValueError, "not -1"),
        (np.full(60, np.nan), ValueError, "not nan"),
        (np.zeros(60), ValueError, "leaves no row of 60"),
        (np.arange(60) == 3, ValueError, "leaves one row of 60"),
        (problem("binary")[1] == "a", ValueError, "leaves a single class \\('a'\\)"),
    ],
)
def test_bad_weights(weights, error, sentence):
    X, y, _ = problem("binary")
    for function in (ke.evaluate, ke.select):
        with pytest.raises(error, match=sentence):
            function(X, y, GRID, sample_weight=weights)


def test_one_standard_error_of_weighted_losses():
    X, y = load_iris(return_X_y=True)
    X, y = StandardScaler().fit_transform(X)[::2], y[::2]
    table = ke.evaluate(X, y, GRID, "loo", sample_weight=np.full(75, 7.0), lam=7.0)
    plain = ke.evaluate(X, y, GRID, "loo", lam=1.0)
    np.testing.assert_allclose(table.scores["loo"], plain.scores["loo"])
    np.testing.assert_allclose(table.columns["loo"].errors, plain.columns["loo"].errors)
    losses = np.array([1.0, 4.0, 2.0])
    weights = np.array([1.0, 2.0, 3.0])
    mean = losses @ weights / 6
    wanted = np.sqrt((weights**2 @ (losses - mean) ** 2) * 3 / 2) / 6
    assert standard_errors(losses, weights) == pytest.approx(wanted)
