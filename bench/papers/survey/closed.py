"""Survey, Tables 2 and 3: measures whose values are known in closed form, checked on data."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import kernelect as ke

from ..tools.pages import COLOURS, Page, Picture, Table
from ..tools.pictures import MARKERS, legend_of, plain
from ..tools.runner import Setting

TITLE = "Survey, Tables 2 and 3: closed forms on imbalanced and on moved data"
MEASURES = {
    "KTA": ke.criteria.KTA(),
    "EKTA": ke.criteria.EKTA(),
    "CKTA": ke.criteria.CKTA(variant="survey"),
    "FSM": ke.criteria.FSM(),
    "KCSM": ke.criteria.KCSM(bounded=True),
}
Formula = Callable[[float], float]


def values(X: np.ndarray, y: np.ndarray) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a column that is constant up to rounding
        table = ke.evaluate(X, y, [ke.Linear()], list(MEASURES.values()), n_threads=1)
    return {name: float(table.scores[c.key][0]) for name, c in MEASURES.items()}


def imbalanced(a: float, n: int = 1000) -> tuple[np.ndarray, np.ndarray]:
    """A share a of the points at (-1, 1) with label +1, the others at (1, 1) with label -1."""
    y = np.where(np.arange(n) < round(a * n), 1, -1)
    return np.column_stack([-y, np.ones(n)]).astype(float), y


def moved(t: float, n: int = 1000) -> tuple[np.ndarray, np.ndarray]:
    """Half of the points at (-1, 1), the others at distance 2 in direction t from there."""
    y = np.where(np.arange(n) < n // 2, 1, -1)
    other = np.array([-1 + 2 * np.cos(t), 1 + 2 * np.sin(t)])
    return np.where((y > 0)[:, None], np.array([-1.0, 1.0]), other), y


TABLE2: dict[str, tuple[Formula, Formula]] = {
    "KTA": (lambda a: np.hypot(a, 1 - a), lambda a: np.hypot(a, 1 - a)),
    "EKTA": (
        lambda a: 2 * a * (1 - a) / np.hypot(a, 1 - a),
        lambda a: 2 * a * (1 - a) / np.hypot(a, 1 - a),
    ),
    "CKTA": (lambda a: 4 * a * (1 - a), lambda a: 4 * a * (1 - a)),
    "FSM": (lambda _: 0.0, lambda _: 0.0),
    "KCSM": (lambda _: 1.0, lambda _: 1.0),
}


def _printed(t: float) -> float:
    square = 18 - np.cos(t) * np.sin(t) - 16 * (np.cos(t) - np.sin(t))
    return float(2 / np.sqrt(square)) if square > 0 else float("nan")  # it has no value everywhere


def _corrected(t: float) -> float:
    return float(1 / np.sqrt(18 - 12 * np.cos(t) * np.sin(t) - 16 * (np.cos(t) - np.sin(t))))


TABLE3: dict[str, tuple[Formula, Formula]] = {
    "KTA": (_printed, _corrected),
    "EKTA": (_printed, _corrected),
    "CKTA": (lambda _: 1.0, lambda _: 1.0),
    "FSM": (lambda _: 0.0, lambda _: 0.0),
    "KCSM": (lambda _: 1.0, lambda _: 1.0),
}


def rows(
    points: list[tuple[str, float]],
    make: Callable[[float], tuple[np.ndarray, np.ndarray]],
    formulas: dict[str, tuple[Formula, Formula]],
) -> list[list[object]]:
    found: list[list[object]] = []
    for label, at in points:
        ours = values(*make(at))
        for name, (printed, corrected) in formulas.items():
            found.append(
                [label, name, *(f"{v:.6f}" for v in (printed(at), corrected(at), ours[name]))]
            )
    return found


def page(setting: Setting) -> Page:
    shares = [(f"a = {a:g}", a) for a in (0.1, 0.25, 0.5, 0.8)]
    angles = [(f"theta = {k}/4 pi", k * np.pi / 4) for k in (0, 1, 2, 3, 6)]
    columns = ["data", "measure", "printed formula", "corrected formula", "computed"]
    return Page(
        TITLE,
        "1000 points, linear kernel.",
        [
            _picture(),
            Table("survey-table2", "Table 2", columns, rows(shares, imbalanced, TABLE2)),
            Table("survey-table3", "Table 3", columns, rows(angles, moved, TABLE3)),
        ],
    )


def _picture() -> Picture:
    """Corrected formulas as lines, computed values as points, the printed alignments dashed."""

    def draw(figure: Any) -> None:
        for ax, label, make, formulas, at, unit in zip(
            figure.subplots(1, 2),
            ("share of one class, Table 2", "angle of the move / pi, Table 3"),
            (imbalanced, moved),
            (TABLE2, TABLE3),
            (np.linspace(0.05, 0.95, 19), np.linspace(0.0, 2.0, 21)),
            (1.0, np.pi),
            strict=True,
        ):
            computed = [values(*make(float(x) * unit)) for x in at]
            fine = np.linspace(at[0], at[-1], 200)
            for k, (name, (printed, corrected)) in enumerate(formulas.items()):
                ax.plot(fine, [corrected(x * unit) for x in fine], color=COLOURS[k], lw=1)
                if name == "KTA":
                    shown = [printed(x * unit) for x in fine]
                    ax.plot(fine, shown, "--", color=COLOURS[k], lw=1, label="KTA as printed")
                marks = [c[name] for c in computed]
                ax.plot(at, marks, MARKERS[k], color=COLOURS[k], ms=4, label=name)
            ax.set(xlabel=label)
            plain(ax)
        figure.axes[0].set_ylabel("value of the measure")
        legend_of(figure, figure.axes[1])

    caption = "Corrected formulas (lines) and computed values (points)"
    return Picture("survey-closed", caption, draw, (9.0, 3.8))
