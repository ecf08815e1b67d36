"""Time and memory of the default election against the number of rows, and what it is worth.

    python bench/scale.py [--parts sizes sets same-landmarks exact landmarks] [--data FOLDER]
                          [--rows 1000 2000 ...] [--sets NAME ...] [--limit SECONDS]
                          [--minutes MINUTES] [--python liquidSVM=PATH] [--again] [--ours]
                          [--retry]
                          [--out FOLDER] [--docs FOLDER]

Every run is a process of its own, which tells its time by the clock, the CPU time of all its
threads, and its peak of memory above the data; one that takes longer than ``--limit`` or fails is
listed as such. Finished runs are kept in ``scale-runs.jsonl`` of ``--out`` and not run again unless
``--again`` says so of the parts asked for, ``--ours`` of those in which kernelect elects, or
``--retry`` of those that failed: the parts may be run one after another, the page has all of them,
and what was ended goes on where it was. No run begins after ``--minutes``; what was known of it
before then stands. The parts, of which all but the first need ``--data``, a folder of svmlight
files with a ``MANIFEST.csv`` (see bench/papers/tools/data.py):

sizes            ``select`` of rows that were made up, with the exponents of time and memory
sets             real sets: kernelect, the width of gamma="scale", boosted trees, liquidSVM's cells
same-landmarks   beside scikit-learn's Nystroem with RidgeCV, the same kernels, lambdas, landmarks
exact            beside exact leave-one-out of whole matrices
landmarks        half, once and twice the usual landmarks, and beyond 10,000 rows what the library
                 takes by itself
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scale_page import write
from scale_sets import LIQUID, METHODS, SETS, held_out, load
from sklearn.datasets import make_classification

import kernelect as ke
from kernelect._evidence.landmarks.counts import WHOLE_ROWS, landmark_count

Found = dict[str, Any]
ROWS = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)
FEATURES = 20
PARTS = ("sizes", "sets", "same-landmarks", "exact", "landmarks")
MISSING, LATE = "not installed", "not run"
OURS = ("kernelect", "gamma=scale")
# Sets of the slow comparisons, and the rows of which seven tenths train.
SLOW = ("a9a", "cadata", "kin40k")
SAME, EXACT = 20_000, 14_000


class Runs:
    """Finished runs in a file, so that none is lost or made twice."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._file = options.out / "scale-runs.jsonl"
        self._end = time.monotonic() + 60.0 * options.minutes
        self._fresh: set[str] = set()
        self.known: dict[str, Found] = {}
        if self._file.exists():
            lines = [json.loads(line) for line in self._file.read_text().splitlines()]
            self.known = {key: run for key, run in lines if not ("failed" in run and options.retry)}

    def run(self, task: Found) -> Found:
        """What a process of its own finds out about a task, or ``{"failed": why}``."""
        key = json.dumps(task, sort_keys=True)
        ours = self._options.ours and task.get("method", "kernelect") in OURS
        stale = (self._options.again or ours) and key not in self._fresh
        if key not in self.known or stale:
            if time.monotonic() > self._end:
                return self.known.get(key, {**task, "failed": LATE})
            found = {**task, **self._run(task), "load": os.getloadavg()[0]}
            if found.get("failed") == MISSING:
                return self.known.get(key, found)
            self._fresh.add(key)
            self.known[key] = found
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a") as file:  # of two runs of a task the later one counts
                file.write(json.dumps([key, found]) + "\n")
            said = found.get("failed") or (
                f"{found['seconds']:.1f} s, CPU {found['cpu']:.1f} s, {found['megabytes']:.0f} MB"
                + (f", loss {found['loss']:.4g}; {found['what']}" if "loss" in found else "")
            )
            print(f"{task}: {said}", flush=True)
        return self.known[key]

    def _run(self, task: Found) -> Found:
        others = self._options.others
        if task.get("method") == LIQUID:
            if LIQUID not in others:
                return {"failed": MISSING}
            data = load(self._options.data, task["name"], task["most"])
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "rows.npz"
                parts = {name: getattr(data.parts, name) for name in ("X", "y", "X_test", "y_test")}
                np.savez(file, **parts, numbers=data.numbers)
                child = Path(__file__).with_name("scale_liquid.py")
                return self._process([others[LIQUID], str(child), str(file)])
        given = {**task, "folder": str(self._options.data)}
        return self._process([sys.executable, __file__, "--task", json.dumps(given)])

    def _process(self, command: list[str]) -> Found:
        limit = self._options.limit
        try:
            done = subprocess.run(
                command, check=False, capture_output=True, text=True, timeout=limit
            )
        except subprocess.TimeoutExpired:
            return {"failed": f"more than {limit:g} s"}
        if done.returncode != 0:
            words = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
            return {"failed": words[-1][:200]}
        found: Found = json.loads(done.stdout.splitlines()[-1])
        return found


