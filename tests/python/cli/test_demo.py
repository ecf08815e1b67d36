"""The demonstration."""

from __future__ import annotations

import pytest
from command_line import result_of, run_process
from sklearn.datasets import load_breast_cancer

CRITERIA = ["sm", "kta", "ckta"]


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
