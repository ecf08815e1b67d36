"""Fuzzing of the border of the core, guided by coverage, under the address sanitizer.

    python -m tests.long.guided [--minutes 10] [--seed 0] [--keep FILE.json]

In a core under the sanitizers each basic block of the bindings tells ``edges.cpp`` when it is
reached. A call of ``border_fuzz`` is kept if it goes a way that none went before, and further calls
are made of those that were kept. What ends the process is said with its recipe, and fuzzing goes on
in another; keep it as a test. ``--keep`` begins with the calls of a file and writes down all that
were kept since, for the tests to make again.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ..steps import ROOT
from . import sanitized

FOUND = ROOT / "build" / "fuzz"
LAST = FOUND / "border-last.json"  # the call that is being made
PATIENCE = 120.0  # seconds for one call

Recipe = list[int]


def grow(
    kept: dict[str, list[Recipe]],
    fresh: Callable[[str, Recipe], int],
    going_on: Callable[[], bool],
    rng: random.Random,
    seeds: int,
) -> int:
    """Make calls as long as it goes on, keep those that reach something new, return the number.

    ``fresh`` makes a call and tells how much it reached that no call before it had.
    """
    names, made = sorted(kept), 0
    while going_on():
        name = rng.choice(names)
        recipe = list(rng.choice([[], *kept[name]]))
        if len(recipe) > 1 and rng.random() < 0.2:
            del recipe[rng.randrange(len(recipe))]
        recipe += [rng.randrange(seeds) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        made += 1
        if fresh(name, recipe):
            kept[name].append(recipe)
    return made


def here(seconds: float, seed: int, keep: Path) -> int:
    """Fuzz in this process, whose core counts edges."""
    sys.path.insert(0, str(ROOT / "tests" / "python"))
    import border_fuzz

    edges = ctypes.CDLL(border_fuzz.core.__file__)
    state = {"known": border_fuzz.entries(), "calls": 0, "refused": 0, "reached": 0}
    names = [name for name, (_, right) in state["known"].items() if right]

    def fresh(name: str, recipe: Recipe) -> int:
        LAST.write_text(json.dumps({name: [recipe]}), encoding="utf-8")
        state["calls"] += 1
        if state["calls"] % border_fuzz.CALLS_AT_ONCE == 0:
            state["known"] = border_fuzz.entries()
        call, right = state["known"][name]
        given = border_fuzz.changed(right, recipe)
        edges.kernelect_edges_begin()
        state["refused"] += border_fuzz.make(call, given)
        found = int(edges.kernelect_edges_fresh())
        state["reached"] += found
        return found

    kept: dict[str, list[Recipe]] = {name: [] for name in names}
    for name in names:  # what right calls reach is nothing new
        fresh(name, [])
    begun = state["reached"]
    for name, recipe in border_fuzz.kept(keep) if keep.exists() else []:
        if fresh(name, recipe):
            kept[name].append(recipe)
    written, ends = sum(map(len, kept.values())), time.monotonic() + seconds

    def going_on() -> bool:
        nonlocal written
        if (count := sum(map(len, kept.values()))) > written:  # also if the next call is the last
            written = count
            write(kept, keep)
        return time.monotonic() < ends

    made = grow(kept, fresh, going_on, random.Random(seed), border_fuzz.SEEDS)
    print(
        f"border: {made} calls of {len(names)} functions, {state['refused']} of all refused; "
        f"{begun} edges by right calls, {state['reached']} in the end, {written} calls kept",
        flush=True,
    )
    return 0


def write(kept: dict[str, list[Recipe]], path: Path) -> None:
    """Write calls down, a line for each function."""
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in kept if kept[name]]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def watched(command: list[str], environment: dict[str, str]) -> int:
    """Run until it ends, or until a call has taken too long; say by which call it ended."""
    LAST.unlink(missing_ok=True)
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    while (code := process.poll()) is None:
        time.sleep(1.0)
        if LAST.exists() and time.time() - LAST.stat().st_mtime > PATIENCE:
            process.kill()
            print(f"one call took more than {PATIENCE:g} s", flush=True)
    if code != 0 and LAST.exists():
        found = LAST.read_text(encoding="utf-8")
        kept = LAST.with_name(f"border-found-{int(time.time())}.json")
        kept.write_text(found, encoding="utf-8")
        print(
            f"exit code {code} after the call {found}, kept in {kept.relative_to(ROOT)}: see it by"
        )
        print(f"  python tests/python/border_fuzz.py {kept.relative_to(ROOT)}", flush=True)
    return 1 if code else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=FOUND / "border-kept.json")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        return here(60.0 * options.minutes, options.seed, options.keep)
    sanitized.build()
    FOUND.mkdir(parents=True, exist_ok=True)
    ends, found = time.monotonic() + 60.0 * options.minutes, 0
    while (left := ends - time.monotonic()) > 0.0:
        command = [sys.executable, "-m", "tests.long.guided", "--here", "--minutes", str(left / 60)]
        command += ["--seed", str(options.seed + found), "--keep", str(options.keep)]
        if not watched(command, sanitized.environment()):
            break
        found += 1
    return min(found, 1)


if __name__ == "__main__":
    sys.exit(main())
