"""Long work can be watched: fractions, functions that raise, a line on standard error."""

from __future__ import annotations

import subprocess
import sys
import threading

import numpy as np
import pytest
from child_process import ENVIRONMENT
from numpy.testing import assert_array_equal
from problems import problem

import kernelect as ke
from kernelect._support import progress

X, Y = problem("binary", n=3000, d=10)
GRID = ke.gaussian_grid()
SMALL = ke.gaussian_grid(-1, 1)


class Stop(Exception):
    """What a progress function of ours raises."""


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


@pytest.mark.alone
def test_fractions_are_spread_over_the_work():
    seen = []
    ke.evaluate(X, Y, None, ke.criteria.SM(r=75), progress=seen.append, n_threads=1)
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
X, Y = problem("binary", n=4000, d=10)
ke.evaluate(X, Y, None, ke.criteria.SM(r=9), progress=True, n_threads=1)
print("done")
"""


@pytest.mark.alone
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
    monkeypatch.setattr(progress, "find_spec", lambda name: None)

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
