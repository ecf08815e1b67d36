"""Landmark evidence on 1 and 2 workers: time, work and traffic beside the model of the guide.

    python bench/dask_scale.py [--rows N] [--features D] [--landmarks M] [--repeats R]
                               [--out FOLDER] [--docs FOLDER]

scores one Gaussian by gcv: one look at the rows, one fetch of the pool, one pass of sums. Workers
are processes of one thread on this machine; rows are held by them. The rate of a core in the model
is that of the same pass in this process on one thread. The clock on the wall needs as many idle
CPUs as workers, seconds of work (CPU time of the workers) and bytes between processes do not. The
page ends with what the model says of 10^8 rows.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from distributed import Client, LocalCluster
from inside import LEAF_ROWS, pool_size
from report import machine, row

import kernelect as ke


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

    def seconds(self, cores: float, rate: float, workers: int, bandwidth: float) -> float:
        """Of one pass: its work, and sums along the tree; the client's part is not in it."""
        steps = math.ceil(math.log2(workers)) if workers > 1 else 0
        return self.flops / (cores * rate) + steps * self.sums / bandwidth


def _sent(dask_worker: Any) -> int:
    return int(dask_worker.transfer_outgoing_bytes_total)


def _worked() -> float:
    times = os.times()
    return times.user + times.system


def _total(client: Client, function: Callable[..., float]) -> float:
    return float(sum(client.run(function).values()))


def kernels_of(size: Size) -> list[ke.Gaussian]:
    return [ke.Gaussian(float(size.features))]


def rate_here(size: Size) -> tuple[float, float]:
    """CPU seconds in this process on one thread: of all, and of what is no pass over the rows.

    The latter, the choice of landmarks and the decomposition, is what a pool of rows alone takes.
    """
    random = np.random.default_rng(0)
    took = []
    for rows in (size.rows, pool_size(size.rows, size.landmarks)):
        X = random.normal(size=(rows, size.features))
        y = (X[:, 0] * X[:, 1] > 0).astype(np.int8)
        how: dict[str, Any] = {"landmarks": size.landmarks, "n_threads": 1}
        started = time.process_time()
        ke.evaluate(X, y, kernels_of(size), "gcv", **how)
        took.append(time.process_time() - started)
    share = pool_size(size.rows, size.landmarks) / size.rows
    for_all = (took[0] - took[1]) / (1.0 - share)
    return took[0], took[0] - for_all


def measured(size: Size, workers: int, repeats: int) -> dict[str, float]:
    """Seconds on the wall, seconds of work, and bytes sent by workers, the quickest of some."""
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
            how: dict[str, Any] = {"landmarks": size.landmarks, "client": client, "n_threads": 1}
            ke.evaluate(rows, target, kernels_of(size), "gcv", **how)

        run()  # imports, and what is made once
        found = []
        for _ in range(repeats):
            before = time.perf_counter(), _total(client, _worked), _total(client, _sent)
            run()
            after = time.perf_counter(), _total(client, _worked), _total(client, _sent)
            found.append([b - a for a, b in zip(before, after, strict=True)])
    wall, work, sent = min(found)
    return {"wall": wall, "work": work, "sent": sent}


def foretold(facts: dict[str, Any], size: Size, workers: int) -> float:
    """Seconds by the model: the client's part, and the pass."""
    return float(facts["alone"] + size.seconds(workers, facts["rate"], workers, 1e9))


def conditions(facts: dict[str, Any], size: Size) -> str:
    told = facts["machine"]
    return (
        f"{told['processor']}, {told['cpus']} CPUs, level {told['build']['level']}, load at the "
        f"start {facts['load']:.1f}; {size.rows:,} rows, d = {size.features}, "
        f"m = {size.landmarks}. A core does {facts['rate'] / 1e9:.1f} GF/s in the pass over the "
        f"rows, and the client's part takes {facts['alone']:.2f} s."
    )


