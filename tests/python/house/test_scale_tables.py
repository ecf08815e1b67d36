"""The tables of the guide about many rows are those of the committed results, of one code."""

import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GUIDE, RESULTS = ROOT / "docs" / "guide", ROOT / "bench" / "results"


@pytest.fixture(autouse=True)
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    yield
    for name in (
        "scale",
        "scale_page",
        "scale_tables",
        "scale_runs",
        "scale_sets",
        "dask_scale",
        "report",
    ):
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


@pytest.fixture
def runs(tmp_path):
    """Runs of a bench whose time is up, or ends after some minutes."""
    from scale_runs import Runs

    def of(minutes=0.0, **options):
        given = {"data": None, "python": [], "retry": False, "limit": None, **options}
        return Runs(Namespace(out=tmp_path, minutes=minutes, **given))

    return of


def kept(folder, **facts):
    run = {**TASK, "seconds": 0.5, "cpu": 0.5, "megabytes": 1.0, **facts}
    line = json.dumps([json.dumps(TASK, sort_keys=True), run])
    (folder / "scale-runs.jsonl").write_text(line + "\n")
    return run


TASK = {"rows": 300, "lam": 1.0}


def test_runs_are_kept(tmp_path, runs):
    from scale_runs import maker

    run = kept(tmp_path, by=maker("kernelect"))
    assert runs().known(TASK) == run
    failed = kept(tmp_path, by=maker("kernelect"), failed="more than 1 s")
    assert runs().known(TASK) == failed
    assert runs(retry=True).known(TASK)["failed"] == "not run"


@pytest.mark.parametrize("by", [{}, {"by": "former code, another machine"}])
def test_runs_of_former_code_are_not_known_and_go(by, tmp_path, runs, capsys):
    kept(tmp_path, **by)
    again = runs(minutes=5.0)
    assert again.known(TASK)["failed"] == "not run"
    again.run(TASK)
    assert again.known(TASK)["verified"] > 0
    lines = (tmp_path / "scale-runs.jsonl").read_text().splitlines()
    assert [json.loads(line)[1] for line in lines] == [again.known(TASK)]


def test_nothing_begins_when_time_is_up(tmp_path, runs):
    ended = runs()
    ended.run(TASK)
    assert ended.known(TASK)["failed"] == "not run"
    assert not (tmp_path / "scale-runs.jsonl").exists()


def test_a_run_that_takes_too_long_is_said_to(runs, capsys):
    late = runs(minutes=5.0, limit=0.01)
    late.run(TASK)
    assert late.known(TASK)["failed"] == "more than 0.01 s"


def test_every_task_has_its_turn():
    from scale import ORDER, WORK

    options = Namespace(lam=[1.0], rows=[1000], sets=None, most=60_000)
    parts = {(part, task.get("method")) for part, of in WORK.items() for task in of(options)}
    assert parts == set(ORDER)


def test_the_model_of_a_cluster():
    pytest.importorskip("distributed")
    from dask_scale import Size, included

    facts = json.loads((RESULTS / "dask_scale.json").read_text())
    assert included(facts, Size(**facts["size"])) == (GUIDE / "dask_scale.inc").read_text()
