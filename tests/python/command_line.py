"""The command line run by the tests: in this process, in one of its own, refused."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import NamedTuple

from kernelect.cli import main

MODULE = [sys.executable, "-m", "kernelect"]


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object) -> Done:
    """Run the command line inside this process, which spares the imports of a new one."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(word) for word in arguments])
    return Done(code, out.getvalue(), err.getvalue())


def run_process(*arguments: object, command: list[str] | None = None) -> Done:
    """Run the command line as a user does, in a process of its own."""
    words = [*(command or MODULE), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def result_of(*arguments: object) -> dict:
    """What ``--json -`` writes, which must be all of standard output and valid JSON."""
    done = run(*arguments, "--json", "-")
    assert done.returncode == 0, done.stderr

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(done.stdout, parse_constant=refuse)


def refusal(*arguments: object, runner=run) -> str:
    """The one line on standard error with which bad input is refused, exit code 2."""
    done = runner(*arguments)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.startswith("kernelect: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    return done.stderr
