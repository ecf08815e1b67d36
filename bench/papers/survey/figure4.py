"""Survey, Figure 4: how the spread term of each measure moves with the variance of one class."""

from __future__ import annotations

from typing import Any

import numpy as np

import kernelect as ke

from ..tools.data import seed_of
from ..tools.pages import COLOURS, Page, Picture, Table
from ..tools.runner import Setting
from .closed import MEASURES

TITLE = "Survey, Figure 4: heteroscedastic data"
EACH = 500  # points of a class


def spread_terms(variance: float, repeat: int) -> dict[str, float]:
    """E(alpha) of each measure, itself over A_u = <K, yy'>/n^2, and the distance of the means.

    The classes are balanced, so A_u is a quarter of the squared distance of the means, centred or
    not.
    """
    rng = np.random.default_rng([*seed_of("heteroscedastic", repeat), round(10 * variance)])
    one = rng.normal(size=(EACH, 2)) * [0.1, 1.0] + [0.4, 0.0]
    two = rng.normal(size=(EACH, 2)) * [0.1, np.sqrt(variance)] - [0.4, 0.0]
    criteria = [*MEASURES.values(), ke.criteria.MMD()]
    criteria[list(MEASURES).index("KCSM")] = ke.criteria.KCSM()
    table = ke.evaluate(
        np.vstack([one, two]), np.repeat([1, -1], EACH), [ke.Linear()], criteria, n_threads=1
    )
    scores = {c.name: float(table.scores[c.key][0]) for c in criteria}
    margin = scores["mmd"] / 4.0
    terms = {name: scores[name.lower()] / margin for name in MEASURES if name != "FSM"}
    terms["FSM"] = 1.0 / (scores["fsm"] * margin)
    return {**terms, "distance of the means": float(np.sqrt(scores["mmd"]))}


def page(setting: Setting) -> Page:
    step = 1.0 if setting.quick else 0.1
    variances = np.arange(step, 10.0 + step / 2, step)
    repeats = setting.number_of_splits
    names = [*MEASURES, "distance of the means"]
    found = np.array(
        [[list(map(spread_terms(v, s).get, names)) for s in range(repeats)] for v in variances],
        dtype=float,
    )
    mean = found.mean(axis=1)
    deviation = found.std(axis=1, ddof=1 if repeats > 1 else 0)

    def draw(figure: Any) -> None:
        ax = figure.subplots()
        for i, name in enumerate(names):
            style = "--" if i == len(names) - 1 else "-"
            relative = mean[:, i] / mean[0, i]
            ax.plot(variances, relative, style, color=COLOURS[i], label=name)
            ax.fill_between(
                variances,
                (mean[:, i] - deviation[:, i]) / mean[0, i],
                (mean[:, i] + deviation[:, i]) / mean[0, i],
                color=COLOURS[i],
                alpha=0.15,
                lw=0,
            )
        ax.set(
            xlabel="variance of the second class across the line of the means",
            ylabel=f"relative to the value at {variances[0]:.1f}",
        )
        ax.set_ylim(bottom=0)
        figure.legend(frameon=False, loc="outside right upper")
        ax.spines[["top", "right"]].set_visible(False)

    shown = [int(np.argmin(np.abs(variances - v))) for v in (0.1, 0.5, 1, 2, 5, 10)]
    rows: list[list[object]] = []
    for i, name in enumerate(names):
        cells = [f"{mean[j, i]:.3f} ± {deviation[j, i]:.3f}" for j in shown]
        rows.append([name, *cells, f"{float((deviation[:, i] / mean[:, i]).mean()):.3f}"])
    return Page(
        TITLE,
        f"{len(variances)} variances, {repeats} repetitions each (the paper: 100).",
        [
            Picture("survey-figure4", "Spread term of each measure; band: one deviation", draw),
            Table(
                "survey-figure4",
                "Spread term E(alpha), mean and deviation over the repetitions; last column: mean "
                "coefficient of variation",
                ["measure", *[f"var = {variances[j]:.1f}" for j in shown], "variation"],
                rows,
            ),
        ],
    )
