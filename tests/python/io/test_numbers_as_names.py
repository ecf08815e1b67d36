"""A first line of nothing but numbers: names, where it counts the columns; else a row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from kernelect import io

SAID = "the first line counts the columns from 0, as saved data frames do, and names them"


@pytest.fixture
def frame():
    return pd.DataFrame(np.random.default_rng(0).normal(size=(6, 3)))


def test_a_saved_frame_without_names(tmp_path, frame):
    path = tmp_path / "frame.csv"
    frame.to_csv(path, index=False)
    with pytest.warns(UserWarning, match=SAID) as warned:
        data = io.read(path)
    assert str(warned[0].message).endswith("if it is a row, pass header=False")
    assert data.feature_names == ["0", "1"]
    np.testing.assert_allclose(data.X, frame[[0, 1]])
    np.testing.assert_allclose(data.y, frame[2])
    with pytest.warns(UserWarning, match=SAID):
        assert io.read(path, target=0, drop=[1]).feature_names == ["2"]


def test_a_saved_frame_with_its_index(tmp_path, frame):
    frame.to_csv(tmp_path / "frame.csv")
    with pytest.warns(UserWarning, match="counts the rows from 0") as warned:
        data = io.read(tmp_path / "frame.csv")
    assert len(warned) == 1
    assert data.feature_names == ["0", "1"]


def test_it_is_a_row_where_the_caller_says_so(tmp_path, frame, recwarn):
    frame.to_csv(tmp_path / "frame.csv", index=False)
    assert io.read(tmp_path / "frame.csv", header=False).X[0].tolist() == [0, 1]
    assert not recwarn.list


@pytest.mark.parametrize("first", ["1,2,3", "0,2,1", "0.0,1.0,2.0", "0,1,1", "00,1,2", "-0,1,2"])
def test_other_numbers_are_a_row(tmp_path, first):
    path = tmp_path / "rows.csv"
    path.write_text(f"{first}\n5,6,7\n8,9,10\n")
    with pytest.raises(ValueError, match=r"no header, .* pass header=False"):
        io.read(path)


def test_new_tables_have_the_names_that_were_there(tmp_path, frame, recwarn):
    frame.to_csv(tmp_path / "old.csv", index=False)
    with pytest.warns(UserWarning, match=SAID):
        _, recipe = io.learn(tmp_path / "old.csv", target="0")
    recwarn.clear()
    frame[[2, 1]].to_csv(tmp_path / "new.csv", index=False)
    frame[[1]].to_csv(tmp_path / "narrow.csv", index=False)
    np.testing.assert_allclose(io.read_like(recipe, tmp_path / "new.csv").X, frame[[1, 2]])
    assert not recwarn.list
    with pytest.raises(ValueError, match="no header"):
        io.read_like(recipe, tmp_path / "narrow.csv")


def test_columns_that_are_counted_may_be_dropped(tmp_path, frame, recwarn):
    frame.assign(t=1).to_csv(tmp_path / "frame.csv", index=False)
    assert io.read(tmp_path / "frame.csv", drop=["1"]).feature_names == ["0", "2"]
    assert not recwarn.list
