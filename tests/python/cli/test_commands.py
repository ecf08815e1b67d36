"""The commands as a user runs them: the same answers as the library's, on files made here."""

from __future__ import annotations

import gzip
import json
import os
import subprocess

import numpy as np
import pytest
from command_line import MODULE, refusal, result_of, run
from sklearn.datasets import dump_svmlight_file

import kernelect as ke

CRITERIA = ["sm", "kta", "ckta"]


def test_version_and_help():
    assert run("--version").stdout == f"kernelect {ke.__version__}\n"
    for command in [[], ["demo"], ["select"], ["evaluate"]]:
        done = run(*command, "--help")
        assert done.returncode == 0
        assert done.stdout.startswith(f"usage: {' '.join(['kernelect', *command])}")
        assert done.stderr == ""


def test_select_agrees_with_the_library(table, data):
    chosen = ke.select(*data)
    written = result_of("select", table, "--target", "kind")
    assert written["kernelect"] == ke.__version__
    assert written["command"] == "select"
    assert written["data"] == {
        "file": str(table),
        "rows": 60,
        "columns": 3,
        "feature_names": ["a", "b", "c"],
        "sparse": False,
        "standardized": False,
        "task": "classification",
    }
    assert written["result"] == ke.serialization.to_dict(chosen)
    assert written["scikit_learn"] == {"kernel": "rbf", "gamma": 0.5 / chosen.kernel.tau, "C": 2.0}
    assert written["warnings"] == []


def test_select_as_text(table, data):
    done = run("select", table, "--target", "kind")
    assert done.returncode == 0
    assert done.stderr == ""
    chosen = ke.select(*data)
    assert "data.csv: 60 rows, 3 columns, classification with 2 classes" in done.stdout
    assert "31 candidates scored by kta and sm" in done.stdout
    assert f"{len(chosen.verified)} verified by loo (lower is better)" in done.stdout
    assert f"elected: {chosen.kernel!r}" in done.stdout
    gamma = 1.0 / (2.0 * chosen.kernel.tau)
    assert f"in scikit-learn: SVC(kernel='rbf', gamma={gamma!r}, C=2.0)" in done.stdout


@pytest.mark.parametrize("criterion", ["kta", "ckta", "ncut"])
def test_select_by_another_criterion(table, data, criterion):
    written = result_of("select", table, "--target", "kind", "--criterion", criterion)
    assert written["result"]["index"] == ke.evaluate(*data, criteria=criterion).best().index


def test_select_names_the_landmarks_of_the_model_that_was_judged(table, data, tmp_path):
    page = tmp_path / "page.html"
    how = ("--target", "kind", "--landmarks", "40", "--report", page)
    printed = run("select", table, *how).stdout
    chosen = ke.select(*data, landmarks=40)
    assert f"verified by loo of models with {chosen.landmarks} landmarks (lower" in printed
    learner = f"lam=1.0, landmarks={chosen.landmarks})"
    assert learner in printed
    assert learner in page.read_text()


def test_select_refuses_a_diagnostic(table):
    sentence = refusal("select", table, "--target", "kind", "--criterion", "stability")
    assert "'stability' is a diagnostic" in sentence


def test_criteria_with_parameters(table, data):
    written = result_of("select", table, "--target", "kind", "--criterion", "sm(r=3)")
    expected = ke.select(*data, criterion=ke.criteria.SM(r=3))
    assert written["result"] == ke.serialization.to_dict(expected)
    several = "sm, sm(r=3, normalization='sum') ,kta"
    written = result_of("evaluate", table, "--target", "kind", "--criteria", several)
    keys = ["sm", "sm(r=3, normalization='sum')", "kta"]
    assert list(written["result"]["criteria"]) == keys


def test_evaluate_agrees_with_the_library(table, data):
    expected = ke.evaluate(*data, criteria=CRITERIA)
    written = result_of("evaluate", table, "--target", "kind", "--criteria", ",".join(CRITERIA))
    assert written["command"] == "evaluate"
    for name in CRITERIA:
        gamma = 0.5 / expected.best(name).kernel.tau
        assert written["scikit_learn"][name] == {"kernel": "rbf", "gamma": gamma}
    assert written["result"] == ke.serialization.to_dict(expected)


def test_evaluate_as_text_marks_each_winner(table, data):
    done = run("evaluate", table, "--target", "kind", "--criteria", ",".join(CRITERIA))
    assert done.returncode == 0
    expected = ke.evaluate(*data, criteria=CRITERIA)
    rows = [line for line in done.stdout.splitlines() if line.startswith("Gaussian(tau=")]
    assert len(rows) == 31
    for name in CRITERIA:
        best = expected.best(name)
        assert f"{best.score:.4g}*" in rows[best.index]
        assert f"{name}" in done.stdout
    assert sum(line.count("*") for line in rows) == len(CRITERIA)


def test_what_is_undefined_is_told(tmp_path):
    (tmp_path / "same.csv").write_text("a,b,t\n1,2,x\n1,2,y\n1,2,x\n1,2,y\n")
    arguments = ["evaluate", tmp_path / "same.csv", "--criteria", "kta,ckta", "--grid", "0:2"]
    done = run(*arguments)
    assert done.returncode == 0
    assert "ckta is undefined for every candidate: " in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("Gaussian(tau=")]
    assert [row[2] for row in rows] == ["-"] * 3
    found = result_of(*arguments)["result"]["criteria"]["ckta"]
    assert found["scores"] == [None] * 3
    assert all(found["reasons"])
    assert found["best"] is None
    sentence = refusal("select", tmp_path / "same.csv", "--criterion", "ckta")
    assert "undefined for every candidate" in sentence


