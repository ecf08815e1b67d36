"""How near the streaming pass is to what this machine can do: `kernelect-bench --roofline`.

``python bench/roofline.py --out bench/results`` runs the benchmark that is installed beside the
interpreter and writes ``roofline.json`` and ``roofline.md``; ``--binary`` names another one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from report import Report, Row, add_out, row

WHAT = {
    "products": "fused multiply-adds (distances: one for each feature, and two)",
    "exponents": "exponentials (the widest kernel of each pair of rows)",
    "series": "exponentials by a short series (the widest kernel of each pair of rows)",
    "squarings": "kernels by squaring, added to two sums (a product, two additions)",
    "doublings": "wide kernels as 1 - K, added to two sums (a product, three additions)",
    "bytes": "bytes (rows read, sums written)",
}


def rows_of(found: dict[str, Any]) -> list[Row]:
    """What is needed at least, what the machine does of it, and the share that is reached."""
    rows = []
    for name, least in found["least"].items():
        what, speed = WHAT[name], found["per_second"][name]
        for_a_pair = least / found["pairs"]
        figure = f"{what}: {least:.3g} at least, {for_a_pair:.3g} a pair; {speed:.3g} a second"
        rows.append(row(figure, least / speed, "-", True, {"least": [least / speed]}))
    times = {"least": [found["least_seconds"]], "taken": [found["best_cpu_seconds"]]}
    figure = "share of the machine's best that the pass reaches"
    return [*rows, row(figure, found["reached"], ">= 0.6", found["reached"] >= 0.6, times)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=8000)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument(
        "--binary", type=Path, default=Path(sys.executable).parent / "kernelect-bench-v3"
    )
    add_out(parser, "roofline")
    options = parser.parse_args()
    size = ["--n", str(options.rows), "--repeats", str(options.repeats)]
    done = subprocess.run(
        [str(options.binary), "--roofline", *size], check=True, capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    report = Report(
        "roofline",
        "What the streaming pass needs at least, and what it takes",
        f"SM r=2, n = {found['n']}, d = {found['d']}, {found['candidates']} Gaussians, one thread, "
        f"level {found['level']}, {found['compiler']}; CPU time, the best of {found['repeats']} "
        "repeats in turns with the loops that measure the machine. Values are seconds. Kernels "
        "count where they are not negligible: below exp(-64) no sum sees them.",
    )
    report.add(rows_of(found))
    report.write(options.out)


if __name__ == "__main__":
    main()
