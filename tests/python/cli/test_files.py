"""Files on the command line: the options that say how they are read."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from command_line import MODULE, refusal, result_of, run

import kernelect as ke
from kernelect import io


@pytest.fixture
def people(tmp_path):
    rng = np.random.default_rng(0)
    lines = [",name,age,town,height,sick"]
    for i in range(40):
        sick = i % 2
        age = "" if i == 7 else f"{30 + 20 * sick + rng.normal():.2f}"
        lines.append(f"{i},P{i},{age},{['Ulm', 'Bonn', 'Kiel'][i % 3]},{rng.normal():.2f},{sick}")
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_table_as_it_is(people):
    written = result_of("select", people, "--drop", "name", "--encode", "--impute")
    names = ["age", "town=Bonn", "town=Kiel", "town=Ulm", "height"]
    assert written["data"]["feature_names"] == names
    assert any("it is left out" in sentence for sentence in written["warnings"])
    with pytest.warns(UserWarning, match="it is left out"):
        data = io.read(people, drop=["name"], encode=True, impute=True)
    assert written["result"]["kernel"] == repr(ke.select(data.X, data.y).kernel)
    written = result_of("evaluate", people, "--columns", "age, height", "--impute")
    assert written["data"]["feature_names"] == ["age", "height"]


def test_remedies_name_options(people):
    sentence = refusal("select", people, "--drop", "name")
    assert "drop the columns: --encode, --impute, --drop NAMES" in sentence
    people.write_text("1,2,0\n3,4,1\n5,6,0\n")
    assert "or pass --no-header" in refusal("select", people)
    assert "pass --format csv, npz or svmlight" in refusal("select", "-")
    assert "not allowed with" in refusal("select", people, "--drop", "a", "--columns", "b")
    assert "empty name" in refusal("select", people, "--drop", "a,,b")


def test_decimal_commas_without_a_header_under_any_name(tmp_path, data):
    X, y = data
    rows = [";".join(f"{x:.6f}" for x in row) + f";{t}" for row, t in zip(X, y, strict=True)]
    path = tmp_path / "messung.txt"
    path.write_text("\n".join(rows).replace(".", ",") + "\n")
    arguments = ["select", path, "--format", "csv", "--decimal", ",", "--no-header"]
    written = result_of(*arguments)
    assert written["data"]["feature_names"] == ["1", "2", "3"]
    assert written["result"]["kernel"] == repr(ke.select(X, y).kernel)


def test_standard_input(table):
    command = [*MODULE, "select", "-", "--format", "csv", "--target", "kind"]
    with table.open("rb") as file:
        done = subprocess.run(command, stdin=file, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "standard input: 60 rows, 3 columns" in done.stdout


def test_whole_numbers_say_how_to_make_them_a_regression(tmp_path, data):
    X, _ = data
    y = np.round(2 * X[:, 0]).astype(int)
    np.savez(tmp_path / "a.npz", X=X, y=y)
    hint = "--task regression predicts them as numbers"
    arguments = ["evaluate", tmp_path / "a.npz", "--criteria", "kta", "--grid", "0:2"]
    assert hint in run(*arguments).stdout
    assert hint not in run(*arguments, "--task", "classification").stdout
    assert hint not in run(*arguments, "--task", "regression").stdout
    np.savez(tmp_path / "a.npz", X=X, y=y > 0)
    assert hint not in run(*arguments).stdout
    np.savez(tmp_path / "a.npz", X=X, y=np.array(["a", "b", "c"])[np.arange(60) % 3])
    assert hint not in run(*arguments).stdout
