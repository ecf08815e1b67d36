"""Long work can be watched, stopped and shared: progress, Ctrl-C, threads and forked children."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from problems import problem

import kernelect as ke

pytestmark = pytest.mark.alone

X, Y = problem("binary", n=3000, d=10)
GRID = ke.gaussian_grid()
SMALL = ke.gaussian_grid(-1, 1)
TESTS = os.path.dirname(os.path.dirname(__file__))
PACKAGE = os.path.dirname(os.path.dirname(ke.__file__))
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([PACKAGE, TESTS])}


class Stop(Exception):
    """What a progress function of ours raises."""


# Ctrl-C

LONG = {
    "evaluate": "ke.evaluate(X, Y, progress=begun, n_threads=THREADS)",
    "high degree": (
        "ke.evaluate(X, Y, None, ke.criteria.SM(r=9), progress=begun, n_threads=THREADS)"
    ),
    "select": "ke.select(X, Y, criterion='kta', progress=begun, n_threads=THREADS)",
    "without progress": "begun(0), ke.evaluate(X, Y, n_threads=THREADS)",
    "kernel matrix": "begun(0), [ke.Laplacian(1.0)(X[:6000]).shape for _ in range(999)]",
}
CHILD = """
import sys, time
import numpy as np, kernelect as ke

X = np.random.default_rng(0).normal(size=(100_000, 40))
Y = np.arange(100_000) % 2
told = False

def begun(fraction):
    global told
    if not told:
        print("begun", flush=True)
    told = True

try:
    CALL
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", LONG)
def test_interrupt_is_heard_within_a_second(name, threads):
    code = CHILD.replace("CALL", LONG[name]).replace("THREADS", str(threads))
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        started = time.monotonic()
        try:
            out, _ = child.communicate(timeout=60)
        finally:
            child.kill()
    waited = time.monotonic() - started
    assert out == "interrupted\n"
    assert child.returncode == 0
    assert waited < 5.0  # a second on a free machine; the rest is for a busy one


# progress


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize(
    ("candidates", "criteria"),
    [
        (lambda matrices: GRID, "sm"),
        (lambda matrices: GRID, ke.criteria.SM(r=5)),
        (list, "sm"),
        (lambda matrices: [*SMALL, *matrices], "sm"),
        (lambda matrices: matrices, "sm"),
        (lambda matrices: ke.polynomial_grid(1, 3), ["sm", "loo"]),
    ],
    ids=["grid", "passes", "matrices", "mixed", "generator", "general"],
)
def test_fractions_rise_from_0_to_1(candidates, criteria, n_threads):
    x, y = X[:1200], Y[:1200]
    kernels = candidates(kernel(x) for kernel in SMALL)
    seen = []
    ke.evaluate(x, y, kernels, criteria, progress=seen.append, n_threads=n_threads)
    assert all(isinstance(fraction, float) for fraction in seen)
    assert all(0.0 <= fraction <= 1.0 for fraction in seen)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_fractions_of_an_election():
    x, y = X[:400], Y[:400]
    for options in ({}, {"lam": [0.1, 1.0, 10.0]}, {"criterion": "loo"}, {"criterion": "kta"}):
        seen = []
        ke.select(x, y, progress=seen.append, **options)
        assert seen == sorted(seen)
        assert seen[-1] == 1.0


def test_fractions_are_spread_over_the_work():
    seen = []
    ke.evaluate(X, Y, None, ke.criteria.SM(r=25), progress=seen.append, n_threads=1)
    assert len(seen) > 4
    assert max(np.diff([0.0, *seen])) < 0.6


@pytest.mark.parametrize("n_threads", [1, 2])
def test_errors_of_a_progress_function_are_heard(n_threads):
    def fails(fraction):
        raise Stop(f"at {fraction}")

    before = threading.active_count()
    with pytest.raises(Stop, match="at "):
        ke.evaluate(X, Y, None, ke.criteria.SM(r=9), progress=fails, n_threads=n_threads)
    assert threading.active_count() == before
    wanted = ke.evaluate(X, Y, SMALL, "sm", n_threads=1).scores["sm"]
    assert_array_equal(ke.evaluate(X, Y, SMALL, "sm", n_threads=n_threads).scores["sm"], wanted)


def test_errors_of_a_progress_function_at_the_end_are_heard():
    def fails(fraction):
        if fraction == 1.0:
            raise Stop

    with pytest.raises(Stop):
        ke.evaluate(X[:50], Y[:50], SMALL, progress=fails)


SHOWN = """
import sys
BLOCK
from problems import problem
import kernelect as ke

pytestmark = pytest.mark.alone
X, Y = problem("binary", n=4000, d=10)
ke.evaluate(X, Y, None, ke.criteria.SM(r=9), progress=True, n_threads=1)
print("done")
"""


@pytest.mark.parametrize("block", ["", "sys.modules['tqdm'] = None"], ids=["tqdm", "no tqdm"])
def test_progress_line_on_standard_error(block):
    if block:
        # Neither an installed tqdm nor a trace of one.
        block = (
            "import importlib.util as u; f = u.find_spec\n"
            "u.find_spec = lambda n, *a: None if n.split('.')[0] == 'tqdm' else f(n, *a)\n" + block
        )
    done = subprocess.run(
        [sys.executable, "-c", SHOWN.replace("BLOCK", block)],
        capture_output=True,
        env=ENVIRONMENT,
        check=True,
        timeout=120,
    )
    assert done.stdout.split() == [b"done"]
    shown = done.stderr.decode()  # as bytes, in which a carriage return stays one
    assert "scoring kernels:" in shown
    assert "% of 31" in shown
    assert "Traceback" not in shown
    if block:
        assert "s elapsed" in shown
        assert "s left" in shown
    # The line is gone when the work is done.
    assert shown.rsplit("\r", 1)[-1].strip() == ""
    assert shown.split("\r")[-2].strip() == ""


def test_progress_line_is_cleared_when_the_work_fails(capsys, monkeypatch):
    monkeypatch.setattr("kernelect._support.progress.find_spec", lambda name: None)

    def matrices():
        yield np.eye(len(X))
        raise Stop

    with pytest.raises(Stop) as caught:
        ke.evaluate(None, Y, matrices(), progress=True)
    assert caught.value.__context__ is None
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.rsplit("\r", 1)[-1].strip() == ""


def test_silence_without_progress(capsys):
    ke.evaluate(X[:100], Y[:100])
    shown = capsys.readouterr()
    assert shown.out == shown.err == ""


# several at a time


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
