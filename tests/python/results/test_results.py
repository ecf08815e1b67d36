"""Tables and selections: rankings, plain data, text, and the warnings that come with them."""

from __future__ import annotations

import json
import pickle
import warnings
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from problems import problem
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

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


# best and ranking


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
        with pytest.raises(ValueError, match="diagnostic without a better or worse"):
            action("stability")
    with pytest.raises(ValueError, match="cannot elect a kernel; use it in evaluate"):
        ke.select(X, Y, GRID, "stability")


# plain data


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
    with pytest.raises(ImportError, match=r"pip install kernelect\[frames\]"):
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


@pytest.mark.parametrize("criterion", ["sm", "kta", "fsm", "loo", ke.criteria.SM(r=3)])
def test_select_and_evaluate_agree(criterion):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        chosen = ke.select(X, Y, GRID, criterion)
    best = ke.evaluate(X, Y, GRID, criterion).best()
    assert chosen.score == pytest.approx(best.score, rel=1e-12)
    assert chosen.kernel == best.kernel


# text


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


def test_tables_are_objects_and_not_values():
    """Arrays do not compare as a whole, so tables do not pretend to."""
    again = ke.evaluate(X, Y, GRID, ["sm", "fsm", "kcsm", "stability"])
    assert again != TABLE
    assert len({TABLE, again}) == 2
    with pytest.raises(FrozenInstanceError):
        TABLE.task = "regression"
    loaded = pickle.loads(pickle.dumps(TABLE))
    assert loaded.kernels == TABLE.kernels
    assert_array_equal(loaded.scores["sm"], TABLE.scores["sm"])
    assert b"kernelect._core" not in pickle.dumps(TABLE)


# warnings


def warned(action):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    for warning in caught:
        assert warning.category is UserWarning
        assert warning.filename == __file__  # where the user called, not inside the library
        assert "\n" not in str(warning.message)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        (
            ke.gaussian_grid(5, 9),
            "the winner Gaussian(tau=32.0) stands at the edge of the grid; add smaller values of tau",
        ),
        (
            ke.gaussian_grid(-9, -3)[::-1],
            "the winner Gaussian(tau=0.125) stands at the edge of the grid; add larger values of tau",
        ),
        (ke.gaussian_grid(5, 9), "for example gaussian_grid(-3, 9), or kernels='auto'"),
        (ke.gaussian_grid(-9, -3), "for example gaussian_grid(-9, 5), or kernels='auto'"),
        (ke.gaussian_grid(5, 7, 0.5), "for example gaussian_grid(-3, 7, 0.5), or kernels='auto'"),
        (
            [ke.Gaussian(t) for t in (40.0, 100.0, 1000.0)],
            "for example gaussian_grid(-7.96578, 9.96578), or kernels='auto'",
        ),
        (
            [ke.Laplacian(g) for g in (1e-3, 1e-2, 0.1)],
            "the winner Laplacian(gamma=0.1) stands at the edge of the grid; add larger values of gamma",
        ),
        (
            [ke.Laplacian(g) for g in (10.0, 100.0, 1e3)],
            "edge of the grid; add smaller values of gamma",
        ),
        (
            [ke.Matern(1.5, r) for r in (0.01, 0.1, 0.2)],
            "edge of the grid; add larger length scales",
        ),
        ([ke.Matern(1.5, r) for r in (20.0, 30.0, 60.0)], "the grid; add smaller length scales"),
    ],
)
def test_a_winner_at_the_edge_says_how_to_widen(grid, said):
    messages = warned(lambda: ke.select(X, Y, grid, "sm"))
    assert said in messages[0]


def test_the_advice_for_a_winner_at_the_edge_works():
    message = warned(lambda: ke.select(X, Y, ke.gaussian_grid(5, 9), "sm"))[0]
    advice = message.split("for example ")[1].split(", or")[0]
    assert warned(lambda: ke.select(X, Y, eval(advice, vars(ke)), "sm")) == []


def test_the_lowest_degree_is_no_edge():
    z = StandardScaler().fit_transform(load_iris().data)
    grid = ke.polynomial_grid(1, 4, gamma=1e-3)
    assert warned(lambda: ke.select(z, load_iris().target, grid, "fsm")) in (
        [],
        [
            "the winner Polynomial(degree=4, gamma=0.001) stands at the edge of the grid; add higher degrees"
        ],
    )
    flat = [ke.Polynomial(d) for d in (1, 2, 3)]
    table_like = warned(lambda: ke.select(X, Y, flat, "kta"))
    winner = ke.evaluate(X, Y, flat, "kta").best().kernel
    assert bool(table_like) == (winner.degree == 3)


def test_no_edge_without_an_ordered_grid():
    for grid in (
        ke.gaussian_grid(5, 6),
        [ke.Gaussian(64.0), ke.Gaussian(1024.0), ke.Gaussian(256.0)],
        [ke.Gaussian(64.0), ke.Gaussian(256.0), ke.Laplacian(1e-3)],
        [ke.Gaussian(64.0)],
    ):
        messages = warned(lambda grid=grid: ke.select(X, Y, grid, "sm"))
        assert not any("edge" in message for message in messages)


@pytest.mark.parametrize("criterion", ["sm", ke.criteria.SM(r=3), ke.criteria.SM(relative=True)])
def test_no_evidence_is_said(criterion):
    narrow = [ke.Gaussian(1e-9), ke.Gaussian(1e-8)]
    (message,) = warned(lambda: ke.select(X, Y, narrow, criterion))
    assert message.startswith(
        f"no evidence: by {ke.criteria.get(criterion).key} the best candidate"
    )
    assert "tells no more about y than the identity kernel does; try other candidates" in message


def test_evidence_is_not_denied():
    assert warned(lambda: ke.select(X, Y, GRID, "sm")) == []
    assert warned(lambda: ke.select(X, Y, GRID, ke.criteria.SM(relative=True))) == []


@pytest.mark.parametrize("function", [ke.evaluate, ke.select])
def test_columns_of_very_different_scales_are_named(function):
    frame = pd.DataFrame(X * [1.0, 2e3, 1.0], columns=["age", "income", "height"])
    spread = frame["income"].std(ddof=0)
    narrow = frame[["age", "height"]].std(ddof=0)
    messages = warned(lambda: function(frame, Y, GRID, "sm"))
    wanted = (
        f"columns have very different scales (standard deviation {spread:.3g} in column 'income', "
        f"{narrow.min():.3g} in column {narrow.idxmin()!r}), and the largest rule the kernel; "
        "standardise them, for example with StandardScaler"
    )
    assert messages[0] == wanted
    assert "in column 1," in warned(lambda: function(frame.to_numpy(), Y, GRID, "sm"))[0]


def test_scales_that_do_not_matter():
    for constant in (0.1, 1e9, 0.0):
        with_constant = np.c_[X, np.full(50, constant)]
        assert warned(lambda x=with_constant: ke.evaluate(x, Y, GRID, "sm")) == []
    assert warned(lambda: ke.evaluate(X * [1.0, 900.0, 1.0], Y, GRID, "sm")) == []
    assert warned(lambda: ke.evaluate(X[:, :1] * 1e9, Y, GRID, "sm")) == []


def test_scales_beyond_the_range_of_squares():
    for factor in (1e200, 1e-200):
        (message,) = warned(lambda f=factor: ke.evaluate(X * [1.0, f, 1.0], Y, GRID, "sm"))
        assert f"e{'+' if factor > 1 else '-'}" in message
        assert "column 1" in message
