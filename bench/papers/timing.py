"""CPU time of every criterion alone on the whole grid: one observation for Table 3 and the picture.

Ours is one call of the library on one thread. "plain" is the same criterion written in NumPy the way
the papers describe it: a new matrix for every candidate, five fits for 5-CV.
"""

from __future__ import annotations

from pathlib import Path

import kernelect as ke

from . import plain
from .both import leave_one_out, timed
from .data import Entry, Split, split
from .runner import Found, Observation
from .selection import GRID, SAMPLED, WHOLE

CRITERIA = {
    "sm(r=1)": ke.criteria.SM(r=1),
    "sm": ke.criteria.SM(),
    "sm(r=3)": ke.criteria.SM(r=3),
    "sm(r=4)": ke.criteria.SM(r=4),
    "kta": ke.criteria.KTA(),
    "ckta": ke.criteria.CKTA(),
    "fsm": ke.criteria.FSM(),
    "kcsm": ke.criteria.KCSM(),
    "loo": ke.criteria.LOO(),
    "cv(folds=5)": ke.criteria.CV(folds=5),
    "gcv": ke.criteria.GCV(),
    "br": ke.criteria.BR(),
    "ks(folds=5)": ke.criteria.KS(folds=5),
}
PLAIN_ROWS = 500  # plain code is timed below so many training rows
SPECTRAL = ("er",)


def _alone(part: Split, criterion: ke.criteria.Criterion, repeats: int) -> float:
    """Seconds of one criterion on the whole grid."""

    def work() -> object:
        return ke.evaluate(part.X, part.y, GRID, [criterion], task=part.task, n_threads=1)

    return timed(work, repeats)[1]


def observe(folder: Path, entry: Entry, number: int) -> Found:
    part = split(folder, entry, number, most=None if entry.rows <= WHOLE else SAMPLED)
    classes = len(set(part.y.tolist())) if part.task == "classification" else 0
    seconds = {}
    for key, criterion in CRITERIA.items():
        if criterion.applies_to(part.task, classes):
            seconds[key] = _alone(part, criterion, 3 if len(part.y) < 300 else 1)
    for name in SPECTRAL:
        seconds[name] = _alone(part, ke.criteria.get(name), 1)
    seconds["loo, no shortcuts"] = timed(lambda: leave_one_out(part, 1.0, False), 1)[1]
    seconds["auto"] = timed(
        lambda: ke.select(part.X, part.y, GRID, task=part.task, n_threads=1), 2
    )[1]
    seconds["scale"] = timed(lambda: ke.heuristics.scale(part.X))[1]
    seconds["median"] = timed(lambda: ke.heuristics.median(part.X))[1]
    found: Found = {"rows": len(part.y), "seconds": seconds}
    if entry.task == "binary" and len(part.y) < PLAIN_ROWS:
        taus = [kernel.tau for kernel in GRID]
        found["plain"] = {
            name: timed(lambda f=f: f(part.X, part.y, taus), 1)[1]
            for name, f in plain.CRITERIA.items()
        }
    return found


TIMING = Observation("timing", observe)
