"""The longer checks, for a few seconds each, so that they still work when somebody needs them."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from child_process import ENVIRONMENT
from tests.long import guided, interrupts, sanitized

ROOT = Path(__file__).resolve().parents[3]


def run(*words):
    path = os.pathsep.join([ENVIRONMENT["PYTHONPATH"], str(ROOT)])
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**ENVIRONMENT, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.alone
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_short_soak():
    done = run("tests.long.soak", "--minutes", "0.15", "--seed", "3")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("name", ["svmlight", "csv", "npz", "json", "model"])
def test_some_seconds_of_fuzzing(name):
    done = run("tests.long.fuzz", "--runs", "4000", name)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def small_things():
    made = {}
    with warnings.catch_warnings():
        exec(interrupts.setup(rows=120), made)  # noqa: S102 (our own code, in a string)
    return made


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", interrupts.CALLS)
def test_calls_that_are_interrupted_are_right(name, small_things):
    exec(interrupts.CALLS[name], dict(small_things))  # noqa: S102


def test_guided_fuzzing_goes_on_from_what_is_new():
    """A stand-in for a core: each call reaches what its seeds name, and some of it is new."""
    reached, turns = set(), iter(range(400))

    def fresh(name, recipe):
        before = len(reached)
        reached.update((name, seed) for seed in recipe if name == "deep" or seed == 0)
        return len(reached) - before

    going_on = lambda: next(turns, None) is not None
    kept = {"deep": [], "flat": []}
    assert guided.grow(kept, fresh, going_on, random.Random(0), 50) == 400
    assert kept["flat"] == [recipe for recipe in kept["flat"] if 0 in recipe][:1]
    assert len(reached) > 45
    assert max(map(len, kept["deep"])) > 3  # made of others that were kept


def test_rooms_that_have_passed_are_left_out(tmp_path):
    written, module = tmp_path / "passed.txt", tmp_path / "_core.so"
    assert sanitized.passed_since(written, [module]) == []
    module.touch()
    written.write_text("criteria\nkernels")
    os.utime(module, (1.0, 1.0))
    assert sanitized.passed_since(written, [module]) == ["criteria", "kernels"]
    os.utime(written, (0.5, 0.5))  # compiled anew since
    assert sanitized.passed_since(written, [module]) == []


def test_every_step_has_a_name_of_its_own():
    from tests import long, steps

    names = [step.name for step in (*steps.steps(), *long.steps())]
    assert len(set(names)) == len(names)
