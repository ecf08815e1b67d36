"""What the spectral-measure paper does not say: scaling of the attributes, and the bias."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..elections.selection import observe_split
from ..tools.data import Entry, split
from ..tools.pages import Table, span
from ..tools.printed import SM_ERRORS
from ..tools.runner import Found, Observation, Setting, run

MOST_ROWS, MOST_SPLITS = 1000, 10
VARIANTS = {
    "standardised, bias": ("standard", True),
    "standardised, no bias": ("standard", False),
    "[0, 1], bias": ("minmax", True),
    "raw, bias": ("none", True),
}
KEYS = {
    "SM printed r=3": "sm(r=3, normalization='sum')",
    "SM r=2": "sm",
    "SM r=3": "sm(r=3)",
    "5-CV": "cv(folds=5)",
    "ELOO": "loo",
    "CKTA": "ckta",
    "FSM": "fsm",
    "auto": "auto",
}
# Ours and the paper's column that it answers.
PRINTED = {"SM r=3": "SM", "5-CV": "CV", "ELOO": "ELOO", "CKTA": "CKTA", "FSM": "FSM"}


def observe(folder: Path, entry: Entry, number: int) -> Found:
    found = {}
    for name, (scaling, bias) in VARIANTS.items():
        part = split(folder, entry, number, scaling=scaling)
        one = observe_split(part, bias=bias, rescaled=False)
        chosen = {label: one["losses"][one["picks"][key]] for label, key in KEYS.items()}
        found[name] = {**chosen, "best": min(one["losses"])}
    return found


CHOICES = Observation("selection-choices", observe)


def table(setting: Setting, names: dict[str, str]) -> Table:
    """Mean error of the smaller sets under every variant."""
    entries = [e for e in setting.entries(lambda e: e.name in names) if e.rows <= MOST_ROWS]
    found = run(CHOICES, setting.limited(MOST_SPLITS), entries)
    rows = []
    for variant in VARIANTS:
        means = [
            np.mean([np.mean([s[variant][label] for s in splits]) for splits in found.values()])
            for label in (*KEYS, "best")
        ]
        apart = [
            abs(np.mean([s[variant][label] for s in splits]) - SM_ERRORS[names[file]][method])
            for file, splits in found.items()
            for label, method in PRINTED.items()
        ]
        rows.append([variant, *map(float, means), float(np.mean(apart))])
    return Table(
        "sm-table2-choices",
        f"Mean test error in % over the {len(found)} sets of at most {MOST_ROWS} rows, "
        f"{span(map(len, found.values()))} splits each, for the choices on which "
        "the paper is silent",
        ["attributes, learner", *KEYS, "best", "mean distance from the printed"],
        rows,
    )
