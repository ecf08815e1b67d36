"""The command line as a process: module and script, interrupts, time limits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from command_line import MODULE, refusal, run, run_process

import kernelect as ke

SCRIPT = Path(sys.executable).with_name("kernelect")


def test_module_and_script_are_the_same_program(table):
    arguments = ["select", table, "--target", "kind", "--grid", "-3:5", "--json", "-"]
    commands = [MODULE, [str(SCRIPT)]] if SCRIPT.exists() else [MODULE]
    here = json.loads(run(*arguments).stdout)
    assert here.pop("seconds") > 0
    for command in commands:
        done = run_process(*arguments, command=command)
        assert done.returncode == 0
        assert done.stderr == ""
        there = json.loads(done.stdout)
        assert there.pop("seconds") > 0
        assert there == here
        assert run_process("--version", command=command).stdout == f"kernelect {ke.__version__}\n"


def test_a_process_refuses_without_a_traceback(tmp_path):
    (tmp_path / "text.csv").write_text("a,town,t\n1,Ulm,0\n2,Bonn,1\n")
    assert "'town'" in refusal("select", tmp_path / "text.csv", runner=run_process)
    assert "--grid" in refusal("select", tmp_path / "text.csv", "--grid", "x", runner=run_process)


@pytest.mark.alone
@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_interrupt_leaves_quietly_within_a_second(tmp_path):
    rng = np.random.default_rng(7)
    np.savez(tmp_path / "large.npz", X=rng.normal(size=(60_000, 10)), y=np.arange(60_000) % 2)
    process = subprocess.Popen(
        [*MODULE, "select", str(tmp_path / "large.npz"), "--progress", "--threads", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    process.stderr.read(1)  # progress is shown, so the work has begun
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    output, errors = process.communicate(timeout=60)
    waited = time.monotonic() - started
    assert process.returncode == 130
    assert output == b""
    assert b"Traceback" not in errors
    assert waited < 5.0  # within a second on a free machine; the rest is for a busy one


@pytest.mark.skipif(os.name == "nt", reason="nothing wakes a reader there")
@pytest.mark.parametrize("command", [["select"], ["evaluate"], ["fit", "--save", "model.npz"]])
def test_a_limit_of_time_ends_the_reading_too(command, tmp_path):
    """A pipe that gives nothing was waited for."""
    asked = [*command, "-", "--format", "csv", "--time-limit", "0.5"]
    process = subprocess.Popen(
        [*MODULE, *asked],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    try:
        assert process.wait(timeout=60) == 2
        said = "kernelect: reading the file took longer than --time-limit 0.5; allow more time\n"
        assert process.stderr.read() == said
    finally:
        process.kill()
        process.stdin.close()
        process.stderr.close()
