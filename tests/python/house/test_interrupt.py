"""Long work can be stopped and shared: Ctrl-C, threads and forked children."""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from child_process import ENVIRONMENT
from numpy.testing import assert_array_equal
from problems import problem

import kernelect as ke

pytestmark = pytest.mark.alone

X, Y = problem("binary", n=3000, d=10)
GRID = ke.gaussian_grid()
SMALL = ke.gaussian_grid(-1, 1)


class Stop(Exception):
    """What a progress function of ours raises."""


LONG = {
    "evaluate": "ke.evaluate(X, Y, progress=begun, n_threads=THREADS)",
    "high degree": (
        "ke.evaluate(X, Y, None, ke.criteria.SM(r=9), progress=begun, n_threads=THREADS)"
    ),
    "select": "ke.select(X, Y, criterion='kta', progress=begun, n_threads=THREADS)",
    "without progress": "begun(0), ke.evaluate(X, Y, n_threads=THREADS)",
    "factorisation": (
        "begun(0), ke.evaluate(X[:9000], Y[:9000], [ke.Gaussian(8.0)], 'loo', n_threads=THREADS)"
    ),
    "eigenvalues": "begun(0), ke.evaluate(X[:4000], Y[:4000], GRID, 'er', n_threads=THREADS)",
    "landmarks": (
        "begun(0), ke.evaluate(X, Y, [ke.Gaussian(40.0)], 'loo', landmarks=1500, n_threads=THREADS)"
    ),
    "landmark election": "ke.select(X, Y, progress=begun, n_threads=THREADS)",
    "all eigenvalues": (
        "begun(0), ke.evaluate(X[:6000], Y[:6000], [ke.Gaussian(8.0)], 'ep', n_threads=THREADS)"
    ),
    "kernel learning": "begun(0), ke.MKLClassifier(n_jobs=THREADS).fit(X[:5000], Y[:5000])",
    "one machine": (
        "begun(0), ke.MKLClassifier(kernels=GRID[14:17], C=1e3, n_jobs=THREADS)"
        ".fit(X[:5000], Y[:5000])"
    ),
    "refinement": "begun(0), ke.refine(X[:4000], Y[:4000], ke.Gaussian(40.0), n_threads=THREADS)",
    "committee": (
        "begun(0), ke.LSSVMClassifier('committee', n_jobs=THREADS).fit(X[:4000], Y[:4000])"
    ),
    "best": "begun(0), ke.LSSVMRegressor('best', n_jobs=THREADS).fit(X[:4000], X[:4000, 0])",
    "iterative": (
        "begun(0), ke.LSSVMRegressor(ke.Gaussian(9.0), lam=1e-3, solver='iterative', tol=1e-9,"
        " landmarks=100, n_jobs=THREADS).fit(X[:20000], Y[:20000])"
    ),
    "folds of a machine": (
        "begun(0), ke.KernelSelector(SVC(), C='auto', n_jobs=THREADS).fit(X[:6000], Y[:6000])"
    ),
    "kernel matrix": "begun(0), [ke.Laplacian(1.0)(X[:6000]).shape for _ in range(999)]",
}
CHILD = """
import sys
import numpy as np, kernelect as ke
from sklearn.svm import SVC

X = np.random.default_rng(0).normal(size=(100_000, 40))
Y = np.arange(100_000) % 2
GRID = ke.gaussian_grid()
THREADS = int(sys.argv[1])

def begun(fraction):
    global told
    if not told:
        print("begun", flush=True)
    told = True

for call in sys.stdin:
    told = False
    code = compile(call, "call", "eval")  # an interrupted string is remembered in the exit code
    try:
        eval(code)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    else:
        print("ended by itself", flush=True)
"""


class Children:
    """A process for every number of threads, which is interrupted in one call after another."""

    def __init__(self):
        self._running = {}

    def __getitem__(self, threads):
        if threads not in self._running or self._running[threads].poll() is not None:
            self._running[threads] = subprocess.Popen(
                [sys.executable, "-c", CHILD, str(threads)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                bufsize=1,
                env=ENVIRONMENT,
            )
        return self._running[threads]

    def end(self):
        """Close their input, on which they end; the codes they end with."""
        for child in self._running.values():
            try:
                child.communicate(timeout=60)
            finally:
                child.kill()
        return [child.returncode for child in self._running.values()]


@pytest.fixture(scope="module")
def children():
    running = Children()
    yield running
    assert not any(running.end())


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", LONG)
def test_interrupt_is_heard_within_a_second(name, threads, children):
    child = children[threads]
    child.stdin.write(LONG[name] + "\n")
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    started = time.monotonic()
    deaf = threading.Timer(60.0, child.kill)
    deaf.start()
    try:
        assert child.stdout.readline() == "interrupted\n"
    finally:
        deaf.cancel()
    waited = time.monotonic() - started
    assert waited < 5.0  # a second on a free machine; the rest is for a busy one


LEFT = """
import _thread, sys, threading, time, numpy as np, kernelect as ke
X = np.random.default_rng(0).normal(size=(6000, 5))
threading.Timer(2.0, _thread.interrupt_main).start()
try:
    ke.evaluate(X, np.arange(6000) % 2, [ke.Gaussian(1.0)], "ep", n_threads=1)
except KeyboardInterrupt:
    print(time.time())
    sys.exit(7)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the process waits there")
def test_a_process_that_ends_does_not_wait_for_a_decomposition_that_was_left():
    """It did for minutes, with both processors busy."""
    environment = {**ENVIRONMENT, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", LEFT], env=environment, capture_output=True, text=True, check=False
    )
    ended = time.time()
    assert done.returncode == 7, done.stderr
    assert ended - float(done.stdout) < 1.5  # eigenvalues of 6,000 rows take several seconds


def test_calls_from_several_threads():
    wanted = ke.evaluate(X, Y, GRID, "sm", n_threads=1).scores["sm"]
    seen = [[] for _ in range(4)]

    def work(place):
        table = ke.evaluate(X, Y, GRID, "sm", n_threads=2, progress=seen[place].append)
        return table.scores["sm"]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(4)):
            assert_array_equal(found, wanted)
    assert all(fractions[-1] == 1.0 for fractions in seen)


def test_other_threads_run_meanwhile():
    """The GIL is released: another thread counts on while one call works."""
    done = threading.Event()
    counted = 0

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    watcher = threading.Thread(target=count)
    watcher.start()
    started = time.monotonic()
    while time.monotonic() - started < 0.3:
        ke.evaluate(X, Y, GRID, "sm", n_threads=1)
    done.set()
    watcher.join()
    assert counted > 10


def test_one_failing_call_leaves_the_others_alone():
    def fails(fraction):
        raise Stop

    def work(place):
        try:
            progress = fails if place % 2 else False
            table = ke.evaluate(X, Y, None, ke.criteria.SM(r=5), n_threads=2, progress=progress)
        except Stop:
            return None
        return table.scores["sm(r=5)"]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, range(6)))
    assert found[1] is found[3] is found[5] is None
    assert_array_equal(found[0], found[2])
    assert_array_equal(found[0], found[4])


def _in_child(queue):
    queue.put(ke.evaluate(X, Y, SMALL, "sm", n_threads=2).scores["sm"])


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork"
)
def test_forked_children():
    """No thread outlives a call, so that a child waits for none."""
    wanted = ke.evaluate(X, Y, SMALL, "sm", n_threads=2).scores["sm"]
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    found = queue.get(timeout=60)
    child.join(60)
    assert child.exitcode == 0
    assert_array_equal(found, wanted)
