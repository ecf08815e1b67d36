"""How fast and how small the streaming pass is: ratios taken side by side in one run.

``python bench/spine.py`` prints them; ``--memory`` adds the peak at 50,000 rows, ``--out FOLDER``
writes ``spine.json`` and ``spine.md`` there. Both sides of a ratio run on the same number of
threads and take turns; a figure is the median of the repeats. One thread is timed by the CPU time
of the process, which other load on the machine disturbs least; two threads by the clock on the
wall, so that figure needs a machine with two idle CPUs (the load at the start is written beside
it).
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from baseline import spectral_measure
from report import Report, Row, in_turns, parse, peak_of, print_peak, ratio, row, seconds
from threadpoolctl import threadpool_limits

import kernelect as ke

FEATURES = 20
GRID = ke.gaussian_grid(-15, 15)
SM3 = ke.criteria.SM(r=3)
QUADRATIC = ["sm", "kta", "ekta", "ckta", "fsm", "kcsm", "ncut", "mmd", "stability"]


def sample(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    return rng.normal(size=(n, FEATURES)) + 0.5 * y[:, None], y


def against_numpy(repeats: int) -> list[Row]:
    X, y = sample(2000)
    taus = [kernel.tau for kernel in GRID]
    rows = []
    for r, criterion, least in [(2, "sm", 50.0), (3, SM3, 40.0)]:

        def ours(criterion: Any = criterion) -> np.ndarray:
            table = ke.evaluate(X, y, GRID, [criterion], n_threads=1)
            return next(iter(table.scores.values()))

        def numpy_(r: int = r) -> np.ndarray:
            return spectral_measure(X, y, taus, r)

        np.testing.assert_allclose(ours(), numpy_(), rtol=1e-6, atol=1e-15)
        times = in_turns(repeats, numpy=numpy_, kernelect=ours)
        value = ratio(times, "numpy", "kernelect")
        figure = f"SM r={r}, n=2000, 1 thread: numpy / kernelect"
        rows.append(row(figure, value, f">= {least:g}", value >= least, times))
    return rows


def all_together(repeats: int) -> list[Row]:
    X, y = sample(2000)

    def of(*criteria: Any) -> Callable[[], object]:
        return lambda: ke.evaluate(X, y, GRID, list(criteria), n_threads=1)

    times = in_turns(4 * repeats, sm3=of(SM3), all=of(*QUADRATIC), all_and_sm3=of(*QUADRATIC, SM3))
    rows = []
    for name, what in [("all", ""), ("all_and_sm3", " and SM r=3")]:
        value = ratio(times, name, "sm3")
        figure = f"{len(QUADRATIC)} O(n^2) criteria{what} together / SM r=3 alone, n=2000"
        rows.append(row(figure, value, "<= 1.5", value <= 1.5, times))
    return rows


def two_threads(repeats: int) -> list[Row]:
    X, y = sample(8000)

    def on(threads: int) -> Callable[[], object]:
        return lambda: ke.evaluate(X, y, GRID, ["sm"], n_threads=threads)

    times = in_turns(repeats, time.perf_counter, one=on(1), two=on(2))
    value = ratio(times, "one", "two")
    return [
        row("SM r=2, n=8000: 1 thread / 2 threads", value, ">= 1.7", value >= 1.7, times),
        two_processes(repeats, on(1)),
    ]


def two_processes(repeats: int, work: Callable[[], object]) -> Row:
    """What the machine itself makes of two CPUs: nothing is shared but its caches and its power."""
    context = multiprocessing.get_context("spawn")
    busy, ready = context.Event(), context.Event()
    beside = context.Process(target=_work_beside, args=(busy, ready), daemon=True)
    beside.start()
    ready.wait()

    times: dict[str, list[float]] = {"alone": [], "beside": []}
    for _ in range(repeats):
        for name, begin in [("alone", busy.clear), ("beside", busy.set)]:
            begin()
            time.sleep(0.3)  # until the other has begun, or ended what it was at
            times[name].append(seconds(work, time.perf_counter))
    beside.kill()
    value = 2.0 * ratio(times, "alone", "beside")
    figure = "2 processes of 1 thread at once: done together / done by one alone"
    return row(figure, value, "-", True, times)


def _work_beside(busy: Any, ready: Any) -> None:
    X, y = sample(8000)
    ready.set()
    while True:
        busy.wait()
        ke.evaluate(X, y, GRID, ["sm"], n_threads=1)


def growth(repeats: int) -> list[Row]:
    sizes = [2000, 4000, 8000, 16000]
    samples = {n: sample(n) for n in sizes}

    def at(n: int) -> Callable[[], object]:
        return lambda: ke.evaluate(*samples[n], GRID, ["sm"], n_threads=1)

    times = in_turns(repeats, time.process_time, **{str(n): at(n) for n in sizes})
    rows = []
    for n in sizes[1:]:
        value = ratio(times, str(n), str(sizes[0])) / (n / sizes[0]) ** 2
        figure = f"SM r=2, time / n^2 at n={n} over that at n={sizes[0]}, 1 thread"
        rows.append(row(figure, value, "1 +- 0.15", abs(value - 1.0) <= 0.15, times))
    return rows


def memory(n: int) -> list[Row]:
    """The peak of a child process above what it held before, at ``n`` rows."""
    found = peak_of([__file__, "--child", str(n)])
    figure = f"SM r=2, n={n}: peak extra memory, MB (the matrix: {8e-6 * n * n:,.0f} MB)"
    value = found["megabytes"]
    return [row(figure, value, "< 150", value < 150.0, {"run": [found["seconds"]]})]


def child(n: int) -> None:
    X, y = sample(n)
    ke.evaluate(X[:500], y[:500], GRID, ["sm"])
    print_peak(lambda: ke.evaluate(X, y, GRID, ["sm"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=5, help="turns of each pair (default: 5)")
    parser.add_argument("--memory", action="store_true", help="also the peak memory at 50,000 rows")
    options = parse(parser, "spine", child)
    if options is None:
        return
    report = Report(
        "spine",
        "The streaming pass",
        f"d = {FEATURES}, {len(GRID)} Gaussians tau = 2^-15 .. 2^15, 2 classes. Ratios are taken "
        "in turns in one run, one thread by CPU time, two threads by elapsed time.",
    )
    with threadpool_limits(limits=1):
        for part in (against_numpy, all_together, two_threads, growth):
            report.add(part(options.repeats))
    if options.memory:
        report.add(memory(50_000))
    report.write(options.out)


if __name__ == "__main__":
    main()
