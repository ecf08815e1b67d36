"""The figures in the README are those of the committed results."""

import csv
import doctest
import json
import re
from pathlib import Path

import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text()


def test_benchmark_figures():
    found = re.findall(r"\| ([\d.e+]+) (?:times|MB|s) \| \[(\w+)\]\(bench/results/\2\.md\)", README)
    assert len(found) >= 8
    for value, name in found:
        rows = json.loads((ROOT / "bench" / "results" / f"{name}.json").read_text())["rows"]
        assert value in {f"{row['value']:.3g}" for row in rows}, (value, name)


def test_the_picture_and_what_is_said_of_it():
    rows = json.loads((ROOT / "bench" / "results" / "today.json").read_text())["rows"]
    told = {}
    for row in rows:
        seconds = float(f"{row['seconds']['fit']:.2g}")
        told[row["figure"].removeprefix("kernelect: ")] = f"{seconds:g} s with {row['value']:.1f} %"
    words = " ".join(README.split())
    for way, text in {
        "LSSVMClassifier()": "`LSSVMClassifier()` is tuned and fitted in {} test error",
        "GridSearchCV, 80 pairs": "a grid search over 80 pairs of gamma and C in {},",
    }.items():
        assert text.format(told[way]) in words
    default = told['SVC(): gamma="scale", C=1'].partition(" with ")[2]
    assert f"`SVC()` as it comes has {default} (" in words
    for page in ("light", "dark"):
        assert f"docs/_static/today-{page}.svg" in README
        assert (ROOT / "docs" / "_static" / f"today-{page}.svg").is_file()


class Close(doctest.OutputChecker):
    """Equal words and, to six digits, equal numbers; dots stand for more digits."""

    def check_output(self, want, got, optionflags):
        want = want.replace("...", "")
        number = re.compile(r"\d+\.\d+")
        if number.sub("#", want).split() != number.sub("#", got).split():
            return False
        found, wanted = ([float(x) for x in number.findall(text)] for text in (got, want))
        return found == pytest.approx(wanted, rel=1e-6)


def test_the_three_lines_print_what_is_shown():
    (shown,) = re.findall(r"```python\n(>>>.*?)```", README, re.DOTALL)
    X, y = load_breast_cancer(return_X_y=True)
    names = {"ke": ke, "SVC": SVC, "X": StandardScaler().fit_transform(X), "y": y}
    lines = doctest.DocTestParser().get_doctest(shown, names, "README.md", "README.md", 0)
    done = doctest.DocTestRunner(checker=Close()).run(lines)
    assert (done.attempted, done.failed) == (3, 0)


def regrets(column):
    with (ROOT / "docs" / "papers" / "regret-binary.csv").open(newline="") as file:
        return {line["criterion"]: float(line[column]) for line in csv.DictReader(file)}


def test_regrets():
    regret = regrets("mean regret")
    words = " ".join(README.split())
    for name, text in {
        "auto": "election loses {} points",
        "LOO": "the whole grid {},",
        "scale": '`gamma="scale"` {},',
        "KTA": "KTA {} and",
        "CKTA": "CKTA {}.",
    }.items():
        assert text.format(f"{regret[name]:.2f}") in words


def test_regrets_in_the_guide():
    guide = " ".join((ROOT / "docs" / "guide" / "choosing.rst").read_text().split())
    mean, worst = regrets("mean regret"), regrets("worst set")
    for name, text in {
        "auto": "verified by loo",
        "LOO": "loo on the whole grid",
        "5-CV": "cv, 5 folds, on the whole grid",
        "SM r=1": "sm(r=1) alone",
        "scale": '``gamma="scale"``, no search',
        "SM r=2": "sm alone",
        "median": "median distance, no search",
        "KTA": " kta alone",
        "CKTA": "ckta alone",
        "ER": "er on the whole grid",
    }.items():
        assert f"{text} - {mean[name]:.2f} - {worst[name]:.1f} " in guide


def test_results_name_their_conditions():
    for path in sorted((ROOT / "bench" / "results").glob("*.json")):
        facts = json.loads(path.read_text())
        assert facts["rows"]
        assert facts["machine"]["build"]["level"] in ("v3", "v4")
