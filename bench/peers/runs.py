"""Runs: each in a process of its own, and kept in a file as soon as it has ended.

A comparison takes hours, so it can be broken off and taken up again: what the file holds is not
run twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .sets import NUMBERS
from .ways import WAYS

ROOT = Path(__file__).resolve().parents[2]
ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_PATIENCE = 10  # a limit is CPU time; on a busy machine that takes longer by the clock
Key = tuple[str, int, str, int]  # way, rows, set, split


def version_of(python: str, package: str) -> str | None:
    """The version of a package in the environment of an interpreter, None where it is missing."""
    ask = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def code_of(package: str, version: str | None) -> str | None:
    """What tells runs apart that one table must not mix: a version, and of ours the sources too."""
    if package != "kernelect" or version is None:
        return version
    digest = hashlib.sha256()
    for folder, ending in (("python/kernelect", "py"), ("cpp", "cpp"), ("cpp", "hpp")):
        for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
            digest.update(path.read_bytes())
    return f"{version}, sources {digest.hexdigest()[:8]}"


class Runs:
    """What was measured, by way, rows, set and split; written after every run.

    Attributes
    ----------
    versions : dict
        Of the package of each way, None where it is not installed.
    codes : dict
        By what runs of the ways asked for are told apart (`code_of`).
    machine : dict
        What they run on.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.versions: dict[str, str | None] = {}
        self.codes: dict[str, str | None] = {}
        self.machine: dict[str, Any] = {}
        self._found: dict[Key, dict[str, Any]] = {}
        if path is not None and path.exists():
            facts = json.loads(path.read_text())
            self.versions, self.machine = facts["versions"], facts["machine"]
            self._found = {_key(each): each for each in facts["rows"]}

    def all(self) -> list[dict[str, Any]]:
        return list(self._found.values())

    def forget(self, ways: Iterable[str]) -> None:
        """What is to be run again."""
        gone = set(ways)
        self._found = {key: each for key, each in self._found.items() if key[0] not in gone}

    def forget_others(self) -> int:
        """Drop runs of another processor or another code than the ways have now; how many."""
        before, processor = len(self._found), self.machine.get("processor")
        self._found = {
            key: each for key, each in self._found.items()
            if each.get("processor") == processor
            and each.get("code") == (self.codes.get(key[0]) or each.get("code"))
        }  # fmt: skip
        return before - len(self._found)

    def has(self, key: Key, limit: float) -> bool:
        """Whether it was run, or need not be: it ran out of no less time on as many rows or fewer.

        Once it has, it would do so on more rows.
        """
        way, rows, name, split = key
        if key in self._found and "over" not in self._found[key]:
            return True
        over = max(
            (each.get("over", 0.0) for (other, size, *where), each in self._found.items()
             if other == way and size <= rows and where == [name, split]),
            default=0.0,
        )  # fmt: skip
        if over < limit:
            return False
        self.add(key, {"over": over, "why": f"over {over:g} s"})
        return True

    def add(self, key: Key, told: dict[str, Any]) -> None:
        way, rows, name, split = key
        under = {"processor": self.machine.get("processor"), "code": self.codes.get(way)}
        self._found[key] = {"way": way, "rows": rows, "set": name, "split": split, **told, **under}
        self.keep()

    def keep(self) -> None:
        if self._path is None:
            return
        facts = {"machine": self.machine, "versions": self.versions, "rows": self.all()}
        part = self._path.with_suffix(".part")  # whoever breaks off leaves the former file whole
        part.write_text(json.dumps(facts, indent=1) + "\n")
        part.replace(self._path)


def _key(each: dict[str, Any]) -> Key:
    return (each["way"], each["rows"], each["set"], each["split"])


def run(python: str, key: Key, file: Path, *, limit: float, gigabytes: float, cpu: int) -> Any:
    """What a child prints, or why there is nothing."""
    way, _, name, _ = key
    command = [python, "-m", "bench.peers.child", way, str(file), "--gigabytes", str(gigabytes)]
    command += ["--cpu", str(cpu), "--seconds", str(limit)]
    command += ["--numbers"] if name in NUMBERS else []
    over = {"over": limit, "why": f"over {limit:g} s"}
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **ONE},
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE * limit,
        )
    except subprocess.TimeoutExpired:
        return over
    if done.returncode == -signal.SIGXCPU:
        return over
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        return {"why": (said[-1] if said else f"ended by {-done.returncode}")[:200]}
    return json.loads(done.stdout.splitlines()[-1])


def takes_part(way: str, name: str, rows: int) -> bool:
    """Whether a way is for the task of a set, and for this many rows."""
    about = WAYS[way]
    return rows <= about.most_rows and (about.numbers if name in NUMBERS else about.classes)


def interpreter(others: dict[str, str], way: str) -> str:
    """The one that is named for a way or for its package, else this one."""
    return others.get(way) or others.get(WAYS[way].package) or sys.executable
