"""The head of a report: the decision in a sentence, how good and how sure it is."""

from __future__ import annotations

from html import escape

import numpy as np

from ..kernels import Kernel, Scaled, Sum, WeightedSum
from ..plots._style import rounded
from ..results import Choice, Committee, Refinement, Selection
from ..results import _text as text
from ..results.diagnostics import rivals
from ._judged import Judged

_NAMED_MEMBERS = 3  # of a sum that is named by its formula


def lead(chosen: Selection, judged: Judged | None, committee: Committee | None = None) -> str:
    """Say the decision in a sentence, and the figures that tell how good and how sure it is."""
    table = chosen.table
    score, constant = _score(chosen, judged, committee)
    name = "accuracy" if table.task == "classification" else "R²"
    said = ""
    if score is not None:
        whose = "Its" if committee is None or len(committee.kernels) == 1 else "Their"
        said = f" {whose} {name} on held-out rows is {text.number(score)}"
        if constant is not None:
            what = "the largest class" if table.task == "classification" else "the mean"
            said += f"; always predicting {what} gives {text.number(constant)}"
        said += "."
    count = len(table.kernels)
    among = f"was elected among {count} candidates" if count > 1 else "was the only candidate"
    sentence = f"<strong>{escape(_called(chosen.kernel))}</strong> {among}.{said}"
    refined = chosen.refinement
    if refined is not None and (committee is not None or not refined.adopted):
        refined = None
    if committee is not None:
        sentence = f"{_taken(committee, count)}{said}"
    elif refined is not None:
        sentence = (
            f"<strong>{escape(_called(chosen.kernel))}</strong> was refined from "
            f"{escape(_called(refined.start))}, which was elected before.{said}"
        )
    figures = {}
    if score is not None:
        figures[name] = (text.number(score, 3), f"{name} on held-out rows")
    if committee is not None:
        figures["saved"] = (
            f"{committee.gain:.1%}",
            f"of the loss of {_called(committee.elected)} saved on unseen rows",
        )
    if refined is not None:
        figures |= _refined_figures(refined)
    if chosen.evidence is not None and np.isfinite(chosen.evidence):
        figures["evidence"] = (
            f"{abs(chosen.evidence):.1f}",
            "standard errors better than a constant; more than 1.6 is beyond chance"
            if chosen.evidence > 0.0
            else "standard errors worse than a constant",
        )
    near = _rivals(chosen)
    if near is not None:
        count = len(near) - 1
        words = f"candidate{'s' * (count != 1)} that the data cannot tell from the winner"
        figures["rivals"] = (str(count), words)
    if chosen.lead is not None:
        figures["lead"] = (f"{chosen.lead:.1%}", "higher loss of the runner-up")
    listed = "".join(
        f"<li><b>{escape(value)}</b><span>{escape(words)}</span></li>"
        for value, words in figures.values()
    )
    sureness = _sureness(near) if refined is None else ""
    return f'<p class="lead">{sentence}</p><ul class="figures">{listed}</ul>{sureness}'


def _refined_figures(refinement: Refinement) -> dict[str, tuple[str, str]]:
    """Say what refining was worth on rows that no parameter had seen, and how sure that is."""
    start = _called(refinement.start)
    figures = {}
    if np.isfinite(refinement.gain):
        words = f"of the loss of {start} saved on rows that the parameters had not seen"
        figures["saved"] = (f"{refinement.gain:.1%}", words)
    apart = refinement.start_loss - refinement.loss
    if refinement.gain_error > 0.0 and np.isfinite(apart):
        figures["sure"] = (f"{apart / refinement.gain_error:.1f}", "standard errors from no gain")
    return figures


def _called(kernel: Kernel) -> str:
    """Name a kernel in a sentence: a long sum by the number of its members, shown further below."""
    count = len(members_of(kernel)) if isinstance(kernel, (Sum, WeightedSum)) else 1
    return rounded(str(kernel)) if count <= _NAMED_MEMBERS else f"A sum of {count} kernels"


def _taken(committee: Committee, count: int) -> str:
    """Say which models predict, and what they were weighed against."""
    several = len(committee.kernels) > 1
    name = f"{len(committee.kernels)} kernels" if several else _called(committee.kernels[0])
    verb = "predict together: they" if several else "predicts: it"
    return (
        f"<strong>{escape(name)}</strong> {verb} did better on unseen rows than "
        f"{escape(_called(committee.elected))}, which was elected among {count} candidates."
    )


def _score(
    chosen: Selection, judged: Judged | None, committee: Committee | None
) -> tuple[float | None, float | None]:
    """Score of held-out predictions and of a constant: the election's own where it has them."""
    constant = None if judged is None else judged.constant
    if chosen.held_out_score is not None and committee is None:
        return chosen.held_out_score, constant
    return (None, None) if judged is None else (judged.score, constant)


def _rivals(chosen: Selection) -> list[Choice] | None:
    column = chosen.table.columns[chosen.decisive]
    return None if column.errors is None else rivals(chosen)


def _sureness(near: list[Choice] | None) -> str:
    if near is None:
        return (
            '<p class="soft">This criterion has no standard error, so it cannot say how sure the '
            "choice is; the criteria 'auto', 'loo' and 'cv' can.</p>"
        )
    if len(near) == 1:
        return "<p>No other candidate comes within one standard error of it.</p>"
    names = ", ".join(escape(rounded(str(rival.kernel))) for rival in near[1:6])
    more = f" and {len(near) - 6} more" if len(near) > 6 else ""
    return (
        f"<p>Within one standard error of the winner: {names}{more}. Any of these should do about "
        "as well.</p>"
    )


def members_of(kernel: Sum | WeightedSum) -> list[tuple[Kernel, float]]:
    """Return the kernels of a sum with their weights."""
    if isinstance(kernel, WeightedSum):
        return list(zip(kernel.kernels, kernel.weights, strict=True))
    return [(t.kernel, t.weight) if isinstance(t, Scaled) else (t, 1.0) for t in kernel.terms]
