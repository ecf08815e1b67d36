"""One run of bench/scale.py, in a process of its own: what is elected, how fast, how well.

    python bench/scale_task.py TASK

TASK is JSON; what was found out is printed as JSON.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from scale_sets import METHODS, held_out, load
from sklearn.datasets import make_classification

import kernelect as ke

Found = dict[str, Any]
FEATURES = 20


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


def done(task: Found) -> Found:
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


if __name__ == "__main__":
    print(json.dumps(done(json.loads(sys.argv[1]))))
