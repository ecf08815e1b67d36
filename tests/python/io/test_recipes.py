"""New files become the columns that a model was fitted with."""

from __future__ import annotations

import io as standard_io
import sys

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import dump_svmlight_file

from kernelect import io

OLD = "id,age,town,size,kind\n1,31,Ulm,big,a\n2,,Bonn,small,b\n3,35,Ulm,,a\n4,40,Kiel,big,b\n"


@pytest.fixture
def learned(tmp_path):
    (tmp_path / "old.csv").write_text(OLD)
    return io.learn(tmp_path / "old.csv", encode=True, impute=True, drop=["id"])


def read(tmp_path, recipe, text, name="new.csv"):
    (tmp_path / name).write_text(text)
    return io.read_like(recipe, tmp_path / name)


def test_the_file_itself_gives_the_same_rows(tmp_path, learned):
    data, recipe = learned
    assert data.feature_names == [
        *("age", "town=Bonn", "town=Kiel", "town=Ulm", "size=big", "size=missing", "size=small")
    ]
    again = io.read_like(recipe, tmp_path / "old.csv")
    np.testing.assert_array_equal(again.X, data.X)
    assert again.y.tolist() == data.y.tolist()
    assert again.feature_names == data.feature_names
    plain = io.read(tmp_path / "old.csv", encode=True, impute=True, drop=["id"])
    np.testing.assert_array_equal(plain.X, data.X)


def test_columns_by_name_others_passed_over_target_or_not(tmp_path, learned):
    data, recipe = learned
    found = read(tmp_path, recipe, "size,more,town,age\nbig,9,Ulm,31\n")
    assert found.y is None
    np.testing.assert_array_equal(found.X, data.X[:1])
    found = read(tmp_path, recipe, "kind,size,town,age\n?,big,Ulm,31\na,big,Ulm,31\n")
    assert found.y is None
    assert found.X.shape == (2, 7)


def test_gaps_are_filled_with_what_was_learned(tmp_path, learned):
    _, recipe = learned
    found = read(tmp_path, recipe, "size,town,age\n,Ulm,\n")
    np.testing.assert_array_equal(found.X, [[35.0, 0, 0, 1, 0, 1, 0]])


def test_texts_not_seen_before(tmp_path, learned):
    _, recipe = learned
    with pytest.warns(UserWarning, match="column 'town' holds 'Paris', which the model has not"):
        found = read(tmp_path, recipe, "size,town,age\nbig,Paris,3\n")
    np.testing.assert_array_equal(found.X, [[3.0, 0, 0, 0, 1, 0, 0]])
    (tmp_path / "two.csv").write_text("sex,y\nf,1\nm,2\nf,3\n")
    _, recipe = io.learn(tmp_path / "two.csv", encode=True)
    with pytest.warns(UserWarning, match="holds 'x', which the model has not seen and count as"):
        found = read(tmp_path, recipe, "sex\nx\nm\n")
    assert found.X.tolist() == [[0.0], [1.0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("town,age\nUlm,3\n", "new.csv has no column 'size', which the model was fitted with"),
        ("size,town,age\nbig,Ulm,old\n", r"column 'age' \(text 'old' in row 1\) is not numeric"),
        ("size,town,age\nbig,Ulm,inf\n", r"column 'age' \(infinite in row 1\)"),
        ("size,town,age\n", "has a header but no rows"),
    ],
)
def test_refusals(tmp_path, learned, text, words):
    with pytest.raises(ValueError, match=words):
        read(tmp_path, learned[1], text)


def test_gaps_are_refused_where_none_were_filled(tmp_path):
    (tmp_path / "old.csv").write_text("a,b,y\n1,2,0\n3,4,1\n")
    _, recipe = io.learn(tmp_path / "old.csv")
    with pytest.raises(ValueError, match=r"column 'b' \(missing in row 2\)"):
        read(tmp_path, recipe, "a,b\n1,2\n1,\n")


def test_without_a_header(tmp_path):
    (tmp_path / "old.csv").write_text("5,1.5,0\n6,2.5,1\n7,3.5,0\n")
    data, recipe = io.learn(tmp_path / "old.csv", header=False, target="2")
    assert recipe.columns == ("1", "3")
    whole = read(tmp_path, recipe, "5,1.5,0\n6,2.5,1\n")
    np.testing.assert_array_equal(whole.X, data.X[:2])
    assert whole.y.tolist() == [1.5, 2.5]
    part = read(tmp_path, recipe, "5,0\n")
    np.testing.assert_array_equal(part.X, data.X[:1])
    assert part.y is None
    with pytest.raises(ValueError, match="has 4 columns, and the model was fitted with 3, the"):
        read(tmp_path, recipe, "5,0,1,2\n")


