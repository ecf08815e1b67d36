"""Run every check of the project, stopping at the first that fails: ``python -m tests``.

It works in any environment where ``pip install ".[test]"`` was run: the tools are taken from beside
the running interpreter, Eigen for the C++ tests from its site-packages. ``python -m tests
--install`` does that first, by way of a wheel, which is then tested too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .wheel import build

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "tests"

# The environment's own tools come first, also for what they call themselves (cmake calls ninja).
TOOLS = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
ENVIRONMENT = {**os.environ, "PATH": TOOLS}

# stubtest imports the baseline core by name, and a process holds one core only.
EXTRA = {"stubtest": {"KERNELECT_LEVEL": "baseline"}}


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


def steps() -> list[tuple[str, list[str]]]:
    python = [sys.executable, "-m"]
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    configure = [
        tool("cmake"),
        *("-S", ".", "-B", str(BUILD), "-G", "Ninja"),
        *("-DKERNELECT_WERROR=ON", "-DKERNELECT_PYTHON=OFF", "-DKERNELECT_TESTS=ON"),
        "-DCMAKE_CXX_FLAGS_RELEASE=-O2",  # without NDEBUG: Eigen checks every index
        f"-DCMAKE_PREFIX_PATH={';'.join(site_packages())}",
    ]
    return [
        ("ruff check", [tool("ruff"), "check"]),
        (
            "ruff format",
            [tool("ruff"), "format", "--check", "python", "tests", "bench", "examples"],
        ),
        ("clang-format", [tool("clang-format"), "--dry-run", "-Werror", *cpp_files()]),
        ("mypy", [*python, "mypy"]),
        ("stubtest", [*python, "mypy.stubtest", "kernelect._core", "kernelect._cpu"]),
        ("C++: configure", configure),
        ("C++: build", [tool("cmake"), "--build", str(BUILD), "--parallel", str(cpus or 1)]),
        ("C++: tests", [tool("ctest"), "--test-dir", str(BUILD), "--output-on-failure"]),
        ("doctests", [*python, "pytest", "-q", "--doctest-modules", "--pyargs", "kernelect"]),
        ("Python tests", [*python, "pytest", "-q", "tests/python"]),
        ("wheel", [*python, "tests.wheel"]),
        ("documentation", [*python, "sphinx", "-W", "--keep-going", "-q", "docs", "build/docs"]),
    ]


def install() -> None:
    """Build the wheel once, for the environment and for its own test."""
    print("=== install", flush=True)
    wheel = build()
    command = [sys.executable, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps"]
    subprocess.run([*command, str(wheel)], check=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", f"{wheel}[test]"], check=True)


def main() -> int:
    if sys.argv[1:] == ["--install"]:
        install()
    elif sys.argv[1:]:
        sys.exit(f"usage: {sys.executable} -m tests [--install]")
    for headline, command in steps():
        print(f"\n=== {headline}", flush=True)
        environment = {**ENVIRONMENT, **EXTRA.get(headline, {})}
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if code != 0:
            print(f"\n=== {headline} failed with exit code {code}", flush=True)
            return code
    print("\n=== all passed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
