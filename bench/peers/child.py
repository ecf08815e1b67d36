"""One way on one set, in a process of its own: prints its seconds, error and memory as JSON.

It needs NumPy, scikit-learn and the package of the way, and kernelect for kernelect's ways only.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import resource
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from .ways import WAYS


def memory_so_far() -> float:
    """The most memory of this process in MB since `forget_memory`."""
    status = Path("/proc/self/status")
    if status.exists():  # unlike ru_maxrss this knows nothing of the process that started us
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return float(line.split()[1]) / 1024.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def forget_memory() -> None:
    """Begin anew with what is held now: imports may have taken more than a fit will."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def measure(make: Any, numbers: bool, data: Any) -> dict[str, float]:
    model = make(numbers)
    forget_memory()
    before = memory_so_far()
    began, clock = time.process_time(), time.perf_counter()
    model.fit(data["X"], data["y"])
    took, waited = time.process_time() - began, time.perf_counter() - clock
    peak = memory_so_far()
    found, wanted = np.ravel(model.predict(data["X_test"])), data["y_test"]
    if numbers:
        lost = 100.0 * float(np.mean((found - wanted) ** 2) / np.var(wanted))
    else:
        lost = 100.0 * float(np.mean(found != wanted))
    return {"seconds": took, "waited": waited, "lost": lost, "megabytes": peak - before}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("way")
    parser.add_argument("file", type=Path)
    parser.add_argument("--numbers", action="store_true", help="a regression")
    parser.add_argument("--seconds", type=float, help="most CPU time of the process")
    parser.add_argument("--gigabytes", type=float, help="most memory of the process")
    parser.add_argument("--cpu", type=int, help="the one CPU that it may use")
    options = parser.parse_args()
    if options.gigabytes:
        resource.setrlimit(resource.RLIMIT_DATA, 2 * (int(options.gigabytes * 2**30),))
    if options.seconds:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(options.seconds), hard))
    if options.cpu is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {options.cpu})
    with np.load(options.file) as file:
        data = {name: file[name] for name in file.files}
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        print(json.dumps(measure(WAYS[options.way].make, options.numbers, data)))


if __name__ == "__main__":
    main()
