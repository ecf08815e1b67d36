"""Beyond one kernel of a grid: refined kernels, committees, the best of both, and others.

Everything sees the same rows, at most 600 to train on and 4,000 to test on, and chooses all it
needs by itself. "best kernel" is the one of 31 Gaussians, each with the lambda that leave-one-out
chooses for it, that has the least test loss; "best pair" the one of 31 Gaussians by 21 lambdas,
which flatters it more; "known pair" is the best one by half of the test rows, judged by the others,
both ways. The outside yardsticks are scikit-learn's, with their defaults: a Gaussian process with a
length for every column, a support vector machine with C and gamma by five-fold cross-validation,
and two kinds of trees. They are observed apart, since they stay what they are when ours change, and
"auto" beside them, so that ratios of times are of one run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..tools.pages import Page, Picture, Table, span
from ..tools.runner import Found, Setting, run
from .beyond_models import BEYOND, HINDSIGHT, OTHERS, OURS, THEIRS
from .beyond_picture import picture
from .regret import wanted

TITLE = "Beyond one kernel of a grid"
# What a regret is over, in the words of the page, by its name in what was found.
JUDGES = {"kernel": "best kernel", "best": "best pair", "known": "known pair"}


@dataclass(frozen=True)
class _Row:
    """A model on sets of one task: by set, the mean over splits."""

    name: str
    change: dict[str, float]  # of the loss of "auto", in points or, of regression, in per cent
    regrets: dict[str, dict[str, float]]  # by judge, of the sets where that is known
    worse: int
    cost: float
    most_costly: float


def page(setting: Setting) -> Page:
    entries = setting.entries(wanted)
    found = {each.name: run(each, setting, entries) for each in (BEYOND, HINDSIGHT, OTHERS)}
    judging = {entry.name for place, entry in enumerate(entries) if place % 2}
    parts: list[Picture | Table] = []
    for task in ("binary", "multiclass", "regression"):
        own = {entry.name for entry in entries if entry.task == task}
        rows = _rows(found, own, "per cent" if task == "regression" else "points")
        if rows:
            parts.append(_table(task, rows, found[BEYOND.name], judging))
    parts.append(_sets(found))
    tables = [part for part in parts if isinstance(part, Table)][:-1]
    counts = {name: len(sets) for name, sets in found.items()}
    splits, others = (span(map(len, found[one.name].values())) for one in (BEYOND, OTHERS))
    runs = (
        f"{counts[BEYOND.name]} sets, {splits} split(s) each, at most 600 rows to train on and "
        f"4,000 to test on; best pair in hindsight of {counts[HINDSIGHT.name]} sets, yardsticks on "
        f"{counts[OTHERS.name]} with {others} split(s) (in the tables of tasks whose sets "
        "they have all been run on)."
    )
    return Page(TITLE, runs, [picture(tables), *parts])


def _rows(found: dict[str, dict[str, list[Found]]], own: set[str], unit: str) -> list[_Row]:
    rows = []
    # Means over some of the sets are not compared with means over all.
    whole = own & set(found[BEYOND.name]) <= set(found[OTHERS.name])
    for name in (*OURS, *THEIRS) if whole else OURS:
        seen = found[(BEYOND if name in OURS else OTHERS).name]
        mine = {
            each: splits
            for each, splits in seen.items()
            if each in own and all(name in one["found"] for one in splits)
        }
        if mine:
            rows.append(_row(name, mine, found[HINDSIGHT.name], unit))
    return rows


def _row(
    name: str, mine: dict[str, list[Found]], hindsight: dict[str, list[Found]], unit: str
) -> _Row:
    def change(one: Found) -> float:
        loss, usual = float(one["found"][name]), float(one["found"]["auto"])
        return 100.0 * (loss / usual - 1.0) if unit == "per cent" else loss - usual

    def worse(each: str) -> bool:
        return float(np.median([one["worse"][name] for one in mine[each]])) < 0.01

    costs = [s["seconds"][name] / s["seconds"]["auto"] for splits in mine.values() for s in splits]

    def regret(judge: str) -> dict[str, float]:
        return {
            each: float(
                np.mean(
                    [
                        s["found"][name] - h[judge]
                        for s, h in zip(splits, hindsight[each], strict=False)
                    ]
                )
            )
            for each, splits in mine.items()
            if each in hindsight
        }

    return _Row(
        name,
        {each: float(np.mean([change(one) for one in splits])) for each, splits in mine.items()},
        {judge: regret(judge) for judge in JUDGES},
        sum(worse(each) for each in mine),
        float(np.median(costs)),
        max(costs),
    )


def _mean(values: dict[str, float], among: Iterable[str]) -> object:
    known = [values[each] for each in among if each in values]
    return float(np.mean(known)) if known else ""


def _table(task: str, rows: list[_Row], seen: dict[str, list[Found]], judging: set[str]) -> Table:
    unit = "% of its loss" if task == "regression" else "points of test error"
    large = [each for each, splits in seen.items() if splits[0]["rows"] >= 500]
    cells: list[list[object]] = [
        [
            row.name,
            len(row.change),
            _mean(row.change, row.change),
            _mean(row.change, judging),
            *(_mean(row.regrets[judge], large) for judge in JUDGES),
            row.worse,
            f"{row.cost:.3g}",
            f"{row.most_costly:.3g}",
        ]
        for row in rows
    ]
    return Table(
        f"beyond-{task}",
        f"{task}: test loss beside auto in {unit}, and regret on sets with 500 rows or more in "
        + ("% of the variance" if task == "regression" else "points"),
        [
            "model",
            "sets",
            "beside auto",
            "on sets not used to choose constants",
            *(f"regret over {judge}" for judge in JUDGES.values()),
            "sets significantly worse than auto",
            "median time / auto",
            "most costly",
        ],
        cells,
    )


def _sets(found: dict[str, dict[str, list[Found]]]) -> Table:
    """Losses of every set, the mean over its splits."""
    names = (*OURS, *THEIRS)
    cells: list[list[object]] = []
    for each, splits in found[BEYOND.name].items():
        others = found[OTHERS.name].get(each, [])
        line: list[object] = [each, splits[0]["rows"]]
        for name in names:
            known = [
                s["found"][name] for s in (splits if name in OURS else others) if name in s["found"]
            ]
            line.append(float(np.mean(known)) if known else "")
        hindsight = found[HINDSIGHT.name].get(each, [])
        for judge in JUDGES:
            line.append(float(np.mean([s[judge] for s in hindsight])) if hindsight else "")
        cells.append(line)
    head = ["set", "rows", *names, *JUDGES.values()]
    return Table("beyond-sets", "test losses in %", head, cells)
