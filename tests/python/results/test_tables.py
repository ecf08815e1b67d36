"""Tables and selections: rankings, plain data, text."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from problems import problem

import kernelect as ke
from kernelect.criteria import Column
from kernelect.results import NOT_REACHED, NOT_VERIFIED, Choice, ScoreTable, Selection

X, Y = problem("binary", n=50, d=3)
GRID = ke.gaussian_grid(-4, 6)
TABLE = ke.evaluate(X, Y, GRID, ["sm", "fsm", "kcsm", "stability"])


def hand_made(values, direction, kernels=GRID, reasons=None):
    count = len(values)
    column = Column("it", direction, np.array(values, dtype=float), reasons or [None] * count)
    return ScoreTable.of(list(kernels[:count]), [column], "classification")


def test_best_and_ranking_follow_the_direction():
    sm, fsm = TABLE.scores["sm"], TABLE.scores["fsm"]
    assert_array_equal(TABLE.ranking("sm"), np.argsort(-sm, kind="stable"))
    assert TABLE.ranking("fsm")[0] == np.argmin(fsm)
    best = TABLE.best("sm")
    assert best == Choice(GRID[np.argmax(sm)], float(sm.max()), int(np.argmax(sm)))
    assert isinstance(best.score, float)
    assert isinstance(best.index, int)
    assert TABLE.direction == {"sm": 1, "fsm": -1, "kcsm": 1, "stability": 0}


def test_criteria_may_name_themselves():
    table = ke.evaluate(X, Y, GRID, [ke.criteria.SM(r=3), "kta"])
    assert table.best(ke.criteria.SM(r=3)) == table.best("sm(r=3)")
    assert_array_equal(table.ranking(ke.criteria.KTA()), table.ranking("kta"))
    assert ke.evaluate(X, Y, GRID, "kta").best() == table.best("kta")


@pytest.mark.parametrize("direction", [1, -1])
def test_ties_go_to_the_widest(direction):
    values = [1.0, 2.0, 2.0, 2.0, 0.0]
    assert hand_made(values, direction).ranking("it").tolist() == (
        [3, 2, 1, 0, 4] if direction == 1 else [4, 0, 3, 2, 1]
    )
    descending = hand_made(values[::-1], direction, GRID[:5][::-1])
    assert descending.kernels[descending.ranking("it")[0]] == GRID[3 if direction == 1 else 4]


def test_ties_of_unordered_candidates_go_to_the_first():
    mixed = [ke.Gaussian(1.0), ke.Linear(), ke.Gaussian(8.0)]
    assert hand_made([1.0, 1.0, 1.0], 1, mixed).ranking("it").tolist() == [0, 1, 2]
    lengths = [ke.Matern(1.5, 1.0), ke.Matern(2.5, 2.0), ke.Matern(1.5, 3.0)]
    assert hand_made([1.0, 1.0, 1.0], 1, lengths).ranking("it").tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "family",
    [
        [ke.Laplacian(g) for g in (4.0, 2.0, 1.0)],
        [ke.Matern(1.5, length) for length in (1.0, 2.0, 4.0)],
        [ke.Polynomial(d) for d in (3, 2, 1)],
    ],
    ids=lambda family: type(family[0]).__name__,
)
def test_ties_of_other_families_go_to_the_widest(family):
    assert hand_made([1.0, 1.0, 1.0], 1, family).ranking("it").tolist() == [2, 1, 0]
    assert hand_made([1.0, 1.0, 1.0], 1, family[::-1]).ranking("it").tolist() == [0, 1, 2]


def test_worst_values_rank_last():
    reasons = ["why", None, None, "why"]
    table = hand_made([-np.inf, 0.0, -5.0, -np.inf], 1, reasons=reasons)
    assert table.ranking("it")[:2].tolist() == [1, 2]
    assert table.best("it").index == 1


def test_nothing_is_best_where_nothing_is_defined():
    table = hand_made([np.inf, np.inf], -1, reasons=["no spread", "no spread"])
    with pytest.raises(ValueError, match="'it' is undefined for every candidate: no spread"):
        table.best("it")
    assert table.to_dict()["criteria"]["it"]["best"] is None
    assert "*" not in repr(table).split("\n", 1)[1]


def test_the_reason_is_that_of_a_candidate_that_was_looked_at():
    reasons = [NOT_VERIFIED, NOT_REACHED, "no spread", NOT_VERIFIED]
    with pytest.raises(ValueError, match="undefined for every candidate: no spread"):
        hand_made([np.inf] * 4, -1, reasons=reasons).best("it")


def test_diagnostics_rank_nothing():
    for action in (TABLE.ranking, TABLE.best):
        with pytest.raises(ValueError, match="diagnostic: its values rank no candidates"):
            action("stability")
    with pytest.raises(ValueError, match="cannot elect a kernel; use it in evaluate"):
        ke.select(X, Y, GRID, "stability")


def test_frame():
    frame = TABLE.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame.index.name == "kernel"
    assert list(frame.index) == [repr(kernel) for kernel in GRID]
    assert list(frame.columns) == ["sm", "fsm", "kcsm", "stability"]
    for key, values in TABLE.scores.items():
        assert_array_equal(frame[key].to_numpy(), values)


def test_frame_without_pandas(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        TABLE.to_frame()


def test_dictionary_makes_a_round_trip_through_json():
    data = TABLE.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["task"] == "classification"
    assert data["kernels"] == [repr(kernel) for kernel in GRID]
    for key, part in data["criteria"].items():
        assert part["scores"] == TABLE.scores[key].tolist()
        assert part["direction"] == TABLE.direction[key]
        assert part["reasons"] == [None] * len(GRID)
    assert data["criteria"]["sm"]["best"] == TABLE.best("sm").index
    assert data["criteria"]["stability"]["best"] is None


def test_dictionary_writes_null_and_the_reason():
    ones, same = np.ones((50, 50)), (Y[:, None] == Y).astype(float)
    table = ke.evaluate(None, Y, [ones, same], ["ckta", "fsm", "kcsm"])
    data = json.loads(json.dumps(table.to_dict(), allow_nan=False))["criteria"]
    assert data["ckta"]["scores"][0] is None
    assert data["ckta"]["reasons"][0] == "the centred kernel matrix vanishes"
    assert data["fsm"]["scores"][0] is None
    assert data["fsm"]["reasons"][0] == table.reasons["fsm"][0]
    # The best value of kcsm is infinite, which is no fault.
    assert table.scores["kcsm"][1] == np.inf
    assert table.reasons["kcsm"][1] is None
    assert data["kcsm"] == {
        "direction": 1,
        "scores": [None, None],
        "reasons": ["the centred kernel matrix vanishes", "infinite, the best value"],
        "best": 1,
    }


def test_selection():
    chosen = ke.select(X, Y, GRID, "sm")
    assert isinstance(chosen, Selection)
    assert chosen.kernel == GRID[chosen.index] == chosen.table.kernels[chosen.index]
    assert chosen.score == chosen.table.scores["sm"][chosen.index]
    assert chosen.criterion == "sm"
    assert list(chosen.table.scores) == ["sm"]
    data = json.loads(json.dumps(chosen.to_dict(), allow_nan=False))
    assert data["kernel"] == repr(chosen.kernel)
    assert data["score"] == chosen.score
    assert data["table"] == chosen.table.to_dict()
    assert repr(chosen) == (
        f"{chosen.kernel!r} elected by sm = {chosen.score:.6g} "
        f"(candidate {chosen.index + 1} of 11, classification)"
    )


def test_text_of_a_table():
    lines = repr(TABLE).split("\n")
    assert lines[0] == "11 candidates, classification (* best by the criterion)"
    assert lines[1].split() == ["kernel", "sm", "max", "fsm", "min", "kcsm", "max", "stability"]
    assert len(lines) == 13
    for key, place in (("sm", 0), ("fsm", 1), ("kcsm", 2)):
        row = lines[2 + TABLE.best(key).index]
        cells = row.replace(" *", "*").split()[1:]
        assert cells[place] == f"{TABLE.best(key).score:.6g}*"
    assert repr(TABLE).count("*") == 4
    assert all(line == line.rstrip() for line in lines)
    assert repr(hand_made([1.0], 1)).startswith("1 candidate, classification")


def test_tables_are_values_that_do_not_change():
    again = ke.evaluate(X, Y, GRID, ["sm", "fsm", "kcsm", "stability"])
    assert again == TABLE
    assert len({TABLE, again}) == 1
    assert ke.evaluate(X, Y, GRID, ["fsm", "sm", "kcsm", "stability"]) != TABLE
    assert ke.evaluate(X, Y, GRID[:-1], ["sm", "fsm", "kcsm", "stability"]) != TABLE
    assert ke.evaluate(X + 0.1 * X**2, Y, GRID, ["sm", "fsm", "kcsm", "stability"]) != TABLE
    assert TABLE.scores != TABLE
    with pytest.raises(FrozenInstanceError):
        TABLE.task = "regression"
    loaded = pickle.loads(pickle.dumps(TABLE))
    assert loaded == TABLE
    assert loaded.kernels == TABLE.kernels
    assert_array_equal(loaded.scores["sm"], TABLE.scores["sm"])
    assert b"kernelect._core" not in pickle.dumps(TABLE)


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
@pytest.mark.parametrize("criterion", ["cv", "ks", "bif", ke.criteria.CV(folds=3, loss="zero_one")])
def test_what_holds_out_folds_is_known(criterion):
    chosen = ke.select(X, Y, GRID, criterion)
    assert chosen.by_folds
    assert ke.serialization.from_dict(ke.serialization.to_dict(chosen)).by_folds


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
@pytest.mark.parametrize("criterion", ["auto", "loo", "gcv", "sm", lambda K, y: y @ K @ y])
def test_what_holds_out_no_folds_is_known(criterion):
    assert not ke.select(X, Y, GRID, criterion).by_folds
    assert ke.select(X, Y, GRID, folds=3).by_folds
