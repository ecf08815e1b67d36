"""A column of groups: found, left out of the features, carried beside rows and target."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from kernelect import io

VISITS = """patient,age,weight,ill
p1,31,70,0
p1,32,71,1
p2,45,80,1
p2,46,82,0
"""


@pytest.fixture
def visits(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text(VISITS)
    return path


def refusal(path, **options):
    with pytest.raises((ValueError, TypeError), match=r"^[^\n]+$") as caught:
        io.read(path, **options)
    return str(caught.value)


def test_groups_are_no_feature(visits):
    data = io.read(visits, groups="patient")
    assert data.groups.tolist() == ["p1", "p1", "p2", "p2"]
    assert data.feature_names == ["age", "weight"]
    assert data.X.tolist() == [[31, 70], [32, 71], [45, 80], [46, 82]]
    assert data.y.tolist() == [0, 1, 1, 0]


def test_a_data_set_still_unpacks_into_three(visits):
    X, y, names = io.read(visits, groups="patient")
    assert (X.shape, y.shape, names) == ((4, 2), (4,), ["age", "weight"])
    assert io.read(visits, target="age", drop=["patient"]).groups is None


@pytest.mark.parametrize(
    "again", [copy.copy, lambda data: pickle.loads(pickle.dumps(data)), lambda d: d._replace(y=0)]
)
def test_groups_stay_with_their_data(visits, again):
    assert again(io.read(visits, groups="patient")).groups.tolist() == ["p1", "p1", "p2", "p2"]


def test_the_last_column_may_be_the_groups(visits):
    data = io.read(visits, groups="ill", drop=["patient"])
    assert (data.feature_names, data.y.tolist()) == (["age"], [70, 71, 80, 82])


def test_groups_by_place(visits, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(VISITS.split("\n", 1)[1])
    data = io.read(path, groups=1, header=False)
    assert data.groups.tolist() == ["p1", "p1", "p2", "p2"]
    assert data.feature_names == ["2", "3"]


def test_groups_beside_a_saved_index(tmp_path):
    frame = pd.DataFrame({"a": [1.5, 2.5, 3.5], "who": ["x", "y", "x"], "t": [0, 1, 0]})
    frame.to_csv(tmp_path / "frame.csv")
    with pytest.warns(UserWarning, match="counts the rows from 0"):
        data = io.read(tmp_path / "frame.csv", groups="who")
    assert (data.feature_names, data.groups.tolist()) == (["a"], ["x", "y", "x"])


def test_new_tables_need_no_groups(visits, tmp_path):
    _, recipe = io.learn(visits, groups="patient")
    (tmp_path / "new.csv").write_text("weight,age\n70,31\n")
    assert io.read_like(recipe, tmp_path / "new.csv").X.tolist() == [[31, 70]]
    assert io.read_like(recipe, visits).X.shape == (4, 2)


def test_an_array_of_groups(tmp_path):
    path = tmp_path / "rows.npz"
    np.savez(path, X=np.eye(3), y=[0, 1, 0], who=["a", "b", "a"], table=np.eye(2), few=[1])
    assert io.read(path, groups="who").groups.tolist() == ["a", "b", "a"]
    assert io.read(path).groups is None
    assert "no array 'hwo' of groups (it has 'X', 'y', 'who'" in refusal(path, groups="hwo")
    assert "'table' has shape (2, 2); it must have one value per row" in refusal(
        path, groups="table"
    )
    assert "X has 3 rows but 'few' has 1" in refusal(path, groups="few")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"groups": "pateint"}, "did you mean 'patient'?"),
        ({"groups": "ill", "target": "ill"}, "'ill' is both the target and the groups"),
        ({"groups": "age", "columns": ["age", "weight"]}, "the groups 'age' is among the columns"),
        ({"groups": ["patient"]}, "groups must be the name of a column, not ['patient']"),
        ({"target": ["ill"]}, "target must be the name of a column, not ['ill']"),
    ],
)
def test_refusals(visits, options, said):
    assert said in refusal(visits, **options)


def test_every_row_has_a_group(visits):
    visits.write_text(VISITS + ",47,83,1\n")
    said = refusal(visits, groups="patient")
    assert "the group 'patient' is missing in row 5: give every row a group" in said


def test_svmlight_text_has_no_groups(tmp_path):
    (tmp_path / "rows").write_text("1 1:2\n0 1:3\n")
    assert "groups is for csv and npz" in refusal(tmp_path / "rows", groups="who")
