"""The figures in the README are those of the committed results."""

import csv
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text()


def test_benchmark_figures():
    found = re.findall(r"\| ([\d.e+]+) (?:times|MB) \| \[(\w+)\]\(bench/results/\2\.md\)", README)
    assert len(found) >= 8
    for value, name in found:
        rows = json.loads((ROOT / "bench" / "results" / f"{name}.json").read_text())["rows"]
        assert value in {f"{row['value']:.3g}" for row in rows}, (value, name)


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
        assert facts["machine"]["build"]["level"] == "v3"
