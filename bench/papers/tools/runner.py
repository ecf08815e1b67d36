"""Run an observation on many sets and splits, keep what was found, and go on after an interruption.

An observation is a function of (folder, entry, split number) that gives a dictionary. Its results
are lines of JSON in ``<cache>/<name>.jsonl``, one per set and split, written as they come; what is
there already is not computed again. Splits come first and sets second, so that an interrupted run
has about as many splits of every set. Worker processes use one thread each.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .data import Entry, manifest

Found = dict[str, Any]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
QUICK_SETS, QUICK_SPLITS = 3, 2


@dataclass(frozen=True)
class Observation:
    """What is computed for one set and split."""

    name: str
    observe: Callable[[Path, Entry, int], Found]


@dataclass(frozen=True)
class Setting:
    """What the command line says."""

    data: Path
    out: Path
    cache: Path
    splits: int = 5
    jobs: int = 1
    quick: bool = False
    sets: tuple[str, ...] = ()  # only these, where given
    most_rows: int | None = None  # leave out sets with more rows
    compute: bool = True  # False: report on what the cache holds

    def entries(self, wanted: Callable[[Entry], bool]) -> list[Entry]:
        """Sets of the folder that are wanted; in quick mode the three smallest."""
        found = [e for e in manifest(self.data).values() if wanted(e)]
        if self.sets:
            found = [e for e in found if e.name in self.sets]
        if self.most_rows is not None:
            found = [e for e in found if e.rows <= self.most_rows]
        if self.quick:
            found = sorted(found, key=lambda e: e.rows)[:QUICK_SETS]
        return found

    def limited(self, splits: int) -> Setting:
        """The same with at most this many splits."""
        return replace(self, splits=min(self.splits, splits))

    @property
    def number_of_splits(self) -> int:
        return min(self.splits, QUICK_SPLITS) if self.quick else self.splits


def read(path: Path) -> dict[tuple[str, int], Found]:
    """Results so far; a line that an interruption cut short is skipped."""
    results: dict[tuple[str, int], Found] = {}
    if path.exists():
        for line in path.read_text().splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue
            results[record["set"], record["split"]] = record["result"]
    return results


def _worker(observation: Observation, folder: Path, entry: Entry, split: int) -> Found:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # edges of the grid, said once in the pages
        return observation.observe(folder, entry, split)


def run(
    observation: Observation, setting: Setting, entries: Sequence[Entry]
) -> dict[str, list[Found]]:
    """Results of every set, in the order of its splits."""
    path = setting.cache / f"{observation.name}.jsonl"
    results = read(path)
    wanted = [(e, s) for s in range(setting.number_of_splits) for e in entries]
    todo = [(e, s) for e, s in wanted if (e.name, s) not in results] if setting.compute else []
    if todo:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.read_text().endswith("\n"):
            with path.open("a") as file:
                file.write("\n")
        with path.open("a") as file:
            for entry, split, found in _results(observation, setting, todo):
                results[entry.name, split] = found
                record = {"set": entry.name, "split": split, "result": found}
                file.write(json.dumps(record) + "\n")
                file.flush()
    by_set = {
        e.name: [results[x.name, s] for x, s in wanted if x is e and (x.name, s) in results]
        for e in entries
    }
    return {name: found for name, found in by_set.items() if found}


def _results(observation: Observation, setting: Setting, todo: Sequence[tuple[Entry, int]]) -> Any:
    started = time.monotonic()

    def say(done: int) -> None:
        spent = time.monotonic() - started
        line = f"{observation.name}: {done}/{len(todo)}, {spent:.0f} s"
        if sys.stderr.isatty():
            print(f"\r{line}", end="\n" if done == len(todo) else "", file=sys.stderr, flush=True)
        elif done == len(todo) or done % max(len(todo) // 20, 1) == 0:
            print(line, file=sys.stderr, flush=True)

    if setting.jobs == 1:
        for done, (entry, split) in enumerate(todo, 1):
            yield entry, split, _worker(observation, setting.data, entry, split)
            say(done)
        return
    os.environ.update(ONE_THREAD)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(setting.jobs, mp_context=context) as pool:
        futures = {
            pool.submit(_worker, observation, setting.data, entry, split): (entry, split)
            for entry, split in todo
        }
        for done, future in enumerate(as_completed(futures), 1):
            yield (*futures[future], future.result())
            say(done)
