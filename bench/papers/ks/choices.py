"""The choices on which the kernel-stability paper is silent: the bias, the loss, the scaling."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import kernelect as ke

from ..tools.data import Entry, split
from ..tools.judge import held_out_losses
from ..tools.pages import Table, span
from ..tools.printed import KS_FILES
from ..tools.runner import Found, Observation, Setting, run
from .stability import GRID, LAMBDAS

MOST_ROWS, MOST_SPLITS = 1000, 10
VARIANTS = {
    "standardised, bias": ("standard", True),
    "standardised, no bias": ("standard", False),
    "[0, 1], bias": ("minmax", True),
}
CRITERIA: dict[str, ke.criteria.Criterion] = {
    "5-CV": ke.criteria.CV(folds=5),
    "5-CV, 0-1 loss": ke.criteria.CV(folds=5, loss="zero_one"),
    "5-KS": ke.criteria.KS(folds=5),
    "ELOO": ke.criteria.LOO(),
    "BR": ke.criteria.BR(),
}


def observe(folder: Path, entry: Entry, number: int) -> Found:
    found = {}
    for name, (scaling, bias) in VARIANTS.items():
        part = split(folder, entry, number, scaling=scaling)
        table = ke.evaluate(
            part.X,
            part.y,
            GRID,
            list(CRITERIA.values()),
            lam=list(LAMBDAS),
            lam_convention="mean",
            bias=bias,
            n_threads=1,
        )
        losses = held_out_losses(part, GRID, list(LAMBDAS), convention="mean", bias=bias)
        found[name] = {
            label: [float(losses[k, j]) for j, k in enumerate(table.scores[key].argmin(axis=0))]
            for label, key in zip(CRITERIA, table.scores, strict=True)
        }
    return found


CHOICES = Observation("stability-choices", observe)


def table(setting: Setting) -> Table:
    wanted = set(KS_FILES.values())
    entries = [e for e in setting.entries(lambda e: e.name in wanted) if e.rows <= MOST_ROWS]
    found = run(CHOICES, setting.limited(MOST_SPLITS), entries)
    rows: list[list[object]] = []
    for variant in VARIANTS:
        for label in CRITERIA:
            sets = [np.mean([s[variant][label] for s in v], axis=0) for v in found.values()]
            rows.append([f"{variant}: {label}", *np.mean(sets, axis=0).tolist()])
    return Table(
        "ks-table1-choices",
        f"Mean test error in % over the {len(found)} sets of at most {MOST_ROWS} rows, "
        f"{span(map(len, found.values()))} splits each, for the choices on which the paper is "
        "silent",
        ["attributes, learner: criterion", *[f"lambda = {lam:g}" for lam in LAMBDAS]],
        rows,
    )