def measured(work: Any) -> tuple[Any, Found]:
    """Run some work and tell its time, and the peak of memory above what was held before."""
    unit = 1 if sys.platform == "darwin" else 1024
    statm = Path("/proc/self/statm")
    held = float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
    if statm.exists():
        held = float(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    clock, cpu = time.perf_counter(), time.process_time()
    made = work()
    took = {"seconds": time.perf_counter() - clock, "cpu": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return made, {**took, "megabytes": (peak - held) / 1e6}


def child(task: Found) -> Found:
    """Do a task in this process."""
    warnings.simplefilter("ignore")
    if "rows" in task:
        lam = task["lam"]
        x, y = make_classification(task["rows"], FEATURES, n_informative=8, random_state=0)
        x = (x - x.mean(axis=0)) / x.std(axis=0)
        chosen, found = measured(lambda: ke.select(x, y, lam=lam))
        found["m_sensitivity"] = chosen.m_sensitivity
        return {**found, "landmarks": chosen.landmarks, "verified": len(chosen.verified)}
    data = load(Path(task["folder"]), task["name"], task["most"], task.get("landmarks", "auto"))
    model, found = measured(lambda: METHODS[task["method"]](data))
    return {**found, **held_out(model, data, common=task.get("common", True))}


def sizes(runs: Runs, options: argparse.Namespace) -> list[Found]:
    return [runs.run({"rows": n, "lam": lam}) for lam in options.lam for n in options.rows]


def sets(runs: Runs, options: argparse.Namespace) -> list[Found]:
    names = options.sets or SETS
    found = [
        runs.run({"name": name, "most": options.most, "method": method})
        for method in ("kernelect", "gamma=scale", "boosted trees", LIQUID)  # the slowest last
        for name in names
    ]
    return sorted(found, key=lambda each: names.index(each["name"]))


def same_landmarks(runs: Runs, options: argparse.Namespace) -> list[Found]:
    found = []
    for name in options.sets or SLOW:
        rows = load(options.data, name, SAME).rows
        for method in ("kernelect", "Nystroem + RidgeCV"):
            task = {"name": name, "most": SAME, "landmarks": landmark_count(rows)}
            found.append(runs.run({**task, "method": method}))
    return found


def exact(runs: Runs, options: argparse.Namespace) -> list[Found]:
    found = []
    for name in options.sets or SLOW:
        rows = load(options.data, name, EXACT).rows
        task = {"name": name, "most": EXACT}
        count = {"landmarks": landmark_count(rows)}
        found.append(runs.run({**task, **count, "method": "kernelect"}))
        found.append(runs.run({**task, "method": "exact leave-one-out"}))
    return found


def landmarks(runs: Runs, options: argparse.Namespace) -> list[Found]:
    found = []
    for name in options.sets or SETS:
        rows = load(options.data, name, SAME).rows
        task = {"name": name, "most": SAME, "method": "kernelect", "common": False}
        usual = landmark_count(rows)
        counts = [usual // 2, usual, 2 * usual, *(["auto"] if rows > WHOLE_ROWS else [])]
        found += [runs.run({**task, "landmarks": count}) for count in counts]
    return found


WORK = dict(zip(PARTS, (sizes, sets, same_landmarks, exact, landmarks), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--rows", type=int, nargs="+", default=list(ROWS))
    parser.add_argument("--lam", nargs="+", default=[1.0], type=_lam, help="default: 1; or auto")
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    parser.add_argument("--sets", nargs="+", metavar="NAME")
    parser.add_argument("--most", type=int, default=60_000, help="rows of a set, default 60,000")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for one run")
    parser.add_argument("--minutes", type=float, default=1e6, help="for the beginnings of runs")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH")
    parser.add_argument("--again", action="store_true", help="repeat runs that are kept")
    parser.add_argument("--ours", action="store_true", help="repeat those of kernelect alone")
    parser.add_argument("--retry", action="store_true", help="run again what failed")
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=Path("bench/results"))
    parser.add_argument("--docs", type=Path, metavar="FOLDER", help="for tables and the picture")
    parser.add_argument("--task", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        print(json.dumps(child(options.task)))
        return
    options.others = dict(item.split("=", 1) for item in options.python)
    runs = Runs(options)
    found = {
        part: WORK[part](runs, options)
        for part in PARTS
        if part in options.parts and (part == "sizes" or options.data)
    }
    kept = options.out / "scale.json"
    known = json.loads(kept.read_text())["found"] if kept.exists() else {}
    write({**known, **found}, options.out, options.docs)


def _lam(given: str) -> float | str:
    return given if given == "auto" else float(given)


if __name__ == "__main__":
    main()
