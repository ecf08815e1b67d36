"""Rows that belong together: elections by the folds and groups that the caller gives."""

import numpy as np
import pytest
from refusals import refuses
from sklearn.model_selection import (
    GroupKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)

import kernelect as ke
from kernelect._data.splits import Splits
from kernelect._data.target import Target


@pytest.fixture(scope="module")
def data():
    """Near-duplicates in 60 groups: a row is foretold by its group, and by little else."""
    random = np.random.default_rng(0)
    centres = random.normal(size=(60, 6))
    labels = (centres[:, 0] + 0.8 * random.normal(size=60) > 0).astype(int)
    groups = np.repeat(np.arange(60), 6)
    return centres[groups] + 1e-3 * random.normal(size=(360, 6)), labels[groups], groups


@pytest.mark.parametrize("lam", [1.0, "auto", [0.1, 1.0, 10.0]])
def test_groups_elect_a_wide_kernel(data, lam):
    X, y, groups = data
    assert ke.select(X, y, lam=lam).kernel.tau < 1  # what leave-one-out is taken in by
    chosen = ke.select(X, y, lam=lam, groups=groups)
    assert chosen.kernel.tau >= 4
    assert (chosen.criterion, chosen.decisive) == ("auto", "cv")
    alone = ke.evaluate(X, y, criteria="cv", groups=groups, lam=lam)
    # The same folds as by name, and no candidate or lambda is much better.
    known = np.isfinite(chosen.table.scores["cv"])
    np.testing.assert_allclose(
        chosen.table.scores["cv"][known], alone.scores["cv"][known], rtol=1e-6
    )
    assert chosen.score <= 1.02 * alone.scores["cv"].min()


def test_loss_is_that_of_retraining(data):
    X, y, groups = data
    splitter = GroupKFold(4)
    chosen = ke.select(X, y, ke.gaussian_grid(1, 12), folds=splitter, groups=groups)
    model = ke.LSSVMClassifier(chosen.kernel, lam=1.0)
    outputs = cross_val_predict(model, X, y, groups=groups, cv=splitter, method="decision_function")
    wanted = ((outputs - np.where(y == 1, 1.0, -1.0)) ** 2).mean()
    assert chosen.score == pytest.approx(wanted, rel=1e-8)


def test_a_number_keeps_groups_whole(data):
    X, y, groups = data
    kernels = ke.gaussian_grid(0, 4)
    for target, splitter in (
        (y, StratifiedGroupKFold(4, shuffle=True, random_state=3)),
        (X[:, 0], GroupKFold(4, shuffle=True, random_state=3)),
    ):
        given = {"kernels": kernels, "criteria": "cv", "groups": groups}
        numbered = ke.evaluate(X, target, **given, folds=4, random_state=3)
        split = ke.evaluate(X, target, **given, folds=splitter)
        np.testing.assert_array_equal(numbered.scores["cv"], split.scores["cv"])
    few = ke.evaluate(X, y, kernels, "cv", groups=groups % 3)  # as many folds as there are groups
    np.testing.assert_array_equal(
        few.scores["cv"], ke.evaluate(X, y, kernels, "cv", groups=groups % 3, folds=3).scores["cv"]
    )


@pytest.mark.parametrize("names", [lambda g: g.astype(str), lambda g: g * 0.5, list])
def test_names_of_groups_are_of_any_type(data, names):
    X, y, groups = data
    wanted = ke.select(X, y, groups=groups)
    assert ke.select(X, y, groups=names(groups)) == wanted


def test_number_of_folds_without_groups(data):
    X, y, _ = data
    chosen = ke.select(X, y, folds=7)
    alone = ke.evaluate(X, y, criteria="cv", folds=7)
    assert chosen.decisive == "cv"
    assert chosen.score == pytest.approx(alone.scores["cv"].min(), rel=1e-9)


def test_one_standard_error_and_scores_of_folds(data):
    X, y, groups = data
    wide = ke.select(X, y, groups=groups, rule="one_se")
    assert wide.kernel.tau >= ke.select(X, y, groups=groups).kernel.tau
    assert ke.select(X, y, groups=groups, scoring="roc_auc").decisive == "cv(scoring='roc_auc')"


@pytest.mark.parametrize("one_shot", [False, True])
def test_candidates_without_order_are_all_verified(data, one_shot):
    X, y, groups = data
    matrices = [ke.Gaussian(tau)(X) for tau in (0.01, 0.1, 1.0, 10.0, 100.0)]
    given = iter(matrices) if one_shot else matrices
    chosen = ke.select(None, y, given, groups=groups)
    assert chosen.verified == [0, 1, 2, 3, 4]
    assert chosen.index >= 3


def test_half_of_many_rows_keeps_the_folds():
    random = np.random.default_rng(1)
    steps = random.normal(size=(900, 3))
    y = np.sin(2 * steps[:, 0]) + random.normal(size=900)
    by_time = ke.select(steps, y, lam="auto", folds=TimeSeriesSplit(4))
    wanted = ke.evaluate(
        steps, y, [by_time.kernel], "cv", lam=by_time.lam, folds=TimeSeriesSplit(4)
    )
    assert by_time.score == pytest.approx(wanted.scores["cv"][0], rel=1e-6)


def test_folds_of_a_part():
    target = Target.of_labels(np.arange(12) % 2)
    places = np.array([0, 1, 3, 6, 7, 8, 11])
    folds = [([0, 1, 2, 3, 4, 5], [6, 7, 8]), ([0, 1, 2, 3, 6, 7], [4, 5])]
    (whole,) = (Splits(folds).sets(target),)
    part = Splits(folds).of_part(target, places).sets(target.part(places))
    assert len(part) == len(whole)
    for some, every in zip(part, whole, strict=True):
        assert [places[fold].tolist() for fold in some] == [
            [row for row in fold if row in places] for fold in every
        ]
        np.testing.assert_array_equal(some.tested, every.tested[places])


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (np.zeros(12), "all rows into one"),
        (np.arange(11), "one group for each of the 12 rows"),
        (np.zeros((12, 2)), "one group for each of the 12 rows"),
        ([None, *range(11)], "missing values"),
        ([np.nan, *range(11)], "missing values"),
        (np.repeat([0, 1], 6), "occurs in only one group"),
    ],
)
def test_refusals(groups, said):
    X, y = np.random.default_rng(0).normal(size=(12, 2)), np.repeat([0, 1], 6)
    refuses(lambda: ke.select(X, y, groups=groups), ValueError, said)


def test_more_folds_than_groups():
    X, y = np.random.default_rng(0).normal(size=(12, 2)), np.repeat([0, 1], 6)
    refuses(lambda: ke.select(X, y, groups=np.arange(12) % 3, folds=4), ValueError, "the 3 groups")


def test_splitters_are_asked_once(data):
    X, y, _ = data
    drawn = StratifiedKFold(5, shuffle=True)  # without a seed
    chosen = ke.select(X, y, folds=drawn, lam="auto")
    assert chosen.decisive == "cv"
