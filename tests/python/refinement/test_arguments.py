"""No argument of `refine` is ignored without a word."""

import warnings

import numpy as np
import pytest

import kernelect as ke

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
Y = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1] + 0.2 * RNG.normal(size=80)
ARGUMENTS = {
    "lam": 100.0,
    "lam_convention": "mean",
    "bias": False,
    "folds": 4,
    "groups": np.arange(80) // 4,
    "sample_weight": 1.0 + np.arange(80) / 80,
    "penalty": 30.0,
    "bounds": (0.5, 2.0),
    "per_column": False,
    "random_state": 1,
}


def outcome(start, criterion, **given):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        chosen = ke.refine(X, Y, start, criterion, n_threads=1, **given)
    words = [str(one.message) for one in caught if "no part" in str(one.message)]
    found = chosen.refinement
    numbers = [found.loss, found.start_loss, chosen.score, found.evaluations]
    return (repr(chosen.kernel), chosen.lam, numbers), words


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("criterion", ["auto", "loo", "cv", "ks", "kta"])
@pytest.mark.parametrize("start", [None, ke.Gaussian(2.0)])
def test_every_argument_plays_a_part_or_is_named(start, criterion, name):
    if (criterion, name) == ("kta", "lam"):
        pytest.skip("lambda elects the start, and is named where that is given")
    usual = {"folds": 5} if name == "random_state" else {}
    given = {**usual, name: ARGUMENTS[name]}
    changed, said = outcome(start, criterion, **given)
    before, _ = outcome(start, criterion, **usual)
    if (criterion, name) == ("kta", "sample_weight"):  # not of the criterion, but of its judge
        assert said
        return
    assert (changed == before) == bool(said), (changed, said)
    assert all(name in word for word in said)


def test_criteria_that_cannot_be_refined_by():
    start = ke.Gaussian(2.0)
    with pytest.raises(ValueError, match="ekta is defined for classification only"):
        ke.refine(X, Y, start, "ekta")
    with pytest.raises(ValueError, match="derivatives of gcv are not known") as refused:
        ke.refine(X, Y, start, "gcv")
    known = [name for name in ke.criteria.names() if ke.criteria.get(name).goal() is not None]
    assert all(f"'{name}'" in str(refused.value) for name in known)
