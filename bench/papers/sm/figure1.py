"""Spectral-measure paper, Figure 1: test error against the degree r."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elections.selection import DEGREES
from ..tools.pages import COLOURS, Page, Picture, Table, span
from ..tools.runner import Setting
from .table2 import errors, gather, paper_sets

TITLE = "Spectral measure, Figure 1: test error against the degree r"


def key(r: int, normalization: str) -> str:
    parts = [] if r == 2 else [f"r={r}"]
    if normalization != "trace":
        parts.append(f"normalization='{normalization}'")
    return f"sm({', '.join(parts)})" if parts else "sm"


def page(setting: Setting) -> Page:
    names, found = paper_sets(setting), gather(setting)
    kinds = ("trace", "sum")
    mean = {
        kind: np.array([[np.mean(errors(found[f], key(r, kind))) for r in DEGREES] for f in found])
        for kind in kinds
    }
    best = np.array([np.mean([min(s["losses"]) for s in found[f]]) for f in found])
    rows: list[list[object]] = [[names[f], *mean["trace"][i].tolist()] for i, f in enumerate(found)]
    rows.append(["**mean, trace**", *mean["trace"].mean(axis=0).tolist()])
    rows.append(["**mean, as printed (entry sum)**", *mean["sum"].mean(axis=0).tolist()])
    least = [DEGREES[int(np.argmin(line))] for line in mean["trace"]]
    rows.append(["sets with their least error here (trace)", *[least.count(r) for r in DEGREES]])

    def draw(figure: Any) -> None:
        axes = figure.subplots(1, 2)
        for colour, kind, label in zip(
            COLOURS,
            kinds,
            ("divided by the trace", "divided by the entry sum (printed)"),
            strict=False,
        ):
            axes[0].plot(
                DEGREES, (mean[kind] - best[:, None]).mean(axis=0), "o-", color=colour, label=label
            )
        axes[0].set(
            xlabel="degree r", ylabel="regret, points of test error", title="Mean of all sets"
        )
        axes[0].set_ylim(bottom=0)
        axes[0].legend(frameon=False)
        shown = [f for f in ("sonar", "ionosphere", "german.numer", "tic-tac-toe") if f in found]
        for colour, f in zip(COLOURS[2:], shown or list(found)[:4], strict=False):
            line = mean["trace"][list(found).index(f)]
            axes[1].plot(DEGREES, line, "o-", color=colour, label=names[f])
        axes[1].set(xlabel="degree r", ylabel="test error, %", title="Four sets, trace")
        axes[1].set_ylim(bottom=0)
        axes[1].legend(frameon=False)
        for ax in axes:
            ax.set_xscale("log")
            ax.set_xticks([1, 2, 3, 5, 10, 30], ["1", "2", "3", "5", "10", "30"])
            ax.minorticks_off()
            ax.spines[["top", "right"]].set_visible(False)

    caption = "Test error of the kernel that SM of degree r chooses"
    return Page(
        TITLE,
        f"{len(found)} sets, {span(map(len, found.values()))} splits each.",
        [
            Picture("sm-figure1", caption, draw, (9.0, 3.8)),
            Table(
                "sm-figure1",
                "Mean test error in % by degree r (trace normalisation)",
                ["set", *[f"r={r}" for r in DEGREES]],
                rows,
            ),
        ],
    )
