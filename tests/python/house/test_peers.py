"""The comparison with other packages: what is kept, what is not run again, what the page says."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from bench.peers.page import OURS, page, summary
from bench.peers.rivals import LeaveOneOut
from bench.peers.runs import Runs, code_of, run, takes_part, version_of
from bench.peers.sets import CLASSES, NUMBERS, SETS

ROOT = Path(__file__).resolve().parents[3]


def told(seconds, lost):
    return {"seconds": seconds, "waited": seconds, "lost": lost, "megabytes": 1.0}


def test_there_are_sixteen_sets():
    assert len(SETS) == len({*CLASSES, *NUMBERS}) == 16


def test_runs_are_kept_and_not_run_again(tmp_path):
    key = ("GridSearchCV", 500, "a9a", 0)
    runs = Runs(tmp_path / "peers.json")
    assert not runs.has(key, 10.0)
    runs.add(key, told(1.0, 5.0))
    again = Runs(tmp_path / "peers.json")
    assert again.has(key, 10.0)
    again.forget(["GridSearchCV"])
    assert not again.has(key, 10.0)


def test_runs_of_another_processor_or_code_are_dropped(tmp_path):
    here = Runs(tmp_path / "peers.json")
    here.machine, here.codes = {"processor": "this"}, {OURS: "1", "GridSearchCV": "2"}
    for way in (OURS, "GridSearchCV"):
        here.add((way, 500, "a9a", 0), told(1.0, 5.0))
    later = Runs(tmp_path / "peers.json")
    later.machine, later.codes = {"processor": "this"}, {OURS: "1b"}
    assert later.forget_others() == 1
    assert [each["way"] for each in later.all()] == ["GridSearchCV"]
    elsewhere = Runs(tmp_path / "peers.json")
    elsewhere.machine = {"processor": "other"}
    assert elsewhere.forget_others() == 2


def test_ours_is_told_apart_by_its_sources():
    assert code_of("scikit-learn", "1.9.1") == "1.9.1"
    assert code_of("kernelect", None) is None
    assert code_of("kernelect", "0.1.0").startswith("0.1.0, sources ")


def test_who_ran_out_of_time_is_not_run_on_more_rows():
    runs = Runs(None)
    runs.add(("GridSearchCV", 500, "a9a", 0), {"over": 10.0, "why": "over 10 s"})
    assert runs.has(("GridSearchCV", 1000, "a9a", 0), 10.0)
    assert runs.all()[-1]["why"] == "over 10 s"
    assert not runs.has(("GridSearchCV", 1000, "a9a", 0), 20.0)
    assert not runs.has(("GridSearchCV", 1000, "w8a", 0), 10.0)
    assert not runs.has(("GridSearchCV", 400, "a9a", 0), 10.0)


def test_ways_are_run_on_what_they_are_for():
    assert takes_part("MKLpy", "a9a", 500)
    assert not takes_part("MKLpy", "cadata", 500)
    assert not takes_part("himalaya, kernel ridge", "a9a", 500)
    assert not takes_part("GridSearchCV", "a9a", 10_000)


def test_a_missing_package_has_no_version():
    assert version_of(sys.executable, "numpy") == np.__version__
    assert version_of(sys.executable, "there is no such package") is None


def test_page_has_ratios_errors_and_reasons():
    runs = Runs(None)
    runs.versions = {OURS: "1", "GridSearchCV": "2", "liquidSVM": None}
    for name, seconds, lost in (("a9a", 2.0, 8.0), ("cadata", 8.0, 20.0)):
        runs.add((OURS, 500, name, 0), told(1.0, 7.0))
        runs.add(("GridSearchCV", 500, name, 0), told(seconds, lost))
    runs.add(("GridSearchCV", 500, "w8a", 0), {"over": 9.0, "why": "over 9 s"})
    text = page(runs)
    assert "| GridSearchCV | 2 | 2 | 5 | 4 | 8.00 (7.00) | 20.00 (7.00) | 1 |" in text
    assert "- GridSearchCV: over 9 s (w8a)" in text
    assert "Not installed: liquidSVM." in text
    assert summary(runs.all(), "GridSearchCV", 500).endswith("on 2 of 3 sets")


def test_leave_one_out_in_numpy_finds_what_is_there():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, 3.0, 1.0)
    model = LeaveOneOut(False).fit(X[:80], y[:80])
    assert np.mean(model.predict(X[80:]) == y[80:]) > 0.8
    numbers = LeaveOneOut(True).fit(X[:80], X[:80, 0])
    np.testing.assert_allclose(numbers.predict(X[80:]), X[80:, 0], atol=0.2)


@pytest.mark.alone
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="CPUs cannot be chosen here")
def test_a_child_measures_within_its_limits(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.sign(X[:, 0])
    np.savez(tmp_path / "a.npz", X=X, y=y, X_test=X, y_test=y)
    cpu = min(os.sched_getaffinity(0))
    key = ("SVC or SVR, defaults", 60, "a9a", 0)
    limits = {"gigabytes": 8.0, "cpu": cpu}
    found = run(sys.executable, key, tmp_path / "a.npz", limit=100.0, **limits)
    assert found["lost"] < 10.0
    assert found["seconds"] < 10.0
    rows = rng.normal(size=(2000, 50))
    noise = np.sign(rng.normal(size=2000))
    np.savez(tmp_path / "b.npz", X=rows, y=noise, X_test=X, y_test=y)
    key = ("GridSearchCV", 2000, "a9a", 0)
    found = run(sys.executable, key, tmp_path / "b.npz", limit=5.0, **limits)
    assert found == {"over": 5.0, "why": "over 5 s"}


def test_other_environments_need_no_kernelect():
    code = "import sys; sys.modules['kernelect'] = None; import bench.peers.child"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
