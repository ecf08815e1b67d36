"""The tables of the guide about many rows are those of the committed results."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GUIDE, RESULTS = ROOT / "docs" / "guide", ROOT / "bench" / "results"


@pytest.fixture(autouse=True)
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    yield
    for name in ("scale_tables", "scale_sets", "dask_scale", "report"):
        sys.modules.pop(name, None)


def test_elections(tmp_path):
    from scale_tables import write_tables

    write_tables(json.loads((RESULTS / "scale.json").read_text())["found"], tmp_path)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_text() for path in GUIDE.glob("scale_*.csv")}
    named = (GUIDE / "many_rows.rst").read_text()
    assert all(f":file: {name}" in named for name in made)
    for page in ("light", "dark"):
        assert (ROOT / "docs" / "_static" / f"scale-{page}.svg").is_file()


def test_the_model_of_a_cluster():
    pytest.importorskip("distributed")
    from dask_scale import Size, included

    facts = json.loads((RESULTS / "dask_scale.json").read_text())
    assert included(facts, Size(**facts["size"])) == (GUIDE / "dask_scale.inc").read_text()
