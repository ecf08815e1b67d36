"""liquidSVM with its cells on the rows of a file, run by an interpreter of its own.

    PYTHON bench/scale_liquid.py ROWS.npz

ROWS.npz holds X, y, X_test, y_test and whether y are ``numbers``. Needs numpy below 2 and nothing
else of kernelect's environment; prints what bench/scale.py reads.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import sysconfig
import time
from pathlib import Path

import numpy as np


def main() -> None:
    # The import asks for a former name of this variable.
    sysconfig.get_config_vars()["SO"] = ".so"
    import liquidSVM

    with np.load(sys.argv[1]) as given:
        X, y, X_test, y_test = (given[name] for name in ("X", "y", "X_test", "y_test"))
        numbers = bool(given["numbers"])
    held = float(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    clock, cpu = time.perf_counter(), time.process_time()
    learn = liquidSVM.lsSVM if numbers else liquidSVM.mcSVM
    model = learn(X, y, threads=2, useCells=True)
    took = {"seconds": time.perf_counter() - clock, "cpu": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Its own predict hands zeros over as labels to compare with, which two classes refuse; any
    # that were seen will do, as only the outputs are read.
    outputs, _ = model.test(X_test, np.resize(y, len(X_test)))
    predicted = np.ravel(outputs[:, model.predictCols])
    wrong = (predicted - y_test) ** 2 if numbers else predicted != y_test
    found = {
        "loss": float(np.mean(wrong)),
        "equal": None,
        "what": "10 x 10 pairs in every cell",
        "rows": len(y),
        "megabytes": (peak * 1024 - held) / 1e6,
        **took,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
