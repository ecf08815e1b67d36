"""The Python tests of what calls the core, against a core under the address sanitizer.

python -m tests.long.sanitized [PYTEST ARGUMENTS]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pybind11

from ..steps import CPUS, ENVIRONMENT, ROOT, site_packages, tool

BUILD = ROOT / "build" / "asan"  # where the step asan has compiled the core already
ROOMS = ("_evidence", "criteria", "kernels", "selection", "lssvm", "mkl", "house/test_border.py")


def build() -> None:
    """Compile the modules, and lay them beside a copy of the package."""
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


def main() -> int:
    build()
    environment = {
        **os.environ,
        "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libubsan.so')} {runtime('libstdc++.so')}",
        # Python and the libraries around keep what they have until the end.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "PYTHONPATH": os.pathsep.join([str(BUILD / "package"), str(ROOT)]),
    }
    rooms = sys.argv[1:] or [f"tests/python/{room}" for room in ROOMS]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not alone", *rooms]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
