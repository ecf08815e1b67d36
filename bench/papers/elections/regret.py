"""Which criterion to use: what its choices lose, against what they cost. Beyond the papers."""

from __future__ import annotations

import numpy as np

from ..tools.data import Entry
from ..tools.pages import Page, Picture, Table, span
from ..tools.runner import Found, Setting, run
from .both import BOTH
from .regret_picture import picture
from .selection import SELECTION
from .spectral import with_spectral
from .timing import TIMED_SPLITS, TIMING

TITLE = "Which criterion to use: regret against cost"

# What pages call a criterion, by its key.
SHOWN = {
    "sm(r=1)": "SM r=1",
    "sm": "SM r=2",
    "sm(r=3)": "SM r=3",
    "sm(r=4)": "SM r=4",
    "kta": "KTA",
    "ekta": "EKTA",
    "ckta": "CKTA",
    "fsm": "FSM",
    "kcsm": "KCSM",
    "ncut": "Ncut",
    "mmd": "MMD",
    "sm(r=3, normalization='sum')": "SM r=3 as printed",
    "loo": "LOO",
    "loo(loss='zero_one')": "LOO, 0-1 loss",
    "cv(folds=5)": "5-CV",
    "cv(loss='zero_one', folds=5)": "5-CV, 0-1 loss",
    "cv(folds=10)": "10-CV",
    "gcv": "GCV",
    "evidence": "evidence",
    "loo(loss='log_probability')": "LOO, log density",
    "br": "BR",
    "ks(folds=5)": "5-KS",
    "bif": "BIF",
    "er": "ER",
    "ep": "EP",
    "sm_hinge": "SM hinge",
    "auto": "auto",
    "scale": "scale",
    "median": "median",
}
SAME_TIME = {
    "ekta": "kta",
    "sm(r=3, normalization='sum')": "sm(r=3)",
    "loo(loss='zero_one')": "loo",
    "loo(loss='log_probability')": "loo",
    "cv(loss='zero_one', folds=5)": "cv(folds=5)",
    "cv(folds=10)": "cv(folds=5)",
}
TASKS = {
    "binary": "two classes: points of test error",
    "multiclass": "several classes: points of test error",
    "regression": "regression: points of test error in % of the variance",
}


def wanted(entry: Entry) -> bool:
    """All sets but test parts, the same table under a second name, and 20,000-column text."""
    test_part = entry.name.endswith(".t") and entry.name != "mnist.t"
    return not test_part and entry.name not in ("bupa", "pima", "20newsgroups")


def regret(split: Found, key: str) -> float | None:
    """Points of test loss above the best candidate of the grid."""
    least = min(split["losses"])
    if key in split["heuristics"]:
        return float(split["heuristics"][key] - least)
    if key not in split["picks"]:
        return None
    return float(split["losses"][split["picks"][key]] - least)


def regrets(found: dict[str, list[Found]], key: str) -> list[float]:
    """Mean over the splits that have the criterion, for every set that has it."""
    values = [[regret(split, key) for split in splits] for splits in found.values()]
    known = [[value for value in v if value is not None] for v in values]
    return [float(np.mean(v)) for v in known if v]


def costs(times: dict[str, list[Found]], key: str) -> list[float]:
    """Time over that of leave-one-out on the whole grid without shortcuts, for every set."""
    key = SAME_TIME.get(key, key)
    return [
        float(np.median([s["seconds"][key] / s["seconds"]["loo, no shortcuts"] for s in splits]))
        for splits in times.values()
        if all(key in s["seconds"] for s in splits)
    ]


