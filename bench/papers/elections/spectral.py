"""The criteria of spectra on the same splits: observations of their own, since they cost more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import kernelect as ke

from ..tools.data import Entry, split
from ..tools.runner import Found, Observation, Setting, run
from .selection import GRID, SAMPLED, WHOLE

NAMES = ("er",)
WHOLE_SPECTRA = ("ep", "sm_hinge")  # every eigenvalue of every candidate
FEW_SPLITS = 5  # of those


def _picks(folder: Path, entry: Entry, number: int, names: Sequence[str]) -> Found:
    part = split(folder, entry, number, most=None if entry.rows <= WHOLE else SAMPLED)
    table = ke.evaluate(part.X, part.y, GRID, names, task=part.task, n_threads=1)
    return {"picks": {key: int(table.best(key).index) for key in table.scores}}


def observe(folder: Path, entry: Entry, number: int) -> Found:
    return _picks(folder, entry, number, NAMES)


def observe_whole(folder: Path, entry: Entry, number: int) -> Found:
    return _picks(folder, entry, number, WHOLE_SPECTRA)


SPECTRAL = Observation("spectral", observe)
WHOLE_SPECTRAL = Observation("whole-spectral", observe_whole)


def with_spectral(
    found: dict[str, list[Found]], setting: Setting, entries: Sequence[Entry], *, whole: bool
) -> dict[str, list[Found]]:
    """Add the choices of the criteria of spectra to the splits that have them."""
    extras = [run(SPECTRAL, setting, entries)]
    if whole:
        extras.append(run(WHOLE_SPECTRAL, setting.limited(FEW_SPLITS), entries))
    merged = {}
    for name, splits in found.items():
        merged[name] = [{**split, "picks": dict(split["picks"])} for split in splits]
        for extra in extras:
            for one, more in zip(merged[name], extra.get(name, []), strict=False):
                one["picks"].update(more["picks"])
    return merged
