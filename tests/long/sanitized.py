"""The Python tests of what calls the core, against a core under the address sanitizer.

    python -m tests.long.sanitized [--again] [ROOM ...]

Rooms are folders or files of ``tests/python``, each tested in a process of its own. Those that have
passed are written to ``build/asan/passed.txt`` and left out by the next run, so that one that was
stopped can be taken up; a core that is compiled anew, or ``--again``, begins anew.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from ..steps import CPUS, ENVIRONMENT, ROOT, site_packages, tool

BUILD = ROOT / "build" / "asan"  # where the step asan has compiled the core already
ROOMS = ("house/test_border.py", "_evidence", "criteria", "kernels", "refinement", "selection",
         "lssvm", "selector", "mkl", "results", "storage", "_dask", "_data",
         "house/test_properties.py", "house/test_determinism.py", "house/test_fuzz.py")  # fmt: skip


def build() -> None:
    """Compile the modules, and lay them beside a copy of the package."""
    try:
        import pybind11
    except ImportError:
        sys.exit(f'pybind11 is not installed: run {sys.executable} -m pip install ".[test,long]"')
    where = ";".join([*site_packages(), pybind11.get_cmake_dir()])
    configure = [tool("cmake"), "--preset", "asan", "-DKERNELECT_PYTHON=ON"]
    configure += [f"-DCMAKE_PREFIX_PATH={where}", f"-DPython_EXECUTABLE={sys.executable}"]
    compile_ = [tool("cmake"), "--build", str(BUILD), "--parallel", str(CPUS), "--target"]
    for command in (configure, [*compile_, "_core", "_core_v3", "_cpu"]):
        subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True)
    package = BUILD / "package" / "kernelect"
    shutil.rmtree(package, ignore_errors=True)
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "python" / "kernelect", package, ignore=ignored)
    for module in BUILD.glob("_c*.so"):
        shutil.copy(module, package)


def runtime(name: str) -> str:
    """Find a library of the compiler's that has to be there before Python is."""
    found = subprocess.run(
        ["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()


def environment() -> dict[str, str]:
    """Return the environment in which Python finds these modules."""
    return {
        **os.environ,
        "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libubsan.so')} {runtime('libstdc++.so')}",
        # Python and the libraries around keep what they have until the end. A size that is out of
        # range is refused, as it is where memory is short.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=8192",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "PYTHONPATH": os.pathsep.join([str(BUILD / "package"), str(ROOT)]),
        "OPENBLAS_NUM_THREADS": "1",
    }


def passed_since(written: Path, modules: Iterable[Path]) -> list[str]:
    """Return the rooms that have passed, none if a module is newer than what is written."""
    if not written.exists():
        return []
    newest = max((module.stat().st_mtime for module in modules), default=0.0)
    return written.read_text().split() if written.stat().st_mtime > newest else []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("rooms", nargs="*", default=ROOMS, metavar="ROOM")
    options = parser.parse_args()
    build()
    passed = BUILD / "passed.txt"
    done = [] if options.again else passed_since(passed, BUILD.glob("_c*.so"))
    for room in options.rooms:
        if room in done:
            print(f"{room}: passed before", flush=True)
            continue
        began = time.monotonic()
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not alone"]
        command += ["-p", "no:cacheprovider", f"tests/python/{room}"]
        code = subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode
        print(f"{room}: exit code {code}, {time.monotonic() - began:.0f} s", flush=True)
        if code != 0:
            return code
        done.append(room)
        passed.write_text("\n".join(done))
    passed.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
