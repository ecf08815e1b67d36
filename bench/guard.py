"""Does the core need more than it did? Instructions of small runs beside stored counts.

    python bench/guard.py            # compare; 1 is returned if a run needs 3 % more than stored
    python bench/guard.py --renew    # store what it needs now, after a change that is meant

valgrind counts, so no load of the machine disturbs it, and always as one processor of its own, with
AVX2, whatever it runs on: neither wider registers nor larger caches of a machine show. A count is
that of two repeats less that of one, without the start of the program. What another compiler made
has other counts, so they are stored for each; where none are stored for the one at hand, or
valgrind or the benchmark is missing, that is said and nothing is compared. `kernelect-bench` is
taken from beside the interpreter, where the wheel puts it, or from ``--binaries FOLDER``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

STORED = Path(__file__).resolve().parent / "guard_counts.json"
TOLERANCE = 0.03
LEVELS = {"baseline": "kernelect-bench", "v3": "kernelect-bench-v3"}
RUNS = {
    "sm": ("--n", "600", "--criteria", "sm"),
    "sm r=3": ("--n", "600", "--criteria", "sm3"),
    "every criterion": ("--n", "400", "--criteria", "all"),
    "5 features": ("--n", "600", "--d", "5", "--criteria", "sm"),
}
Counts = dict[str, int]

# Long fills and copies byte by byte would be counted on processors that prefer them, only there.
_SAME_EVERYWHERE = ":".join(
    f"glibc.cpu.x86_rep_{name}_threshold=1000000000" for name in ("stosb", "movsb")
)


def compiler_of(binary: Path) -> str | None:
    """Who compiled it; None where this machine cannot run it, or it is too old to say so."""
    command = [str(binary), "--n", "4", "--repeats", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout).get("compiler") if done.returncode == 0 else None


def instructions(binary: Path, run: tuple[str, ...], repeats: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        counting = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        done = subprocess.run(
            [*counting, str(binary), *run, "--repeats", str(repeats)],
            env={**os.environ, "GLIBC_TUNABLES": _SAME_EVERYWHERE},
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        raise SystemExit(f"valgrind could not run {binary.name}:\n{done.stderr}")
    return int(found[1])


def count(binary: Path, level: str) -> Counts:
    return {
        f"{level}, {name}": instructions(binary, run, 2) - instructions(binary, run, 1)
        for name, run in RUNS.items()
    }


def costlier(now: Counts, stored: Counts) -> list[str]:
    """The runs that need more than is stored, by more than the tolerance; or that nobody stored."""
    worse = []
    for name, instructions_now in now.items():
        if name not in stored:
            worse.append(f"{name}: no count is stored")
        elif instructions_now > (1.0 + TOLERANCE) * stored[name]:
            share = 100.0 * (instructions_now / stored[name] - 1.0)
            worse.append(f"{name}: {instructions_now:,} instructions, {share:.1f} % more")
    return worse


def cheaper(now: Counts, stored: Counts) -> list[str]:
    """The runs that need less than is stored, by so much that a slowdown could hide in it."""
    return [
        name
        for name, count in now.items()
        if name in stored and count < (1.0 - TOLERANCE) * stored[name]
    ]


def compare(compiler: str, now: Counts, stored: dict[str, Counts]) -> int:
    """Say what changed; 1 if something costs more."""
    if compiler not in stored:
        known = ", ".join(stored) or "none"
        print(f"guard: no counts are stored for {compiler} ({known}), so nothing is compared")
        return 0
    print(f"guard: instructions of small runs, beside those stored for {compiler}; no times")
    for name, instructions_now in now.items():
        former = stored[compiler].get(name)
        share = "" if former is None else f", {100.0 * (instructions_now / former - 1.0):+.2f} %"
        print(f"{name}: {instructions_now:,}{share}")
    worse = costlier(now, stored[compiler])
    for line in worse:
        print(f"guard: {line}; a change that is meant is stored by bench/guard.py --renew")
    less = cheaper(now, stored[compiler])
    if less:
        print(
            f"guard: {', '.join(less)}: fewer than stored by more than {TOLERANCE:.0%}, in which a "
            "slowdown would not be seen; store them by bench/guard.py --renew"
        )
    return 1 if worse else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--renew", action="store_true", help="store the counts")
    parser.add_argument("--binaries", type=Path, default=Path(sys.executable).parent)
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("guard: valgrind is not installed, so nothing is compared")
        return 0
    now: Counts = {}
    compilers = set()
    for level, name in LEVELS.items():
        binary = options.binaries / name
        compiler = compiler_of(binary) if binary.exists() else None
        if compiler is None:
            print(f"guard: {name} is not in {options.binaries}, is too old or does not run here")
            continue
        compilers.add(compiler)
        now.update(count(binary, level))
    if len(compilers) != 1:
        print("guard: no benchmark of one compiler, so nothing is compared")
        return 0
    stored: dict[str, Counts] = json.loads(STORED.read_text()) if STORED.exists() else {}
    compiler = compilers.pop()
    if options.renew:
        STORED.write_text(json.dumps({**stored, compiler: now}, indent=1) + "\n")
    return compare(compiler, now, json.loads(STORED.read_text()) if options.renew else stored)


if __name__ == "__main__":
    sys.exit(main())
