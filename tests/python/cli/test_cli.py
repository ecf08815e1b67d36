"""The command line as a user runs it, on files made here."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import dump_svmlight_file, load_breast_cancer
from sklearn.preprocessing import StandardScaler

import kernelect as ke
from kernelect.cli import main

MODULE = [sys.executable, "-m", "kernelect"]
SCRIPT = Path(sys.executable).with_name("kernelect")
CRITERIA = ["sm", "kta", "ckta"]


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object) -> Done:
    """Run the command line inside this process, which spares the imports of a new one."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(word) for word in arguments])
    return Done(code, out.getvalue(), err.getvalue())


def run_process(*arguments: object, command: list[str] | None = None) -> Done:
    """Run the command line as a user does, in a process of its own."""
    words = [*(command or MODULE), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def result_of(*arguments: object) -> dict:
    """What ``--json -`` writes, which must be all of standard output and valid JSON."""
    done = run(*arguments, "--json", "-")
    assert done.returncode == 0, done.stderr

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(done.stdout, parse_constant=refuse)


def refusal(*arguments: object, runner=run) -> str:
    """The one line on standard error with which bad input is refused, exit code 2."""
    done = runner(*arguments)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.startswith("kernelect: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    return done.stderr


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    return rng.normal(size=(60, 3)) + 1.5 * y[:, None], y


@pytest.fixture
def table(tmp_path, data) -> Path:
    """A CSV file; the target comes first and is text."""
    X, y = data
    lines = ["kind,a,b,c"]
    lines += [
        f"{'odd' if k else 'even'},{a!r},{b!r},{c!r}"
        for k, (a, b, c) in zip(y, X.tolist(), strict=True)
    ]
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_version_and_help():
    assert run("--version").stdout == f"kernelect {ke.__version__}\n"
    for command in [[], ["demo"], ["select"], ["evaluate"]]:
        done = run(*command, "--help")
        assert done.returncode == 0
        assert done.stdout.startswith(f"usage: {' '.join(['kernelect', *command])}")
        assert done.stderr == ""


def test_module_and_script_are_the_same_program(table):
    arguments = ["select", table, "--target", "kind", "--grid", "-3:5", "--json", "-"]
    commands = [MODULE, [str(SCRIPT)]] if SCRIPT.exists() else [MODULE]
    here = json.loads(run(*arguments).stdout)
    assert here.pop("seconds") > 0
    for command in commands:
        done = run_process(*arguments, command=command)
        assert done.returncode == 0
        assert done.stderr == ""
        there = json.loads(done.stdout)
        assert there.pop("seconds") > 0
        assert there == here
        assert run_process("--version", command=command).stdout == f"kernelect {ke.__version__}\n"


def test_a_process_refuses_without_a_traceback(tmp_path):
    (tmp_path / "text.csv").write_text("a,town,t\n1,Ulm,0\n2,Bonn,1\n")
    assert "'town'" in refusal("select", tmp_path / "text.csv", runner=run_process)
    assert "--grid" in refusal("select", tmp_path / "text.csv", "--grid", "x", runner=run_process)


# select


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
    assert written["result"] == json.loads(json.dumps(chosen.to_dict()))
    assert written["scikit_learn"] == {"kernel": "rbf", "gamma": 0.5 / chosen.kernel.tau}
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
    assert f"in scikit-learn: SVC(kernel='rbf', gamma={gamma!r})" in done.stdout


@pytest.mark.parametrize("criterion", ["kta", "ckta", "ncut"])
def test_select_by_another_criterion(table, data, criterion):
    written = result_of("select", table, "--target", "kind", "--criterion", criterion)
    assert written["result"]["index"] == ke.evaluate(*data, criteria=criterion).best().index


def test_select_refuses_a_diagnostic(table):
    sentence = refusal("select", table, "--target", "kind", "--criterion", "stability")
    assert "'stability' is a diagnostic" in sentence


def test_criteria_with_parameters(table, data):
    written = result_of("select", table, "--target", "kind", "--criterion", "sm(r=3)")
    expected = ke.select(*data, criterion=ke.criteria.SM(r=3))
    assert written["result"] == json.loads(json.dumps(expected.to_dict()))
    several = "sm, sm(r=3, normalization='sum') ,kta"
    written = result_of("evaluate", table, "--target", "kind", "--criteria", several)
    keys = ["sm", "sm(r=3, normalization='sum')", "kta"]
    assert list(written["result"]["criteria"]) == keys


# evaluate


def test_evaluate_agrees_with_the_library(table, data):
    expected = ke.evaluate(*data, criteria=CRITERIA)
    written = result_of("evaluate", table, "--target", "kind", "--criteria", ",".join(CRITERIA))
    assert written["command"] == "evaluate"
    for name in CRITERIA:
        gamma = 0.5 / expected.best(name).kernel.tau
        assert written["scikit_learn"][name] == {"kernel": "rbf", "gamma": gamma}
    assert written["result"] == json.loads(json.dumps(expected.to_dict()))


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
    dear = ["sm_hinge", "er", "ep", "loo", "cv", "gcv", "br", "bif", "ks"]
    names = ke.criteria.names("classification", n_classes=2)
    assert list(written["result"]["criteria"]) == [name for name in names if name not in dear]
    sentence = (
        "of more than 1000 rows --criteria all leaves out sm_hinge, er, ep, loo, cv, gcv, br, bif, "
        "ks, whose time grows as the cube of the rows; name those you want"
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


# options


def test_grid(table):
    written = result_of("select", table, "--target", "kind", "--grid", "-2:4")
    grid = ke.select(*_read(table), kernels=ke.gaussian_grid(-2, 4))
    assert written["result"] == json.loads(json.dumps(grid.to_dict()))
    joined = result_of("select", table, "--target", "kind", "--grid=-2:4")
    assert joined["result"] == written["result"]
    finer = result_of("select", table, "--target", "kind", "--grid", "-2:4:0.5")
    assert len(finer["result"]["table"]["kernels"]) == 13
    auto = result_of("select", table, "--target", "kind", "--grid", "auto")
    expected = ke.select(*_read(table), kernels="auto")
    assert auto["result"] == json.loads(json.dumps(expected.to_dict()))


def _read(path: Path):
    from kernelect import io

    X, y, _ = io.read(path, target="kind")
    return X, y


def test_standardize(tmp_path, data):
    X, y = data
    np.savez(tmp_path / "a.npz", X=X * [1.0, 50.0, 0.1], y=y)
    written = result_of("select", tmp_path / "a.npz", "--standardize")
    expected = ke.select(StandardScaler().fit_transform(X), y)
    assert written["data"]["standardized"] is True
    assert written["result"]["index"] == expected.index
    assert written["result"]["score"] == pytest.approx(expected.score, rel=1e-10)


def test_standardize_keeps_sparse_rows_sparse(tmp_path):
    rng = np.random.default_rng(3)
    dense = rng.normal(size=(80, 30)) * (rng.uniform(size=(80, 30)) < 0.1)
    y = np.repeat([-1, 1], 40)
    dense[:, 0] += y
    path = tmp_path / "rows.svm"
    dump_svmlight_file(scipy.sparse.csr_array(dense), y, str(path), zero_based=False)
    written = result_of("select", path, "--standardize")
    assert written["data"]["sparse"] is True
    expected = ke.select(StandardScaler().fit_transform(dense), y)
    assert written["result"]["index"] == expected.index
    assert written["result"]["score"] == pytest.approx(expected.score, rel=1e-8)


def test_task(tmp_path, data):
    X, y = data
    np.savez(tmp_path / "a.npz", X=X, y=y)
    assert result_of("select", tmp_path / "a.npz")["data"]["task"] == "classification"
    written = result_of("select", tmp_path / "a.npz", "--task", "regression")
    assert written["data"]["task"] == "regression"
    expected = ke.select(X, y, task="regression")
    assert written["result"] == json.loads(json.dumps(expected.to_dict()))
    done = run("select", tmp_path / "a.npz", "--task", "regression")
    assert "in scikit-learn: SVR(" in done.stdout


def test_threads_do_not_change_the_result(table):
    one, two = (
        result_of("evaluate", table, "--target", "kind", "--criteria", "all", "--threads", n)
        for n in (1, 2)
    )
    assert one["result"] == two["result"]


def test_progress_goes_to_standard_error(tmp_path):
    rng = np.random.default_rng(5)
    np.savez(tmp_path / "a.npz", X=rng.normal(size=(3000, 5)), y=np.arange(3000) % 2)
    done = run("select", tmp_path / "a.npz", "--progress", "--json", "-")
    assert done.returncode == 0
    assert "%" in done.stderr
    json.loads(done.stdout)


def test_json_into_a_file_beside_the_text(table, tmp_path):
    done = run("select", table, "--target", "kind", "--json", tmp_path / "out.json")
    assert "elected:" in done.stdout
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["result"] == result_of("select", table, "--target", "kind")["result"]


# formats


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_plot_into_a_file(table, tmp_path, suffix):
    picture = tmp_path / f"curves.{suffix}"
    assert run("evaluate", table, "--target", "kind", "--plot", picture).returncode == 0
    start = picture.read_bytes()[:5]
    assert start in (b"\x89PNG\r", b"<?xml", b"%PDF-")


@pytest.mark.parametrize("kind", ["lambda_map", "spectra", "label_energy"])
def test_kinds_of_plots(table, tmp_path, kind):
    picture = tmp_path / f"{kind}.svg"
    arguments = ["select", table, "--target", "kind", "--plot", picture, "--plot-kind", kind]
    assert run(*arguments, "--lam", "0.1,1").returncode == 0
    assert "<svg" in picture.read_text()[:400]


def test_plot_refuses_before_the_work(table, tmp_path):
    assert "does not end in .png, .svg or .pdf" in refusal("select", table, "--plot", "x.gif")
    assert "does not exist" in refusal("select", table, "--plot", tmp_path / "no" / "x.png")


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


# warnings


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


# bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "required"),
        (["elect"], "invalid choice"),
        (["select"], "FILE"),
        (["select", "FILE", "--criterion", "smm"], "'sm'"),
        (["select", "FILE", "--grid", "3"], "LOW:HIGH"),
        (["select", "FILE", "--grid", "a:b"], "LOW:HIGH"),
        (["select", "FILE", "--grid", "-inf:3"], "LOW:HIGH"),
        (["select", "FILE", "--plot-kind", "spectra"], "needs --plot FILE"),
        (
            ["select", "FILE", "--plot", "a.png", "--plot-kind", "lambda_map"],
            "pass --lam 0.1,1,10 or --lam auto",
        ),
        (["select", "FILE", "--grid", "1:2:3:4"], "LOW:HIGH"),
        (["select", "FILE", "--grid", "5:1"], "--grid"),
        (["select", "FILE", "--grid", "1:5:0"], "--grid"),
        (["select", "FILE", "--grid", "1:5:-1"], "--grid"),
        (["select", "FILE", "--grid"], "--grid"),
        (["select", "FILE", "--threads", "0"], "1 or more"),
        (["select", "FILE", "--threads", "two"], "1 or more"),
        (["select", "FILE", "--task", "guess"], "--task"),
        (["select", "FILE", "--target", "kin"], "did you mean 'kind'?"),
        (["select", "FILE", "--bogus"], "--bogus"),
        (["select", "FILE", "--json", "FOLDER"], "folder"),
        (["select", "FILE", "--json", "FOLDER/no/out.json"], "does not exist"),
        (["select", "FILE", "--criterion", "sm(r=0)"], "r"),
        (["select", "FILE", "--criterion", "sm(r=2.5)"], "sm: r must be a whole number, not 2.5"),
        (["evaluate", "FILE", "--criteria", "sm(r='a')"], "sm: r must be a whole number, not 'a'"),
        (["select", "FILE", "--criterion", "sm(r={[]: 1})"], "as in sm(r=3)"),
        (["select", "FILE", "--folds", "²"], "'²' is not a whole number, 2 or more"),
        (["select", "FILE", "--criterion", "sm(q=3)"], "as in sm(r=3)"),
        (["select", "FILE", "--criterion", "sm(3)"], "as in sm(r=3)"),
        (["select", "FILE", "--criterion", "sm(r=3"], "as in sm(r=3)"),
        (["select", "FILE", "--criterion", "sm(r=print())"], "as in sm(r=3)"),
        (["evaluate", "FILE", "--criteria", "sm,,kta"], "empty name"),
        (["evaluate", "FILE", "--target", "kind", "--criteria", "sm,ktaa"], "'kta'"),
        (["evaluate", "FILE", "--target", "kind", "--criteria", "sm,sm"], "sm"),
        (["demo", "--threads", "-1"], "1 or more"),
    ],
)
def test_bad_arguments(table, arguments, said):
    words = [
        word.replace("FILE", str(table)).replace("FOLDER", str(table.parent)) for word in arguments
    ]
    if "--criterion" in words:
        words += ["--target", "kind"]
    assert said in refusal(*words)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.csv", None, "No such file"),
        ("empty.csv", "", "is empty"),
        ("text.csv", "a,town,t\n1,Ulm,0\n2,Bonn,1\n", "'town' (text 'Ulm' in row 1)"),
        ("gap.csv", "a,b,t\n1,2,0\n,3,1\n", "'a' (missing in row 2)"),
        ("one_row.csv", "a,b,t\n1,2,0\n", ""),
        ("one_class.csv", "a,b,t\n1,2,x\n3,4,x\n5,7,x\n", ""),
        ("words.svm", "these are words\n", "svmlight"),
        ("nan.svm", "1 1:nan 2:1\n0 1:2 2:3\n1 1:2 2:2\n", ""),
        ("inf.svm", "1 1:inf 2:1\n0 1:2 2:3\n1 1:2 2:2\n", ""),
        ("text.npz", "no archive", "no NumPy archive"),
        ("bad.csv.gz", "not compressed", "cannot be read"),
    ],
)
def test_bad_files(tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_text(content)
    for command in ["select", "evaluate"]:
        assert said in refusal(command, tmp_path / name)


def test_nothing_is_written_on_bad_input(tmp_path):
    (tmp_path / "bad.csv").write_text("a,t\nx,0\ny,1\n")
    refusal("select", tmp_path / "bad.csv", "--json", tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()


# leaving early


@pytest.mark.alone
@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_interrupt_leaves_quietly_within_a_second(tmp_path):
    rng = np.random.default_rng(7)
    np.savez(tmp_path / "large.npz", X=rng.normal(size=(60_000, 10)), y=np.arange(60_000) % 2)
    process = subprocess.Popen(
        [*MODULE, "select", str(tmp_path / "large.npz"), "--progress", "--threads", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    process.stderr.read(1)  # progress is shown, so the work has begun
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    output, errors = process.communicate(timeout=60)
    waited = time.monotonic() - started
    assert process.returncode == 130
    assert output == b""
    assert b"Traceback" not in errors
    assert waited < 5.0  # within a second on a free machine; the rest is for a busy one


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise there")
def test_a_reader_that_leaves_is_no_error(table):
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        [*MODULE, "evaluate", str(table), "--target", "kind"],
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert errors == b""


# demo


def test_demo():
    done = run_process("demo")
    assert done.returncode == 0
    assert done.stderr == ""
    assert len([line for line in done.stdout.splitlines() if line.startswith("Gaussian(")]) == 31
    for said in ["569 rows", "elects Gaussian(tau=", 'gamma="scale"', "grid search", "SVC(kernel="]:
        assert said in done.stdout


def test_demo_as_json():
    written = result_of("demo", "--threads", "1")
    ours, scale, search = written["ways"]
    assert ours["accuracy"] >= max(scale["accuracy"], search["accuracy"]) - 0.02
    X, _ = load_breast_cancer(return_X_y=True)
    assert len(written["accuracies"]) == 31
    assert scale["gamma"] == pytest.approx(1 / X.shape[1])
    assert list(written["result"]["criteria"]) == CRITERIA
