"""The figures in the README are those of the committed results."""

import csv
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def test_benchmark_figures():
    found = re.findall(r"\| ([\d.e+]+) (?:times|MB) \| \[(\w+)\]\(bench/results/\2\.md\)", README)
    assert len(found) >= 8
    for value, name in found:
        rows = json.loads((ROOT / "bench" / "results" / f"{name}.json").read_text())["rows"]
        assert value in {f"{row['value']:.3g}" for row in rows}, (value, name)


def test_regrets():
    with (ROOT / "docs" / "papers" / "regret-binary.csv").open(newline="") as file:
        regret = {line["criterion"]: float(line["mean regret"]) for line in csv.DictReader(file)}
    words = " ".join(README.split())
    for name, text in {
        "auto": "election loses {} points",
        "LOO": "the whole grid {},",
        "scale": '`gamma="scale"` {},',
        "KTA": "KTA {} and",
        "CKTA": "CKTA {}.",
    }.items():
        assert text.format(f"{regret[name]:.2f}") in words


def test_results_name_their_conditions():
    for path in sorted((ROOT / "bench" / "results").glob("*.json")):
        facts = json.loads(path.read_text())
        assert facts["rows"]
        assert facts["machine"]["build"]["level"] == "v3"
