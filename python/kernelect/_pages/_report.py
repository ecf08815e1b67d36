"""A report on an election: one page, for a screen of any width, light or dark, or for paper."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from typing import Any

from .._data.objects import holds_objects
from .._support.arguments import shown
from .._support.files import write_text
from ..kernels import Precomputed
from ..results import Selection
from . import _sections as sections
from ._judged import judge
from ._style import SCRIPT, STYLE


def write_report(
    chosen: Selection,
    path: str | os.PathLike[str],
    *,
    X: Any = None,
    y: Any = None,
    title: str | None = None,
    command: str | None = None,
    warnings: Sequence[str] | None = None,
) -> None:
    """Write a page on an election; with the data it shows predictions too.

    `command` is what was typed, and `warnings` are what was said then; without them, what can be
    found out again is.
    """
    if (X is None) != (y is None):
        raise ValueError("a report needs both X and y for pictures of the data, or neither")
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be text, not {shown(title)}")
    stored = isinstance(chosen.kernel, Precomputed)
    if holds_objects(X):  # of which nothing can be shown but the kernel's values
        X, stored = chosen.kernel(X), True
    judged = None if X is None else judge(chosen, X, y, stored=stored)
    given = None if warnings is None else list(warnings)
    parts = [
        sections.lead(chosen, judged),
        sections.warned(chosen, None if stored else X, judged, given),
        sections.curves(chosen, None if stored else X),
    ]
    if X is None:
        parts.append(
            '<p class="soft">Results do not keep the data. report(path, X=X, y=y) also shows '
            "held-out predictions and where the labels lie.</p>"
        )
    else:
        parts.append(sections.spectrum(chosen, X, y, stored=stored))
    if judged is not None:
        parts.append(sections.predictions(judged))
    parts += [
        sections.refined(chosen),
        sections.inside(chosen.kernel, None if stored else X),
        sections.candidates(chosen),
        sections.code(chosen, command),
        sections.versions(chosen),
    ]
    write_text(path, _page(title or "The elected kernel", "\n".join(parts)))


def _page(title: str, body: str) -> str:
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}
</main>
<script>{SCRIPT}</script>
</body>
</html>
"""
