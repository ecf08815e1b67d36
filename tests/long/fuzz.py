"""Fuzzing of every reader, guided by coverage; `tests.long.guided` does the same to the core.

    python -m tests.long.fuzz [--minutes 10] [TARGET ...]

Every target runs in a process of its own. What it finds is written to ``build/fuzz``; keep it as a
test. A reader may give rows or refuse in one sentence that names the file; anything else is a bug.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOUND = ROOT / "build" / "fuzz"
# What fuzzing begins with.
SEEDS: dict[str, list[bytes]] = {
    "svmlight": [b"1 1:0.5 3:2\n-1 2:1e3 # a comment\n", b"1.5 qid:3 1:2\n0 1:1\n"],
    "csv": [b'a,b,"c ""d""",y\n1,2,x,0\n3,,z,1\n', b"1;2,5;0\n3;4,5;1\n"],
    "npz": [],  # made below
    "json": [],
    "model": [],
}


def seeds(name: str) -> list[bytes]:
    """Return small right files of a kind."""
    import io

    import numpy as np

    import kernelect as ke

    X, y = np.arange(12.0).reshape(6, 2) ** 1.5, np.arange(6) % 2
    if name == "npz":
        file = io.BytesIO()
        np.savez(file, X=X, y=y)
        return [file.getvalue()]
    if name in ("json", "model"):
        things = {"json": [ke.Gaussian(2.0) + ke.Linear(), ke.select(X, y, "gaussian", "sm")],
                  "model": [ke.LSSVMClassifier(ke.Gaussian(1.0), lam=1.0).fit(X, y)]}  # fmt: skip
        made = []
        for thing in things[name]:
            with tempfile.TemporaryDirectory() as folder:
                ke.save(thing, Path(folder, "thing"))
                made.append(Path(folder, "thing").read_bytes())
        return made
    return SEEDS[name]


def target(name: str) -> Callable[[bytes], None]:
    """Return what is done with the bytes of a file."""
    import kernelect as ke
    from kernelect import io

    endings = {"svmlight": ".svm", "csv": ".csv", "npz": ".npz"}
    read: Callable[[Path], object]
    if name == "svmlight":
        read = io.read_svmlight
    elif name == "csv":
        read = lambda path: io.read_csv(path, target="y")
    elif name == "npz":
        read = io.read_npz
    else:
        read = ke.load
    folder = Path(tempfile.mkdtemp())
    path = folder / f"file{endings.get(name, '')}"

    def one(data: bytes) -> None:
        path.write_bytes(data)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read(path)
        except (ValueError, OSError, MemoryError) as error:
            said = str(error)
            if not said.strip() or "\n" in said or len(said) > 1000:
                raise AssertionError(f"not one sentence: {said[:300]!r}") from error

    return one


def fuzz(name: str, seconds: float, runs: int) -> None:
    """Fuzz one reader in this process, by atheris, which ends it; runs are repeatable."""
    import atheris

    with atheris.instrument_imports(include=["kernelect.io", "kernelect.storage"]):
        one, right = target(name), seeds(name)
        for seed in right:  # imports what reading takes
            one(seed)
    FOUND.mkdir(parents=True, exist_ok=True)
    corpus = Path(tempfile.mkdtemp())
    for number, seed in enumerate(right):
        (corpus / str(number)).write_bytes(seed)
    limits = ["-max_len=4096", "-rss_limit_mb=4096", "-timeout=60"]
    limits += [f"-runs={runs}", "-seed=1"] if runs else [f"-max_total_time={max(int(seconds), 1)}"]
    command = [sys.argv[0], *limits, f"-artifact_prefix={FOUND / name}-", str(corpus)]
    atheris.Setup(command, one)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument(
        "--runs", type=int, default=0, help="this many of each, in place of minutes"
    )
    parser.add_argument("--here", help=argparse.SUPPRESS)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    options = parser.parse_args()
    names = options.targets or [*SEEDS]
    seconds = 60.0 * options.minutes / len(names)
    if options.here:
        fuzz(options.here, 60.0 * options.minutes, options.runs)
        return 0
    worst = 0
    for name in names:
        command = [sys.executable, "-m", "tests.long.fuzz", "--here", name]
        command += ["--minutes", str(seconds / 60.0), "--runs", str(options.runs)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        lines = done.stderr.splitlines()
        told = [line for line in lines if "DONE" in line or "Done " in line][-2:]
        # Files that took ten seconds: on a busy machine not a fault, but to be looked at.
        told += [line for line in lines if "slow-unit" in line]
        print(f"{name}: exit code {done.returncode}", *told, sep="\n  ", flush=True)
        if done.returncode != 0:
            print(done.stdout[-1500:], done.stderr[-3000:])
            worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())
