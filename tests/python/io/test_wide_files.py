"""Files of many columns: text has tens of thousands, of which a row has a few."""

import numpy as np
import pytest
import scipy.sparse as sp

from kernelect.io import _npz, _svmlight

WIDTH = 10_000


def counted(monkeypatch, module):
    """Have calls of the names of all columns counted: each goes over all there are."""
    calls, plain = [], module.numbered
    monkeypatch.setattr(module, "numbered", lambda width: calls.append(width) or plain(width))
    return calls


def test_svmlight_text_names_its_columns_once(tmp_path, monkeypatch):
    path = tmp_path / "wide.svm"
    path.write_text(f"1 {WIDTH}:2\n-1 2:1\n")
    calls = counted(monkeypatch, _svmlight)
    data, recipe = _svmlight.learn_svmlight(path)
    assert data.X.shape == (2, WIDTH)
    assert recipe.columns[-1] == str(WIDTH)
    assert calls == [WIDTH]


@pytest.mark.parametrize("rows", [np.ones((2, WIDTH)), sp.eye_array(2, WIDTH, format="csr")])
def test_archives_name_their_columns_once(rows, tmp_path, monkeypatch):
    path = tmp_path / "wide.npz"
    if sp.issparse(rows):
        csr = {"indices": rows.indices, "indptr": rows.indptr, "format": b"csr", "data": rows.data}
        np.savez(path, **csr, shape=np.array(rows.shape), y=np.arange(2))
    else:
        np.savez(path, X=rows, y=np.arange(2))
    calls = counted(monkeypatch, _npz)
    data, recipe = _npz.learn_npz(path, columns=[1, WIDTH])
    assert data.X.shape == (2, 2)
    assert recipe.columns == ("1", str(WIDTH))
    assert calls == [WIDTH]
