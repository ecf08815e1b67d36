"""What the default election costs, and how near its search comes to the whole grid. Ours alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tools.pages import COLOURS, Page, Picture, Table, span
from ..tools.pictures import MARKERS, plain
from ..tools.runner import Found, Setting, run
from .both import BOTH
from .regret import wanted
from .timing import TIMED_SPLITS, TIMING

TITLE = "The default election: its cost and its search"
SIZES = ((0, 100), (100, 300), (300, 600), (600, 10**9))


def page(setting: Setting) -> Page:
    entries = setting.entries(wanted)
    times = run(TIMING, setting.limited(TIMED_SPLITS), entries)
    both = run(BOTH, setting, entries)
    runs = f"Times on {len(times)} sets, kernel and lambda on {len(both)} sets, "
    runs += f"{span(map(len, both.values()))} split(s) each. "
    runs += "CPU time on one thread, 31 Gaussians."
    return Page(TITLE, runs, [_picture(times), _cost(times), _search(both)])


def _picture(times: dict[str, list[Found]]) -> Picture:
    def draw(figure: Any) -> None:
        ax = figure.subplots()
        every = [s for splits in times.values() for s in splits]
        for k, (key, label) in enumerate(
            (("auto", "auto"), ("loo", "our LOO, whole grid"), ("sm", "SM r=2"))
        ):
            ratios = [s["seconds"][key] / s["seconds"]["loo, no shortcuts"] for s in every]
            rows = [s["rows"] for s in every]
            ax.plot(rows, ratios, MARKERS[k], color=COLOURS[k], ms=4, alpha=0.8, label=label)
        ax.axhline(1.0, color="#999999", lw=1, zorder=0)
        ax.set(xscale="log", yscale="log", xlabel="training rows")
        ax.set_ylabel("time / LOO on the whole grid without shortcuts")
        ax.yaxis.set_major_formatter("{x:g}")
        plain(ax)
        ax.legend(frameon=False)

    return Picture("auto", "Cost of an election at one lambda, one point a set and split", draw)


def _cost(times: dict[str, list[Found]]) -> Table:
    rows: list[list[object]] = []
    every = [s for splits in times.values() for s in splits]
    for low, high in SIZES:
        chosen = [s["seconds"] for s in every if low <= s["rows"] < high]
        if not chosen:
            continue
        rows.append([f"{low} and more" if high == 10**9 else f"{low} to {high - 1}", len(chosen)])
        for above, below in (
            ("auto", "loo, no shortcuts"),
            ("auto", "loo"),
            ("loo", "loo, no shortcuts"),
            ("sm", "loo, no shortcuts"),
        ):
            rows[-1].append(f"{np.median([s[above] / s[below] for s in chosen]):.3f}")
    return Table(
        "auto-cost",
        "Median ratio of times at lambda = 1 by number of training rows",
        [
            "rows",
            "runs",
            "auto / plain LOO",
            "auto / our LOO",
            "our LOO / plain LOO",
            "SM / plain LOO",
        ],
        rows,
    )


def _search(both: dict[str, list[Found]]) -> Table:
    """Kernel and lambda together: the search of auto against the whole grid."""
    every = [s for splits in both.values() for s in splits]
    rows: list[list[object]] = []
    for label, above, below in (
        ("time over auto at one lambda", "auto, lambda too", "auto"),
        (
            "time over LOO on the grid at one lambda, no shortcuts",
            "auto, lambda too",
            "loo, no shortcuts",
        ),
        ("time over LOO on the whole 31 x 21 grid", "auto, lambda too", "loo, lambda too"),
    ):
        ratios = [s["seconds"][above] / s["seconds"][below] for s in every]
        spread = [f"{f(ratios):.2f}" for f in (np.median, np.mean, np.max)]
        rows.append([label, *spread, len(every)])
    excess = {
        name: [100.0 * (s["loo of auto"] / s["loo of the grid"] - 1.0) for s in splits]
        for name, splits in both.items()
        if all(s["loo of the grid"] > 0 for s in splits)
    }
    flat = [value for values in excess.values() for value in values]
    rows.append(
        [
            "LOO loss above the grid's least, %",
            f"{np.median(flat):.2f}",
            f"{np.mean(flat):.2f}",
            f"{max(flat):.2f}",
            len(flat),
        ]
    )
    splits = sum(value <= 1.0 for value in flat)
    sets = sum(np.mean(values) <= 1.0 for values in excess.values())
    rows.append([f"runs within 1 %: {splits} of {len(flat)}", "", "", "", len(flat)])
    rows.append([f"sets within 1 % on average: {sets} of {len(excess)}", "", "", "", len(flat)])
    worst = sorted(excess, key=lambda name: -np.mean(excess[name]))[:5]
    for name in worst:
        mean = f"{np.mean(excess[name]):.2f}"
        rows.append([f"worst sets: {name}", "", mean, "", len(excess[name])])
    return Table(
        "auto-search",
        'select(lam="auto"): cost, and LOO loss against the least of the whole grid',
        ["", "median", "mean", "largest", "runs"],
        rows,
    )
