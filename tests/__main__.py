"""Run every check of the project, stopping at the first that fails: ``python -m tests [STEP]``.

It works in any environment where ``pip install ".[test]"`` was run: the tools are taken from beside
the running interpreter, Eigen for the C++ tests from its site-packages; several steps may be named.
``python -m tests --install`` does that first, by way of a wheel, which is then tested too.
``python -m tests --long [STEP]`` runs the longer ones of `tests.long`, one after another.

Steps that use one core run side by side, and what they print appears when they end. Steps that use
all cores, or whose tests measure time, run by themselves.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from difflib import get_close_matches
from typing import IO

from . import long
from .steps import CPUS, ENVIRONMENT, ROOT, Step, steps
from .wheel import build


def chosen(names: Sequence[str], offered: Sequence[Step]) -> list[Step]:
    every = {step.name: step for step in offered}
    for name in names:
        if name not in every:
            near = get_close_matches(name, every, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            sys.exit(f"there is no step {name!r}, the steps are {', '.join(every)}{hint}")
    return [step for name, step in every.items() if not names or name in names]


class Running:
    """A step under way, its output kept in a file unless it runs by itself."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self._left = list(step.commands)
        self._begun = time.monotonic()
        self._output: IO[bytes] | None = None
        if not step.by_itself:
            self._output = tempfile.TemporaryFile()  # noqa: SIM115 (open while the step runs)
        if step.by_itself:
            print(f"\n=== {step.name}: {step.what}", flush=True)
        self._process = self._next()

    def _next(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            list(self._left.pop(0)),
            cwd=ROOT,
            env={**ENVIRONMENT, **self.step.environment},
            stdout=self._output,
            stderr=None if self._output is None else subprocess.STDOUT,
        )

    def code(self) -> int | None:
        """Exit code of the step, None while it runs."""
        code = self._process.poll()
        if code == 0 and self._left:
            self._process = self._next()
            return None
        return code

    def show(self) -> None:
        """Print what the step has said."""
        if self._output is not None:
            print(f"\n=== {self.step.name}: {self.step.what}", flush=True)
            self._output.seek(0)
            sys.stdout.buffer.write(self._output.read())
            sys.stdout.buffer.flush()
        print(f"--- {self.step.name}: {time.monotonic() - self._begun:.0f} s", flush=True)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


def run(waiting: list[Step]) -> int:
    """Run the steps, as many at a time as there are cores; return the first exit code not zero."""
    running: list[Running] = []
    try:
        while waiting or running:
            while waiting and len(running) < CPUS:
                if running and (waiting[0].by_itself or running[0].step.by_itself):
                    break
                running.append(Running(waiting.pop(0)))
            time.sleep(0.1)
            for one in list(running):
                code = one.code()
                if code is None:
                    continue
                running.remove(one)
                one.show()
                if code != 0:
                    print(f"\n=== {one.step.name} failed with exit code {code}", flush=True)
                    return code
    finally:
        for one in running:
            one.stop()
    print("\n=== all passed", flush=True)
    return 0


def install() -> None:
    """Build the wheel once, for the environment and for its own test."""
    print("=== install: compiling the core, about a minute and a half on two cores", flush=True)
    wheel = build()
    command = [sys.executable, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps"]
    subprocess.run([*command, str(wheel)], check=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", f"{wheel}[test]"], check=True)


def main() -> int:
    switches = {"--install", "--long"} & set(sys.argv[1:])
    names = [name for name in sys.argv[1:] if name not in switches]
    if any(name.startswith("-") for name in names):
        sys.exit(f"usage: {sys.executable} -m tests [--install] [--long] [STEP ...]")
    if "--install" in switches:
        install()
    return run(chosen(names, long.steps() if "--long" in switches else steps()))


if __name__ == "__main__":
    sys.exit(main())
