"""Calls of evaluate and select that are refused, each with one sentence."""

from __future__ import annotations

import numpy as np
import pytest
from refusals import ONE, X, Y, cases, refuses

import kernelect as ke


def test_electing():
    refuses(lambda: ke.select(X, Y, ONE, "stability"), ValueError, "values rank no candidates")
    refuses(lambda: ke.select(X, Y, ONE, ["sm"]), TypeError, "a criterion is a name, an object")
    refuses(lambda: ke.select(X, Y, ONE, "smm"), ValueError, "did you mean 'sm'?")
    zero = [np.zeros((12, 12))]
    refuses(lambda: ke.select(None, Y, zero, "sm"), ValueError, "'sm' is undefined for every")


@cases(
    ("none", {"n_threads": 0}, ValueError, "n_threads must be at least 1, or None for all"),
    ("negative", {"n_threads": -2}, ValueError, "n_threads must be at least 1"),
    ("part", {"n_threads": 1.5}, TypeError, "n_threads must be a whole number or None, not 1.5"),
    ("text", {"n_threads": "2"}, TypeError, "n_threads must be a whole number or None, not '2'"),
    ("truth", {"n_threads": True}, TypeError, "n_threads must be a whole number or None, not True"),
    ("seed", {"random_state": -1}, ValueError, "random_state must be None, a whole number of at"),
    ("no seed", {"random_state": "x"}, ValueError, "or a RandomState, not 'x'"),
    ("progress", {"progress": 3}, TypeError, "progress must be True, False or a function, not 3"),
    ("progress none", {"progress": None}, TypeError, "progress must be True, False or a function"),
)
def test_options(given, kind, said):
    refuses(lambda: ke.evaluate(X, Y, ONE, **given), kind, said)
    refuses(lambda: ke.select(X, Y, ONE, "sm", **given), kind, said)


def test_a_thousand_thousand_threads_are_no_error():
    wanted = ke.evaluate(X, Y, ONE).scores["sm"]
    assert ke.evaluate(X, Y, ONE, n_threads=10**12).scores["sm"] == wanted


def test_arguments_by_keyword_only():
    with pytest.raises(TypeError, match="positional"):
        ke.evaluate(X, Y, ONE, "sm", "classification")


def test_tables_name_what_they_have():
    table = ke.evaluate(X, Y, ONE, ["sm", "kta"])
    refuses(table.best, ValueError, "name one of the criteria: sm, kta")
    refuses(lambda: table.best("ktaa"), ValueError, "has no criterion 'ktaa'; did you mean 'kta'?")
    refuses(lambda: table.ranking("zzz"), ValueError, "no criterion 'zzz'; it has sm, kta")
