"""A report on an election: one page, for a screen of any width, light or dark, or for paper."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from typing import Any

from sklearn.utils.validation import check_is_fitted

from .._data.objects import holds_objects
from .._support.arguments import shown
from .._support.files import write_text
from ..kernels import Precomputed
from ..lssvm._least_squares import LeastSquares
from ..results import Committee, Selection
from . import _sections as sections
from . import _together as together
from ._judged import judge, judged_by
from ._lead import lead
from ._style import SCRIPT, STYLE


def write_report(
    reported: Selection | LeastSquares,
    path: str | os.PathLike[str],
    *,
    X: Any = None,
    y: Any = None,
    title: str | None = None,
    command: str | None = None,
    scaler: str | None = None,
    warnings: Sequence[str] | None = None,
) -> None:
    """Write a page on an election, or on a learner that has held one.

    With the data, the page on an election shows predictions too; a learner has its own.

    `command` is what was typed, `scaler` what X went through then, and `warnings` are what was
    said; without them, what can be found out again is.
    """
    if (X is None) != (y is None):
        raise ValueError("a report needs both X and y for pictures of the data, or neither")
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be text, not {shown(title)}")
    chosen, learner = _election_of(reported)
    committee = None if learner is None else _voting(learner)
    stored = isinstance(chosen.kernel, Precomputed)
    if holds_objects(X):  # of which nothing can be shown but the kernel's values
        X, stored = chosen.kernel(X), True
    if learner is not None:
        judged = judged_by(learner)
    else:
        judged = None if X is None else judge(chosen, X, y, stored=stored)
    given = None if warnings is None else list(warnings)
    parts = [
        lead(chosen, judged, committee),
        sections.warned(chosen, None if stored else X, judged, given),
        sections.curves(chosen, None if stored else X),
    ]
    made_of = [sections.refined(chosen), sections.inside(chosen, None if stored else X)]
    adopted = chosen.refinement is not None and chosen.refinement.adopted
    if adopted:  # which is what there is to know first
        parts += made_of
    if X is None:
        more = "held-out predictions and " if learner is None else ""
        parts.append(
            '<p class="soft">Results do not keep the data. report(path, X=X, y=y) also shows '
            f"{more}where the labels lie.</p>"
        )
    else:
        parts.append(sections.spectrum(chosen, X, y, stored=stored))
    if judged is not None:
        by_folds = committee is None and chosen.by_folds
        parts.append(
            sections.predictions(judged, by_folds=by_folds, refined=adopted and learner is None)
        )
    parts += [
        together.compared(getattr(learner, "report_", None)),
        together.members(committee),
        *([] if adopted else made_of),
        sections.candidates(chosen),
        sections.code(chosen, command, scaler, learner),
        sections.versions(chosen),
    ]
    heading = "The elected kernel" if learner is None else "The fitted model"
    write_text(path, _page(title or heading, "\n".join(parts)))


def _election_of(reported: Selection | LeastSquares) -> tuple[Selection, Any]:
    """Return an election, and the learner that held it if it was one that was given."""
    if isinstance(reported, Selection):
        return reported, None
    check_is_fitted(reported)
    chosen = getattr(reported, "selection_", None)
    if chosen is None:
        raise ValueError(
            f"this {type(reported).__name__} was given its kernel and lam, so there is no election "
            "to report; use kernel='best' or kernel='auto'"
        )
    return chosen, reported


def _voting(learner: LeastSquares) -> Committee | None:
    """Return the committee of a learner, unless the elected kernel stays alone."""
    committee: Committee | None = getattr(learner, "committee_", None)
    if committee is None or committee.kernels == [committee.elected]:
        return None
    return committee


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
