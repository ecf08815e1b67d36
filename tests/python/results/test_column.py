"""Columns, of which results are made, and the criterion that decided."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from sklearn.datasets import load_iris

import kernelect as ke
from kernelect.criteria import Column

X, Y = load_iris(return_X_y=True)
GRID = ke.gaussian_grid(-3, 4)


def column(values, direction=-1, **quantities):
    array = np.array(values, dtype=float)
    quantities = {name: np.array(part, dtype=float) for name, part in quantities.items()}
    return Column("it", direction, array, [None] * len(array), **quantities)


def test_every_array_beside_the_values_is_a_declared_quantity():
    others = {"key", "direction", "values", "reasons", "label"}
    assert {item.name for item in fields(Column)} - others == set(Column.quantities())


def test_take():
    some = column([3, 1, 2], errors=[0.3, 0.1, 0.2]).take([2, 0])
    assert some.values.tolist() == [2, 3]
    assert some.errors.tolist() == [0.2, 0.3]
    assert some.ties is None


@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_spread(direction):
    whole = column([3, 1], direction, errors=[0.3, 0.1], jitter=[1, 0]).spread([2, 0], 4, "why")
    worst = {-1: np.inf, 0: np.nan, 1: -np.inf}[direction]
    np.testing.assert_array_equal(whole.values, [1, worst, 3, worst])
    np.testing.assert_array_equal(whole.errors, [0.1, np.nan, 0.3, np.nan])
    np.testing.assert_array_equal(whole.jitter, [0, 0, 1, 0])
    assert whole.reasons == [None, "why", None, "why"]
    assert whole.known.tolist() == [True, False, True, False]


def test_join():
    parts = [([1, 3], column([10, 30], ties=[1, 3])), ([2, 0], column([20, 0]))]
    joined = Column.join(parts)
    assert joined.values.tolist() == [0, 10, 20, 30]
    assert joined.ties.tolist() == [np.inf, 1, np.inf, 3]
    assert joined.reasons == [None] * 4
    assert parts[0][1].values.tolist() == [10, 30]


def test_best_lambda():
    path = column([[3, 1, 1], [2, 2, 5]], ties=[[0, 2, 1], [0, 1, 0]], lams=[[1, 2, 3], [4, 5, 6]])
    assert path.best_lambda().tolist() == [2, 0]
    flat = path.at_best_lambda()
    assert flat.values.tolist() == [1, 2]
    assert flat.lams.tolist() == [3, 4]
    assert flat.at_best_lambda() is flat
    assert path.ranking().tolist() == [0, 1]
    assert column([1, 1]).ranking(np.array([2.0, 1.0])).tolist() == [1, 0]


def test_a_diagnostic_ranks_nothing():
    diagnostic = column([1, 2], direction=0)
    assert diagnostic.winner() is None
    with pytest.raises(ValueError, match="'it' is a diagnostic: its values rank no candidates"):
        diagnostic.ranking()


@pytest.mark.parametrize(
    ("criterion", "called"),
    [
        ("auto", "auto, accuracy (loo)"),
        ("loo", "accuracy (loo)"),
        (ke.criteria.CV(folds=3), "accuracy (cv(folds=3))"),
    ],
)
def test_a_score_is_called_what_it_is(criterion, called, tmp_path):
    chosen = ke.select(X, Y, GRID, criterion, scoring="accuracy")
    assert f"elected by {called} = {chosen.score:.6g}" in repr(chosen)
    assert chosen.table.direction[chosen.decisive] == 1
    ke.save(chosen, tmp_path / "chosen.json")
    again = ke.load(tmp_path / "chosen.json")
    assert repr(again) == repr(chosen)
    assert again.decisive == chosen.decisive


def test_the_key_of_a_score_is_the_same_by_every_way():
    key = "loo(scoring='accuracy')"
    assert ke.criteria.LOO(scoring="accuracy").key == key
    assert ke.criteria.LOO(scoring="accuracy").direction == 1
    assert ke.criteria.LOO().direction == -1
    for criterion in ("auto", "loo", ke.criteria.LOO(scoring="accuracy")):
        scoring = None if isinstance(criterion, ke.criteria.LOO) else "accuracy"
        chosen = ke.select(X, Y, GRID, criterion, scoring=scoring)
        assert chosen.decisive == key
        assert key in chosen.table.scores
    assert list(ke.evaluate(X, Y, GRID, "loo", scoring="accuracy").scores) == [key]


def test_what_decided():
    assert ke.select(X, Y, GRID).decisive == "loo"
    assert ke.select(X, Y, GRID, "sm").decisive == "sm"
    chosen = ke.select(X, Y, GRID, rule="one_se")
    assert (chosen.criterion, chosen.decisive) == ("auto", "loo")
    assert chosen.to_dict()["decisive"] == "loo"


def test_centred_alignment_says_that_it_knows_regression():
    assert ke.criteria.CKTA.regression
    assert ke.criteria.CKTA().applies_to("regression", 0)
    assert not ke.criteria.CKTA(variant="survey").applies_to("regression", 0)
    assert not ke.criteria.CKTA(variant="survey").applies_to("classification", 3)
