"""Run every check of the project, stopping at the first that fails: ``python -m tests [STEP]``.

It works in any environment where ``pip install ".[test]"`` was run: the tools are taken from beside
the running interpreter, Eigen for the C++ tests from its site-packages; several steps may be named.
``python -m tests --install`` does that first, by way of a wheel, which is then tested too.

Steps that use one core run side by side, and what they print appears when they end. Steps that use
all cores, or whose tests measure time, run by themselves.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import IO

from .wheel import build

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "tests"
CPUS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# The environment's own tools come first, also for what they call themselves (cmake calls ninja).
TOOLS = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
ENVIRONMENT = {**os.environ, "PATH": TOOLS}


@dataclass(frozen=True)
class Step:
    """Commands that run one after another."""

    name: str
    what: str
    commands: Sequence[Sequence[str]]
    by_itself: bool = False
    environment: dict[str, str] = field(default_factory=dict)


def tool(name: str) -> str:
    found = shutil.which(name, path=TOOLS)
    if found is None:
        sys.exit(f'{name} is not installed: run {sys.executable} -m pip install ".[test]"')
    return found


def site_packages() -> list[str]:
    """Where installed packages are, Eigen's headers among them."""
    return [
        folder for folder in sys.path if Path(folder).name in {"site-packages", "dist-packages"}
    ]


def cpp_files() -> list[str]:
    folders = [ROOT / "cpp", ROOT / "bench", ROOT / "tests" / "cpp"]
    return sorted(
        str(path.relative_to(ROOT))
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in {".cpp", ".hpp", ".h"}
    )


def cpp_commands() -> list[list[str]]:
    configure = [
        tool("cmake"),
        *("-S", ".", "-B", str(BUILD), "-G", "Ninja"),
        *("-DKERNELECT_WERROR=ON", "-DKERNELECT_PYTHON=OFF", "-DKERNELECT_TESTS=ON"),
        "-DCMAKE_CXX_FLAGS_RELEASE=-O1",  # without NDEBUG: Eigen checks every index
        f"-DCMAKE_PREFIX_PATH={';'.join(site_packages())}",
    ]
    return [
        configure,
        [tool("cmake"), "--build", str(BUILD), "--parallel", str(CPUS)],
        [tool("ctest"), "--test-dir", str(BUILD), "--output-on-failure"],
    ]


def steps() -> list[Step]:
    python = [sys.executable, "-m"]
    pytest = [*python, "pytest", "-q"]
    ruff = [tool("ruff")]
    sphinx = [*python, "sphinx", "-W", "--keep-going", "-q", "docs", "build/docs"]
    return [
        Step(
            "ruff",
            "Python: lint and format",
            [
                [*ruff, "check"],
                [*ruff, "format", "--check", "python", "tests", "bench", "examples"],
            ],
        ),
        Step(
            "layers",
            "Python: rooms import only what is below them",
            [[tool("lint-imports"), "--no-cache"]],
            environment={"PYTHONPATH": str(ROOT / "python")},  # not the copy that is installed
        ),
        Step(
            "clang-format",
            "C++: format",
            [[tool("clang-format"), "--dry-run", "-Werror", *cpp_files()]],
        ),
        Step("cpp", "C++: build and tests", cpp_commands()),
        Step("mypy", "Python: types", [[*python, "mypy"]]),
        Step(
            "stubtest",
            "Python: stubs of the core",
            [[*python, "mypy.stubtest", "kernelect._core", "kernelect._cpu"]],
            # It imports the baseline core by name, and a process holds one core only.
            environment={"KERNELECT_LEVEL": "baseline"},
        ),
        Step("wheel", "the wheel where there is no compiler", [[*python, "tests.wheel"]]),
        Step("docs", "documentation", [sphinx]),
        Step(
            "doctests",
            "Python: examples in docstrings",
            [[*pytest, "--doctest-modules", "--pyargs", "kernelect"]],
        ),
        Step(
            "python",
            "Python: tests",
            [[*pytest, "-n", str(CPUS), "--dist", "worksteal", "-m", "not alone", "tests/python"]],
            by_itself=True,
            # As many processes as cores: threads of BLAS in them would only wait for one another.
            environment={"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
        ),
        Step(
            "alone",
            "Python: tests of time, signals and processes",
            [[*pytest, "-m", "alone", "tests/python"]],
            by_itself=True,
        ),
    ]


def chosen(names: Sequence[str]) -> list[Step]:
    every = {step.name: step for step in steps()}
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
    names = [name for name in sys.argv[1:] if name != "--install"]
    if any(name.startswith("-") for name in names):
        sys.exit(f"usage: {sys.executable} -m tests [--install] [STEP ...]")
    if "--install" in sys.argv[1:]:
        install()
    return run(chosen(names))


if __name__ == "__main__":
    sys.exit(main())
