"""Check the wheel as a user gets it: its tag, and its life where there is no compiler.

``python -m tests.wheel`` takes the wheel in ``build/wheels``, which ``python -m tests --install``
made before it installed that very wheel; it builds none itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from importlib.metadata import files, requires
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / "build" / "wheels"
SOURCES = ("cpp", "python", "bench", "CMakeLists.txt", "pyproject.toml")
SUFFIXES = {".cpp", ".hpp", ".h", ".py", ".pyi", ".txt", ".toml"}
COMPILERS = ("c++", "g++", "clang++", "cc", "gcc", "clang", "cl", "cmake", "ninja")

# Run by the new environment's own interpreter.
WHERE = """
import sys, sysconfig, kernelect
assert kernelect.__file__.startswith(sysconfig.get_path("platlib")), kernelect.__file__
print(kernelect.__version__, kernelect.build_info())
"""


def build() -> Path:
    """Make the wheel of these sources, alone in its folder."""
    shutil.rmtree(WHEELS, ignore_errors=True)
    command = ["pip", "wheel", "--no-deps", "-w", str(WHEELS), "."]
    subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True)
    (wheel,) = WHEELS.glob("kernelect-*.whl")
    return wheel


def current() -> Path | None:
    """Find the wheel of these sources, if there is one that is not older than any of them."""
    wheels = sorted(WHEELS.glob("kernelect-*.whl"))
    if len(wheels) != 1:
        return None
    changed = max(
        path.stat().st_mtime
        for source in SOURCES
        for path in [ROOT / source, *(ROOT / source).rglob("*")]
        if path.suffix in SUFFIXES
    )
    return wheels[0] if wheels[0].stat().st_mtime >= changed else None


def audit(wheel: Path) -> None:
    """Have auditwheel name the systems that the wheel runs on."""
    command = [sys.executable, "-m", "auditwheel", "show", str(wheel)]
    shown = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    print(shown.strip())
    if "manylinux" not in shown and "musllinux" not in shown:
        sys.exit(f"auditwheel finds no platform tag for {wheel.name}")


def dependencies(name: str) -> set[str]:
    """Names of the packages that the named one wants installed, directly and by way of others."""
    from packaging.requirements import Requirement  # there once the tests are installed

    wanted: set[str] = set()
    waiting = [name]
    while waiting:
        for line in requires(waiting.pop()) or []:
            requirement = Requirement(line)
            marker = requirement.marker
            if requirement.name not in wanted and (
                marker is None or marker.evaluate({"extra": ""})
            ):
                wanted.add(requirement.name)
                waiting.append(requirement.name)
    return wanted


def link_dependencies(folder: Path) -> None:
    """Put what the wheel declares into the folder, as it is installed beside the tests.

    Nothing else that the tests want is there, so that an import of what is not declared fails.
    """
    for name in dependencies("kernelect"):
        for file in files(name) or []:
            top = file.parts[0]
            if top != ".." and not (folder / top).exists():
                installed = Path(str(file.locate())).parents[len(file.parts) - 1]
                (folder / top).symlink_to(installed / top)


def try_out(wheel: Path, folder: Path) -> None:
    """Install the wheel into a new environment and run it, with nothing else to be found."""
    venv.create(folder, with_pip=True)
    tools = folder / ("Scripts" if os.name == "nt" else "bin")
    python = str(tools / "python")
    hidden = {"CC", "CXX", "PYTHONPATH", "PYTHONHOME", "CMAKE_PREFIX_PATH"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment["PATH"] = str(tools)
    for compiler in COMPILERS:
        if shutil.which(compiler, path=environment["PATH"]):
            sys.exit(f"{compiler} is in the new environment, which was to be without a compiler")

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout

    run(python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel))
    own = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip())
    link_dependencies(own)
    print(run(python, "-c", WHERE).strip())
    elected = run(str(tools / "kernelect"), "demo").strip().splitlines()
    print("...", *elected[-4:], sep="\n")
    run(str(tools / "kernelect-bench"), "--help")


def main() -> int:
    wheel = current()
    if wheel is None:
        print(
            "skipped: build/wheels has no wheel of the sources as they are; "
            f"{sys.executable} -m tests --install makes and tests one"
        )
        return 0
    if sys.platform == "linux":
        audit(wheel)
    with tempfile.TemporaryDirectory() as folder:
        try_out(wheel, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
