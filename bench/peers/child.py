"""One way on one set, in a process of its own: prints its seconds, error and memory as JSON."""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from .sets import part
from .ways import WAYS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("way")
    parser.add_argument("set")
    parser.add_argument("rows", type=int)
    parser.add_argument("--split", type=int, default=0)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    data = part(options.data, options.set, options.rows, options.split)
    if data is None:
        sys.exit("too few rows")
    warnings.simplefilter("ignore")
    numbers = data.task == "regression"
    with threadpool_limits(1):
        model = WAYS[options.way].make(numbers)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began, clock = time.process_time(), time.perf_counter()
        model.fit(data.X, data.y)
        took, waited = time.process_time() - began, time.perf_counter() - clock
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        found = np.ravel(model.predict(data.X_test))
    if numbers:
        lost = 100.0 * float(np.mean((found - data.y_test) ** 2) / np.var(data.y_test))
    else:
        lost = 100.0 * float(np.mean(found != data.y_test))
    print(json.dumps({"seconds": took, "waited": waited, "lost": lost,
                      "megabytes": (peak - before) / 1024.0}))  # fmt: skip


if __name__ == "__main__":
    main()
