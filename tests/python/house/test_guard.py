"""The guard of instruction counts: what it lets pass, and what it says."""

import json

from bench.guard import LEVELS, RUNS, STORED, compare, costlier


def test_three_per_cent_more_is_costlier():
    stored = {"a": 1000, "b": 1000, "c": 1000}
    (line,) = costlier({"a": 1029, "b": 1031, "c": 500}, stored)
    assert line.startswith("b: 1,031 instructions, 3.1 % more")


def test_a_run_that_nobody_stored_is_said():
    assert costlier({"new": 5}, {}) == ["new: no count is stored"]


def test_another_compiler_is_not_compared(capsys):
    assert compare("gcc 99", {"a": 10**9}, {"gcc 12": {"a": 1}}) == 0
    assert "no counts are stored for gcc 99 (gcc 12)" in capsys.readouterr().out


def test_a_costlier_run_fails_and_a_cheaper_one_does_not(capsys):
    assert compare("gcc 12", {"a": 104}, {"gcc 12": {"a": 100}}) == 1
    assert "--renew" in capsys.readouterr().out
    assert compare("gcc 12", {"a": 90}, {"gcc 12": {"a": 100}}) == 0


def test_what_a_slowdown_could_hide_in_is_said(capsys):
    stored = {"gcc 12": {"a": 100, "b": 100}}
    assert compare("gcc 12", {"a": 98, "b": 96}, stored) == 0
    said = capsys.readouterr().out
    assert "instructions of small runs, beside those stored for gcc 12; no times" in said
    assert "guard: b: fewer than stored" in said
    assert "a, b" not in said


def test_stored_counts_are_of_all_runs():
    stored = json.loads(STORED.read_text())
    assert stored
    for counts in stored.values():
        assert set(counts) == {f"{level}, {run}" for level in LEVELS for run in RUNS}
