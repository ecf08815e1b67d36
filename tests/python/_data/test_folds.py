"""Folds of every kind: exact, the same for all candidates, refused where they make no sense."""

import warnings

import numpy as np
import pytest
import twins
from problems import problem
from refusals import refuses
from sklearn.metrics import r2_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.svm import SVC

import kernelect as ke

KERNELS = [ke.Gaussian(0.01), ke.Gaussian(1.0), ke.Gaussian(2.0**12), ke.Polynomial(2)]


def test_splitters_of_every_kind():
    x, y = problem("binary", n=41, d=3)
    kernel, n = ke.Gaussian(1.0), len(y)
    groups = np.arange(n) % 6
    for splitter in (GroupKFold(3), LeaveOneGroupOut()):
        tests = [test for _, test in splitter.split(x, y, groups)]
        outputs, targets = twins.outputs_and_targets(kernel(x), y, tests)
        table = ke.evaluate(x, y, [kernel], "cv", folds=splitter, groups=groups)
        wanted = ((targets - outputs) ** 2).mean()
        assert table.scores["cv"][0] == pytest.approx(wanted, rel=1e-9)
    repeated = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    losses = []
    for _, test in repeated.split(x, y):
        outputs, targets = twins.outputs_and_targets(kernel(x), y, [test])
        losses.append(((targets[test] - outputs[test]) ** 2).ravel())
    table = ke.evaluate(x, y, [kernel], "cv", folds=repeated)
    assert table.scores["cv"][0] == pytest.approx(np.concatenate(losses).mean(), rel=1e-9)
    one = ShuffleSplit(1, test_size=0.3, random_state=0)
    ((_, test),) = one.split(x)
    outputs, targets = twins.outputs_and_targets(kernel(x), y, [test])
    table = ke.evaluate(x, y, [kernel], "cv", folds=one)
    wanted = ((targets[test] - outputs[test]) ** 2).mean()
    assert table.scores["cv"][0] == pytest.approx(wanted, rel=1e-9)


def test_splits_have_short_keys_of_their_own():
    x, y = problem("binary", n=41, d=3)
    one, two = (
        list(StratifiedKFold(5, shuffle=True, random_state=seed).split(x, y)) for seed in (0, 1)
    )
    criteria = [ke.criteria.CV(folds=one), ke.criteria.CV(folds=two), ke.criteria.KS(folds=one)]
    table = ke.evaluate(x, y, KERNELS, criteria)
    assert len(table.scores) == 3
    for key, name in zip(table.scores, ("cv", "cv", "ks"), strict=True):
        assert key.startswith(f"{name}(folds=<5 splits ")
        assert len(key) < 35
    for criterion, folds in zip(criteria[:2], (one, two), strict=True):
        wanted = ke.evaluate(x, y, KERNELS, "cv", folds=folds).scores["cv"]
        np.testing.assert_array_equal(table.scores[criterion.key], wanted)
    with pytest.raises(ValueError, match="is given twice"):
        ke.evaluate(x, y, KERNELS, [ke.criteria.CV(folds=one), ke.criteria.CV(folds=iter(one))])
    chosen = ke.select(x, y, KERNELS, criteria[0])
    assert len(repr(chosen)) < 150
    numbers = ke.criteria.CV(folds=PredefinedSplit(np.arange(len(y)) % 5))  # as the refusal advises
    assert np.isfinite(ke.evaluate(x, y, KERNELS, numbers).scores[numbers.key]).all()


@pytest.mark.parametrize("convention", ["sum", "mean"])
@pytest.mark.parametrize(
    "splitter",
    [
        TimeSeriesSplit(4),
        ShuffleSplit(3, train_size=0.5, test_size=0.2, random_state=0),
        PredefinedSplit([-1] * 20 + [0] * 10 + [1] * 11),
    ],
)
def test_splits_that_train_on_less_than_the_rest(splitter, convention):
    x, y = problem("regression", n=41, d=3)
    kernel, lam = ke.Gaussian(1.0), 0.1
    table = ke.evaluate(
        x, y, [kernel], ["cv", "ks"], lam=lam, lam_convention=convention, folds=splitter
    )
    losses, scores = [], []
    for train, shuffled in splitter.split(x):
        test = np.sort(shuffled)
        gaps = np.setdiff1d(np.arange(len(y)), train)
        how = {"lam": lam, "mean": convention == "mean"}
        outputs = twins.retrained(kernel(x), y[:, None], gaps, **how)[:, 0]
        outputs = outputs[np.isin(gaps, test)]
        losses.extend((y[test] - outputs) ** 2)
        scores.append(r2_score(y[test], outputs))
    assert table.scores["cv"][0] == pytest.approx(np.mean(losses), rel=1e-8)
    assert table.errors["cv"][0] == pytest.approx(
        np.std(losses, ddof=1) / np.sqrt(len(losses)), rel=1e-6
    )
    if not isinstance(splitter, PredefinedSplit):  # whose two test parts make one set
        by_score = ke.evaluate(
            x, y, [kernel], "cv", lam=lam, lam_convention=convention, folds=splitter, scoring="r2"
        )
        assert by_score.scores["cv(scoring='r2')"][0] == pytest.approx(np.mean(scores), rel=1e-8)


