"""Rules of election, and options of ridge systems that are refused."""

import numpy as np
import pytest
import twins
from problems import problem
from sklearn.model_selection import (
    KFold,
)

import kernelect as ke

KERNELS = [ke.Gaussian(0.01), ke.Gaussian(1.0), ke.Gaussian(2.0**12), ke.Polynomial(2)]


def test_one_standard_error_rule():
    x, y = problem("binary", n=80, d=3)
    grid = ke.gaussian_grid(-3, 14)
    table = ke.evaluate(x, y, grid, "loo")
    best = ke.select(x, y, grid, "loo")
    wide = ke.select(x, y, grid, "loo", rule="one_se")
    limit = best.score + table.errors["loo"][best.index]
    within = [i for i in range(len(grid)) if table.scores["loo"][i] <= limit]
    assert wide.index == max(within)
    K = best.kernel(x)
    targets = twins.columns(K, y)
    losses = np.array(
        [
            ((targets[i] - twins.retrained(K, targets, np.array([i]))) ** 2).item()
            for i in range(len(y))
        ]
    )
    error = losses.std(ddof=1) / np.sqrt(len(y))
    assert table.errors["loo"][best.index] == pytest.approx(error, rel=1e-8)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"lam": 0.0}, "lam must be positive"),
        ({"lam": [1.0, -2.0]}, "lam must be positive"),
        ({"lam": []}, "non-empty"),
        ({"lam": "best"}, "'auto'"),
        ({"lam_convention": "median"}, "'sum' or 'mean'"),
        ({"folds": 1}, "at least 2"),
        ({"folds": 1000}, "more than the 41 rows"),
        ({"lam": None}, "a number, a list of numbers or 'auto', not None"),
        ({"lam": True}, "a number, a list of numbers or 'auto', not True"),
        ({"folds": "five"}, "a number, a scikit-learn splitter"),
        ({"folds": KFold}, "a number, a scikit-learn splitter"),
        ({"folds": [(np.arange(40), np.array([39, 40]))]}, "row 39 is in the training and"),
        ({"folds": [(np.arange(40), np.array([99]))]}, "outside 0..40"),
        ({"folds": [([], np.arange(41))]}, "row numbers|empty"),
        ({"scoring": "no_such"}, "unknown scoring"),
        ({"criteria": "sm", "scoring": "roc_auc"}, "loo and cv"),
        ({"bias": "yes"}, "True or False"),
    ],
)
def test_bad_input(arguments, words):
    x, y = problem("binary", n=41, d=3)
    given = {"criteria": "cv", **arguments}
    with pytest.raises((ValueError, TypeError), match=words) as error:
        ke.evaluate(x, y, KERNELS, **given)
    assert "\n" not in str(error.value)


def test_rules_and_diagnostics_are_checked():
    x, y = problem("binary", n=41, d=3)
    with pytest.raises(ValueError, match="'best' or 'one_se'"):
        ke.select(x, y, rule="two_se")


def test_the_one_se_rule_is_refused_before_the_work():
    x, y = problem("binary", n=41, d=3)

    def progress(fraction):
        raise AssertionError("the election has begun")

    given = {"rule": "one_se", "progress": progress}
    with pytest.raises(ValueError, match="standard error, which 'sm' does not have"):
        ke.select(x, y, criterion="sm", **given)
    for criterion in ("auto", "cv"):
        with pytest.raises(ValueError, match="without scoring"):
            ke.select(x, y, criterion=criterion, scoring="accuracy", **given)
    for kernels in (KERNELS, [ke.Gaussian(1.0)(x)] * 3):
        with pytest.raises(ValueError, match="ordered grid"):
            ke.select(x, y, kernels, "loo", **given)
    with pytest.raises(ValueError, match="ordered grid"):
        ke.select(x, y, iter(KERNELS), "loo", rule="one_se")
