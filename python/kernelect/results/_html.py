"""Results as HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from .._support.notebooks import folded, rows_html
from ._text import usage
from .diagnostics import rivals

if TYPE_CHECKING:
    from ._score_table import ScoreTable
    from ._selection import Selection

_WANTED = {1: "larger is better", -1: "smaller is better", 0: "diagnostic"}
# The winner is told by weight and a star as well as by colour, in light and dark themes.
_WINNER = ' style="font-weight: bold; background: rgba(0, 114, 178, 0.2)"'


def table_html(table: ScoreTable) -> str:
    """Lay a table out, each criterion's winner set off, reasons as hints on their cells."""
    head = "".join(
        f'<th title="{_WANTED[column.direction]}">{escape(key)}</th>'
        for key, column in table.columns.items()
    )
    winners = {key: table.winner(key) for key in table.columns}
    partial = ", partial: the time limit was reached" if table.partial else ""
    rows = []
    for i, kernel in enumerate(table.kernels):
        cells = "".join(_cell(table, key, i, i == winners[key]) for key in table.columns)
        rows.append(f'<tr><th style="text-align: left">{escape(str(kernel))}</th>{cells}</tr>')
    return (
        f"<table><caption>{len(table.kernels)} candidates, {table.task} (★ best by the criterion)"
        f"{partial}</caption><thead><tr><th>kernel</th>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _cell(table: ScoreTable, key: str, index: int, won: bool) -> str:
    reason = table.columns[key].reasons[index]
    if reason is not None:
        return f'<td title="{escape(reason)}">-</td>'
    at = table.choice(key, index)
    text = "-" if np.isnan(at.score) else f"{at.score:.4g}"
    if at.lam is not None:
        text += f" <small>λ={at.lam:.3g}</small>"
    known = table.columns[key].take([index]).at_best_lambda().held_out_scores
    hint = ""
    if known is not None and np.isfinite(known[0]):
        name = "accuracy" if table.task == "classification" else "R2"
        hint = f' title="{name} {known[0]:.4g} of rows held out"'
    return f"<td{_WINNER}{hint}>{text} ★</td>" if won else f"<td{hint}>{text}</td>"


def selection_html(chosen: Selection) -> str:
    """One line on the winner and one of code; rivals and all candidates folded below."""
    table = chosen.table
    line = usage(chosen.kernel, table.task, chosen.model)
    parts = [f"<p>{escape(repr(chosen))}</p><p><code>{escape(line)}</code></p>"]
    if table.columns[chosen.decisive].errors is not None:
        near = rivals(chosen)
        rows = [(str(rival.kernel), f"{rival.score:.4g}") for rival in near]
        parts += [folded(_rivals(len(near) - 1), rows_html(("kernel", chosen.decisive), rows))]
    return "".join([*parts, folded(f"all {len(table.kernels)} candidates", table_html(table))])


def _rivals(count: int) -> str:
    if count == 0:
        return "no rivals within one standard error"
    return f"{count} rival{'s' * (count > 1)} within one standard error"