def test_held_out_outputs_of_a_time_series():
    x, y = problem("regression", n=41, d=3)
    model = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=0.1).fit(x, y)
    outputs = model.held_out_outputs(TimeSeriesSplit(4))[:, 0]
    assert np.isnan(outputs[:9]).all()
    for train, test in TimeSeriesSplit(4).split(x):
        again = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=0.1).fit(x[train], y[train])
        np.testing.assert_allclose(outputs[test], again.predict(x[test]), rtol=1e-8)


def test_probabilities_where_some_rows_are_never_held_out():
    x, y = problem("binary", n=41, d=3)
    splitter = ShuffleSplit(1, test_size=0.4, random_state=0)
    table = ke.evaluate(x, y, [ke.Gaussian(1.0)], "cv", folds=splitter, scoring="neg_log_loss")
    assert -1.0 < table.scores["cv(scoring='neg_log_loss')"][0] < 0.0


def test_folds_that_lose_a_class():
    x, y = problem("binary", n=41, d=3)
    test = np.flatnonzero(y == 1)
    with pytest.raises(ValueError, match="leaves no row of class 1 to train on"):
        ke.evaluate(x, y, KERNELS, "cv", folds=[(np.flatnonzero(y == 0), test)])
    y = y.copy()
    y[:] = 0
    y[3] = 1
    with pytest.raises(ValueError, match="class 1 has a single member"):
        ke.evaluate(x, y, KERNELS, "cv")
    with pytest.warns(UserWarning, match="class 1 has a single member, which leave-one-out"):
        table = ke.evaluate(x, y, KERNELS, "loo")
    assert np.isfinite(table.scores["loo"]).all()


def test_few_members_are_no_reason_to_warn():
    x, y = problem("binary", n=41, d=3)
    y = np.zeros_like(y)
    y[:3] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(ke.evaluate(x, y, KERNELS, "cv").scores["cv"]).all()


class Bootstrap:
    """Trains on rows drawn with replacement, tests on those that were not drawn."""

    def split(self, x, y=None, groups=None):
        rows = np.random.default_rng(0).integers(0, len(x), size=(3, len(x)))
        return [(train, np.setdiff1d(np.arange(len(x)), train)) for train in rows]


def in_test_part(n):
    test = np.arange(0, n, 3)
    return [(np.setdiff1d(np.arange(n), test), np.append(test, test[2]))]


TAKERS = {
    "cv": lambda x, y, f: ke.evaluate(x, y, KERNELS, "cv", folds=f),
    "bif": lambda x, y, f: ke.evaluate(x, y, KERNELS, "bif", folds=f),
    "of a criterion": lambda x, y, f: ke.evaluate(x, y, KERNELS, ke.criteria.KS(folds=f)),
    "select": lambda x, y, f: ke.select(x, y, KERNELS, "cv", folds=f),
    "selector": lambda x, y, f: ke.KernelSelector(SVC(), KERNELS, "cv", folds=f).fit(x, y),
    "held_out_outputs": lambda x, y, f: (
        ke.LSSVMClassifier(ke.Gaussian(1.0)).fit(x, y).held_out_outputs(f)
    ),
    "fkl": lambda x, y, f: ke.MKLClassifier("fkl", KERNELS, lam="cv", cv=f).fit(x, y),
    "ks": lambda x, y, f: ke.MKLClassifier("ks", KERNELS, folds=f).fit(x, y),
}


@pytest.mark.parametrize("take", TAKERS.values(), ids=TAKERS)
def test_repeated_rows_are_refused(take):
    x, y = problem("binary", n=41, d=3)
    refuses(lambda: take(x, y, Bootstrap()), ValueError, "times in the training part of split 0")
    repeated = in_test_part(len(y))
    refuses(lambda: take(x, y, repeated), ValueError, "row 6 occurs 2 times in the test part")


def test_all_candidates_are_judged_on_the_same_folds():
    x, y = problem("binary", n=41, d=3)
    kernel = ke.Gaussian(1.0)
    splitter = KFold(5, shuffle=True)  # other folds whenever it is asked
    for kernels, options in (
        ([kernel(x)] * 3, {}),
        ([lambda a, b: 1.0 * kernel(a, b)] * 3, {}),
        ([kernel] * 3, {"time_limit": 60, "n_threads": 1}),
    ):
        scores = ke.evaluate(x, y, kernels, "cv", folds=splitter, **options).scores["cv"]
        assert scores[0] == pytest.approx(scores[1], rel=1e-12)
        assert scores[0] == pytest.approx(scores[2], rel=1e-12)


def test_splits_that_can_be_read_once():
    x, y = problem("binary", n=41, d=3)
    both = [ke.criteria.CV(), ke.criteria.CV(stratified=False)]
    once = ke.evaluate(None, y, [ke.Gaussian(1.0)(x)] * 2, both, folds=KFold(3).split(x))
    again = ke.evaluate(x, y, [ke.Gaussian(1.0)], "cv", folds=KFold(3))
    for scores in once.scores.values():
        np.testing.assert_allclose(scores, again.scores["cv"][0], rtol=1e-9)


def test_more_folds_than_any_class_has_members():
    x, y = np.random.default_rng(0).normal(size=(12, 2)), np.arange(12) % 3
    with pytest.raises(ValueError, match="folds = 5 is more than the 4 members of the largest"):
        ke.evaluate(x, y, KERNELS, "cv")
