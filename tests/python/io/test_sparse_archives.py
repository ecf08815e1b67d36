"""Archives with the parts of sparse rows: whatever is in them, rows or one sentence come out."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelect.io import read_npz

FORMATS = ["csr", "csc", "bsr", "coo", "dia"]


def parts_of(form: str) -> dict[str, Any]:
    """The arrays that `scipy.sparse.save_npz` writes for a small matrix."""
    dense = np.zeros((6, 4))
    dense[[0, 1, 2, 3, 5], [1, 3, 0, 2, 1]] = [1.0, 2.0, 3.0, 4.0, 5.0]
    matrix = sp.coo_matrix(dense).asformat(form)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.npz")
        sp.save_npz(path, matrix)
        with np.load(path) as archive:
            return {name: archive[name] for name in archive.files}


def outcome(parts: dict[str, Any]) -> np.ndarray | None:
    """Read the parts back: rows, or None where one sentence refuses them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "data.npz")
        np.savez(path, y=np.arange(6) % 2, **parts)
        try:
            X, _, _ = read_npz(path)
        except ValueError as error:
            message = str(error)
        else:
            return X.toarray() if sp.issparse(X) else X
    assert "data.npz" in message
    assert len(message) < 500
    assert "\n" not in message
    return None


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_read(form: str) -> None:
    found = outcome(parts_of(form))
    assert found is not None
    assert found.sum() == 15.0


@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("bad", [10**6, -1, -(10**6), 2**31 - 1])
def test_indices_outside_the_shape_are_refused(form: str, bad: int) -> None:
    parts = parts_of(form)
    parts["indices"] = parts["indices"].copy()
    parts["indices"][1] = bad
    assert outcome(parts) is None


@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("bad", [10**6, -1, 2**31 - 1])
@pytest.mark.parametrize("place", [0, 1, -1])
def test_starts_that_do_not_ascend_are_refused(form: str, bad: int, place: int) -> None:
    parts = parts_of(form)
    parts["indptr"] = parts["indptr"].copy()
    parts["indptr"][place] = bad
    assert outcome(parts) is None


@pytest.mark.parametrize("bad", [10**6, -1])
@pytest.mark.parametrize("part", ["row", "col"])
def test_coordinates_outside_the_shape_are_refused(part: str, bad: int) -> None:
    parts = parts_of("coo")
    parts[part] = parts[part].copy()
    parts[part][0] = bad
    assert outcome(parts) is None


numbers = st.integers(-(2**40), 2**40) | st.integers(-8, 8)


@settings(max_examples=300, deadline=None)
@given(form=st.sampled_from(FORMATS), data=st.data())
def test_mutated_archives_end_in_rows_or_a_sentence(form: str, data: st.DataObject) -> None:
    parts = parts_of(form)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(parts)))
        array = np.array(parts[name])
        if array.dtype.kind == "S" or data.draw(st.integers(0, 9)) == 0:
            choices = [b"csr", b"csc", b"bsr", b"coo", b"dia", b"lil", b"", np.zeros(0), 7.5]
            parts[name] = np.array(data.draw(st.sampled_from(choices)))
        elif data.draw(st.booleans()) and array.ndim > 0:
            parts[name] = array[: data.draw(st.integers(0, len(array)))]
        elif array.size:
            changed = array.astype(np.int64 if array.dtype.kind == "i" else array.dtype).ravel()
            changed[data.draw(st.integers(0, array.size - 1))] = data.draw(numbers)
            parts[name] = changed.reshape(array.shape)
    shape = np.array(parts["shape"])
    if shape.dtype.kind in "if" and np.abs(shape).max(initial=0) > 1e7:
        return  # a huge but valid shape is a question of memory, not of form
    outcome(parts)


def test_a_member_that_is_no_array(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "data.npz"
    np.savez(path, X=np.eye(3))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("y", "not an array")
    with pytest.raises(ValueError, match="'y' is not an array"):
        read_npz(path)
