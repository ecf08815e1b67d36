"""Time and memory of the default election against the number of rows, and what it is worth.

    python bench/scale.py [--rows 1000 2000 ...] [--data FOLDER] [--sets NAME ...] [--most ROWS]
                          [--slow] [--out FOLDER]

Every run is a process of its own, which tells its time by the clock, the CPU time of all its
threads, and its peak of memory above the data. ``--data`` is a folder of svmlight files with a
``MANIFEST.csv`` (see bench/papers/data.py); sets of at least 10,000 rows are taken, or those named,
at most ``--most`` rows of each. Beside the election: scikit-learn's Nystroem with RidgeCV over the
same kernels, lambdas and number of landmarks and exact leave-one-out of up to 12,000 rows, which
take long and are run with ``--slow``; the width of ``gamma="scale"``; boosted trees.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from report import Report, Row, add_out, row
from scale_sets import METHODS, held_out, load, names
from sklearn.datasets import make_classification

import kernelect as ke

Found = dict[str, Any]
ROWS = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)
FEATURES = 20
# Where whole matrices end and landmarks begin.
WHOLE = 10_000
# What is wanted of two idle cores: rows, and seconds.
WANTED = {20_000: 15.0, 200_000: 180.0}
MEGABYTES = 1500.0


def run(task: Found) -> Found:
    """What a process of its own finds out about a task."""
    done = subprocess.run(
        [sys.executable, __file__, "--task", json.dumps(task)],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"{task} ended with {done.returncode}:\n{done.stderr}")
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
        x, y = make_classification(task["rows"], FEATURES, n_informative=8, random_state=0)
        x = (x - x.mean(axis=0)) / x.std(axis=0)
        chosen, found = measured(lambda: ke.select(x, y, lam=task["lam"]))
        return {**found, "landmarks": chosen.landmarks, "verified": len(chosen.verified)}
    data = load(Path(task["folder"]), task["name"], task["most"])
    model, found = measured(lambda: METHODS[task["method"]](data))
    return {**found, **held_out(model, data)}


def exponent(found: dict[int, Found], key: str, *, landmarks: bool) -> float:
    """Slope of a figure against the rows, both by their logarithms, over those of one path."""
    rows = [n for n in found if (n > WHOLE) == landmarks]
    if len(rows) < 2:
        return float("nan")
    values = [max(found[n][key], 1e-3) for n in rows]
    return float(np.polyfit(np.log(rows), np.log(values), 1)[0])


def sizes(rows: list[int], lam: float | str) -> list[Row]:
    """One election for each number of rows, and how its cost grows."""
    found: dict[int, Found] = {}
    lines = []
    for n in rows:
        each = found[n] = run({"rows": n, "lam": lam})
        model = f"{each['landmarks']} landmarks" if each["landmarks"] else "whole matrices"
        title = f"select of {n} rows, lam={lam}, {model}, {each['verified']} verified"
        times = {"clock": [each["seconds"]], "CPU": [each["cpu"]]}
        most = WANTED.get(n, WANTED[max(WANTED)])
        if n <= max(WANTED):
            met = each["seconds"] <= most
            lines.append(row(f"{title}: seconds", each["seconds"], f"<= {most:g}", met, times))
        peak = each["megabytes"]
        lines.append(row(f"{title}: MB", peak, f"<= {MEGABYTES:g}", peak <= MEGABYTES))
        print(f"{title}: {each['seconds']:.2f} s, CPU {each['cpu']:.2f} s, {peak:.0f} MB")
    for key, most in (("seconds", 3.0), ("cpu", 3.0), ("megabytes", 2.0)):
        for landmarks in (False, True):
            slope = exponent(found, key, landmarks=landmarks)
            path = "landmarks" if landmarks else "whole matrices"
            if np.isfinite(slope):
                title = f"exponent of {key} in the rows, {path}, lam={lam}"
                lines.append(row(title, slope, f"<= {most:g}", slope <= most))
    return lines


def sets(folder: Path, chosen: list[str], most: int, *, slow: bool) -> list[Row]:
    """Every method on every set: its cost, the loss of its own model and of the common learner."""
    methods = [name for name in METHODS if slow or name not in ("nystroem", "exact")]
    lines = []
    for name in chosen:
        found = {}
        for method in methods:
            task = {"folder": str(folder), "name": name, "most": most, "method": method}
            each = found[method] = run(task)
            print(
                f"{name}, {method}: {each['seconds']:.1f} s, CPU {each['cpu']:.1f} s, "
                f"{each['megabytes']:.0f} MB, loss {each['loss']:.4g}, of the common learner with "
                f"its pair {each['equal']:.4g}; {each['what']}",
                flush=True,
            )
        ours = found["kernelect"]
        for method, each in found.items():
            if method == "kernelect":
                continue
            times = {"kernelect": [ours["seconds"]], method: [each["seconds"]]}
            own, equal = ours["loss"] - each["loss"], ours["equal"] - each["equal"]
            title = f"{name} ({each['rows']} rows), beside {method}"
            lines.append(row(f"{title}: test loss, the difference", own, "<= 0.002", own <= 0.002))
            if np.isfinite(equal):
                what = f"{title}: the same of the common learner with the elected pair"
                lines.append(row(what, equal, "<= 0.002", equal <= 0.002))
            if method == "nystroem":
                ratio = each["seconds"] / ours["seconds"]
                lines.append(
                    row(f"{title}: its time over ours", ratio, ">= 20", ratio >= 20, times)
                )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="*", default=list(ROWS))
    parser.add_argument("--lam", nargs="*", default=["1", "auto"], help="1 and auto by default")
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    parser.add_argument("--sets", nargs="*", metavar="NAME", help="default: all of 10,000 rows")
    parser.add_argument("--most", type=int, default=200_000, help="rows of a set")
    parser.add_argument("--slow", action="store_true", help="also what takes many minutes")
    parser.add_argument("--task", type=json.loads, help=argparse.SUPPRESS)
    add_out(parser, "scale")
    given = parser.parse_args()
    if given.task:
        print(json.dumps(child(given.task)))
        return
    report = Report(
        "scale",
        "Elections of many rows",
        f"d = {FEATURES}, 31 Gaussians tau = 2^-15 .. 2^15, each run in a process of its own.",
    )
    for lam in given.lam if given.rows else []:
        report.add(sizes(given.rows, lam if lam == "auto" else float(lam)))
    if given.data:
        chosen = given.sets or names(given.data)
        report.add(sets(given.data, chosen, given.most, slow=given.slow))
    report.write(given.out)


if __name__ == "__main__":
    main()
