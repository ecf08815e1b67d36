"""Two installed versions of kernelect side by side: is one slower than the other?

``python bench/versions.py OTHER_PYTHON`` runs the same work by this interpreter's kernelect and by
that of another environment, in turns, one thread, by CPU time; a figure is the median over the
turns of the other's time over ours. ``--out FOLDER`` writes ``versions.json`` and ``versions.md``;
``--only TEXT`` takes the work whose names have the text. The other's kernelect is the one that is
installed there, whatever ``PYTHONPATH`` says here.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np
from report import Report, add_out, ratio, row, seconds

import kernelect as ke

GRID = ke.gaussian_grid(-15, 15)
NARROW_GRID = ke.gaussian_grid(-4, 6)
QUADRATIC = ["sm", "kta", "ekta", "ckta", "fsm", "kcsm", "ncut", "mmd", "stability"]
LAMBDAS = [10.0**e for e in range(-4, 3)]


def works() -> dict[str, Callable[[], object]]:
    """What is timed: something of every room of the core, a tenth of a second or so each."""
    rng = np.random.default_rng(0)
    y = np.arange(2000) % 2
    X = rng.normal(size=(2000, 20)) + 0.5 * y[:, None]
    few, few_y = X[:600], y[:600]
    matrices = [ke.Gaussian(2.0**e)(few) for e in range(0, 8, 2)]

    def scores(n: int, kernels: Any, *criteria: Any, **options: Any) -> Callable[[], object]:
        return lambda: ke.evaluate(X[:n], y[:n], kernels, list(criteria), n_threads=1, **options)

    return {
        "sm, n=2000": scores(2000, GRID, "sm"),
        "sm r=3, n=2000": scores(2000, GRID, ke.criteria.SM(r=3)),
        "all O(n^2), n=2000": scores(2000, GRID, *QUADRATIC),
        "sm of Laplacian and Matern, n=2000": scores(
            2000, [ke.Laplacian(0.1), ke.Matern(1.5, 2.0), ke.Polynomial(3)], "sm"
        ),
        "all O(n^2) of stored matrices, n=600": lambda: ke.evaluate(
            None, few_y, matrices, QUADRATIC, n_threads=1
        ),
        "loo, n=600": scores(600, NARROW_GRID, "loo", lam=0.1),
        "loo, 7 lambdas, n=600": scores(600, NARROW_GRID, "loo", lam=LAMBDAS),
        "cv, n=600": scores(600, NARROW_GRID, "cv", lam=0.1, folds=5),
        "pep, n=600": scores(600, NARROW_GRID, "pep"),
        "er_ratio, n=600": scores(600, NARROW_GRID, "er_ratio"),
        "select, n=1000": lambda: ke.select(X[:1000], y[:1000], n_threads=1),
        "kernel learning, n=600": lambda: ke.MKLClassifier("ks", kernels=NARROW_GRID).fit(
            few, few_y
        ),
        "LSSVM, n=600": lambda: ke.LSSVMClassifier(ke.Gaussian(4.0), lam=0.1).fit(few, few_y),
    }


class Version:
    """A child process that does the work it is told, and answers with the time it took."""

    def __init__(self, python: str, environment: dict[str, str]) -> None:
        self._child = subprocess.Popen(
            [python, __file__, "--child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def seconds(self, name: str) -> float:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        print(json.dumps(name), file=self._child.stdin, flush=True)
        answer = self._child.stdout.readline()
        if not answer:
            raise RuntimeError(f"the version under {self._child.args!r} ended in {name!r}")
        return float(answer)

    def __enter__(self) -> Version:  # noqa: PYI034
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child.wait()


def serve() -> None:
    """The child: one name a line in, one time a line out."""
    warnings.simplefilter("ignore")  # of equal eigenvalues, which take no less time
    known = works()
    for line in sys.stdin:
        print(seconds(known[json.loads(line)], time.process_time), flush=True)


def compare(report: Report, other: str, repeats: int, only: str) -> None:
    mine = dict(os.environ)
    installed = {name: value for name, value in mine.items() if name != "PYTHONPATH"}
    with Version(other, installed) as theirs, Version(sys.executable, mine) as ours:
        for name in (name for name in works() if only in name):
            sides = {"other": theirs, "this": ours}
            for version in sides.values():
                version.seconds(name)
            times: dict[str, list[float]] = {side: [] for side in sides}
            for _ in range(repeats):
                for side, version in sides.items():
                    times[side].append(version.seconds(name))
            value = ratio(times, "other", "this")
            report.add([row(f"{name}: other / this", value, ">= 0.97", value >= 0.97, times)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", nargs="?", help="the Python of the environment to compare with")
    parser.add_argument("--repeats", type=int, default=31, help="turns (default: 31)")
    parser.add_argument("--only", default="", help="only work whose name has this text")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    add_out(parser, "versions")
    options = parser.parse_args()
    if options.child:
        serve()
        return
    if options.other is None:
        parser.error("give the Python of the environment to compare with")
    report = Report(
        "versions",
        "Two versions side by side",
        f"One thread, CPU time, medians over {options.repeats} turns.",
    )
    compare(report, options.other, options.repeats, options.only)
    report.write(options.out)


if __name__ == "__main__":
    main()
