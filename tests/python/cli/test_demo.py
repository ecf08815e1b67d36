"""The demonstration."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from command_line import result_of, run_process

import kernelect as ke
from kernelect.cli._demo import REGRET, checkerboard
from kernelect.cli._parser import parse

ROOT = Path(__file__).resolve().parents[3]


def test_demo():
    done = run_process("demo")
    assert done.returncode == 0
    assert done.stderr == ""
    assert len([line for line in done.stdout.splitlines() if line.startswith("Gaussian(")]) == 31
    for said in [
        "800 random points",
        "elects Gaussian(tau=",
        'gamma="scale"',
        "grid search",
        "SVC(kernel=",
        "breast-cancer data",
        *REGRET,
    ]:
        assert said in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 120
    ending = done.stdout.partition("What to do next:")[2].splitlines()
    commands = [line.partition(" kernelect ")[2].split() for line in ending]
    does = dict.fromkeys(("demo", "select", "evaluate", "fit", "predict", "completion"), print)
    parsed = [parse(words, "", does) for words in commands if words and words != ["--help"]]
    assert len(parsed) == 4


def test_demo_as_json():
    written = result_of("demo", "--threads", "1")
    ours, scale, search = written["ways"]
    assert ours["accuracy"] >= search["accuracy"] - 0.02
    assert ours["accuracy"] > scale["accuracy"] + 0.2  # where the choice matters, it is made
    easy = written["breast_cancer"]
    assert abs(easy["elected"] - easy["scale"]) < 0.02  # and this is said too
    assert len(written["accuracies"]) == 31
    assert scale["gamma"] == pytest.approx(1 / 2)
    assert ours["accuracy"] == written["accuracies"][ke.serialization.from_dict(written).index]


def test_the_checkerboard_is_what_it_is_said_to_be():
    X, y = checkerboard()
    assert X.shape == (800, 2)
    wrong = np.mean(y != np.floor(X).sum(axis=1) % 2)
    assert 0.03 < wrong < 0.07
    clean = checkerboard(wrong=0.0)[1]
    assert np.array_equal(clean, np.floor(X).sum(axis=1) % 2)


def test_regrets_are_those_of_the_papers():
    with (ROOT / "docs" / "papers" / "regret-binary.csv").open(newline="") as file:
        lines = {line["criterion"]: line for line in csv.DictReader(file)}
    for name, mean, worst in REGRET.values():
        assert mean == round(float(lines[name]["mean regret"]), 2)
        assert worst == round(float(lines[name]["worst set"]), 1)
