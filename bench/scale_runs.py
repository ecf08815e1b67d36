"""Finished runs of bench/scale.py in a file, each with the code and the machine that made it."""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from inside import core
from report import machine
from scale_sets import LIQUID, load

import kernelect as ke

Found = dict[str, Any]
MISSING, LATE = "not installed", "not run"
OTHERS = ("boosted trees", "Nystroem + RidgeCV")
# Seconds that a run may take: several times what it does, or where somebody else's takes very long
# what the whole can spare.
LIMITS = {"boosted trees": 60.0, LIQUID: 40.0, "exact leave-one-out": 240.0}
LIMIT = 200.0
HERE = Path(__file__).parent
# What every run goes through, and what an election does.
BENCH = ("scale_task.py", "scale_sets.py", "papers/tools/data.py")
ROOMS = ("_support", "_data", "criteria", "kernels", "_evidence", "results", "selection", "lssvm")


@cache
def maker(method: str) -> str:
    """Return what tells by which code on which machine a method was run.

    Of Python code what it says counts, not how it is laid out or commented on.
    """
    told, digest = machine(), hashlib.sha256()
    files = [HERE / name for name in BENCH]
    if method == LIQUID:
        files.append(HERE / "scale_liquid.py")
    elif method in OTHERS:
        digest.update(f"{sklearn.__version__} {np.__version__}".encode())
    else:
        package = Path(ke.__file__).parent
        files += [file for room in ROOMS for file in sorted((package / room).rglob("*.py"))]
        digest.update(Path(core.__file__).read_bytes())
    for file in files:
        digest.update(ast.dump(ast.parse(file.read_text())).encode())
    return f"{digest.hexdigest()[:16]}, {told['processor']}, {told['cpus']} CPUs"


class Runs:
    """What was found out, so that nothing is lost or made twice.

    Runs of former code or of another machine are not known here, and go from the file with the
    first run that is new.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._file = options.out / "scale-runs.jsonl"
        self._end = time.monotonic() + 60.0 * options.minutes
        self._known: dict[str, Found] = {}
        if self._file.exists():
            lines = [json.loads(line) for line in self._file.read_text().splitlines()]
            self._known = {
                key: run
                for key, run in lines
                if run.get("by") == maker(_method(json.loads(key)))
                and not ("failed" in run and options.retry)
            }

    def known(self, task: Found) -> Found:
        """Return what was found out about a task, or that it was not run."""
        return self._known.get(_key(task), {**task, "failed": LATE})

    def run(self, task: Found) -> None:
        """Let a process of its own do a task, unless it is done or time is up."""
        left = self._end - time.monotonic()
        if _key(task) in self._known or left <= 0.0:
            return
        method = _method(task)
        limit = self._options.limit or LIMITS.get(method, LIMIT)
        result = self._run(task, min(limit, left))
        if result is None and left < limit:
            return
        result = result or {"failed": f"more than {limit:g} s"}
        found = {**task, **result, "load": os.getloadavg()[0], "by": maker(method)}
        self._known[_key(task)] = found
        if found.get("failed") != MISSING:
            self._store()
        said = found.get("failed") or (
            f"{found['seconds']:.1f} s, CPU {found['cpu']:.1f} s, {found['megabytes']:.0f} MB"
            + (f", loss {found['loss']:.4g}; {found['what']}" if "loss" in found else "")
        )
        print(f"{task}: {said}", flush=True)

    def _store(self) -> None:
        """Write all that is known; what was there stays until the new file is whole."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            json.dumps([key, run]) + "\n"
            for key, run in self._known.items()
            if run.get("failed") != MISSING
        ]
        whole = self._file.with_suffix(".new")
        whole.write_text("".join(lines))
        whole.replace(self._file)

    def _run(self, task: Found, limit: float) -> Found | None:
        """Return what a process of its own prints, or why it failed; None where it is late."""
        if _method(task) != LIQUID:
            given = {**task, "folder": str(self._options.data)}
            return _process([sys.executable, str(HERE / "scale_task.py"), json.dumps(given)], limit)
        others = dict(item.split("=", 1) for item in self._options.python)
        if LIQUID not in others:
            return {"failed": MISSING}
        data = load(self._options.data, task["name"], task["most"])
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.npz"
            parts = {name: getattr(data.parts, name) for name in ("X", "y", "X_test", "y_test")}
            np.savez(file, **parts, numbers=data.numbers)
            return _process([others[LIQUID], str(HERE / "scale_liquid.py"), str(file)], limit)


def _key(task: Found) -> str:
    return json.dumps(task, sort_keys=True)


def _method(task: Found) -> str:
    return str(task.get("method", "kernelect"))


def _process(command: list[str], limit: float) -> Found | None:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        words = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
        return {"failed": words[-1][:200]}
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return found
