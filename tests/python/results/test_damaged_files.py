"""Saved results whose parts do not fit together are refused when they are loaded, not later."""

import json

import numpy as np
import pytest
from damage import damaged
from kernelect.serialization import from_dict, to_dict

import kernelect as ke

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 2)), np.arange(20) % 2
TWO = [ke.Gaussian(1.0), 2 * ke.Gaussian(4.0)]
SAVED = {
    "table": ke.evaluate(X, Y, TWO, ["sm", "loo"]),
    "table of lambdas": ke.evaluate(X, Y, TWO, ["kta", "loo"], lam=[0.1, 1.0]),
    "selection": ke.select(X, Y, TWO, "auto"),
    "selection of lambdas": ke.select(X, Y, TWO, "loo", lam=[0.1, 1.0]),
}
WRONG = (None, [], {}, "x", -1, 1.5, True, 10**6, [None], [[1]], [1, 2, 3], "nan")


def used(thing):
    """Do with a result what shows all its parts."""
    table = getattr(thing, "table", thing)
    json.dumps(to_dict(thing))
    for key, column in table.columns.items():
        table.ranking(key)
        assert len(column.loss) == len(column.known) == len(table.kernels)
    table.to_frame()
    return repr(thing) + thing._repr_html_()


@pytest.mark.parametrize("thing", SAVED.values(), ids=SAVED)
def test_damage_is_refused_or_harmless(thing):
    whole = json.loads(json.dumps(to_dict(thing)))
    assert used(from_dict(whole)) == used(thing)
    refused = 0
    for data in damaged(whole, WRONG):
        try:
            again = from_dict(data)
        except ValueError as refusal:
            said = str(refusal)
            refused += len(said) < 250 and "\n" not in said
        else:
            assert used(again)
            refused += 1
    assert refused == sum(1 for _ in damaged(whole, WRONG))


@pytest.mark.parametrize("part", ["direction", "reasons"])
def test_a_table_without_a_part(part):
    data = to_dict(SAVED["table"])
    del data["exact"][part]
    with pytest.raises(ValueError, match=f"the data of a ScoreTable lacks '{part}'"):
        from_dict(data)
    data["exact"][part] = {"sm": [], "loo": []}
    with pytest.raises(ValueError, match="this is not a saved kernelect object: the parts of its"):
        from_dict(data)


def test_a_table_without_candidates():
    data = to_dict(SAVED["table"])
    data["candidates"] = []
    with pytest.raises(ValueError, match="this is not a saved kernelect object: the parts of its"):
        from_dict(data)
