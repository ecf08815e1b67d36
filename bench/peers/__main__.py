"""Every way on every set: time to a tuned machine, its test error, its memory.

    python -m bench.peers --data DIR --out bench/results --pictures docs/_static

Each runs in a process of its own on one thread; seconds are CPU time. Errors are % of test rows, of
regressions % of the variance. ``--out`` keeps every run as soon as it has ended: the same command
takes up what was broken off, and ``--again NAME`` runs a way once more. Runs of another processor
are dropped, and those of another version of the ways that are asked for, or of other sources of
kernelect. A way that is not installed is listed as such; one that takes longer than ``--limit``
seconds on a set is not run with more rows of it. No run begins after ``--minutes``. ``--rivals``
is a folder of environments for the packages which want one of their own
(``python -m bench.peers.environments FOLDER`` makes it), ``--python liquidSVM=PATH`` the
interpreter of one; NumPy, scikit-learn and threadpoolctl have to be in it, kernelect not.
``--jobs 2`` runs two at a time, each on a CPU of its own. Without ``--data`` pages and pictures
are made of what ``--out`` holds.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from .environments import RIVALS, python_of
from .page import draw, summary, write
from .runs import Key, Runs, code_of, interpreter, run, takes_part, version_of
from .sets import SETS, file_of, has
from .ways import WAYS


def measure(options: Any, runs: Runs, kept: Path) -> None:
    cpus: SimpleQueue[int] = SimpleQueue()
    affinity = getattr(os, "sched_getaffinity", None)
    for cpu in (sorted(affinity(0)) if affinity else range(os.cpu_count() or 1))[: options.jobs]:
        cpus.put(cpu)

    ends = time.monotonic() + 60.0 * options.minutes

    def one(key: Key) -> tuple[Key, Any]:
        way, rows, name, split = key
        if time.monotonic() > ends:
            return key, None
        file, cpu = file_of(options.data, kept, name, rows, split), cpus.get()
        limits = {"limit": options.limit, "gigabytes": options.gigabytes}
        try:
            return key, run(interpreter(options.others, way), key, file, cpu=cpu, **limits)
        finally:
            cpus.put(cpu)

    installed = [way for way in options.ways if runs.versions.get(way) is not None]
    for rows in sorted(options.rows):
        for way in installed:
            keys = [(way, rows, name, split) for name in options.sets
                    for split in range(options.splits)
                    if takes_part(way, name, rows) and has(options.data, name, rows)]  # fmt: skip
            wanted = [key for key in keys if not runs.has(key, options.limit)]
            with ThreadPoolExecutor(options.jobs) as pool:
                for key, told in pool.map(one, wanted):
                    if told is not None:
                        runs.add(key, told)
            if any(runs.has(key, options.limit) for key in keys):
                print(summary(runs.all(), way, rows), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, help="folder with MANIFEST.csv")
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 1000, 2000, 4000, 10000])
    parser.add_argument("--ways", nargs="+", default=list(WAYS), metavar="NAME", choices=WAYS)
    parser.add_argument("--sets", nargs="+", default=list(SETS), metavar="NAME", choices=SETS)
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--limit", type=float, default=300.0, help="CPU seconds for one run")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no run later")
    parser.add_argument("--gigabytes", type=float, default=8.0, help="memory for one run")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--rivals", type=Path, metavar="FOLDER", help="their environments")
    parser.add_argument("--python", nargs="+", default=[], metavar="PACKAGE=PATH")
    parser.add_argument("--again", nargs="+", default=[], metavar="NAME", choices=WAYS)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="keep peers.json and peers.md")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw them there")
    options = parser.parse_args()
    folder = options.rivals
    made = {} if folder is None else {name: python_of(folder, name) for name in RIVALS}
    options.others = {name: str(python) for name, python in made.items() if python.exists()}
    options.others |= dict(item.split("=", 1) for item in options.python)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    runs = Runs(None if options.out is None else options.out / "peers.json")
    if options.data is not None:
        from ..report import machine  # type: ignore[import-not-found]

        runs.machine = machine()
        for way in options.ways:
            package = WAYS[way].package
            runs.versions[way] = version_of(interpreter(options.others, way), package)
            if runs.versions[way] is None:
                print(f"{way}: {package} is not installed", flush=True)
            runs.codes[way] = code_of(package, runs.versions[way])
        runs.forget(options.again)
        print(f"{runs.forget_others()} runs of another processor, version or code are dropped")
        with tempfile.TemporaryDirectory() as kept:
            measure(options, runs, Path(kept))
    if options.out is not None:
        write(options.out, runs)
    if options.pictures is not None:
        draw(options.pictures, runs.all())


if __name__ == "__main__":
    main()
