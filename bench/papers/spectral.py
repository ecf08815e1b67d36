"""The criteria of spectra on the same splits: an observation of its own, since they cost more."""

from __future__ import annotations

from pathlib import Path

import kernelect as ke

from .data import Entry, split
from .runner import Found, Observation
from .selection import GRID, SAMPLED, WHOLE

NAMES = ("er", "sm_hinge")


def observe(folder: Path, entry: Entry, number: int) -> Found:
    part = split(folder, entry, number, most=None if entry.rows <= WHOLE else SAMPLED)
    table = ke.evaluate(part.X, part.y, GRID, NAMES, task=part.task, n_threads=1)
    return {"picks": {key: int(table.best(key).index) for key in table.scores}}


SPECTRAL = Observation("spectral", observe)
