"""Landmark evidence on 1 and 2 workers: time, work and traffic beside the model of the guide.

``python bench/dask_scale.py [--rows N] [--features D] [--landmarks M]`` scores one Gaussian by gcv:
one look at the rows, one fetch of the pool, one pass of sums. Workers are processes of one thread
on this machine; rows are held by them. The clock on the wall needs as many idle CPUs as workers,
seconds of work (CPU time of the workers) and bytes between processes do not.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from distributed import Client, LocalCluster

import kernelect as ke
from kernelect._evidence.landmark_model import LEAF_ROWS
from kernelect._evidence.landmark_work import pool_size


@dataclass(frozen=True)
class Size:
    """Rows, features and landmarks of a pass."""

    rows: int
    features: int
    landmarks: int

    @property
    def flops(self) -> float:
        """Of kernel values, of the triangular solve and of the products, for all rows."""
        m = self.landmarks
        return self.rows * (2.0 * m * self.features + 2.0 * m * m)

    @property
    def sums(self) -> float:
        """Bytes of one task's sums."""
        return 8.0 * (self.landmarks + 2) ** 2

    def traffic(self, workers: int) -> float:
        """Bytes that workers send: the pool and one result to the client, sums to one another."""
        pool = 8.0 * pool_size(self.rows, self.landmarks) * self.features
        return pool + self.sums * (1 + max(workers - 1, 0))


def _sent(dask_worker: Any) -> int:
    return int(dask_worker.transfer_outgoing_bytes_total)


def _worked() -> float:
    times = os.times()
    return times.user + times.system


def _total(client: Client, function: Callable[..., float]) -> float:
    return float(sum(client.run(function).values()))


def measured(size: Size, workers: int) -> tuple[float, float, float]:
    """Seconds on the wall, seconds of work, and bytes sent by workers."""
    import dask.array as da

    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as cluster,
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        shape, chunks = (size.rows, size.features), (16 * LEAF_ROWS, size.features)
        random = da.random.default_rng(0)  # type: ignore[no-untyped-call]
        rows = random.normal(size=shape, chunks=chunks).persist()
        target = (rows[:, 0] * rows[:, 1] > 0).astype(np.int8).compute()

        def run() -> None:
            kernels = [ke.Gaussian(float(size.features))]
            ke.evaluate(rows, target, kernels, "gcv", landmarks=size.landmarks, client=client)

        run()  # imports, and what is made once
        before = time.perf_counter(), _total(client, _worked), _total(client, _sent)
        run()
        after = time.perf_counter(), _total(client, _worked), _total(client, _sent)
    return after[0] - before[0], after[1] - before[1], after[2] - before[2]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1 << 18)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--landmarks", type=int, default=300)
    given = parser.parse_args()
    size = Size(given.rows, given.features, given.landmarks)
    print(f"{size}, load {os.getloadavg()[0]:.1f}")
    print("workers  wall s  work s  GF/s of work  MB sent  MB by the model")
    for workers in (1, 2):
        wall, work, sent = measured(size, workers)
        print(
            f"{workers:7d} {wall:7.2f} {work:7.2f} {size.flops / work / 1e9:13.1f} "
            f"{sent / 1e6:8.1f} {size.traffic(workers) / 1e6:16.1f}"
        )


if __name__ == "__main__":
    main()
