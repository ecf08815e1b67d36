"""Time and memory of the default election against the number of rows, and what it is worth.

    python bench/scale.py [--data FOLDER] [--parts sizes sets same-landmarks exact landmarks]
                          [--rows 1000 2000 ...] [--sets NAME ...] [--minutes MINUTES]
                          [--limit SECONDS] [--python liquidSVM=PATH] [--retry]
                          [--out FOLDER] [--docs FOLDER]

Every run is a process of its own, which tells its time by the clock, the CPU time of all its
threads, and its peak of memory above the data; one that takes longer than its limit or fails is
listed as such. What tells most is run first, and nothing after ``--minutes``: what was not run by
then the same command runs when it is given again. Finished runs are kept in ``scale-runs.jsonl`` of
``--out`` for as long as the code and the machine are those that made them; ``--retry`` runs again
what failed. The page has what is known of every part, of the ``--rows`` and ``--sets`` asked for.
The parts, of which all but the first need ``--data``, a folder of svmlight files with a
``MANIFEST.csv`` (see bench/papers/tools/data.py), are:

sizes            ``select`` of rows that were made up, with the exponents of time and memory
sets             real sets: kernelect, the width of gamma="scale", boosted trees, liquidSVM's cells
same-landmarks   beside scikit-learn's Nystroem with RidgeCV, the same kernels, lambdas, landmarks
exact            beside exact leave-one-out of whole matrices
landmarks        once and twice the usual landmarks, and of more than 10,000 rows what the library
                 takes by itself
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from inside import landmark_count
from scale_page import write
from scale_runs import Runs
from scale_sets import LIQUID, SETS, WHOLE

Found = dict[str, Any]
ROWS = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)
# Sets of the slow comparisons.
SLOW, EXACTLY = ("a9a", "cadata", "kin40k"), ("a9a", "cadata")
# Rows of which seven tenths train, and their usual landmarks, which fewer rows have too.
SAME, EXACT = 20_000, 14_000
USUAL = landmark_count(7 * SAME // 10)


def sizes(options: argparse.Namespace) -> list[Found]:
    return [{"rows": n, "lam": lam} for lam in options.lam for n in options.rows]


def sets(options: argparse.Namespace) -> list[Found]:
    methods = ("kernelect", "gamma=scale", "boosted trees", LIQUID)
    return [
        {"name": name, "most": options.most, "method": method}
        for name in options.sets or SETS
        for method in methods
    ]


def same_landmarks(options: argparse.Namespace) -> list[Found]:
    return [
        {"name": name, "most": SAME, "landmarks": USUAL, "method": method}
        for name in options.sets or SLOW
        for method in ("kernelect", "Nystroem + RidgeCV")
    ]


def exact(options: argparse.Namespace) -> list[Found]:
    tasks: list[Found] = []
    for name in options.sets or EXACTLY:
        task = {"name": name, "most": EXACT}
        tasks.append({**task, "landmarks": USUAL, "method": "kernelect"})
        tasks.append({**task, "method": "exact leave-one-out"})
    return tasks


def landmarks(options: argparse.Namespace) -> list[Found]:
    tasks = []
    for name in options.sets or SETS:
        task = {"name": name, "most": SAME, "method": "kernelect", "common": False}
        counts = [USUAL, 2 * USUAL, *([] if name in WHOLE else ["auto"])]
        tasks += [{**task, "landmarks": count} for count in counts]
    return tasks


WORK = {
    "sizes": sizes,
    "sets": sets,
    "same-landmarks": same_landmarks,
    "exact": exact,
    "landmarks": landmarks,
}
# What is run first, by part and method.
ORDER = (
    ("sizes", None),
    ("sets", "kernelect"),
    ("sets", "gamma=scale"),
    ("sets", "boosted trees"),
    ("same-landmarks", "kernelect"),
    ("same-landmarks", "Nystroem + RidgeCV"),
    ("sets", LIQUID),
    ("exact", "kernelect"),
    ("exact", "exact leave-one-out"),
    ("landmarks", "kernelect"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=WORK, default=list(WORK), metavar="PART")
    parser.add_argument("--rows", type=int, nargs="+", default=list(ROWS))
    parser.add_argument("--lam", nargs="+", default=[1.0], type=_lam, help="default: 1; or auto")
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    parser.add_argument("--sets", nargs="+", metavar="NAME")
    parser.add_argument("--most", type=int, default=60_000, help="rows of a set, default 60,000")
    parser.add_argument("--limit", type=float, help="seconds for any run, not one for each method")
    parser.add_argument("--minutes", type=float, default=30.0, help="for everything, default 30")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH")
    parser.add_argument("--retry", action="store_true", help="run again what failed")
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=Path("bench/results"))
    parser.add_argument("--docs", type=Path, metavar="FOLDER", help="for tables and the picture")
    options = parser.parse_args()
    runs = Runs(options)
    tasks = {part: of(options) for part, of in WORK.items()}
    for part, method in ORDER:
        if part in options.parts and (part == "sizes" or options.data):
            for task in tasks[part]:
                if task.get("method") == method:
                    runs.run(task)
    found = {part: [runs.known(task) for task in each] for part, each in tasks.items()}
    write(found, options.out, options.docs)


def _lam(given: str) -> float | str:
    return given if given == "auto" else float(given)


if __name__ == "__main__":
    main()
