"""A worker of a Dask cluster killed at a random moment, twenty times: the bits of the local answer.

python -m tests.long.workers [--count 20] [--seed 0] [evaluate] [fit]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import kernelect as ke

PATIENCE = 300  # seconds for a worker to come back: a busy machine takes its time
N, GRID = 6_000, ke.gaussian_grid(0, 1)


def work(rows: Any, target: Any, **where: Any) -> bytes:
    """Evaluate by landmarks, and return the bits of all scores."""
    table = ke.evaluate(rows, target, GRID, ["loo", "gcv"], landmarks=30, lam=[0.1, 1.0], **where)
    return b"".join(table.scores[key].tobytes() for key in table.scores)


def fit(rows: Any, target: Any, **_: Any) -> bytes:
    """Fit a learner, on the active client's workers if there is one; return its coefficients."""
    model = ke.LSSVMClassifier("auto", landmarks=30, solver="landmarks").fit(rows, target)
    return bytes(model.dual_coef_.tobytes())


CALLS: dict[str, Callable[..., bytes]] = {"evaluate": work, "fit": fit}


def slowly(block: Any) -> Any:
    """Take a while, so that a worker holds blocks when it is killed."""
    time.sleep(0.1)
    return block


def killer(client: Client, after: float, killed: list[int]) -> None:
    """Kill one worker after some seconds."""
    time.sleep(after)
    victim = random.Random(after).choice(sorted(client.run(os.getpid).values()))
    os.kill(victim, signal.SIGKILL)
    killed.append(victim)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("calls", nargs="*", default=[*CALLS])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    numbers, rng = np.random.default_rng(options.seed), random.Random(options.seed)
    x = numbers.normal(size=(N, 3))
    y = (x[:, 0] * x[:, 1] + 0.3 * numbers.normal(size=N) > 0).astype(int)
    local = {name: call(x, y) for name, call in CALLS.items() if name in options.calls}
    wrong, amid, slowest = 0, 0, 0.0
    lasting = dict.fromkeys(options.calls, 1.0)
    for turn in range(-len(options.calls), options.count):  # the first are left alone, and timed
        name, killed = options.calls[turn % len(options.calls)], list[int]()
        rows = da.from_array(x, chunks=(1000, 3)).map_blocks(slowly, dtype=float)
        target = da.from_array(y, chunks=1000)
        after = rng.uniform(0.0, lasting[name])
        # A new one each time: a worker that is killed while it starts is given up by Dask itself.
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50)
            as cluster,
            Client(cluster) as client,
        ):  # fmt: skip
            client.wait_for_workers(2, timeout=PATIENCE)
            thread = threading.Thread(target=killer, args=(client, after, killed))
            began = time.monotonic()
            if turn >= 0:
                thread.start()
            found = CALLS[name](rows, target, client=client)
            took = time.monotonic() - began
            if turn < 0:
                lasting[name] = took
            else:
                amid += bool(killed)
                thread.join()
                slowest = max(slowest, took)
                print(f"{name}: killed after {after:.1f} s, done after {took:.1f} s", flush=True)
        wrong += found != local[name]
    print(f"{options.count} workers killed, {amid} of them before the answer came")
    print(f"{wrong} answers with other bits than the local one, the slowest after {slowest:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