def page(setting: Setting) -> Page:
    entries = setting.entries(wanted)
    tasks = {e.name: e.task for e in entries}
    found = run(SELECTION, setting, entries)
    found = with_spectral(found, setting, entries, whole=True)
    times = run(TIMING, setting.limited(TIMED_SPLITS), entries)
    both = run(BOTH, setting, entries)
    parts: list[Table | Picture] = []
    summaries = {}
    for task in TASKS:
        mine = {f: v for f, v in found.items() if tasks[f] == task}
        timed = {f: v for f, v in times.items() if tasks[f] == task}
        if mine and timed:
            summaries[task] = {
                key: (values, costs(timed, key))
                for key in SHOWN
                if len(values := regrets(mine, key)) == len(mine) and costs(timed, key)
            }
    tables = {task: _table(task, summary) for task, summary in summaries.items()}
    sets = {task: sum(tasks[name] == task for name in found) for task in tables}
    parts += [picture({task: table.rows for task, table in tables.items()}, sets), *tables.values()]
    parts.append(_lambda_table(both, tasks))
    parts.append(_set_table(found, tasks))
    runs = f"{len(found)} sets, {span(map(len, found.values()))} splits each (70 % for training); "
    runs += f"times on {len(times)} sets; lambda chosen too on {len(both)} sets, "
    runs += f"{span(map(len, both.values()))} split(s) each."
    return Page(TITLE, runs, parts)


def _table(task: str, summary: dict[str, tuple[list[float], list[float]]]) -> Table:
    rows = []
    for key, (values, cost) in sorted(summary.items(), key=lambda item: np.mean(item[1][0])):
        rows.append(
            [
                SHOWN[key],
                float(np.mean(values)),
                float(np.median(values)),
                float(np.max(values)),
                f"{float(np.median(cost)):.3g}",
            ]
        )
    return Table(
        f"regret-{task}",
        f"Lambda = 1, {TASKS[task]} above the best candidate",
        ["criterion", "mean regret", "median set", "worst set", "median time / LOO"],
        rows,
    )


def _lambda_table(both: dict[str, list[Found]], tasks: dict[str, str]) -> Table:
    names = {
        "loo": "LOO on the whole grid",
        "auto": "auto",
        "committee": 'kernels together, "committee"',
        "best": 'kernels together, "best"',
        "evidence": "evidence on the whole grid",
        "loo(loss='log_probability')": "LOO, log density, on the whole grid",
        "sm(r=1)": "kernel by SM r=1, lambda by LOO",
        "sm": "kernel by SM r=2, lambda by LOO",
        "kta": "kernel by KTA, lambda by LOO",
        "ckta": "kernel by CKTA, lambda by LOO",
        "scale": "kernel by scale, lambda by LOO",
        "median": "kernel by median, lambda by LOO",
    }
    rows = []
    for key, label in names.items():
        if not all(key in s["found"] for splits in both.values() for s in splits):
            continue  # a cache of before
        cells: list[object] = []
        for task in TASKS:
            values = [
                np.mean([s["found"][key] - s["best"] for s in splits])
                for f, splits in both.items()
                if tasks[f] == task
            ]
            cells += [float(np.mean(values)), float(np.max(values))] if values else ["", ""]
        rows.append([label, *cells])
    return Table(
        "regret-lambda",
        "Kernel and lambda chosen (31 x 21 grid): mean regret over the best pair, and the worst "
        "set",
        ["rule", *[f"{task}{what}" for task in TASKS for what in ("", ", worst")]],
        rows,
    )


def _set_table(found: dict[str, list[Found]], tasks: dict[str, str]) -> Table:
    keys = [
        "auto",
        "loo",
        "cv(folds=5)",
        "sm(r=1)",
        "sm",
        "sm(r=3)",
        "kta",
        "ckta",
        "scale",
        "median",
    ]
    rows = []
    for file, splits in sorted(found.items(), key=lambda item: (tasks[item[0]], item[0])):
        cells: list[object] = []
        for key in keys:
            values = [regret(split, key) for split in splits]
            cells.append("" if None in values else float(np.mean(np.array(values, float))))
        least = float(np.mean([min(split["losses"]) for split in splits]))
        rows.append([file, tasks[file], splits[0]["rows"], len(splits), least, *cells])
    return Table(
        "regret-sets",
        "Mean regret set by set, lambda = 1 (best: test loss of the best candidate in hindsight)",
        ["set", "task", "rows", "splits", "best", *[SHOWN[key] for key in keys]],
        rows,
    )
