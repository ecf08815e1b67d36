"""The runner of the papers' tables, on small data of the same format that the test makes."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from bench.papers.__main__ import NAMES, main
from bench.papers.elections import both
from bench.papers.elections.plain import CRITERIA as PLAIN
from bench.papers.elections.selection import GRID
from bench.papers.tools.data import Entry, Split, manifest, partition, scale, split
from bench.papers.tools.judge import held_out_losses
from bench.papers.tools.pages import BEGIN, END, Page, Table, write
from bench.papers.tools.runner import Observation, Setting, run
from bench.papers.tools.statistics import record, significantly_better
from sklearn.datasets import dump_svmlight_file

import kernelect as ke


def make_folder(folder: Path) -> Path:
    """Four small sets under names that the papers use: two, two and three classes, a regression."""
    rng = np.random.default_rng(0)
    lines = []
    for name, classes in (("heart", 2), ("sonar", 2), ("iris", 3), ("housing", 0)):
        n = 48
        X = rng.normal(size=(n, 3))
        if classes == 0:
            y, task, text = X[:, 0] + 0.1 * rng.normal(size=n), "regression", ""
        else:
            codes = np.arange(n) % classes
            X[:, 0] += 2.0 * codes
            y = np.where(codes == 1, 1, -1) if classes == 2 else codes + 1
            task, text = ("binary", "2") if classes == 2 else ("multiclass", "3: 1=16 2=16 3=16")
        with gzip.open(folder / f"{name}.svm.gz", "wb") as file:
            dump_svmlight_file(X, y, file, zero_based=False)
        lines.append({"name": name, "n": n, "d": 3, "classes": text, "task": task})
    for name in ("20newsgroups", "20newsgroups.t"):  # words that depend on the class
        codes = np.arange(n) % 3
        words = rng.poisson(0.3 + 3.0 * (np.arange(9)[None, :] % 3 == codes[:, None]))
        with gzip.open(folder / f"{name}.svm.gz", "wb") as file:
            dump_svmlight_file(words.astype(float), codes + 1, file, zero_based=False)
        lines.append({"name": name, "n": n, "d": 9, "classes": "3", "task": "multiclass"})
    with (folder / "MANIFEST.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder of results for all tables, as in a real run: several read the same ones."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("name", NAMES)
def test_every_table_runs_in_quick_mode(
    name: str, data: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(both, "ENOUGH", 0.0)  # that times are written down, not how exact they are
    main([name, "--data", str(data), "--quick", "--out", str(tmp_path), "--cache", str(cache)])
    text = (tmp_path / f"{name}.md").read_text()
    assert text.startswith("# ")
    assert BEGIN in text
    assert "nan" not in text.replace("significan", "")
    assert list(tmp_path.glob("*.csv"))
    assert list(tmp_path.glob("*.png"))


def test_the_tables_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--list"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(NAMES)


def test_a_run_goes_on_where_it_stopped(data: Path, tmp_path: Path) -> None:
    seen = []

    def observe(folder: Path, entry: Entry, number: int) -> dict[str, float]:
        seen.append((entry.name, number))
        return {"value": float(number)}

    observation = Observation("trial", observe)
    setting = Setting(data, tmp_path, tmp_path, splits=2)
    entries = setting.entries(lambda e: e.task == "binary")
    first = run(observation, setting, entries)
    assert seen == [("heart", 0), ("sonar", 0), ("heart", 1), ("sonar", 1)]
    path = tmp_path / "trial.jsonl"
    lines = path.read_text().splitlines()
    assert json.loads(lines[0]) == {"set": "heart", "split": 0, "result": {"value": 0.0}}
    path.write_text("\n".join(lines[:3]) + "\n" + lines[3][:10])  # as an interruption leaves it
    seen.clear()
    assert run(observation, setting, entries) == first
    assert seen == [("sonar", 1)]
    assert len(path.read_text().splitlines()) == 5
    seen.clear()
    assert run(observation, setting, entries) == first
    assert not seen


def test_processes_give_what_one_gives(data: Path, tmp_path: Path) -> None:
    from bench.papers.ks.stability import STABILITY

    results = []
    for jobs in (1, 2):
        setting = Setting(data, tmp_path, tmp_path / str(jobs), splits=1, jobs=jobs)
        results.append(run(STABILITY, setting, setting.entries(lambda e: e.task == "binary")))
    assert results[0] == results[1]


def test_splits_are_fixed_disjoint_and_hold_every_class(data: Path) -> None:
    entry = manifest(data)["iris"]
    assert entry.classes == 3
    part, again = split(data, entry, 3), split(data, entry, 3)
    assert np.array_equal(part.X, again.X)
    assert not np.array_equal(part.X, split(data, entry, 4).X)
    assert len(part.y) == round(0.7 * 48)
    assert len(part.y) + len(part.y_test) == 48
    np.testing.assert_allclose(part.X.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(part.X.std(axis=0), 1.0, atol=1e-12)
    y = np.array([0, 0, *[1] * 18])
    for seed in range(20):
        train, test = partition(y, True, 0.7, np.random.default_rng(seed))
        assert (y[train] == 0).sum() == 2
        assert sorted([*train, *test]) == list(range(20))


def test_constant_columns_stay_in_the_centre() -> None:
    X = np.column_stack([np.full(7, 0.1), np.arange(7.0)])
    scaled, other = scale(X, X[:2], "standard")
    assert (scaled[:, 0] == 0).all()
    assert np.array_equal(scaled[:2], other)
    with pytest.raises(ValueError, match="scaling must be"):
        scale(X, X, "other")


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_judge_agrees_with_a_plain_fit(task: str) -> None:
    rng = np.random.default_rng(1)
    X, X_test = rng.normal(size=(40, 3)), rng.normal(size=(30, 3))
    if task == "classification":
        y, y_test = np.sign(X[:, 0] + 0.3), np.sign(X_test[:, 0] + 0.3)
    else:
        y, y_test = X[:, 0], X_test[:, 0]
    part = Split(X, y, X_test, y_test, task)
    kernels = ke.gaussian_grid(-6, 8, step=2)
    for convention, factor in (("sum", 1.0), ("mean", 40.0)):
        found = held_out_losses(part, kernels, [0.5, 2.0], convention=convention)
        for k, kernel in enumerate(kernels):
            for j, lam in enumerate((0.5, 2.0)):
                A = np.ones((41, 41))
                A[:40, :40] = kernel(X) + factor * lam * np.eye(40)
                A[40, 40] = 0.0
                solution = np.linalg.solve(A, np.append(y, 0.0))
                outputs = kernel(X_test, X) @ solution[:40] + solution[40]
                if task == "classification":
                    expected = np.mean(outputs * y_test < 0)
                else:
                    expected = np.mean((outputs - y_test) ** 2)
                assert found[k, j] == pytest.approx(100 * expected, rel=1e-8)


def test_plain_criteria_choose_as_the_library_does() -> None:
    rng = np.random.default_rng(2)
    y = np.where(np.arange(60) % 2 == 0, 1.0, -1.0)
    X = rng.normal(size=(60, 4)) + 0.7 * y[:, None]
    kernels = GRID[10:26]  # narrower ones cancel in the plain code
    taus = [kernel.tau for kernel in kernels]
    table = ke.evaluate(X, y, kernels, [ke.criteria.SM(r=3), "loo", "ckta", "fsm"], n_threads=1)
    for name, key in (("SM", "sm(r=3)"), ("ELOO", "loo"), ("CKTA", "ckta"), ("FSM", "fsm")):
        np.testing.assert_allclose(PLAIN[name](X, y, taus), table.scores[key], rtol=1e-6)


def test_the_paired_test() -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(20.0, 5.0, size=50)
    assert significantly_better(base, base + rng.normal(0.5, 0.5, size=50))
    assert not significantly_better(base, base + rng.normal(0.0, 0.5, size=50) * 1e-3)
    assert not significantly_better(base, base)
    assert significantly_better(base, base + 1.0)
    assert not significantly_better([1.0], [2.0])
    assert str(record([base, base], [base + 1.0, base - 1.0])) == "1/0/1"


def test_a_page_keeps_the_words_around_its_tables(tmp_path: Path) -> None:
    table = Table("t", "caption", ["set", "error"], [["a", 1.0], ["**mean**", 2.0]])
    path = write(Page("Title", "runs", [table]), "page", tmp_path)
    path.write_text(path.read_text().replace(BEGIN, f"My words.\n\n{BEGIN}") + "\nMore words.\n")
    write(Page("Title", "more runs", [table]), "page", tmp_path)
    text = path.read_text()
    assert text.count(BEGIN) == text.count(END) == 1
    assert "My words." in text
    assert text.endswith("More words.\n")
    assert "more runs" in text
    assert (tmp_path / "t.csv").read_text() == "set,error\na,1.0\nmean,2.0\n"
