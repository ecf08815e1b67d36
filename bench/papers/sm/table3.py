"""Spectral-measure paper, Table 3: run times, as ratios to the spectral measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elections.plain import CRITERIA
from ..elections.timing import TIMED_SPLITS, TIMING
from ..tools.pages import COLOURS, Page, Picture, Table, span
from ..tools.pictures import plain
from ..tools.printed import SM_ERRORS, SM_METHODS, SM_SECONDS
from ..tools.runner import Setting, run
from .table2 import paper_sets

TITLE = "Spectral measure, Table 3: run times"
KEYS = {
    "SM": "sm(r=3)",
    "CV": "cv(folds=5)",
    "ELOO": "loo",
    "CKTA": "ckta",
    "FSM": "fsm",
    "ER": "er",
}


def page(setting: Setting) -> Page:
    names = paper_sets(setting)
    found = run(TIMING, setting.limited(TIMED_SPLITS), setting.entries(lambda e: e.name in names))
    known = [m for m in SM_METHODS if all(KEYS[m] in s["seconds"] for f in found for s in found[f])]
    rows, ratios = [], []
    order = sorted(found, key=lambda f: -found[f][0]["rows"])
    for file in order:
        seconds = {
            key: float(np.median([s["seconds"][key] for s in found[file]]))
            for key in (*[KEYS[m] for m in known], "auto", "loo, no shortcuts")
        }
        ours = seconds[KEYS["SM"]]
        by_hand = found[file][0].get("plain")
        printed = SM_SECONDS[names[file]]
        line: list[float] = []
        for method in known[1:]:
            line.append(printed[method] / printed["SM"])
            if method in CRITERIA:
                line.append(by_hand[method] / by_hand["SM"] if by_hand else float("nan"))
            line.append(seconds[KEYS[method]] / ours)
        line.append(seconds["auto"] / ours)
        line.append(by_hand["SM"] / ours if by_hand else float("nan"))
        ratios.append(line)
        shown = [_ratio(value) for value in line]
        rows.append([f"{names[file]} ({found[file][0]['rows']})", f"{1e3 * ours:.1f}", *shown])
    medians = [_ratio(_median(column)) for column in np.transpose(ratios)]
    rows.append(["**median**", "", *medians])
    makers = ("paper", "plain", "ours")
    sizes = [found[file][0]["rows"] for file in order]
    heads = [f"{m} {who}" for m in known[1:] for who in makers if who != "plain" or m in CRITERIA]

    def draw(figure: Any) -> None:
        for ax, method in zip(figure.subplots(1, 2, sharey=True), ("CV", "ELOO"), strict=True):
            for who, colour in zip(makers, COLOURS, strict=False):
                values = [line[heads.index(f"{method} {who}")] for line in ratios]
                ax.plot(sizes, values, "o", color=colour, ms=4, label=who)
            ax.set(xscale="log", yscale="log", title=method, xlabel="training rows")
            ax.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
            ax.yaxis.minorticks_off()
            plain(ax)
        figure.axes[0].set_ylabel("time / time of SM")
        figure.axes[0].legend(frameon=False)

    return Page(
        TITLE,
        f"{len(found)} sets of {len(SM_ERRORS)}, 31 candidates, one thread, CPU time, "
        f"{span(map(len, found.values()))} split(s) of each.",
        [
            Picture("sm-table3", "Time of 5-CV and ELOO over that of SM (r = 3)", draw, (8.0, 3.8)),
            Table(
                "sm-table3",
                "Time relative to that of SM (r = 3) of the same column's maker: the paper's "
                "program, plain NumPy, this library. Second column: our SM in milliseconds; last: "
                "plain SM over ours",
                ["set (training rows)", "SM, ms", *heads, "auto ours", "SM plain / ours"],
                rows,
            ),
        ],
    )


def _median(values: np.ndarray) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else float("nan")


def _ratio(value: float) -> str:
    if not np.isfinite(value):
        return ""
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"
