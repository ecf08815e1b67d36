"""An environment for each rival that cannot live in ours, in a folder.

    python -m bench.peers.environments build/rivals
    python -m bench.peers --rivals build/rivals ...

They want other versions of NumPy or scikit-learn than kernelect is tested with. What is there
already is left alone; what cannot be installed here is named, and the comparison lists it as such.
liquidSVM compiles for minutes, needs NumPy below 2, and a setuptools that still knows distutils.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

# Packages to install before a rival, and options of its own installation.
COMMON = ("scikit-learn", "threadpoolctl")
RIVALS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "liquidSVM": (("numpy<2", "setuptools<70", "wheel"), ("--no-build-isolation",)),
    "optuna-integration": (("optuna",), ()),
    "scikit-learn-intelex": ((), ()),
    "thundersvm-cpu": (("setuptools<70",), ()),
    "himalaya": (("packaging",), ()),  # which it imports without asking for it
    "MKLpy": ((), ()),
    "neo-ls-svm": ((), ()),
}


def python_of(folder: Path, package: str) -> Path:
    """The interpreter of a rival's environment, whether it is there or not."""
    return folder / package / "bin" / "python"


def make(folder: Path, package: str) -> bool:
    """Make the environment of a rival; whether it came to be."""
    before, options = RIVALS[package]
    python = str(python_of(folder, package))
    install = [python, "-m", "pip", "install", "--quiet"]
    steps = [
        [sys.executable, "-m", "venv", str(folder / package)],
        [*install, *before, *COMMON],
        [*install, *options, package],
    ]
    return all(subprocess.run(step, check=False).returncode == 0 for step in steps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rivals", nargs="+", default=list(RIVALS), choices=RIVALS)
    options = parser.parse_args()
    for package in options.rivals:
        there = python_of(options.folder, package).exists()
        made = there or make(options.folder, package)
        print(f"{package}: {'there already' if there else 'made' if made else 'failed'}")


if __name__ == "__main__":
    main()
