"""How a file is to be read: columns, text, gaps, decimal commas, headers, formats, indices."""

from __future__ import annotations

import io as streams
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from kernelect import io

PEOPLE = """name,age,town,height,income
Ann,31,Ulm,1.7,10
Bob,,Bonn,1.8,20
Cid,45,Ulm,NA,30
Dan,51,?,1.6,40
"""


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


@pytest.fixture
def standard_input(monkeypatch):
    def give(content: bytes) -> None:
        raw = streams.BufferedReader(streams.BytesIO(content))
        monkeypatch.setattr(sys, "stdin", streams.TextIOWrapper(raw))

    return give


def refusal(path, **options):
    with pytest.raises((ValueError, TypeError), match=r"^[^\n]+$") as caught:
        io.read(path, **options)
    return str(caught.value)


def test_text_is_encoded_and_gaps_are_filled_in(people):
    X, y, names = io.read(people, drop=["name"], encode=True, impute=True)
    assert names == ["age", "town=Bonn", "town=Ulm", "town=missing", "height"]
    assert X.tolist() == [
        [31, 0, 1, 0, 1.7],
        [45, 1, 0, 0, 1.8],
        [45, 0, 1, 0, 1.7],
        [51, 0, 0, 1, 1.6],
    ]
    assert y.tolist() == [10, 20, 30, 40]
    assert "'age' (missing in row 2)" in refusal(people, drop=["name"], encode=True)
    assert "'town' (text 'Ulm' in row 1)" in refusal(people, drop=["name"], impute=True)


def test_encoding_is_that_of_scikit_learn(tmp_path):
    from sklearn.preprocessing import OneHotEncoder

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], 9000),
            "number": rng.normal(size=9000),
            "answer": rng.choice(["yes", "no"], 9000),
            "mixed": rng.choice(["1", "2", "x"], 9000),
        }
    )
    frame["y"] = np.arange(9000)
    frame.to_csv(tmp_path / "a.csv", index=False)
    X, _, names = io.read(tmp_path / "a.csv", encode=True)
    texts = ["colour", "answer", "mixed"]
    encoder = OneHotEncoder(drop="if_binary", sparse_output=False)
    expected = encoder.fit_transform(frame[texts])
    wanted = [name.replace("_", "=") for name in encoder.get_feature_names_out()]
    assert sorted(names) == sorted([*wanted, "number"])
    for name, column in zip(wanted, expected.T, strict=True):
        np.testing.assert_array_equal(X[:, names.index(name)], column)
    np.testing.assert_array_equal(X[:, names.index("number")], frame["number"])


def test_names_of_rows_are_not_encoded(tmp_path):
    lines = "".join(f"person {i},{i},{i % 2}\n" for i in range(300))
    (tmp_path / "a.csv").write_text("name,a,t\n" + lines)
    sentence = refusal(tmp_path / "a.csv", encode=True)
    assert "column 'name' holds 300 different texts" in sentence
    assert "drop=['name']" in sentence


def test_names_of_few_rows_are_said_to_tell_little(tmp_path):
    """A column of 200 names became as many columns without a word."""
    lines = [f"person {i},{'ab'[i % 2]},{i},{i % 2}\n" for i in range(40)]
    (tmp_path / "a.csv").write_text("name,kind,a,t\n" + "".join(lines))
    with pytest.warns(
        UserWarning, match=r"'name' holds 40 .* in 40 rows, .* drop=\['name'\]"
    ) as told:
        io.read(tmp_path / "a.csv", encode=True)
    assert len(told) == 1


def test_imputing_takes_the_median(tmp_path):
    (tmp_path / "a.csv").write_text("a,t\n1,0\n,1\n5,0\n100,1\n")
    assert io.read(tmp_path / "a.csv", impute=True).X.ravel().tolist() == [1, 5, 5, 100]
    (tmp_path / "b.csv").write_text("a,b,t\n,1,0\n,2,1\n")
    assert "column 'a' is missing in every row" in refusal(tmp_path / "b.csv", impute=True)
    X = np.array([[1.0, np.nan], [3.0, 4.0], [np.nan, 6.0]])
    np.savez(tmp_path / "a.npz", X=X, y=[0, 1, 0])
    assert io.read(tmp_path / "a.npz", impute=True).X.tolist() == [[1, 5], [3, 4], [2, 6]]


def test_columns_by_name(people):
    data = io.read(people, columns=["height", "age"], impute=True)
    assert data.feature_names == ["height", "age"]
    assert data.X[:, 1].tolist() == [31, 45, 45, 51]
    data = io.read(people, target="name", columns="income")
    assert data.X.ravel().tolist() == [10, 20, 30, 40]
    assert data.y.tolist() == ["Ann", "Bob", "Cid", "Dan"]


