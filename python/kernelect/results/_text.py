"""Plain-text tables for results and the command line: aligned columns, a star at each winner."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..kernels import Kernel
    from ._ridge_model import RidgeModel
    from ._score_table import ScoreTable
    from ._selection import Selection

_WANTED = {1: " max", -1: " min", 0: ""}
_WIDTH = 88  # of sentences in lines: what a page of the documentation shows without scrolling


def scores(
    table: ScoreTable,
    *,
    digits: int = 4,
    width: int | None = None,
    extra: Mapping[str, Iterable[str]] | None = None,
) -> str:
    """Lay out candidates x criteria; a star marks the winner of each criterion.

    Parameters
    ----------
    table : ScoreTable
        What `kernelect.evaluate` gave.
    digits : int, default=4
        Significant digits.
    width : int, optional
        Where the line is full: further criteria go into a second block below. None: never.
    extra : mapping of str to iterable of str, optional
        Further columns after the criteria: the heading and the cells.

    Returns
    -------
    str
        The table, ending with the reasons of the candidates that could not be scored.
    """
    names = [f"{name} " for name in ("kernel", *map(str, table.kernels))]
    columns = []
    for criterion, winner in winners(table).items():
        wanted = _WANTED[table.columns[criterion].direction]
        values = [_value(table, criterion, i, digits) for i in range(len(table.kernels))]
        cells = [f"{value}{'*' if i == winner else ' '}" for i, value in enumerate(values)]
        columns.append([f"{criterion}{wanted} ", *cells])
    for heading, cells in (extra or {}).items():
        columns.append([f"{cell} " for cell in (heading, *cells)])
    blocks = [
        in_columns(list(zip(names, *group, strict=True)), gap=" ", right=True)
        for group in _groups(names, columns, width)
    ]
    return "\n\n".join([*blocks, *_reasons(table)])


def _value(table: ScoreTable, criterion: str, index: int, digits: int) -> str:
    """Write a score; of several lambdas the best one, with its lambda."""
    found = table.choice(criterion, index)
    if found.lam is None:
        return number(found.score, digits)
    if not math.isfinite(found.score):
        return number(found.score)
    return f"{number(found.score, digits)} at lam={found.lam:.3g}"


def winners(table: ScoreTable) -> dict[str, int | None]:
    """Place of the best candidate by each criterion; None for diagnostics or without a value."""
    return {name: table.winner(name) for name in table.columns}


def number(value: float, digits: int = 4) -> str:
    """Return significant digits; a candidate without a value has a dash."""
    return (
        f"{value + 0.0:.{digits}g}" if math.isfinite(value) else "-"
    )  # + 0.0: no minus before a zero


def folded(sentence: str) -> str:
    """Break a long sentence into lines; kernels stay whole unless they hold spaces."""
    return textwrap.fill(sentence, _WIDTH, break_long_words=False, break_on_hyphens=False)


def held_out_text(chosen: Selection) -> str:
    """Say how good held-out predictions of the winner are, as people know it; may be empty."""
    score = chosen.held_out_score
    if score is None or score == chosen.score:
        return ""
    name = "accuracy" if chosen.table.task == "classification" else "R2"
    return f"{name} {number(score)} of rows held out"


def duration(seconds: float) -> str:
    """Write a time with a unit that suits it."""
    return f"{1e3 * seconds:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"


def in_columns(
    rows: Sequence[Sequence[str]], *, gap: str = "  ", right: bool = False, least: int = 0
) -> str:
    """Lay out rows of cells, each column as wide as its widest cell and no less than `least`.

    Cells stand on the left; with `right` those of all columns but the first on the right.
    """
    widths = [max(least, *map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        place = str.rjust if right else str.ljust
        cells = [place(cell, width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append(gap.join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)


def usage(kernel: Kernel, task: str, model: RidgeModel | None = None) -> str:
    """Write out how kernel and model are handed to scikit-learn's support vector machine."""
    machine = "SVC" if task == "classification" else "SVR"
    return _call(machine, parameters(kernel, task, model))


def parameters(kernel: Kernel, task: str, model: RidgeModel | None = None) -> dict[str, Any]:
    """Return what scikit-learn's support vector machine wants in order to use kernel and model."""
    from sklearn.svm import SVC, SVR

    machine = SVC if task == "classification" else SVR
    return kernel.params_for(machine) if model is None else model.params_for(machine, kernel)


def judged(kernel: Kernel, task: str, model: RidgeModel, landmarks: int | None = None) -> str:
    """Write out the learner that is the model itself, of whole matrices or with landmarks."""
    learner = "LSSVMClassifier" if task == "classification" else "LSSVMRegressor"
    given: dict[str, Any] = {"kernel": kernel, "lam": model.lam}
    if model.lam_convention != "sum":
        given["lam_convention"] = model.lam_convention
    if not model.bias:
        given["bias"] = False
    if landmarks is not None:
        given["landmarks"] = landmarks
    return _call(learner, given)


def _call(name: str, parameters: Mapping[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in parameters.items())})"


def _groups(names: list[str], columns: list[list[str]], width: int | None) -> list[list[list[str]]]:
    left = max(map(len, names)) + 1
    groups: list[list[list[str]]] = [[]]
    used = left
    for column in columns:
        wide = max(map(len, column)) + 1
        if width is not None and groups[-1] and used + wide > width:
            groups.append([])
            used = left
        groups[-1].append(column)
        used += wide
    return groups


def _reasons(table: ScoreTable) -> list[str]:
    lines = []
    for criterion, reasons in table.reasons.items():
        counts: dict[str, int] = {}
        for reason in reasons:
            if reason:
                counts[reason] = counts.get(reason, 0) + 1
        for reason, n in counts.items():
            which = "every candidate" if n == len(reasons) else f"{n} of {len(reasons)} candidates"
            lines.append(f"{criterion} is undefined for {which}: {reason}")
    return ["\n".join(lines)] if lines else []
