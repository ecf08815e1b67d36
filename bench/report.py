"""What the benchmarks share: figures with the conditions they were taken under."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import kernelect as ke

Row = dict[str, Any]


def seconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    started = clock()
    work()
    return clock() - started


def in_turns(
    repeats: int, clock: Callable[[], float] = time.process_time, **works: Callable[[], object]
) -> dict[str, list[float]]:
    """The times of each piece of work; the pieces take turns, after one warm-up each."""
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(seconds(work, clock))
    return times


def ratio(times: dict[str, list[float]], above: str, below: str) -> float:
    """The median over the repeats of one time over the other in the same turn."""
    return statistics.median(a / b for a, b in zip(times[above], times[below], strict=True))


def row(
    figure: str, value: float, wanted: str, met: bool, times: dict[str, list[float]] | None = None
) -> Row:
    medians = {name: statistics.median(each) for name, each in (times or {}).items()}
    return {"figure": figure, "value": value, "wanted": wanted, "met": met, "seconds": medians}


def peak_of(child: Sequence[str]) -> dict[str, float]:
    """What a child process prints that ends with `print_peak`."""
    done = subprocess.run([sys.executable, *child], check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def print_peak(work: Callable[[], object]) -> None:
    """Run the work and print its time, and its peak of memory above what was held before."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    # What is held now, not the peak so far: imports may have peaked higher, and would hide some.
    statm = Path("/proc/self/statm")
    if statm.exists():
        held = int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    else:
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    took = seconds(work, time.perf_counter)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    print(json.dumps({"megabytes": (peak - held) / 1e6, "seconds": took}))


def machine() -> dict[str, Any]:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    affinity = getattr(os, "sched_getaffinity", None)
    return {
        "processor": names[0] if names else platform.processor(),
        "cpus": len(affinity(0)) if affinity else os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numpy_simd": np.show_config(mode="dicts")["SIMD Extensions"].get("found", []),
        "build": ke.build_info(),
    }


def markdown(title: str, conditions: str, told: dict[str, Any], rows: Sequence[Row]) -> str:
    under = (
        f"{told['processor']}, {told['cpus']} CPUs, level {told['build']['level']}, "
        f"numpy {told['numpy']} ({' '.join(told['numpy_simd'])}), Python {told['python']}; "
        f"{conditions} Load of the machine at the start: {told['load']}."
    )
    lines = [
        f"# {title}",
        "",
        under,
        "",
        "| figure | value | wanted | met | median seconds |",
        "| --- | --- | --- | --- | --- |",
    ]
    for each in rows:
        took = ", ".join(f"{name} {value:.4g}" for name, value in each["seconds"].items())
        met = "yes" if each["met"] else "no"
        lines.append(
            f"| {each['figure']} | {each['value']:.3g} | {each['wanted']} | {met} | {took} |"
        )
    return "\n".join(lines) + "\n"


class Report:
    """Figures as they come in: printed at once, written to NAME.json and NAME.md at the end."""

    def __init__(self, name: str, title: str, conditions: str) -> None:
        self.name, self.title, self.conditions = name, title, conditions
        self.machine, self.rows = machine(), list[Row]()

    def add(self, rows: Sequence[Row]) -> None:
        for each in rows:
            print(f"{each['figure']}: {each['value']:.3g} (wanted {each['wanted']})", flush=True)
            self.rows.append(each)

    def write(self, folder: Path | None) -> None:
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        facts = {"machine": self.machine, "rows": self.rows}
        (folder / f"{self.name}.json").write_text(json.dumps(facts, indent=1) + "\n")
        text = markdown(self.title, self.conditions, self.machine, self.rows)
        (folder / f"{self.name}.md").write_text(text)


def add_out(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help=f"write {name}.json and {name}.md there"
    )


def parse(
    parser: argparse.ArgumentParser, name: str, child: Callable[[int], None]
) -> argparse.Namespace | None:
    """The options; None where this process is the child whose memory is measured, and is done."""
    add_out(parser, name)
    parser.add_argument("--child", type=int, metavar="N", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return None
    return options
