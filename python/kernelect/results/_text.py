"""Plain-text tables, for results and the command line: aligned columns, winners marked with a star."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..kernels import Kernel
    from ._tables import ScoreTable

_WANTED = {1: " max", -1: " min", 0: ""}


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
    names = ["kernel", *(repr(kernel) for kernel in table.kernels)]
    columns = []
    for criterion, winner in winners(table).items():
        wanted = _WANTED[table.direction[criterion]]
        values = [_value(table, criterion, i, digits) for i in range(len(table.kernels))]
        cells = [f"{value}{'*' if i == winner else ' '}" for i, value in enumerate(values)]
        columns.append([f"{criterion}{wanted} ", *cells])
    for heading, cells in (extra or {}).items():
        columns.append([f"{cell} " for cell in (heading, *cells)])
    blocks = [_aligned(names, group) for group in _groups(names, columns, width)]
    return "\n\n".join([*blocks, *_reasons(table)])


def _value(table: ScoreTable, criterion: str, index: int, digits: int) -> str:
    """Write a score; of several lambdas the best one, with its lambda."""
    if table.scores[criterion].ndim == 1:
        return number(float(table.scores[criterion][index]), digits)
    found = table.choice(criterion, index)
    if not math.isfinite(found.score):
        return number(found.score)
    return f"{number(found.score, digits)} at lam={found.lam:.3g}"


def winners(table: ScoreTable) -> dict[str, int | None]:
    """Place of the best candidate by each criterion; None for diagnostics or where none is defined."""
    return {name: table._winner(name) for name in table.scores}


def number(value: float, digits: int = 4) -> str:
    """Give significant digits; a candidate without a value has a dash."""
    return (
        f"{value + 0.0:.{digits}g}" if math.isfinite(value) else "-"
    )  # + 0.0: no minus before a zero


def duration(seconds: float) -> str:
    """Write a time with a unit that suits it."""
    return f"{1e3 * seconds:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Lay out rows of cells, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def usage(kernel: Kernel, task: str) -> str:
    """Write out how the kernel is handed to scikit-learn's support vector machine."""
    machine = "SVC" if task == "classification" else "SVR"
    listed = ", ".join(f"{name}={value!r}" for name, value in parameters(kernel, task).items())
    return f"{machine}({listed})"


def parameters(kernel: Kernel, task: str) -> dict[str, Any]:
    """Give what scikit-learn's support vector machine wants in order to use the kernel."""
    from sklearn.svm import SVC, SVR

    return kernel.params_for(SVC if task == "classification" else SVR)


def _aligned(names: list[str], columns: list[list[str]]) -> str:
    left = max(map(len, names))
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for i, name in enumerate(names):
        cells = (column[i].rjust(w) for column, w in zip(columns, widths, strict=True))
        lines.append(f"{name.ljust(left)}  {' '.join(cells)}".rstrip())
    return "\n".join(lines)


def _groups(names: list[str], columns: list[list[str]], width: int | None) -> list[list[list[str]]]:
    left = max(map(len, names)) + 2
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
