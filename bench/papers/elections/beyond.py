"""Beyond one kernel of a grid: refined kernels, committees, the best of both, and others.

Everything sees the same rows, at most 600 to train on, and chooses all it needs by itself. "best
pair" is the best of 31 Gaussians by 21 lambdas in hindsight. The outside yardsticks are
scikit-learn's, with their defaults: a Gaussian process with a length for every column, a support
vector machine with C and gamma by five-fold cross-validation, and two kinds of trees. They are
observed apart, since they stay what they are when ours change, and "auto" beside them, so that
ratios of times are of one run.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR
from threadpoolctl import threadpool_limits

import kernelect as ke

from ..tools.data import Entry, Split, split
from ..tools.judge import held_out_losses
from ..tools.pages import COLOURS, Page, Picture, Table, span
from ..tools.runner import Found, Observation, Setting, run
from .selection import GRID

TITLE = "Beyond one kernel of a grid"
MOST_ROWS = 857  # of which 600 are trained on
FIRST = 100  # number of the first split: constants were chosen on others
OURS = ("auto", "refined", "committee", "best")
THEIRS = ("Gaussian process", "grid search", "boosted trees", "extra trees")


def wanted(entry: Entry) -> bool:
    """All sets but test parts, the same table under a second name, and text."""
    test_part = entry.name.endswith(".t") and entry.name != "mnist.t"
    return not test_part and entry.name not in ("bupa", "pima", "20newsgroups")


Makers = dict[str, Callable[[], Any]]


def our_models(part: Split) -> Makers:
    """Ways of the learners, made when they are called."""
    return {name: partial(_learner(part), name) for name in OURS}


def their_models(part: Split) -> Makers:
    """What is not ours, and "auto" beside it."""
    classes = part.task == "classification"
    made: Makers = {"auto": partial(_learner(part), "auto")}
    scale = 1.0 / (part.X.shape[1] * max(part.X.var(), 1e-12))
    grid = {"C": 4.0 ** np.arange(-1, 5), "gamma": scale * 4.0 ** np.arange(-3, 2)}
    made["grid search"] = lambda: GridSearchCV(SVC() if classes else SVR(), grid)
    made["boosted trees"] = (
        HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    )
    made["extra trees"] = ExtraTreesClassifier if classes else ExtraTreesRegressor
    if not classes:
        lengths = RBF(np.ones(part.X.shape[1]))
        made["Gaussian process"] = lambda: GaussianProcessRegressor(
            ConstantKernel() * lengths + WhiteKernel()
        )
    return made


def _learner(part: Split) -> Any:
    return ke.LSSVMClassifier if part.task == "classification" else ke.LSSVMRegressor


def _part(folder: Path, entry: Entry, number: int) -> Split:
    return split(folder, entry, FIRST + number, most=MOST_ROWS)


def _fitted(part: Split, models: Makers) -> Found:
    """Fit all models: losses, times, and how likely each is worse than "auto" by chance."""
    found, errors, seconds = {}, {}, {}
    for name, make in models.items():
        with warnings.catch_warnings(), threadpool_limits(limits=1):
            warnings.simplefilter("ignore")
            started = time.process_time()
            try:
                model = make().fit(part.X, part.y)
            except ValueError:  # classes that are too small for five folds
                continue
            seconds[name] = time.process_time() - started
            answers = model.predict(part.X_test)
        if part.task == "classification":
            points = (answers != part.y_test).astype(float)
        else:
            points = (answers - part.y_test) ** 2
        found[name] = 100.0 * float(points.mean())
        errors[name] = points
    usual = errors["auto"]
    worse = {name: _significance(points - usual) for name, points in errors.items()}
    return {"rows": len(part.y), "found": found, "worse": worse, "seconds": seconds}


def observe_ours(folder: Path, entry: Entry, number: int) -> Found:
    part = _part(folder, entry, number)
    return _fitted(part, our_models(part))


def observe_hindsight(folder: Path, entry: Entry, number: int) -> Found:
    return {"best": float(held_out_losses(_part(folder, entry, number), GRID, "auto").min())}


def observe_theirs(folder: Path, entry: Entry, number: int) -> Found:
    part = _part(folder, entry, number)
    return _fitted(part, their_models(part))


def _significance(more: np.ndarray) -> float:
    """Probability of so many test rows being worse by chance, of those that differ (sign test)."""
    differ = int((more != 0.0).sum())
    return float(binom.sf(int((more > 0.0).sum()) - 1, differ, 0.5)) if differ else 1.0


BEYOND = Observation("beyond", observe_ours)
HINDSIGHT = Observation("beyond-hindsight", observe_hindsight)
OTHERS = Observation("beyond-others", observe_theirs)


def page(setting: Setting) -> Page:
    entries = setting.entries(wanted)
    places = {entry.name: place for place, entry in enumerate(entries)}
    found = run(BEYOND, setting, entries)
    tasks = {entry.name: entry.task for entry in entries}
    tables = [_table(found, tasks, places, task) for task in ("binary", "multiclass", "regression")]
    runs = f"{len(found)} sets, {span(map(len, found.values()))} split(s) each, at most 600 rows."
    shown = [table for table in tables if table.rows]
    return Page(TITLE, runs, [_picture(shown), *shown])


def _picture(tables: list[Table]) -> Picture:
    def draw(figure: Any) -> None:
        panels = np.atleast_1d(figure.subplots(1, len(tables)))
        for ax, table in zip(panels, tables, strict=True):
            names = [str(row[0]) for row in table.rows]
            values = [float(str(row[1])) for row in table.rows]
            colours = [COLOURS[0] if name in OURS else COLOURS[1] for name in names]
            ax.barh(range(len(names)), values, color=colours)
            ax.axvline(0.0, color="0.4", linewidth=0.8)
            ax.set_yticks(range(len(names)), names)
            ax.invert_yaxis()
            ax.set_title(table.name.removeprefix("beyond-"), fontsize=11)
            ax.set_xlabel("mean regret, points")
            ax.spines[["top", "right"]].set_visible(False)

    caption = (
        "Mean regret over the best pair of the grid in hindsight; below zero: better than that"
    )
    return Picture("beyond", caption, draw, (4.2 * max(len(tables), 1), 3.6))


def _table(
    found: dict[str, list[Found]], tasks: dict[str, str], places: dict[str, int], task: str
) -> Table:
    """Mean regret over the best pair in hindsight: of all sets, and of those for judging alone."""
    mine = {name: splits for name, splits in found.items() if tasks[name] == task}
    rows: list[list[object]] = []
    for name in (*OURS, *THEIRS):
        regrets = {
            each: float(np.mean([s["found"][name] - s["best"] for s in splits]))
            for each, splits in mine.items()
            if all(name in s["found"] for s in splits)
        }
        if not regrets:
            continue
        judged = [value for each, value in regrets.items() if places[each] % 2]
        large = [value for each, value in regrets.items() if mine[each][0]["rows"] >= 500]
        worse = sum(
            float(np.median([s["worse"][name] for s in mine[each]])) < 0.01 for each in regrets
        )
        cost = [
            s["seconds"][name] / s["seconds"]["auto"]
            for splits in mine.values()
            for s in splits
            if name in s["seconds"]
        ]
        rows.append(
            [
                name,
                float(np.mean([*regrets.values()])),
                float(np.mean(judged)) if judged else "",
                float(np.mean(large)) if large else "",
                worse,
                f"{float(np.median(cost)):.3g}",
            ]
        )
    unit = "points of test error" if task != "regression" else "% of the variance"
    return Table(
        f"beyond-{task}",
        f"{task}, {len(mine)} sets: {unit} above the best pair of the grid in hindsight",
        [
            "model",
            "mean regret",
            "of sets not used to choose constants",
            "of sets with 500 rows or more",
            "sets significantly worse than auto",
            "median time / auto",
        ],
        rows,
    )
