"""The steps of the test command: what they run, and where."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

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
    folders = [ROOT / "cpp", ROOT / "bench", ROOT / "tests" / "cpp", ROOT / "tests" / "long"]
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
        Step(
            "guard",
            "C++: instructions of small runs beside stored counts, where valgrind is installed",
            [[sys.executable, "bench/guard.py"]],
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
