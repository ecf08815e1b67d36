"""How often an election says that there is no evidence: on data with some, and on data without.

``python -m bench.papers.elections.no_evidence --data DIR`` elects on 100 to 1000 rows of every set
of the manifest (repetitions of others and the largest left out), at lam = 1 and by lam = "auto",
three times each (1000 rows: once), with the targets as they are and with permuted ones. Half of the
sets, by a checksum of their names, were there to choose the limit; the other half judges it. A
false alarm is a warning although the elected model is better on rows not seen: by two standard
errors in accuracy than the larger class, or with an R2 above 0.05.
"""

from __future__ import annotations

import argparse
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import kernelect as ke

from ..tools.data import Entry, load, manifest

SIZES = {100: 3, 200: 3, 500: 3, 1000: 1}  # rows, and how many times
TEST, LEAST_TEST = 1500, 50
# Parts or copies of other sets, sets that are too small, and one of 27332 columns.
LEFT_OUT = {
    *("20newsgroups", "20newsgroups.t", "a1a", "a1a.t", "a2a", "a2a.t", "a9a.t", "pima"),
    *("liver-disorders", "breast-w", "svmguide3.t", "usps.t", "splice.t", "autos-23", "labor"),
    "skin_nonskin",
}


@dataclass(frozen=True)
class Election:
    """What came of one election: how it was warned about, and how good the model is."""

    name: str
    task: str
    rows: int
    permuted: bool
    evidence: float
    warned: bool
    better: bool  # on rows not seen
    worse: bool  # than the larger class there

    @property
    def judging(self) -> bool:
        return (zlib.crc32(self.name.encode()) >> 8) % 2 == 1


SCORES = {"binary": "roc_auc", "multiclass": "balanced_accuracy", "regression": "r2"}


def elections(folder: Path, entry: Entry, scored: bool) -> Iterator[Election]:
    X, y = load(folder, entry)
    task = "regression" if entry.task == "regression" else "classification"
    for rows, times in SIZES.items():
        for time in range(times if len(y) >= rows + LEAST_TEST else 0):
            rng = np.random.default_rng([zlib.crc32(entry.name.encode()), rows, time])
            order = rng.permutation(len(y))
            old, new = order[:rows], order[rows : rows + TEST]
            if task == "classification":  # a class of one row cannot be learnt
                labels, counts = np.unique(y[old], return_counts=True)
                old = old[np.isin(y[old], labels[counts > 1])]
                if len(np.unique(y[old])) < 2:
                    continue
            centre, spread = X[old].mean(axis=0), X[old].std(axis=0)
            spread[spread == 0] = 1.0
            Z, Z_new = (X[old] - centre) / spread, (X[new] - centre) / spread
            for permuted in (False, True):
                target = rng.permutation(y[old]) if permuted else y[old]
                for lam in (1.0, "auto"):
                    with warnings.catch_warnings(record=True) as caught:
                        warnings.simplefilter("always")
                        scoring = SCORES[entry.task] if scored else None
                        chosen = ke.select(
                            Z, target, lam=lam, task=task, scoring=scoring, n_threads=1
                        )
                    said = [str(warning.message) for warning in caught]
                    warned = any("no evidence" in s or "larger class" in s for s in said)
                    assert chosen.model is not None
                    model = _learner(task)(chosen.kernel, lam=chosen.model.lam).fit(Z, target)
                    better, worse = _judged(model.predict(Z_new), y[new], target, task)
                    assert chosen.evidence is not None
                    yield Election(
                        entry.name,
                        entry.task,
                        rows,
                        permuted,
                        chosen.evidence,
                        warned,
                        better,
                        worse,
                    )


def _learner(task: str) -> Any:
    return ke.LSSVMClassifier if task == "classification" else ke.LSSVMRegressor


def _judged(found: Any, truth: np.ndarray, y: np.ndarray, task: str) -> tuple[bool, bool]:
    """Whether predictions of new rows are better, and whether worse, than a constant's."""
    if task == "regression":
        r2 = 1.0 - np.mean((found - truth) ** 2) / np.mean((truth - y.mean()) ** 2)
        return bool(r2 > 0.05), bool(r2 < 0.0)
    labels, counts = np.unique(y, return_counts=True)
    gain = np.mean(found == truth) - np.mean(truth == labels[counts.argmax()])
    return bool(gain > 2.0 * np.sqrt(0.25 / len(truth))), bool(gain < 0.0)


def table(found: list[Election]) -> str:
    lines = ["| sets | target | permuted: warned | better than a constant: warned |"]
    lines.append("| --- | --- | --- | --- |")
    for judging, half in ((False, "to choose"), (True, "to judge")):
        for task in ("binary", "multiclass", "regression"):
            own = [e for e in found if e.task == task and e.judging == judging]
            noise = [e.warned for e in own if e.permuted]
            signal = [e.warned for e in own if not e.permuted and e.better]
            lines.append(f"| {half} | {task} | {_rate(noise)} | {_rate(signal)} |")
    worse = [e.warned for e in found if not e.permuted and e.worse]
    lines.append(f"\nworse than a constant on rows not seen, and warned: {_rate(worse)}")
    for limit in (1.0, 1.5, 1.645, 2.0, 2.5, 3.0, 3.5):
        chosen = [e for e in found if not e.judging]
        missed = np.mean([e.evidence >= limit for e in chosen if e.permuted])
        alarms = np.mean([e.evidence < limit for e in chosen if not e.permuted and e.better])
        lines.append(f"limit {limit}: {missed:.1%} missed, {alarms:.1%} false alarms (to choose)")
    return "\n".join(lines)


def _rate(warned: list[bool]) -> str:
    return f"{sum(warned)} of {len(warned)}" + (f" ({np.mean(warned):.1%})" if warned else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with MANIFEST.csv")
    parser.add_argument("--scores", action="store_true", help="elect by scores, not by losses")
    options = parser.parse_args()
    found: list[Election] = []
    for entry in manifest(options.data).values():
        if entry.name not in LEFT_OUT:
            found += elections(options.data, entry, options.scores)
    print(table(found))


if __name__ == "__main__":
    main()
