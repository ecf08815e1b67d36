"""Every way on every set, one after another: time to a tuned machine, its test error, its memory.

    python -m bench.peers --data DIR [--rows 500 1000] [--ways NAME ...] [--splits 1] [--out FOLDER]

Each runs in a process of its own on one thread; seconds are CPU time. Errors are % of test rows, of
regressions % of the variance. A way that is not installed is listed as such, and one that takes
longer than ``--limit`` seconds counts as not finished. ``--python`` names the interpreter that runs
a package which wants an environment of its own: ``--python liquidSVM=PATH``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from .page import write
from .sets import SETS
from .ways import WAYS

ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run(options: Any, way: str, name: str, rows: int, split: int) -> Any:
    """What a child prints, or why there is nothing."""
    command = [
        options.others.get(way, sys.executable),
        "-m",
        "bench.peers.child",
        way,
        name,
        str(rows),
        "--split",
        str(split),
    ]
    try:
        done = subprocess.run(
            [*command, "--data", str(options.data)],
            env={**os.environ, **ONE},
            capture_output=True,
            text=True,
            check=False,
            timeout=options.limit,
        )
    except subprocess.TimeoutExpired:
        return f"more than {options.limit:g} s"
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ["ended without a word"])[-1][:200]
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with MANIFEST.csv")
    parser.add_argument("--rows", type=int, nargs="+", default=[1000])
    parser.add_argument("--ways", nargs="+", default=list(WAYS), metavar="NAME")
    parser.add_argument("--sets", nargs="+", default=list(SETS), metavar="NAME")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1800.0, help="seconds for one fit")
    parser.add_argument("--python", nargs="+", default=[], metavar="WAY=PATH")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write peers.json and peers.md")
    options = parser.parse_args()
    options.others = dict(item.split("=", 1) for item in options.python)
    found: list[dict[str, Any]] = []
    versions: dict[str, str | None] = {}
    for way in options.ways:
        known = WAYS[way].version()
        versions[way] = "own environment" if way in options.others else known
        if versions[way] is None:
            print(f"{way}: {WAYS[way].package} is not installed", flush=True)
            continue
        for rows in options.rows:
            if rows > WAYS[way].most_rows:
                continue
            for name in options.sets:
                for split in range(options.splits):
                    told = run(options, way, name, rows, split)
                    line = {"way": way, "rows": rows, "set": name, "split": split}
                    found.append({**line, **(told if isinstance(told, dict) else {"why": told})})
            mine = [each for each in found if (each["way"], each["rows"]) == (way, rows)]
            done = [each for each in mine if "lost" in each]
            if done:
                seconds = float(np.mean([each["seconds"] for each in done]))
                lost = float(np.mean([each["lost"] for each in done]))
                told = f"{seconds:.3g} s, {lost:.2f} % on {len(done)} of {len(mine)} sets"
                print(f"{way}, {rows} rows: {told}", flush=True)
    if options.out is not None:
        write(options.out, found, versions)


if __name__ == "__main__":
    main()
