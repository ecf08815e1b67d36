"""Kernel-stability paper, Table 1: test errors for four lambdas."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tools.pages import COLOURS, Page, Picture, Table, span
from ..tools.pictures import MARKERS, legend_of, plain
from ..tools.printed import KS_ERRORS, KS_FILES
from ..tools.runner import Found, Setting, run
from ..tools.statistics import mean_and_deviation, record
from . import choices
from .stability import LAMBDAS, STABILITY

TITLE = "Kernel stability, Table 1: test errors on 9 data sets"
KEYS = {
    "5-CV": "cv(folds=5)",
    "5-KS": "ks(folds=5)",
    "10-CV": "cv(folds=10)",
    "10-KS": "ks(folds=10)",
    "ELOO": "loo",
    "BR": "br",
    "EP": "ep",
}


def errors(found: list[Found], key: str, lam: int) -> list[float]:
    return [split["losses"][split["picks"][key][lam]][lam] for split in found]


def gather(setting: Setting) -> dict[str, list[Found]]:
    wanted = set(KS_FILES.values())
    return run(STABILITY, setting, setting.entries(lambda e: e.name in wanted))


def page(setting: Setting) -> Page:
    found = gather(setting)
    names = {file: name for name, file in KS_FILES.items()}
    keys = {m: k for m, k in KEYS.items() if all(k in s["picks"] for f in found for s in found[f])}
    parts: list[Table | Picture] = [_picture(found, names)]
    for place, lam in enumerate(LAMBDAS):
        rows: list[list[object]] = []
        means: list[list[float]] = []
        for file, splits in found.items():
            name = names.get(file, file)
            printed = KS_ERRORS.get((lam, name), {})
            cells: list[object] = []
            for method, key in keys.items():
                value = printed.get(method)
                cells.append("" if value is None else f"{value:.2f}")
                cells.append(mean_and_deviation(errors(splits, key, place)))
            means.append([float(np.mean(errors(splits, key, place))) for key in keys.values()])
            least = float(np.mean([min(line[place] for line in s["losses"]) for s in splits]))
            rows.append([f"{name} ({len(splits)})", *cells, least])
        average = [cell for value in np.mean(means, axis=0) for cell in ("", float(value))]
        rows.append(["**mean**", *average, float(np.mean([float(str(r[-1])) for r in rows]))])
        heads = [h for m in keys for h in (f"{m} paper", f"{m} ours")]
        parts.append(
            Table(
                f"ks-table1-{place + 1}",
                f"lambda = {lam:g}: test error in % (in brackets the splits run; last column: the "
                "best kernel in hindsight; empty: not readable in our copy of the paper)",
                ["set", *heads, "best"],
                rows,
            )
        )
    parts.append(_records(found, keys))
    parts.append(choices.table(setting))
    runs = f"{len(found)} sets, {span(map(len, found.values()))}"
    return Page(TITLE, runs + " random splits each, 70 % for training; eta = 1.", parts)


def _picture(found: dict[str, list[Found]], names: dict[str, str]) -> Picture:
    """What the penalty changes, with the standard error of the paired differences."""

    def draw(figure: Any) -> None:
        for ax, k in zip(figure.subplots(1, 2, sharey=True), (5, 10), strict=True):
            for s, (file, splits) in enumerate(found.items()):
                apart = np.array(
                    [
                        np.subtract(
                            errors(splits, f"ks(folds={k})", j), errors(splits, f"cv(folds={k})", j)
                        )
                        for j in range(len(LAMBDAS))
                    ]
                )
                error = apart.std(axis=1) / np.sqrt(apart.shape[1])
                at = np.arange(len(LAMBDAS)) + 0.08 * (s - len(found) / 2)
                colour, marker = COLOURS[s % len(COLOURS)], MARKERS[s % len(MARKERS)]
                ax.errorbar(
                    at,
                    apart.mean(axis=1),
                    error,
                    fmt=marker,
                    color=colour,
                    mfc=colour if s < len(MARKERS) else "none",
                    ms=4,
                    lw=0.8,
                    label=names.get(file, file),
                )
            ax.axhline(0.0, color="#999999", lw=1, zorder=0)
            ax.set_xticks(range(len(LAMBDAS)), [f"{lam:g}" for lam in LAMBDAS])
            ax.set(title=f"{k} folds", xlabel="lambda")
            plain(ax)
        figure.axes[0].set_ylabel("error of k-KS minus error of k-CV, points")
        legend_of(figure, figure.axes[0])

    caption = "What the stability penalty changes: above the line k-KS errs more often than k-CV"
    return Picture("ks-table1", caption, draw, (9.0, 4.0))


def _records(found: dict[str, list[Found]], keys: dict[str, str]) -> Table:
    rows = []
    pairs = [("5-KS", "5-CV"), ("10-KS", "10-CV"), ("5-KS", "ELOO"), ("5-KS", "BR"), ("BR", "ELOO")]
    for a, b in pairs:
        cells: list[object] = []
        for place, _ in enumerate(LAMBDAS):
            mine = [errors(s, keys[a], place) for s in found.values()]
            other = [errors(s, keys[b], place) for s in found.values()]
            lower = sum(np.mean(x) < np.mean(y) - 1e-9 for x, y in zip(mine, other, strict=True))
            higher = sum(np.mean(x) > np.mean(y) + 1e-9 for x, y in zip(mine, other, strict=True))
            cells.append(f"{lower} : {higher}, {record(mine, other)}")
        rows.append([f"{a} against {b}", *cells])
    return Table(
        "ks-table1-wins",
        "Sets with the lower : the higher mean error, then significantly better / equal / worse "
        "(95 %)",
        ["", *[f"lambda = {lam:g}" for lam in LAMBDAS]],
        rows,
    )
