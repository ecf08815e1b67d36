"""Which two classes the spectral-measure paper kept of five sets: its line beside every pair's."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..elections.selection import observe_split
from ..tools.data import Entry, split
from ..tools.pages import Table
from ..tools.printed import FILES, SM_ERRORS
from ..tools.runner import Found, Observation, Setting, run

MOST_SPLITS = 10
LEAST_ROWS = 25  # the training part of fewer has no ten rows of either class for ten folds
METHODS = {"SM": "sm(r=3)", "CV": "cv(folds=5)", "ELOO": "loo", "CKTA": "ckta", "FSM": "fsm"}


def observe(folder: Path, entry: Entry, number: int) -> Found:
    one = observe_split(split(folder, entry, number), rescaled=False)
    return {method: one["losses"][one["picks"][key]] for method, key in METHODS.items()}


CLASS_PAIRS = Observation("class-pairs", observe)


def table(setting: Setting) -> Table:
    """For every set the printed errors, those of the pair we use, and those of the nearest pair."""
    rows: list[list[object]] = []
    for entry in setting.entries(lambda e: e.task == "multiclass" and e.name in SM_ERRORS):
        pairs = {p.name: p for p in entry.pairs() if p.rows >= LEAST_ROWS}
        found = run(CLASS_PAIRS, setting.limited(MOST_SPLITS), list(pairs.values()))
        means = {
            name: np.array([np.mean([s[m] for s in splits]) for m in METHODS])
            for name, splits in found.items()
        }
        printed = np.array([SM_ERRORS[entry.name][m] for m in METHODS])
        apart = {name: float(np.abs(mean - printed).mean()) for name, mean in means.items()}
        used = "/".join([entry.name, *FILES[entry.name].split("-")[1]])  # "glass-12" is glass/1/2
        nearest = min(apart, key=lambda name: apart[name])
        rows.append([f"{entry.name}, printed", "", *printed.tolist(), ""])
        for label, name in (("used", used), (f"nearest of {len(pairs)} pairs", nearest)):
            if name in means:
                title = f"{name.replace('/', ' ')}, {label}"
                rows.append([title, pairs[name].rows, *means[name].tolist(), apart[name]])
    return Table(
        "sm-table2-pairs",
        "Sets of several classes, on which the paper is silent about the two it kept: mean test "
        f"error in % ({MOST_SPLITS} splits) of our pair and of the pair whose errors are nearest "
        "to the printed ones",
        ["set and classes", "rows", *METHODS, "mean distance from the printed"],
        rows,
    )
