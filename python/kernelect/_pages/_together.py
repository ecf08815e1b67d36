"""What a learner made of an election: the models that it compared, and those that predict."""

from __future__ import annotations

from ..plots import relevance
from ..plots._decision import bars
from ..plots._style import rounded
from ..results import Committee, Contest
from ._pictures import figure


def compared(contest: Contest | None) -> str:
    """Show the ways to a model that were compared, and why one was taken."""
    if contest is None:
        return ""
    columns = ""
    if contest.relevance:
        shown = figure(
            lambda: relevance(dict(contest.relevance)),
            "Each column's share in the squared distances of the refined kernel: the larger, the "
            "more the column matters.",
            "relevance of the columns",
        )
        columns = f'<div class="pictures">{shown}</div>'
    table = contest._compared_html()
    return f'<h2>What was compared</h2><div class="scroll">{table}</div>{columns}'


def members(committee: Committee | None) -> str:
    """Show the kernels that predict together, with their weights and lambdas."""
    if committee is None:
        return ""
    weights = {
        f"{rounded(str(kernel))}, λ = {lam:.3g}": float(weight)
        for kernel, lam, weight in zip(
            committee.kernels, committee.lams, committee.weights, strict=True
        )
    }
    shown = figure(
        lambda: bars(weights, "weight"),
        "How much each member counts in the predictions; the weights add up to 1.",
        "weights of the members",
    )
    return (
        f'<h2>Members of the committee</h2><div class="scroll">{committee._repr_html_()}</div>'
        f'<div class="pictures">{shown}</div>'
    )