def test_evaluate_all_takes_every_criterion_that_fits(table, tmp_path, data):
    written = result_of("evaluate", table, "--target", "kind", "--criteria", "all")
    names = ke.criteria.names("classification", n_classes=2)
    assert list(written["result"]["criteria"]) == names

    X, _ = data
    np.savez(tmp_path / "regression.npz", X=X, y=X[:, 0] + 0.1 * X[:, 1])
    written = result_of("evaluate", tmp_path / "regression.npz", "--criteria", "all")
    assert written["data"]["task"] == "regression"
    assert list(written["result"]["criteria"]) == ke.criteria.names("regression")

    np.savez(tmp_path / "three.npz", X=X, y=np.repeat(["a", "b", "c"], 20))
    written = result_of("evaluate", tmp_path / "three.npz", "--criteria", "all")
    names = ke.criteria.names("classification", n_classes=3)
    assert list(written["result"]["criteria"]) == names
    assert "ncut" not in names


def test_evaluate_all_of_many_rows_leaves_out_what_takes_long(tmp_path):
    X = np.random.default_rng(0).normal(size=(1001, 3))
    np.savez(tmp_path / "many.npz", X=X, y=np.where(X[:, 0] > 0, "a", "b"))
    done = run("evaluate", tmp_path / "many.npz", "--criteria", "all", "--json", "-")
    assert done.returncode == 0
    written = json.loads(done.stdout)
    expensive = ["sm_hinge", "er", "ep", "loo", "cv", "gcv", "evidence", "br", "bif", "ks"]
    names = ke.criteria.names("classification", n_classes=2)
    assert list(written["result"]["criteria"]) == [name for name in names if name not in expensive]
    sentence = (
        "of more than 1000 rows --criteria all leaves out sm_hinge, er, ep, loo, cv, gcv, "
        "evidence, br, bif, ks, whose time grows as the cube of the rows; name those you want"
    )
    assert sentence in written["warnings"]
    assert f"warning: {sentence}\n" in done.stderr


def test_table_is_folded_to_the_terminal(table):
    if not hasattr(os, "openpty"):
        pytest.skip("there are no pseudo-terminals here")
    leader, follower = os.openpty()
    arguments = ["evaluate", str(table), "--target", "kind", "--criteria", "all", "--grid", "0:3"]
    process = subprocess.Popen(
        [*MODULE, *arguments], stdout=follower, env={**os.environ, "COLUMNS": "60", "LINES": "24"}
    )
    os.close(follower)
    shown = b""
    try:
        while chunk := os.read(leader, 65536):
            shown += chunk
    except OSError:  # how Linux says that the other side is closed
        pass
    os.close(leader)
    assert process.wait(timeout=60) == 0
    lines = shown.decode().splitlines()
    blocks = [i for i, line in enumerate(lines) if line.startswith("kernel ")]
    assert len(blocks) > 1
    for start in blocks:
        assert all(len(line) <= 60 for line in lines[start - 1 : start + 5])


def test_every_format_gives_the_same_election(table, tmp_path, data):
    X, y = data
    expected = result_of("select", table, "--target", "kind")["result"]
    dump_svmlight_file(X, y, str(tmp_path / "rows.svm"), zero_based=False)
    (tmp_path / "rows.svm.gz").write_bytes(gzip.compress((tmp_path / "rows.svm").read_bytes()))
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(table.read_bytes()))
    np.savez(tmp_path / "rows.npz", X=X, y=y)
    for name in ["rows.svm", "rows.svm.gz", "rows.npz"]:
        found = result_of("select", tmp_path / name)["result"]
        assert found["index"] == expected["index"]
        assert found["score"] == pytest.approx(expected["score"], rel=1e-12)
    assert result_of("select", tmp_path / "rows.csv.gz", "--target", "kind")["result"] == expected


def test_a_winner_at_the_edge_is_one_line_on_standard_error(table):
    done = run("select", table, "--target", "kind", "--grid", "8:12", "--json", "-")
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert lines
    assert all(line.startswith("warning: ") for line in lines)
    assert [line.removeprefix("warning: ") for line in lines] == json.loads(done.stdout)["warnings"]
    assert any("--grid" in line for line in lines)


def test_columns_of_very_different_scales_are_named(tmp_path, data):
    X, y = data
    lines = ["a,b,huge,kind"]
    lines += [f"{a!r},{b!r},{1e6 * c!r},{k}" for k, (a, b, c) in zip(y, X.tolist(), strict=True)]
    (tmp_path / "scales.csv").write_text("\n".join(lines) + "\n")
    done = run("select", tmp_path / "scales.csv", "--grid", "-15:45")
    assert done.returncode == 0
    assert any("'huge'" in line and "--standardize" in line for line in done.stderr.splitlines())
    assert "warning: " not in run("select", tmp_path / "scales.csv", "--standardize").stderr


def test_select_refines(table, data):
    written = result_of("select", table, "--target", "kind", "--lam", "auto", "--refine")
    X, y = data
    chosen = ke.refine(X, y, ke.select(X, y, lam="auto"))
    assert ke.serialization.from_dict(written) == chosen
    text = run("select", str(table), "--target", "kind", "--refine").stdout
    assert "refined: " in text
