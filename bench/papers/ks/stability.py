"""One observation for the kernel-stability paper: choices by lambda and by eta.

Candidates are the Gaussians tau = 2^-10 .. 2^10, lambda = 10^-4 .. 10^-1 in the mean convention
(K + m lambda I for a fit on m rows), the learner an LSSVM with bias.
"""

from __future__ import annotations

from pathlib import Path

import kernelect as ke

from ..tools.data import Entry, split
from ..tools.judge import held_out_losses
from ..tools.runner import Found, Observation

GRID = ke.gaussian_grid(-10, 10)
LAMBDAS = (1e-4, 1e-3, 1e-2, 1e-1)
ETAS = tuple(2.0**i for i in range(-6, 11))
FOLDS = (5, 10)


def criteria() -> list[ke.criteria.Criterion]:
    found: list[ke.criteria.Criterion] = [ke.criteria.LOO(), ke.criteria.BR()]
    for k in FOLDS:
        found.append(ke.criteria.CV(folds=k))
        found += [ke.criteria.KS(folds=k, eta=eta) for eta in ETAS]
    return found


def observe(folder: Path, entry: Entry, number: int) -> Found:
    part = split(folder, entry, number)
    names = [name for name in ("ep",) if name in ke.criteria.names()]
    table = ke.evaluate(
        part.X,
        part.y,
        GRID,
        [*criteria(), *names],
        lam=list(LAMBDAS),
        lam_convention="mean",
        n_threads=1,
    )
    losses = held_out_losses(part, GRID, list(LAMBDAS), convention="mean")
    picks = {}
    for key, scores in table.scores.items():
        values = -table.direction[key] * scores
        picks[key] = [int(i) for i in values.argmin(axis=0)]
    return {"rows": len(part.y), "losses": losses.tolist(), "picks": picks}


STABILITY = Observation("stability", observe)
