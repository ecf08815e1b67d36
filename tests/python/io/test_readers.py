"""The readers: what each format gives, and one sentence for each thing that can be wrong."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import dump_svmlight_file

from kernelect import io

CSV = "length,width,kind\n1.5,0.25,small\n4.75,1.5,large\n5,-2e1,large\n"
CSV_X = [[1.5, 0.25], [4.75, 1.5], [5.0, -20.0]]
COMPRESS = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(path: Path, **options: str) -> str:
    """The sentence with which the file is refused; it must be one line and end without a stop."""
    with pytest.raises(ValueError, match=r"^[^\n]+$") as caught:
        io.read(path, **options)
    sentence = str(caught.value)
    assert not sentence.endswith(".")
    assert path.name in sentence
    return sentence


# CSV


@pytest.mark.parametrize("ending", COMPRESS)
def test_csv_plain_and_compressed(tmp_path, ending):
    path = written(tmp_path / f"flowers.csv{ending}", COMPRESS[ending](CSV.encode()))
    X, y, names = io.read(path)
    assert X.dtype == np.float64
    assert X.tolist() == CSV_X
    assert y.tolist() == ["small", "large", "large"]
    assert names == ["length", "width"]


def test_csv_target_by_name_may_stand_anywhere(tmp_path):
    path = written(tmp_path / "a.csv", "kind,a,b\n1,2,3\n0,5,6\n")
    X, y, names = io.read(path, target="kind")
    assert X.tolist() == [[2, 3], [5, 6]]
    assert y.tolist() == [1, 0]
    assert y.dtype == np.int64
    assert names == ["a", "b"]


def test_csv_targets_keep_their_kind(tmp_path):
    def target(*cells: str) -> np.ndarray:
        return io.read(written(tmp_path / "a.csv", "a,t\n" + "".join(f"1,{c}\n" for c in cells))).y

    assert target("1", "2.0").dtype == np.int64
    assert target("1", "2.5").dtype == np.float64
    assert target("1", "b").tolist() == ["1", "b"]
    assert target("True", "False").tolist() == ["True", "False"]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_csv_other_separators(tmp_path, separator):
    path = written(tmp_path / "flowers.csv", CSV.replace(",", separator))
    assert io.read(path).X.tolist() == CSV_X


def test_csv_as_spreadsheets_write_it(tmp_path):
    """A byte-order mark, CRLF, quotes, blanks around cells, an empty last line."""
    text = '\ufeff"length, cm", width ,kind\r\n 1.5 ,"0.25",small\r\n4.75,1.5,large\r\n\r\n'
    X, y, names = io.read(written(tmp_path / "a.csv", text))
    assert X.tolist() == CSV_X[:2]
    assert y.tolist() == ["small", "large"]
    assert names == ["length, cm", "width"]


def test_csv_longer_than_one_block(tmp_path):
    n = 20_000
    values = np.random.default_rng(0).normal(size=(n, 2))
    lines = [f"{a!r},{b!r},{i % 3}\n" for i, (a, b) in enumerate(values.tolist())]
    X, y, _ = io.read(written(tmp_path / "a.csv", "a,b,t\n" + "".join(lines)))
    assert np.array_equal(X, values)
    assert np.array_equal(y, np.arange(n) % 3)
    lines[15_000] = "1,oops,0\n"
    sentence = refusal(written(tmp_path / "a.csv", "a,b,t\n" + "".join(lines)))
    assert "'b' (text 'oops' in row 15001)" in sentence


def test_sparse_rows_have_the_indices_that_scikit_learn_takes(tmp_path):
    X = io.read(written(tmp_path / "a.svm", "1 1:2 9:1\n0 3:1\n1 2:1\n")).X
    assert X.indices.dtype == X.indptr.dtype == np.int32


def test_csv_names_every_column_that_is_not_numeric(tmp_path):
    text = "age,town,height,far,t\n31,Ulm,1.8,1,0\n,Bonn,NA,inf,1\n"
    sentence = refusal(written(tmp_path / "people.csv", text))
    assert "'age' (missing in row 2)" in sentence
    assert "'town' (text 'Ulm' in row 1)" in sentence
    assert "'height' (missing in row 2)" in sentence
    assert "'far' (infinite in row 2)" in sentence
    assert "encode text as numbers, fill in missing cells, or drop the columns" in sentence


def test_csv_with_many_bad_columns_stays_one_short_sentence(tmp_path):
    header = ",".join(f"c{i}" for i in range(50))
    sentence = refusal(written(tmp_path / "a.csv", f"{header}\n{','.join(['x'] * 50)}\n"))
    assert "and 45 more" in sentence
    assert len(sentence) < 400


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("a,b,t\n", "no rows"),
        ("t\n1\n", "single column"),
        ("1,2,0\n3,4,1\n", "no header"),
        ("a,b,a,t\n1,2,3,0\n", "several columns named 'a'"),
        ("a,b,t\n1,2,0\n1,2\n", "row 2 has 2 cells where the header has 3"),
        ("a,b,t\n1,2,0,4\n", "row 1 has 4 cells where the header has 3"),
        ("a,t\n1,0\n2,\n", "the target 't' is missing in row 2"),
        ("a,t\n1,0\n2,nan\n", "the target 't' is missing in row 2"),
        (b"a,t\n\xff\xfe,1\n", "not UTF-8"),
    ],
)
def test_csv_refused(tmp_path, text, said):
    assert said in refusal(written(tmp_path / "bad.csv", text))


def test_csv_target_that_is_not_there(tmp_path):
    path = written(tmp_path / "flowers.csv", CSV)
    assert "did you mean 'width'?" in refusal(path, target="widht")
    assert "it has 'length', 'width', 'kind'" in refusal(path, target="zzz")


# svmlight


@pytest.mark.parametrize("ending", COMPRESS)
def test_svmlight_plain_and_compressed(tmp_path, ending):
    text = b"# a comment\n+1 1:0.5 3:2 # another\n-1 2:1 3:4\n"
    path = written(tmp_path / f"data.svm{ending}", COMPRESS[ending](text))
    X, y, names = io.read(path)
    assert X.tolist() == [[0.5, 0.0, 2.0], [0.0, 1.0, 4.0]]
    assert y.tolist() == [1, -1]
    assert y.dtype == np.int64
    assert names is None


def test_svmlight_stays_sparse_unless_it_is_full(tmp_path):
    rng = np.random.default_rng(1)
    y = rng.normal(size=60)
    for share, sparse in [(0.05, True), (0.9, False)]:
        dense = rng.normal(size=(60, 40)) * (rng.uniform(size=(60, 40)) < share)
        path = tmp_path / f"share{share}"
        dump_svmlight_file(dense, y, str(path), zero_based=False)
        X, target, _ = io.read(path)
        assert scipy.sparse.issparse(X) is sparse
        X = X.toarray() if sparse else X
        np.testing.assert_allclose(X, dense[:, : X.shape[1]], rtol=1e-14)
        np.testing.assert_allclose(target, y, rtol=1e-14)


@pytest.mark.parametrize("name", ["a9a", "a9a.t", "heart_scale", "data.libsvm", "data.txt"])
def test_other_endings_are_svmlight(tmp_path, name):
    assert io.read(written(tmp_path / name, "1 1:2\n0 1:3\n")).y.tolist() == [1, 0]


@pytest.mark.parametrize(
    "text", ["spam 1:2\n", "1 1:x\n", "1,2,3\n", b"\x89PNG\x00\x01", "1 2:1 1:2\n"]
)
def test_svmlight_refused(tmp_path, text):
    sentence = refusal(written(tmp_path / "data.svm", text))
    assert "cannot be read as svmlight text" in sentence
    assert "'target index:value index:value ...'" in sentence


def test_svmlight_without_rows(tmp_path):
    assert "is empty" in refusal(written(tmp_path / "data.svm", ""))
    assert "no rows" in refusal(written(tmp_path / "data.svm", "# only a comment\n"))


def test_svmlight_has_no_named_target(tmp_path):
    sentence = refusal(written(tmp_path / "data.svm", "1 1:2\n"), target="kind")
    assert "target='kind'" in sentence


# npz


def test_npz(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.array([[1, 2], [3, 4]]), y=["no", "yes"], z=[[0.5], [1.5]])
    X, y, names = io.read(tmp_path / "a.npz")
    assert X.dtype == np.float64
    assert X.tolist() == [[1, 2], [3, 4]]
    assert y.tolist() == ["no", "yes"]
    assert names is None
    assert io.read(tmp_path / "a.npz", target="z").y.tolist() == [0.5, 1.5]


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_npz_with_sparse_parts(tmp_path, kind):
    rows = scipy.sparse.random_array(
        (30, 20), density=0.1, format=kind, rng=np.random.default_rng(2)
    )
    scipy.sparse.save_npz(tmp_path / "rows.npz", rows)
    with np.load(tmp_path / "rows.npz") as parts:
        np.savez(tmp_path / "a.npz", **parts, y=np.arange(30))
    X, y, _ = io.read(tmp_path / "a.npz")
    assert scipy.sparse.issparse(X)
    assert X.format == "csr"
    assert np.array_equal(X.toarray(), rows.toarray())
    assert y.tolist() == list(range(30))


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"X": [[1.0]]}, "no array 'y' (it has 'X')"),
        ({"x": [[1.0]], "y": [1]}, "no array 'X' (it has 'x', 'y')"),
        ({"X": [[1.0], [2.0]], "y": [1]}, "X has 2 rows but 'y' has 1"),
        ({"X": [1.0, 2.0], "y": [1, 2]}, "X has shape (2,)"),
        ({"X": [["a"], ["b"]], "y": [1, 2]}, "type <U1"),
        ({"X": [[1.0], [2.0]], "y": [[1, 2], [3, 4]]}, "'y' has shape (2, 2)"),
        ({"X": np.array([[None]]), "y": [1]}, "without arrays of objects"),
    ],
)
def test_npz_refused(tmp_path, arrays, said):
    np.savez(tmp_path / "bad.npz", **arrays)
    assert said in refusal(tmp_path / "bad.npz")


def test_npz_that_is_none(tmp_path):
    assert "not a NumPy archive" in refusal(written(tmp_path / "a.npz", "1,2,3\n"))
    np.savez(tmp_path / "whole.npz", X=np.zeros((50, 50)), y=np.zeros(50))
    whole = (tmp_path / "whole.npz").read_bytes()
    damaged = whole[:100] + bytes(1000) + whole[1100:]
    assert "cannot be read as a NumPy archive" in refusal(written(tmp_path / "a.npz", damaged))


# any file


def test_files_that_are_not_there(tmp_path):
    for name in ["none.csv", "none.npz", "none.svm", "none.csv.gz"]:
        assert "No such file" in refusal(tmp_path / name)
    (tmp_path / "folder.csv").mkdir()
    assert "directory" in refusal(tmp_path / "folder.csv")


@pytest.mark.parametrize("name", ["a.csv", "a.svm"])
@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz"])
def test_damaged_compression(tmp_path, name, ending):
    text = "".join(f"{i} 1:{i},2,3\n" for i in range(2000)).encode()
    whole = COMPRESS[ending](text)
    assert "cannot be read" in refusal(
        written(tmp_path / (name + ending), whole[: len(whole) // 2])
    )
    assert "cannot be read" in refusal(written(tmp_path / (name + ending), b"not compressed"))