def checked(facts: dict[str, Any], size: Size) -> list[list[str]]:
    """Return a table: measured beside the model."""
    head = ["workers", "seconds", "by the model", "seconds of work", "MB sent", "by the model"]
    lines = [head]
    for name, found in facts["measured"].items():
        workers = int(name)
        figures = (found["wall"], foretold(facts, size, workers), found["work"])
        sent = (found["sent"] / 1e6, size.traffic(workers) / 1e6)
        lines.append(
            [name, *(f"{value:.2f}" for value in figures), *(f"{value:.1f}" for value in sent)]
        )
    return lines


def at_large(rate: float) -> list[list[str]]:
    """Return a table: what the model says of 10^8 rows on 100 workers of 16 cores."""
    head = ["landmarks", "a look at all rows", "its decomposition, on a client of 16 cores"]
    lines = [[*head, "election: 6 coarse, 4 full looks"]]
    for count in (2000, 5000):
        large, part = Size(10**8, 100, count), Size(10**8 // 16, 100, count // 2)
        look, coarse = (each.seconds(1600, rate, 100, 1.25e9) for each in (large, part))
        client = [10.0 * m**3 / (16 * rate) for m in (count, count // 2)]
        whole = 4 * (look + client[0]) + 6 * (coarse + client[1])
        lines.append([str(count), f"{look:.0f} s", f"{client[0]:.1f} s", f"{whole / 60:.1f} min"])
    return lines


LARGE = (
    "10⁸ rows of 100 features, 80 GB, on 100 workers of 16 cores at that rate and 10 Gbit/s, by "
    "the model; nothing of that size has been run. Screening adds some 10 s; the client needs 8 to "
    "9 GB, for the target and the pool."
)


def markdown(table: list[list[str]]) -> str:
    rows = [table[0], ["---"] * len(table[0]), *table[1:]]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def restructured(table: list[list[str]]) -> str:
    lines = [", ".join(f'"{cell}"' for cell in cells) for cells in table]
    return ".. csv-table::\n   :header-rows: 1\n\n" + "".join(f"   {line}\n" for line in lines)


def included(facts: dict[str, Any], size: Size) -> str:
    """Return what the guide includes."""
    first, second = (restructured(t) for t in (checked(facts, size), at_large(facts["rate"])))
    return f"{conditions(facts, size)}\n\n{first}\n{LARGE}\n\n{second}"


def main() -> None:
    """Measure, print and keep a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1 << 18)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--landmarks", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--out", type=Path, metavar="FOLDER")
    parser.add_argument("--docs", type=Path, metavar="FOLDER", help="for what the guide includes")
    given = parser.parse_args()
    size = Size(given.rows, given.features, given.landmarks)
    whole, alone = rate_here(size)
    facts: dict[str, Any] = {"size": asdict(size), "load": os.getloadavg()[0], "alone": alone}
    facts["rate"] = size.flops / (whole - alone)
    facts["measured"] = {str(n): measured(size, n, given.repeats) for n in (1, 2)}
    facts["machine"], facts["rows"] = machine(), []
    for workers, found in facts["measured"].items():
        for what, share in (
            ("seconds", found["wall"] / foretold(facts, size, int(workers))),
            ("bytes sent", found["sent"] / size.traffic(int(workers))),
        ):
            title = f"{workers} workers: {what} over those of the model"
            facts["rows"].append(row(title, share, "0.6 to 1.6", 0.6 <= share <= 1.6))
    said, tables = conditions(facts, size), (checked(facts, size), at_large(facts["rate"]))
    text = f"{said}\n\n{markdown(tables[0])}\n{LARGE}\n\n{markdown(tables[1])}"
    print(text)
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / "dask_scale.json").write_text(json.dumps(facts, indent=1) + "\n")
        title = "# Landmark evidence on workers of one thread\n\n"
        (given.out / "dask_scale.md").write_text(title + text)
    if given.docs:
        (given.docs / "guide" / "dask_scale.inc").write_text(included(facts, size))


if __name__ == "__main__":
    main()
