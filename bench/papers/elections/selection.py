"""One observation for several tables: what each criterion picks, what each candidate is worth.

Candidates are the 31 Gaussians tau = 2^-15 .. 2^15, the learner an LSSVM with bias and lambda = 1.
Result: "losses", test loss of every candidate; "rescaled", the same for kernels scaled to unit
centred variance first; "picks", place of the choice of every criterion; "heuristics", test loss of
two rules without a search; "verified", how many candidates `auto` verified.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import kernelect as ke

from ..tools.data import Entry, Split, split
from ..tools.judge import held_out_losses
from ..tools.runner import Found, Observation

GRID = ke.gaussian_grid(-15, 15)
DEGREES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30)
WHOLE, SAMPLED = 2500, 1000  # sets of up to 2500 rows are used whole, of others 1000 rows


def quadratic_criteria(task: str, classes: int) -> list[ke.criteria.Criterion]:
    """Criteria of O(n^2) that apply."""
    found: list[ke.criteria.Criterion] = [ke.criteria.SM(r=r) for r in DEGREES]
    found += [ke.criteria.SM(r=r, normalization="sum") for r in DEGREES]
    names = ["kta", "ekta", "ckta", "fsm", "kcsm", "ncut", "mmd"]
    found += [ke.criteria.get(name) for name in names]
    return [c for c in found if c.applies_to(task, classes)]


def ridge_criteria(task: str) -> list[ke.criteria.Criterion]:
    """Criteria that fit a model."""
    squared: list[ke.criteria.Criterion] = [
        ke.criteria.LOO(),
        ke.criteria.CV(folds=5),
        ke.criteria.CV(folds=10),
    ]
    squared += [ke.criteria.GCV(), ke.criteria.BR(), ke.criteria.KS(folds=5), ke.criteria.BIF()]
    squared += [ke.criteria.MarginalLikelihood(), ke.criteria.LOO(loss="log_probability")]
    if task == "regression":
        return squared
    return [
        *squared,
        ke.criteria.LOO(loss="zero_one"),
        ke.criteria.CV(folds=5, loss="zero_one"),
    ]


def observe_split(part: Split, *, bias: bool = True, rescaled: bool = True) -> Found:
    classes = len(set(part.y.tolist())) if part.task == "classification" else 0
    criteria = [*quadratic_criteria(part.task, classes), *ridge_criteria(part.task)]
    table = ke.evaluate(part.X, part.y, GRID, criteria, task=part.task, bias=bias, n_threads=1)
    # A criterion may be undefined for every candidate (BIF, where all are near the identity).
    defined = [key for key, scores in table.scores.items() if np.isfinite(scores).any()]
    picks = {key: int(table.best(key).index) for key in defined}
    chosen = ke.select(part.X, part.y, GRID, task=part.task, bias=bias, n_threads=1)
    picks["auto"] = chosen.index
    rules = [ke.heuristics.scale(part.X), ke.heuristics.median(part.X)]
    losses = held_out_losses(part, [*GRID, *rules], bias=bias)[:, 0].tolist()
    found: Found = {
        "rows": len(part.y),
        "losses": losses[: len(GRID)],
        "picks": picks,
        "heuristics": dict(zip(("scale", "median"), losses[len(GRID) :], strict=True)),
        "verified": len(chosen.verified or []),
    }
    if rescaled:
        found["rescaled"] = held_out_losses(part, GRID, bias=bias, scaling="centered")[
            :, 0
        ].tolist()
    return found


def observe(folder: Path, entry: Entry, number: int) -> Found:
    most = None if entry.rows <= WHOLE else SAMPLED
    return observe_split(split(folder, entry, number, most=most))


SELECTION = Observation("selection", observe)
