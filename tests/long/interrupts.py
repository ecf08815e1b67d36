"""SIGINT at random moments of every long call: answered within a second, and the process goes on.

python -m tests.long.interrupts [--count 500] [--seed 0] [KIND ...]

Kinds are the keys of `CALLS`, all where none is named; the count is shared among all there are, so
that a kind gets as many interrupts by itself as in a run of all.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

SETUP = """
import dask.array as da, numpy as np, kernelect as ke
from sklearn.svm import SVC, SVR
import warnings; warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=({rows}, 12))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)
NUMBERS = X[:, 0] ** 2 + np.random.default_rng(1).normal(size={rows})
BLOCKS, LABELS = da.from_array(X, chunks=(5000, 12)), da.from_array(Y, chunks=5000)
GRID = ke.gaussian_grid()
MODEL = ke.LSSVMClassifier(ke.Gaussian(16.0), lam=1.0).fit(X[:1500], Y[:1500])
"""
# A child makes one call over and over, and tells when it was interrupted and how long that took.
CHILD = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs of shells
{setup}
wanted = ke.evaluate(X[:200], Y[:200], GRID, "sm").scores["sm"].tolist()
began = time.monotonic()
{call}
print("ready", time.monotonic() - began, flush=True)
for line in sys.stdin:
    try:
        print("begun", flush=True)
        while True:
            {call}
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    assert ke.evaluate(X[:200], Y[:200], GRID, "sm").scores["sm"].tolist() == wanted
    print("sound", flush=True)
"""
ROWS = 30_000
# Matrices as large as those of users: one takes many times as long as an answer may. Where all of
# each is decomposed there are few, else a call would take an hour on a busy machine.
CALLS = {
    "sums": "ke.evaluate(X, Y, criteria=['sm', 'ckta'])",
    "sampled sums": "ke.evaluate(X, Y, criteria=['sm', 'ckta'], sample=len(X) // 8)",
    "leave-one-out": "ke.evaluate(X[:5000], Y[:5000], criteria='loo')",
    "folds": "ke.evaluate(X[:3000], Y[:3000], GRID[13:17], 'cv', folds=5, lam='auto')",
    "eigenvalues": "ke.evaluate(X[:2500], Y[:2500], GRID[13:17], 'er')",
    "hinge": "ke.evaluate(X[:2000], Y[:2000], GRID[13:17], 'sm_hinge')",
    "election": "ke.select(X[:6000], Y[:6000], lam='auto')",
    "landmark election": "ke.select(X, Y, lam='auto')",
    "landmarks": "ke.evaluate(X, Y, GRID[14:17], ['loo', 'cv'], landmarks=len(X) // 40)",
    "learner": "ke.LSSVMClassifier('auto').fit(X[:4000], Y[:4000])",
    "landmark learner": "ke.LSSVMClassifier(ke.Gaussian(16.0), solver='landmarks').fit(X, Y)",
    "iterative learner": (
        "ke.LSSVMClassifier(ke.Gaussian(16.0), lam=0.01, solver='iterative', tol=1e-8)"
        ".fit(X[:9000], Y[:9000])"
    ),
    "prediction": "MODEL.predict(X)",
    "committee": "ke.LSSVMClassifier(kernel='committee').fit(X[:2000], Y[:2000])",
    "refined learner": "ke.LSSVMClassifier(kernel='refined').fit(X[:1500], Y[:1500])",
    "best learner": "ke.LSSVMClassifier(kernel='best').fit(X[:1500], Y[:1500])",
    "refinement": "ke.refine(X[:2000], Y[:2000], ke.Gaussian(16.0), 'loo')",
    "refinement of sums": "ke.refine(X[:6000], Y[:6000], ke.Gaussian(16.0), 'sm')",
    "selector": "ke.KernelSelector(SVC(), C='auto').fit(X[:2500], Y[:2500])",
    "selector of numbers": "ke.KernelSelector(SVR(), C='auto').fit(X[:1000], NUMBERS[:1000])",
    "kernel learning": "ke.MKLClassifier('simple').fit(X[:600], Y[:600])",
    "infinite kernel learning": "ke.InfiniteMKLClassifier().fit(X[:600], Y[:600])",
    "rows of dask": "ke.evaluate(BLOCKS, LABELS, GRID[14:17], 'loo', landmarks=len(X) // 60)",
}
LIMIT = 1.0
# Moments are drawn from this many seconds; of calls that take longer, every fourth from all of it.
EARLY = 2.0


def setup(rows: int) -> str:
    """Return the code that makes what the calls name."""
    return SETUP.replace("{rows}", str(rows))


def queued(process: int) -> float:
    """Return for how long a process has waited for a processor so far (Linux; its first thread)."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


class Child:
    """A process that works until it is interrupted, again and again."""

    def __init__(self, call: str) -> None:
        code = CHILD.replace("{setup}", setup(ROWS)).replace("{call}", call)
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
        self.lasting = float(self._hear("ready"))  # seconds of a call that nobody interrupts

    def _hear(self, word: str) -> str:
        assert self._process.stdout is not None
        said = self._process.stdout.readline().strip()
        if said.split(" ")[0] != word:
            self._process.kill()
            raise AssertionError(f"the child said {said!r} where {word!r} was due")
        return said.removeprefix(word)

    def interrupt(self, after: float) -> tuple[float, float]:
        """Interrupt the call after some seconds; return how long it took to answer.

        First in seconds of the clock, then without those in which other programs had its processor.
        """
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._hear("begun")
        time.sleep(after)
        before = queued(self._process.pid)
        self._process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        self._hear("interrupted")
        answered = time.monotonic() - sent
        waited = queued(self._process.pid) - before
        self._hear("sound")
        return answered, max(answered - waited, 0.0)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("kinds", nargs="*", default=[*CALLS], metavar="KIND")
    options = parser.parse_args()
    if unknown := set(options.kinds) - set(CALLS):
        parser.error(f"there is no kind {min(unknown)!r}, the kinds are {', '.join(CALLS)}")
    rng, late, worst = random.Random(options.seed), 0, 0.0
    each = -(-options.count // len(CALLS))
    for name in options.kinds:
        child = Child(CALLS[name])
        try:
            spans = [EARLY if turn % 4 else max(EARLY, child.lasting) for turn in range(each)]
            took = [child.interrupt(rng.uniform(0.0, span)) for span in spans]
        finally:
            child.end()
        clock, own = (sorted(seconds) for seconds in zip(*took, strict=True))
        late += sum(seconds > LIMIT for seconds in own)
        worst = max(worst, own[-1])
        print(
            f"{name}: {each} interrupts of a call of {child.lasting:.1f} s, median "
            f"{clock[each // 2]:.3f} s, longest {clock[-1]:.3f} s, {own[-1]:.3f} s without what "
            "other programs took",
            flush=True,
        )
    made = each * len(options.kinds)
    print(f"{late} of {made} took more than {LIMIT:g} s, the longest {worst:.3f} s")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
