"""SIGINT at random moments of every long call: answered within a second, and the process goes on.

python -m tests.long.interrupts [--count 500] [--seed 0]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import time

# A child makes one call over and over, and tells when it was interrupted and how long that took.
CHILD = """
import sys, time
import numpy as np, kernelect as ke
import warnings; warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(30_000, 12))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)
GRID = ke.gaussian_grid()
wanted = ke.evaluate(X[:200], Y[:200], GRID, "sm").scores["sm"].tolist()
print("ready", flush=True)
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
CALLS = {
    "sums": "ke.evaluate(X, Y, criteria=['sm', 'ckta'])",
    "leave-one-out": "ke.evaluate(X[:5000], Y[:5000], criteria='loo')",
    "folds": "ke.evaluate(X[:3000], Y[:3000], criteria='cv', folds=5, lam='auto')",
    "eigenvalues": "ke.evaluate(X[:2500], Y[:2500], GRID, 'er')",
    "hinge": "ke.evaluate(X[:2000], Y[:2000], GRID, 'sm_hinge')",
    "election": "ke.select(X[:6000], Y[:6000], lam='auto')",
    "landmark election": "ke.select(X, Y, lam='auto')",
    "learner": "ke.LSSVMClassifier().fit(X[:4000], Y[:4000])",
    "committee": "ke.LSSVMClassifier(kernel='committee').fit(X[:2000], Y[:2000])",
    "kernel learning": "ke.MKLClassifier('simplemkl').fit(X[:600], Y[:600])",
}
LIMIT = 1.0


class Child:
    """A process that works until it is interrupted, again and again."""

    def __init__(self, call: str) -> None:
        code = CHILD.replace("{call}", call)
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
        self._hear("ready")

    def _hear(self, word: str) -> None:
        assert self._process.stdout is not None
        said = self._process.stdout.readline().strip()
        if said != word:
            self._process.kill()
            raise AssertionError(f"the child said {said!r} where {word!r} was due")

    def interrupt(self, after: float) -> float:
        """Interrupt the call after some seconds and return how long it took to answer."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._hear("begun")
        time.sleep(after)
        self._process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        self._hear("interrupted")
        answered = time.monotonic() - sent
        self._hear("sound")
        return answered

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng, late = random.Random(options.seed), 0
    each = -(-options.count // len(CALLS))
    for name, call in CALLS.items():
        child = Child(call)
        try:
            took = [child.interrupt(rng.uniform(0.0, 2.0)) for _ in range(each)]
        finally:
            child.end()
        late += sum(seconds > LIMIT for seconds in took)
        took.sort()
        print(
            f"{name}: {each} interrupts, median {took[each // 2]:.3f} s, longest {took[-1]:.3f} s",
            flush=True,
        )
    print(f"{late} of {each * len(CALLS)} took more than {LIMIT:g} s")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
