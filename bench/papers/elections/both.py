"""One observation with kernel and lambda both chosen, and what the default election costs.

The grid is 31 Gaussians by 21 lambdas, 2^-10 .. 2^10 times tr(K_c)/n. A criterion that knows no
lambda chooses the kernel, and leave-one-out the lambda for it; likelihoods choose both. Several
kernels together are no pair of the grid, and may be better than the best of it. Times are CPU
seconds on one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import kernelect as ke

from ...inside import leave_one_out  # type: ignore[import-not-found]
from ..tools.data import Entry, Split, split
from ..tools.judge import held_out_losses
from ..tools.runner import Found, Observation
from .selection import GRID

MOST_ROWS = 400  # of a set; of larger ones this many are drawn
TOGETHER = ("committee", "best")
ENOUGH = 0.3  # seconds after which a time is not taken again


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What the work returns, and the least CPU time of the runs that fit into a short while."""
    times: list[float] = []
    while not times or (sum(times) < ENOUGH and len(times) < 20):
        started = time.process_time()
        given = work()
        times.append(time.process_time() - started)
    return given, min(times)


def of_the_grid(part: Split, lam: Any, *, shortcuts: bool = True) -> ke.results.ScoreTable:
    """LOO of the whole grid."""
    found: ke.results.ScoreTable = leave_one_out(
        part.X, part.y, GRID, lam, shortcuts=shortcuts, task=part.task
    )
    return found


def fitted(part: Split, way: str) -> Any:
    """Our learner with its kernels by one of its ways."""
    kind = ke.LSSVMClassifier if part.task == "classification" else ke.LSSVMRegressor
    return kind(way, n_threads=1).fit(part.X, part.y)


def loss_of(model: Any, part: Split) -> float:
    """Test loss in percent."""
    answers = model.predict(part.X_test)
    if part.task == "classification":
        return 100.0 * float(np.mean(answers != part.y_test))
    return 100.0 * float(np.mean((answers - part.y_test) ** 2))


def observe(folder: Path, entry: Entry, number: int) -> Found:
    part = split(folder, entry, number, most=MOST_ROWS)
    X, y, task = part.X, part.y, part.task

    def auto(lam: Any) -> Any:
        return ke.select(X, y, GRID, task=task, lam=lam, n_threads=1)

    seconds = {}
    _, seconds["loo"] = timed(lambda: of_the_grid(part, 1.0))
    _, seconds["loo, no shortcuts"] = timed(lambda: of_the_grid(part, 1.0, shortcuts=False))
    _, seconds["auto"] = timed(lambda: auto(1.0))
    both, seconds["auto, lambda too"] = timed(lambda: auto("auto"))
    full, seconds["loo, lambda too"] = timed(lambda: of_the_grid(part, "auto"))

    grid = full.scores["loo"]
    losses = held_out_losses(part, GRID, "auto")
    cheap = ["sm(r=1)", "sm", "kta", "ckta"]
    screen = ke.evaluate(
        X, y, GRID, [ke.criteria.SM(r=1), "sm", "kta", "ckta"], task=task, n_threads=1
    )
    heuristics = [ke.heuristics.scale(X), ke.heuristics.median(X)]
    of_rules = ke.evaluate(X, y, heuristics, "loo", lam="auto", task=task, n_threads=1).scores[
        "loo"
    ]
    rule_losses = held_out_losses(part, heuristics, "auto")

    loo_place = np.unravel_index(int(grid.argmin()), grid.shape)
    found = {"loo": float(losses[loo_place])}
    for key in cheap:
        k = screen.best(key).index
        found[key] = float(losses[k, int(grid[k].argmin())])
    for i, name in enumerate(("scale", "median")):
        found[name] = float(rule_losses[i, int(of_rules[i].argmin())])
    likelihoods = [ke.criteria.MarginalLikelihood(), ke.criteria.LOO(loss="log_probability")]
    likely = ke.evaluate(X, y, GRID, likelihoods, lam="auto", task=task, n_threads=1)
    for key, scores in likely.scores.items():
        order = scores if key == "evidence" else -scores
        found[key] = float(losses[np.unravel_index(int(order.argmax()), order.shape)])
    for way in TOGETHER:
        found[way] = loss_of(fitted(part, way), part)
    assert full.lams is not None
    column = int(np.abs(np.log(full.lams[both.index] / both.lam)).argmin())
    found["auto"] = float(losses[both.index, column])
    return {
        "rows": len(y),
        "found": found,
        "best": float(losses.min()),
        "seconds": seconds,
        "loo of auto": float(grid[both.index, column]),
        "loo of the grid": float(grid.min()),
    }


BOTH = Observation("both", observe)
