"""CPU time of every criterion alone on the whole grid: one observation for Table 3 and the picture.

Ours is one call of the library on one thread. "plain" is the same criterion written in NumPy the
way the papers describe it: a new matrix for every candidate, five fits for 5-CV. It is timed on one
split.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import kernelect as ke

from ..tools.data import Entry, Split, split
from ..tools.runner import Found, Observation
from . import plain
from .both import of_the_grid, timed
from .selection import GRID, SAMPLED, WHOLE

TIMED_SPLITS = 2  # times are much the same on every split
CRITERIA = {
    "sm(r=1)": ke.criteria.SM(r=1),
    "sm": ke.criteria.SM(),
    "sm(r=3)": ke.criteria.SM(r=3),
    "sm(r=4)": ke.criteria.SM(r=4),
    "kta": ke.criteria.KTA(),
    "ckta": ke.criteria.CKTA(),
    "fsm": ke.criteria.FSM(),
    "kcsm": ke.criteria.KCSM(),
    "ncut": ke.criteria.Ncut(),
    "mmd": ke.criteria.MMD(),
    "loo": ke.criteria.LOO(),
    "cv(folds=5)": ke.criteria.CV(folds=5),
    "gcv": ke.criteria.GCV(),
    "br": ke.criteria.BR(),
    "ks(folds=5)": ke.criteria.KS(folds=5),
    "bif": ke.criteria.BIF(),
    "er": ke.criteria.ER(),
    "ep": ke.criteria.EP(),
    "sm_hinge": ke.criteria.SMHinge(),
}


def _alone(part: Split, criterion: ke.criteria.Criterion) -> float:
    """Seconds of one criterion on the whole grid."""

    def work() -> object:
        return ke.evaluate(part.X, part.y, GRID, [criterion], task=part.task, n_threads=1)

    return timed(work)[1]


def observe(folder: Path, entry: Entry, number: int) -> Found:
    part = split(folder, entry, number, most=None if entry.rows <= WHOLE else SAMPLED)
    classes = len(set(part.y.tolist())) if part.task == "classification" else 0
    seconds = {}
    for key, criterion in CRITERIA.items():
        if criterion.applies_to(part.task, classes):
            seconds[key] = _alone(part, criterion)
    seconds["loo, no shortcuts"] = timed(lambda: of_the_grid(part, 1.0, shortcuts=False))[1]
    seconds["auto"] = timed(lambda: ke.select(part.X, part.y, GRID, task=part.task, n_threads=1))[1]
    seconds["scale"] = timed(lambda: ke.heuristics.scale(part.X))[1]
    seconds["median"] = timed(lambda: ke.heuristics.median(part.X))[1]
    found: Found = {"rows": len(part.y), "seconds": seconds}
    if entry.task == "binary" and number == 0:
        taus = [kernel.tau for kernel in GRID]
        found["plain"] = {
            name: timed(partial(criterion, part.X, part.y, taus))[1]
            for name, criterion in plain.CRITERIA.items()
        }
    return found


TIMING = Observation("timing", observe)
