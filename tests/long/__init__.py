"""Checks that take minutes to an hour each: ``python -m tests --long [STEP]``.

They need ``pip install ".[test,long]"``, a compiler, and a machine that is otherwise idle.
``docs/reliability.md`` says what they are for.
"""

from __future__ import annotations

import sys

from ..steps import Step, site_packages, tool


def steps() -> list[Step]:
    """Return the longer steps, one by one."""
    python = [sys.executable, "-m"]
    eigen = {"CMAKE_PREFIX_PATH": ":".join(site_packages())}
    offered = [
        Step("asan", "C++ tests under address and undefined sanitizers", _preset("asan"), True),
        Step("tsan", "C++ tests under the thread sanitizer", _preset("tsan"), True),
        Step("tidy", "C++: clang-tidy", [_configure(), [*python, "tests.long.tidy"]]),
        Step("asan-python", "Python tests, core under asan", [[*python, "tests.long.sanitized"]]),
        Step("fuzz", "readers for ten minutes, guided", [[*python, "tests.long.fuzz"]]),
        Step("fuzz-border", "calls of the core, the same", [[*python, "tests.long.guided"]]),
        Step("accuracy", "worst errors of every criterion", [[*python, "tests.long.accuracy"]]),
        Step("interrupts", "SIGINT at 500 moments", [[*python, "tests.long.interrupts"]]),
        Step("workers", "Dask workers killed 20 times", [[*python, "tests.long.workers"]]),
        Step("soak", "half an hour of calls, right and wrong", [[*python, "tests.long.soak"]]),
    ]
    return [
        Step(step.name, step.what, step.commands, by_itself=True, environment=eigen)
        for step in offered
    ]


def _preset(name: str) -> list[list[str]]:
    return [[tool("cmake"), "--workflow", "--preset", name]]


def _configure() -> list[str]:
    """Say how each file is compiled, once: for one level."""
    return [tool("cmake"), "--preset", "dev", "-B", "build/tidy", "-DKERNELECT_WIDE=OFF"]
