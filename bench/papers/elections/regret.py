"""Which criterion to use: what its choices lose, against what they cost. Beyond the papers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tools.data import Entry
from ..tools.pages import COLOURS, Page, Picture, Table, span
from ..tools.runner import Found, Setting, run
from .both import BOTH
from .selection import SELECTION
from .spectral import with_spectral
from .timing import TIMED_SPLITS, TIMING

TITLE = "Which criterion to use: regret against cost"

# Labels in the picture by key; groups share a colour: 0 quadratic, 1 exact fits, 2 spectra,
# 3 auto, 4 no search.
SHOWN = {
    "sm(r=1)": ("SM r=1", 0),
    "sm": ("SM r=2", 0),
    "sm(r=3)": ("SM r=3", 0),
    "sm(r=4)": ("SM r=4", 0),
    "kta": ("KTA", 0),
    "ekta": ("EKTA", 0),
    "ckta": ("CKTA", 0),
    "fsm": ("FSM", 0),
    "kcsm": ("KCSM", 0),
    "ncut": ("Ncut", 0),
    "mmd": ("MMD", 0),
    "sm(r=3, normalization='sum')": ("SM r=3 as printed", 0),
    "loo": ("LOO", 1),
    "loo(loss='zero_one')": ("LOO, 0-1 loss", 1),
    "cv(folds=5)": ("5-CV", 1),
    "cv(loss='zero_one', folds=5)": ("5-CV, 0-1 loss", 1),
    "cv(folds=10)": ("10-CV", 1),
    "gcv": ("GCV", 1),
    "evidence": ("evidence", 1),
    "loo(loss='log_probability')": ("LOO, log density", 1),
    "br": ("BR", 1),
    "ks(folds=5)": ("5-KS", 1),
    "bif": ("BIF", 1),
    "er": ("ER", 2),
    "ep": ("EP", 2),
    "sm_hinge": ("SM hinge", 2),
    "auto": ("auto", 3),
    "scale": ("scale", 4),
    "median": ("median", 4),
}
SAME_TIME = {
    "ekta": "kta",
    "sm(r=3, normalization='sum')": "sm(r=3)",
    "loo(loss='zero_one')": "loo",
    "loo(loss='log_probability')": "loo",
    "cv(loss='zero_one', folds=5)": "cv(folds=5)",
    "cv(folds=10)": "cv(folds=5)",
}
NOT_DRAWN = (  # the same as another, or too near
    "sm(r=4)",
    "ekta",
    "mmd",
    "loo(loss='zero_one')",
    "cv(loss='zero_one', folds=5)",
    "cv(folds=10)",
)
LEGEND = (
    "sums over the matrix",
    "exact fits on the grid",
    "eigenvalues",
    "auto (default)",
    "no search",
)
ELECTION = LEGEND.index("auto (default)")
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
    parts.append(_picture(summaries, found, tasks))
    parts += [_table(task, summary) for task, summary in summaries.items()]
    parts.append(_lambda_table(both, tasks))
    parts.append(_set_table(found, tasks))
    runs = f"{len(found)} sets, {span(map(len, found.values()))} splits each (70 % for training); "
    runs += f"times on {len(times)} sets; lambda chosen too on {len(both)} sets, "
    runs += f"{span(map(len, both.values()))} split(s) each."
    return Page(TITLE, runs, parts)


def _picture(
    summaries: dict[str, Any], found: dict[str, list[Found]], tasks: dict[str, str]
) -> Picture:
    def draw(figure: Any) -> None:
        axes = np.atleast_1d(figure.subplots(1, len(summaries)))
        labels = []
        for ax, (task, summary) in zip(axes, summaries.items(), strict=True):
            points = []
            for key, (values, cost) in summary.items():
                if key in NOT_DRAWN:
                    continue
                label, group = SHOWN[key]
                x, y = float(np.median(cost)), float(np.mean(values))
                marker, size = ("*", 12) if group == ELECTION else ("o", 6)
                ax.plot(x, y, marker, color=COLOURS[group], ms=size)
                points.append((x, y, label))
            ax.set_xscale("log")
            ax.set_yscale("log")
            ax.yaxis.set_major_formatter("{x:g}")
            ax.yaxis.set_minor_formatter("{x:g}")
            ax.tick_params(axis="y", which="minor", labelsize=7)
            ax.margins(x=0.22, y=0.12)
            labels.append(points)
            count = sum(tasks[f] == task for f in found)
            ax.set_title(f"{task}, {count} sets", fontsize=11)
            ax.set_xlabel("time relative to LOO on the whole grid")
            ax.grid(True, which="major", color="#eeeeee")
            ax.spines[["top", "right"]].set_visible(False)
        axes[0].set_ylabel("mean regret, points of test loss")
        for group, text in enumerate(LEGEND):
            marker = "*" if group == ELECTION else "o"
            axes[0].plot([], [], marker, color=COLOURS[group], label=text)
        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, frameon=False, loc="outside lower center", ncols=len(LEGEND))
        figure.draw_without_rendering()  # only now the axes have their places
        for ax, points in zip(axes, labels, strict=True):
            _label(ax, points)

    caption = (
        "Mean regret over the best candidate of the grid, against cost; down and left is better"
    )
    return Picture("regret", caption, draw, (5.2 * max(len(summaries), 1), 5.4))


def _label(ax: Any, points: list[tuple[float, float, str]]) -> None:
    """Write the names beside the points, apart from one another where points crowd."""
    placed: list[tuple[float, float]] = []
    for x, y, label in sorted(points, key=lambda p: p[1]):
        px, py = ax.transData.transform((x, y))
        shift = 0.0
        while any(abs(px - qx) < 70 and abs(py + shift - qy) < 13 for qx, qy in placed):
            shift += 3.0
        placed.append((px, py + shift))
        line = {"arrowstyle": "-", "color": "#bbbbbb", "lw": 0.5} if shift > 8 else None
        ax.annotate(
            label,
            (x, y),
            xytext=(7, shift * 72 / ax.figure.dpi - 3),
            textcoords="offset points",
            fontsize=8,
            arrowprops=line,
        )


def _table(task: str, summary: dict[str, tuple[list[float], list[float]]]) -> Table:
    rows = []
    for key, (values, cost) in sorted(summary.items(), key=lambda item: np.mean(item[1][0])):
        rows.append(
            [
                SHOWN[key][0],
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
        ["set", "task", "rows", "splits", "best", *[SHOWN[key][0] for key in keys]],
        rows,
    )
