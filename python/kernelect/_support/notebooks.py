"""Estimators in notebooks: scikit-learn's diagram, and below it, folded, what the fit has found."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

_BELOW = ' style="font-family: monospace; margin: 0.4em 0 0 0.6em"'
_LEFT = ' style="text-align: left"'


def folded(summary: str, body: str) -> str:
    """Return HTML that shows one line, and the rest when it is clicked; `body` is HTML."""
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"


def rows_html(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Lay out rows of text as a table, columns of words flush left."""
    wordy = [all(not row[k] or row[k][0].isalpha() for row in rows) for k in range(len(head))]

    def line(tag: str, cells: tuple[str, ...]) -> str:
        shown = (
            f"<{tag}{_LEFT if words else ''}>{escape(cell)}</{tag}>"
            for cell, words in zip(cells, wordy, strict=True)
        )
        return f"<tr>{''.join(shown)}</tr>"

    body = "".join(line("td", row) for row in rows)
    return f"<table><thead>{line('th', head)}</thead><tbody>{body}</tbody></table>"


class FittedDetails:
    """Adds what a fit has found to the diagram of an estimator, where scikit-learn shows one."""

    def _fitted_html(self) -> str:
        """Return what is folded below the diagram; nothing before a fit."""
        return ""

    def _with_details(self, diagram: Any) -> str:
        found = self._fitted_html()
        return f"{diagram}<div{_BELOW}>{found}</div>" if found else str(diagram)

    def _repr_html_inner(self) -> str:
        return self._with_details(super()._repr_html_inner())  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = self._with_details(bundle["text/html"])
        return bundle
