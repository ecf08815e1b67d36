"""Tables that are long, wide or odd."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kernelect.io import read_csv, read_svmlight


def test_a_newline_in_a_quoted_header(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"length\nin cm",width,kind\n1,2,a\n3,4,b\n')
    X, y, names = read_csv(path)
    assert names == ["length in cm", "width"]
    assert X.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert y.tolist() == ["a", "b"]


def test_a_separator_within_quotes_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"length, cm";width;kind\n1;2;a\n3;4;b\n')
    assert read_csv(path).feature_names == ["length, cm", "width"]


def test_a_quote_that_is_never_closed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,"b,kind\n' + "1,2,x\n" * 5)
    with pytest.raises(ValueError, match=r"t\.csv"):
        read_csv(path)


def test_twenty_thousand_columns_take_no_quadratic_time(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    count = 20_000
    header = ",".join(f"c{i}" for i in range(count))
    path.write_text(f"{header},y\n" + "\n".join(",".join(["1"] * (count + 1)) for _ in range(2)))
    started = time.process_time()
    assert read_csv(path).X.shape == (2, count)
    assert time.process_time() - started < 2.0  # 6 s when names were counted one by one


@pytest.mark.parametrize("reader", ["csv", "svmlight"])
def test_messages_are_short_where_lines_are_not(tmp_path: Path, reader: str) -> None:
    path = tmp_path / "t.csv"
    word = "x" * 100_000
    path.write_text(f"a,b,y\n1,{word},0\n" if reader == "csv" else f"{word} 1:2\n1 1:3\n")
    with pytest.raises(ValueError, match=r"t\.csv") as caught:
        read_csv(path) if reader == "csv" else read_svmlight(path)
    assert len(str(caught.value)) < 600


def test_a_long_column_name_is_cut_in_messages(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    name = "n" * 50_000
    path.write_text(f"{name},b,y\nnope,2,0\n")
    with pytest.raises(ValueError, match="not numeric") as caught:
        read_csv(path)
    assert len(str(caught.value)) < 600