def test_the_default_target_is_the_last_column_that_is_left(people):
    people.write_text(PEOPLE.replace("NA", "1.9"))
    data = io.read(people, drop=["income", "name", "town"], impute=True)
    assert data.feature_names == ["age"]
    assert data.y.tolist() == [1.7, 1.8, 1.9, 1.6]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"columns": ["hight"]}, "no column 'hight': did you mean 'height'?"),
        ({"drop": ["hight"]}, "no column 'hight': did you mean 'height'?"),
        ({"columns": ["age"], "drop": ["town"]}, "exclude one another"),
        ({"columns": ["age", "income"]}, "the target 'income' is among the columns to learn from"),
        ({"drop": ["age"], "target": "age"}, "is among the columns to drop"),
        ({"drop": ["name", "age", "town", "height"]}, "no columns left"),
        ({"columns": ["age", "age"]}, "none twice"),
        ({"columns": [1.5]}, "must hold names of columns, not 1.5"),
        ({"encode": "yes"}, "encode must be True or False, not 'yes'"),
        ({"decimal": "'"}, "decimal must be '.' or ','"),
        ({"format": "excel"}, "format must be 'csv', 'npz' or 'svmlight', not 'excel'"),
    ],
)
def test_columns_refused(people, options, said):
    assert said in refusal(people, **options)


def test_a_decimal_comma(tmp_path):
    (tmp_path / "a.csv").write_text("a;b;t\n1,5;-2,25e1;0,5\n3;4;1,5\n")
    X, y, _ = io.read(tmp_path / "a.csv", decimal=",")
    assert X.tolist() == [[1.5, -22.5], [3.0, 4.0]]
    assert y.tolist() == [0.5, 1.5]
    assert "decimal=','" in refusal(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text('a,b,t\n"1,5",2,x\n"3,0",4,y\n')
    assert io.read(tmp_path / "b.csv", decimal=",").X.tolist() == [[1.5, 2.0], [3.0, 4.0]]
    (tmp_path / "c.csv").write_text("a;t\n1.500,5;0\n2;1\n")
    assert "text '1.500,5' in row 1" in refusal(tmp_path / "c.csv", decimal=",")
    (tmp_path / "d.csv").write_text("a;b\n1.5;2\n3.5;4\n", encoding="utf-8")
    assert "decimal='.'" in refusal(tmp_path / "d.csv", decimal=",")


def test_no_header(tmp_path):
    (tmp_path / "a.csv").write_text("1,2,x\n3,4,y\n5,6,x\n")
    X, y, names = io.read(tmp_path / "a.csv", header=False)
    assert X.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert names == ["1", "2"]
    assert y.tolist() == ["x", "y", "x"]
    data = io.read(tmp_path / "a.csv", header=False, target=1, columns=[2])
    assert data.X.ravel().tolist() == [2, 4, 6]
    assert data.y.tolist() == [1, 3, 5]
    (tmp_path / "b.csv").write_text("1,2,0\n3,4,1\n")
    assert "or pass header=False" in refusal(tmp_path / "b.csv")
    (tmp_path / "c.csv").write_text("1,2,0\n3,4\n")
    assert "where the first row has 3" in refusal(tmp_path / "c.csv", header=False)


@pytest.mark.parametrize(
    ("kind", "name"), [("csv", "table.txt"), ("npz", "a"), ("svmlight", "x.csv")]
)
def test_any_name_with_a_format(tmp_path, kind, name):
    path = tmp_path / name
    if kind == "npz":
        with path.open("wb") as file:
            np.savez(file, X=[[1.0, 2.0], [3.0, 4.0]], y=[0, 1])
    else:
        path.write_text("a,b,t\n1,2,0\n3,4,1\n" if kind == "csv" else "0 1:1 2:2\n1 1:3 2:4\n")
    X, y, _ = io.read(path, format=kind)
    assert X.tolist() == [[1, 2], [3, 4]]
    assert y.tolist() == [0, 1]


def test_standard_input(standard_input):
    standard_input(b"a,b,t\n1,2,0\n3,4,1\n")
    assert io.read("-", format="csv").X.tolist() == [[1, 2], [3, 4]]
    standard_input(b"0 1:1 2:2\n1 1:3 2:4\n")
    assert io.read("-", format="svmlight").y.tolist() == [0, 1]
    file = streams.BytesIO()
    np.savez(file, X=[[1.0], [2.0]], y=[0, 1])
    standard_input(file.getvalue())
    assert io.read("-", format="npz").X.tolist() == [[1], [2]]
    assert "standard input has no name to show its format; pass format=" in refusal("-")
    standard_input(b"")
    assert "standard input is empty" in refusal("-", format="csv")
    standard_input(b"a,t\nx,0\ny,1\n")
    assert "standard input: column 'a'" in refusal("-", format="csv")
    assert not sys.stdin.closed


def test_places_in_files_without_names(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.arange(6.0).reshape(2, 3), y=[0, 1])
    assert io.read(tmp_path / "a.npz", columns=[3, 1]).X.tolist() == [[2, 0], [5, 3]]
    assert io.read(tmp_path / "a.npz", drop=[2]).X.tolist() == [[0, 2], [3, 5]]
    assert "no column '4'" in refusal(tmp_path / "a.npz", columns=[4])
    assert "no columns left" in refusal(tmp_path / "a.npz", drop=[1, 2, 3])
    (tmp_path / "a.svm").write_text("0 1:1 2:2 3:3\n1 1:4 2:5 3:6\n")
    assert io.read(tmp_path / "a.svm", drop=[1]).X.tolist() == [[2, 3], [5, 6]]


@pytest.mark.parametrize(
    ("option", "fit"),
    [
        ({"encode": True}, "csv"),
        ({"impute": True}, "csv and npz"),
        ({"decimal": ","}, "csv"),
        ({"header": False}, "csv"),
    ],
)
def test_no_option_is_ignored(tmp_path, option, fit):
    (tmp_path / "a.svm").write_text("0 1:1\n1 1:4\n")
    (name,) = option
    assert f"is read as svmlight, and {name} is for {fit}: leave" in refusal(
        tmp_path / "a.svm", **option
    )
    parts = scipy.sparse.csr_array(np.eye(30))
    scipy.sparse.save_npz(tmp_path / "rows.npz", parts)
    with np.load(tmp_path / "rows.npz") as kept:
        np.savez(tmp_path / "a.npz", **kept, y=np.arange(30))
    assert "look the same" in refusal(tmp_path / "a.npz", impute=True)


@pytest.mark.parametrize("again", [False, True])
def test_the_index_of_a_saved_frame_is_left_out(tmp_path, again):
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5], "town": ["Ulm", "Bonn", "Ulm"], "t": [0, 1, 0]})
    frame.to_csv(tmp_path / "a.csv")
    if again:
        pd.read_csv(tmp_path / "a.csv").to_csv(tmp_path / "a.csv", index=False)
    with pytest.warns(UserWarning, match="counts the rows from 0, as the index .* is left out"):
        data = io.read(tmp_path / "a.csv", drop=["town"])
    assert data.feature_names == ["a"]
    assert data.X.tolist() == [[0.5], [1.5], [2.5]]
    with pytest.warns(UserWarning, match="is left out"):
        data = io.read(tmp_path / "a.csv", encode=True)
    assert data.feature_names == ["a", "town=Ulm"]