def test_an_index_of_a_frame_may_be_there_or_not(tmp_path):
    (tmp_path / "old.csv").write_text(",a,y\n0,5.5,1\n1,6.5,0\n2,7.5,1\n")
    with pytest.warns(UserWarning, match="counts the rows from 0"):
        _, recipe = io.learn(tmp_path / "old.csv")
    assert read(tmp_path, recipe, ",a\n7,1.5\n").X.tolist() == [[1.5]]
    assert read(tmp_path, recipe, "a\n1.5\n").X.tolist() == [[1.5]]


def test_decimal_commas_and_text_targets(tmp_path):
    (tmp_path / "old.csv").write_text("a;y\n1,5;1\n2,5;b\n")
    _, recipe = io.learn(tmp_path / "old.csv", decimal=",")
    found = read(tmp_path, recipe, "a;y\n3,5;1\n")
    assert found.X.tolist() == [[3.5]]
    assert found.y.tolist() == ["1"]


def test_archives(tmp_path):
    X = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    np.savez(tmp_path / "old.npz", X=X, y=[0, 1, 0])
    data, recipe = io.learn(tmp_path / "old.npz", drop=[1], impute=True)
    again = io.read_like(recipe, tmp_path / "old.npz")
    np.testing.assert_array_equal(again.X, data.X)
    np.savez(tmp_path / "new.npz", X=X[:1])
    assert io.read_like(recipe, tmp_path / "new.npz").X.tolist() == [[6.5, 3.0]]
    assert io.read_like(recipe, tmp_path / "new.npz").y is None
    np.savez(tmp_path / "wide.npz", X=np.ones((1, 4)))
    with pytest.raises(ValueError, match="has 4 columns, and the model was fitted with 3"):
        io.read_like(recipe, tmp_path / "wide.npz")
    with pytest.raises(ValueError, match="is read as csv, and the model was fitted on npz"):
        read(tmp_path, recipe, "a,b\n1,2\n")


@pytest.mark.parametrize("from_zero", [True, False])
@pytest.mark.parametrize("share", [0.1, 1.0])
def test_svmlight_text(tmp_path, from_zero, share):
    random = np.random.default_rng(0)
    X = random.normal(size=(20, 12)) * (random.uniform(size=(20, 12)) < share)
    X[0] = 1.0
    y = np.arange(20) % 2
    dump_svmlight_file(X, y, str(tmp_path / "old"), zero_based=from_zero)
    data, recipe = io.learn(tmp_path / "old", drop=[12])
    assert scipy.sparse.issparse(data.X) == (share < 0.25)
    narrow = np.where(np.arange(12) < 5, X, 0.0)[5:]
    narrow[:, 0] = 0.0  # indices that begin later than they may
    dump_svmlight_file(narrow, y[5:], str(tmp_path / "new"), zero_based=from_zero)
    found = io.read_like(recipe, tmp_path / "new")
    assert scipy.sparse.issparse(found.X) == scipy.sparse.issparse(data.X)
    rows = found.X.toarray() if scipy.sparse.issparse(found.X) else found.X
    np.testing.assert_allclose(rows, narrow[:, :11], rtol=1e-6)
    dump_svmlight_file(np.ones((2, 14)), [0, 1], str(tmp_path / "wide"), zero_based=from_zero)
    with pytest.raises(ValueError, match="has 14 columns, and the model was fitted with 12"):
        io.read_like(recipe, tmp_path / "wide")


def test_standard_input_is_what_the_model_was_fitted_on(tmp_path, learned, monkeypatch):
    data, recipe = learned
    given = standard_io.TextIOWrapper(standard_io.BufferedReader(standard_io.BytesIO(OLD.encode())))
    monkeypatch.setattr(sys, "stdin", given)
    np.testing.assert_array_equal(io.read_like(recipe, "-").X, data.X)


def test_bad_recipes_are_refused():
    for wrong in (
        {"format": "csv", "width": 1, "columns": ("a", "b")},
        {"format": "csv", "width": 2, "columns": ["a"]},
        {"format": "csv", "width": 2, "columns": ("a",), "medians": {"b": 1.0}},
        {"format": "csv", "width": 2, "columns": ("a",), "values": {"a": "text"}},
        {"format": "csv", "width": 2, "columns": ("a",), "header": "yes"},
    ):
        with pytest.raises(TypeError, match="the parts of a recipe have the wrong form"):
            io.Recipe(**wrong)
