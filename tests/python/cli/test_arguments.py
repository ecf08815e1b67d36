"""Options of the command line, and the files that it writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from command_line import refusal, result_of, run
from sklearn.datasets import dump_svmlight_file, make_moons
from sklearn.preprocessing import StandardScaler

import kernelect as ke


def test_grid(table):
    written = result_of("select", table, "--target", "kind", "--grid", "-2:4")
    grid = ke.select(*_read(table), kernels=ke.gaussian_grid(-2, 4))
    assert written["result"] == ke.serialization.to_dict(grid)
    joined = result_of("select", table, "--target", "kind", "--grid=-2:4")
    assert joined["result"] == written["result"]
    finer = result_of("select", table, "--target", "kind", "--grid", "-2:4:0.5")
    assert len(finer["result"]["table"]["kernels"]) == 13
    auto = result_of("select", table, "--target", "kind", "--grid", "auto")
    expected = ke.select(*_read(table), kernels="auto")
    assert auto["result"] == ke.serialization.to_dict(expected)


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
    assert written["result"] == ke.serialization.to_dict(expected)
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


def test_sample(tmp_path):
    X, y = make_moons(400, noise=0.2, random_state=0)
    file = tmp_path / "moons.npz"
    np.savez(file, X=X, y=y)
    asked = ("evaluate", file, "--criteria", "sm,kta", "--sample")
    known = ke.evaluate(X, y, None, ["sm", "kta"], sample=100)
    assert known.columns["sm"].label == "sm (100 of 400 rows)"
    assert result_of(*asked, "100")["result"] == ke.serialization.to_dict(known)
    expected = ke.evaluate(X, y, None, ["sm", "kta"], sample="auto")
    assert result_of(*asked, "auto")["result"] == ke.serialization.to_dict(expected)
    elected = result_of("select", file, "--sample", "100", "--grid", "-4:4")
    chosen = ke.select(X, y, ke.gaussian_grid(-4, 4), sample=100)
    assert elected["result"] == ke.serialization.to_dict(chosen)
    assert chosen.table.columns["sm"].label == "sm (100 of 400 rows)"
    assert "'0' is not a number of rows or auto" in refusal(*asked, "0")
    assert "give fewer, or leave --sample out" in refusal(*asked, "100000")
    done = run("select", file, "--grid", "-1:1", "--criterion", "loo", "--sample", "20")
    assert "--sample plays no part in loo" in done.stderr