def test_other_first_columns_stay(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in (",a,t\n0,1,0\n2,2,1\n1,3,0\n", "n,a,t\n0,1,0\n1,2,1\n2,3,0\n"):
            (tmp_path / "a.csv").write_text(text)
            assert io.read(tmp_path / "a.csv").X.shape == (3, 2)
        (tmp_path / "a.csv").write_text("Unnamed: 0,a,t\n0,1,0\n1,2,1\n")
        assert io.read(tmp_path / "a.csv", columns=["Unnamed: 0", "a"]).X.shape == (2, 2)
    (tmp_path / "a.csv").write_text(",t\n0,0\n1,1\n")
    assert "no columns to learn from but the index" in refusal(tmp_path / "a.csv")


def test_single_rows_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("a,t\n1,0\n")
    (tmp_path / "a.svm").write_text("1 1:2\n")
    np.savez(tmp_path / "a.npz", X=[[1.0]], y=[0])
    for name in ("a.csv", "a.svm", "a.npz"):
        said = refusal(tmp_path / name)
        assert said.startswith(f"{name} has a single row: at least two are needed")


def test_a_row_that_is_taken_for_names_is_pointed_at(tmp_path):
    """The first flower of a file without a header was lost without a word."""
    path = tmp_path / "a.csv"
    path.write_text("5.1,3,setosa\n4.9,3,setosa\n7.0,2,other\n")
    with pytest.warns(UserWarning, match="has numbers; if it is a row, pass header=False"):
        assert len(io.read(path).y) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(io.read(path, header=False).y) == 3
        for names in ("0,1,y", "7,8,y", "a,2.5,y", "2,y"):  # as frames are saved
            count = names.count(",")
            path.write_text("\n".join([names, *(["4.5," * count + "1"] * 3)]) + "\n")
            assert len(io.read(path).y) == 3
