"""Time against test error: an election beside what people do today to tune an SVM.

    python bench/today.py --data DIR --out bench/results --pictures docs/_static

The 33 two-class sets of docs/papers/regret.md, at most 500 rows of each, 70 % to train on,
standardised. Every way gets the same training part and ends with a fitted machine; times are CPU
seconds of one thread, search included. The grid is that of LIBSVM's guide up to C = 2^9: gamma =
2^-15, 2^-13 .. 2^3 and C = 2^-5, 2^-3 .. 2^9, in five folds. ``--pictures`` draws what was
measured, and without ``--data`` what ``--out`` holds.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from papers.tools.data import manifest, split
from picture import Panel, Point, draw
from report import Report, add_out, row
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

import kernelect as ke

ROOT = Path(__file__).resolve().parent.parent
GRID = {"gamma": list(2.0 ** np.arange(-15, 4, 2)), "C": list(2.0 ** np.arange(-5, 10, 2))}
PAIRS = len(GRID["gamma"]) * len(GRID["C"])
MOST = 500
OURS = "kernelect: "


def ways() -> dict[str, Any]:
    return {
        'SVC(): gamma="scale", C=1': SVC(),
        f"GridSearchCV, {PAIRS} pairs": GridSearchCV(SVC(), GRID, cv=5),
        "RandomizedSearchCV, 20 pairs": RandomizedSearchCV(
            SVC(), GRID, n_iter=20, cv=5, random_state=0
        ),
        OURS + 'KernelSelector(SVC(), C="auto")': ke.KernelSelector(SVC(), C="auto"),
        OURS + 'LSSVMClassifier("auto")': ke.LSSVMClassifier("auto"),
        OURS + "LSSVMClassifier()": ke.LSSVMClassifier(),
    }


def sets() -> list[str]:
    with (ROOT / "docs" / "papers" / "regret-sets.csv").open(newline="") as lines:
        return [line["set"] for line in csv.DictReader(lines) if line["task"] == "binary"]


def measure(data: Path, splits: int) -> dict[str, dict[str, list[float]]]:
    """Seconds and test errors in % of every way, one of each for a set: means over its splits."""
    found: dict[str, dict[str, list[float]]] = {
        way: {"seconds": [], "errors": []} for way in ways()
    }
    entries = {name.replace("_", ""): entry for name, entry in manifest(data).items()}
    for name in sets():
        spent = {way: list[float]() for way in found}
        lost = {way: list[float]() for way in found}
        for number in range(splits):
            part = split(data, entries[name.replace("_", "")], number, most=MOST)
            for way, model in ways().items():
                started = time.process_time()
                model.fit(part.X, part.y)
                spent[way].append(time.process_time() - started)
                lost[way].append(100 * (1 - model.score(part.X_test, part.y_test)))
        for way, told in found.items():
            told["seconds"].append(float(np.mean(spent[way])))
            told["errors"].append(float(np.mean(lost[way])))
        print(name, *(f"{told['errors'][-1]:.1f}" for told in found.values()), flush=True)
    return found


def panel(rows: Sequence[dict[str, Any]]) -> Panel:
    """Time against error of what was measured."""
    points = [
        Point(
            each["figure"].removeprefix(OURS),
            each["seconds"]["fit"],
            each["value"],
            each["figure"].startswith(OURS),
        )
        for each in rows
    ]
    across = "seconds to tune and fit, median of 33 data sets"
    return Panel(points, across, "test error, %, mean of 33 data sets")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, help="folder with MANIFEST.csv")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--pictures", type=Path, help="draw the results of --out there")
    add_out(parser, "today")
    options = parser.parse_args()
    if options.data is not None:
        report = Report(
            "today",
            "An election beside what people do today",
            f"33 two-class sets, splits of each: {options.splits}, at most {MOST} rows; CPU "
            "time of one thread. Values are mean test errors in %, seconds those to tune and fit.",
        )
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = measure(options.data, options.splits)
        for way, told in found.items():
            times = {"fit": told["seconds"]}
            report.add([row(way, float(np.mean(told["errors"])), "-", True, times)])
        report.write(options.out)
    if options.pictures is not None:
        results = json.loads(((options.out or ROOT / "bench/results") / "today.json").read_text())
        draw([panel(results["rows"])], options.pictures, "today", (6.4, 3.4))


if __name__ == "__main__":
    main()
