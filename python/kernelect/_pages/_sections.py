"""The parts of a report on an election."""

from __future__ import annotations

import platform
import re
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import kernels
from .._data.rows import check_rows, column_names
from .._support.arguments import is_number
from .._support.warning import collected_warnings
from .._version import __version__
from ..kernels import Kernel, Sum, WeightedSum
from ..plots import label_energy, relevance
from ..plots._curves import criterion_curves
from ..plots._decision import bars, decision
from ..plots._predictions import calibration, confusion, observed_and_predicted, residuals
from ..refinement._relevance import relevance as of_columns
from ..results import Selection
from ..results import _text as text
from ..results._html import table_html
from ..results._printed import printed_whole
from ..results.serialization import to_dict
from ..selection._problem import warn_about_scales
from ..selection._warnings import warn_at_edge, warn_without_evidence
from ._judged import Judged
from ._lead import members_of
from ._pictures import figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def warned(chosen: Selection, X: Any, judged: Judged | None, given: list[str] | None) -> str:
    """List what is to be heeded, each with its remedy."""
    found = list(given) if given is not None else _found_again(chosen, X, judged)
    if chosen.partial and not any("time" in sentence for sentence in found):
        found.append(
            "the time limit ended the election early; allow more time to evaluate all candidates"
        )
    return "".join(f'<p class="warning">{escape(sentence)}</p>' for sentence in found)


def _found_again(chosen: Selection, X: Any, judged: Judged | None) -> list[str]:
    with collected_warnings() as sentences:
        warn_at_edge(chosen)
        warn_without_evidence(chosen, None if judged is None else judged.target)
        if X is not None:
            warn_about_scales(X, check_rows(X, "X"))
    return sentences


def curves(chosen: Selection, X: Any) -> str:
    """Show what decided, and all criteria; what a refinement compared has a section of its own."""
    if chosen.refinement is not None and chosen.refinement.adopted:
        return ""
    decided = figure(
        lambda: decision(chosen),
        "The criterion that decided, with a band of one standard error if it has one. The dashed "
        "line is the baseline: a constant prediction, the mean or the shares of the classes.",
        "the deciding criterion over the candidates",
    )
    every = figure(
        lambda: criterion_curves(chosen, X=X),
        "All criteria, each from its worst candidate (0) to its best (1). The marks above the "
        "curves show the winners; dotted lines show rules of thumb for the width.",
        "all criteria over the candidates",
    )
    return f'<h2>Candidates and rivals</h2><div class="pictures">{decided}{every}</div>'


def spectrum(chosen: Selection, X: Any, y: Any, *, stored: bool) -> str:
    """Show where the labels lie in the spectrum of the winner, whose matrix X is where `stored`."""
    task = chosen.table.task

    def draw() -> Axes:
        if stored:
            return label_energy([X], None, y, task=task)
        return chosen.plot(kind="label_energy", X=X, y=y)

    shown = figure(
        draw,
        "How much of the target lies along each eigenvector of the kernel matrix, against its "
        "eigenvalue. A good kernel concentrates it on a few large eigenvalues; what lies at small "
        "ones is treated as noise.",
        "share of the labels at each eigenvalue",
    )
    return f'<h2>Where the labels lie</h2><div class="pictures">{shown}</div>'


def predictions(judged: Judged, *, by_folds: bool, refined: bool) -> str:
    """Show predictions of rows left out.

    `by_folds` says that the election left out folds, and `refined` that all rows had a say in the
    parameters of the kernel.
    """
    observed, predicted = judged.observed, judged.predicted
    if judged.target.task == "classification":
        assert judged.sure is not None
        sure, right = judged.sure, predicted == observed
        first = figure(
            lambda: confusion(observed, predicted, judged.target.classes),
            "Observed classes, and what the rows were predicted as.",
            "confusion of classes",
        )
        second = figure(
            lambda: calibration(right, sure),
            "How often predictions are right, against their predicted probability. On the line, "
            "the probabilities are accurate.",
            "calibration of probabilities",
        )
    else:
        deviation = judged.deviation
        spread = "predicted deviations" if deviation is not None else "standard deviation"
        first = figure(
            lambda: observed_and_predicted(observed, predicted, deviation),
            "Observed against predicted values"
            + ("." if deviation is None else "; bars show one standard deviation either way."),
            "observed against predicted",
        )
        second = figure(
            lambda: residuals(observed, predicted, deviation),
            f"Residuals divided by their {spread}, compared with the normal density.",
            "standardised residuals",
        )
    drawn = judged.target.size
    part = "" if drawn == judged.rows else f" {drawn} of the {judged.rows} rows are shown."
    if by_folds:
        part += (
            " Rows are left out one at a time here, whatever the folds or groups of the election: "
            "where rows are related, these predictions look better than they are."
        )
    if refined:
        part += (
            " The kernel's own parameters were refined on all rows, so these predictions look "
            "somewhat better than they are."
        )
    by = (
        f"a least-squares model with this kernel and λ = {judged.lam:.4g} that has not seen it "
        "(exact leave-one-out)"
        if judged.lam is not None
        else "the fitted model, without having seen it"
    )
    return (
        f"<h2>Held-out predictions</h2><p>Each row is predicted by {by}.{part}</p>"
        f'<div class="pictures">{first}{second}</div>'
    )


def refined(chosen: Selection) -> str:
    """Say what came of a refinement, and why."""
    if chosen.refinement is None:
        return ""
    said = chosen.refinement._said()
    return f"<h2>Refinement</h2><p>{escape(said[0].upper() + said[1:])}.</p>"


def inside(chosen: Selection, X: Any) -> str:
    """Show what the kernel is made of: relevances of columns, or members with their weights."""
    kernel = chosen.kernel
    if getattr(kernel, "gammas", None) is not None:  # of kernels with a rate for each column
        known = None if chosen.refinement is None else dict(chosen.refinement.relevance)
        shares = known or _relevances(kernel, X)
        if not shares:
            return ""
        title = "Relevance of the columns"
        caption = (
            "Each column's share in the squared distances that the kernel uses: the larger, the "
            "more the column matters."
        )
        shown = figure(lambda: relevance(shares), caption, title)
    elif isinstance(kernel, (Sum, WeightedSum)):
        weights = {str(part): weight for part, weight in members_of(kernel)}
        title = "Members of the kernel"
        caption = "Weights of the kernels in the sum."
        shown = figure(lambda: bars(weights, "weight"), caption, title)
    else:
        return ""
    return f'<h2>{title}</h2><div class="pictures">{shown}</div>'


def _relevances(kernel: Kernel, X: Any) -> dict[str, float]:
    """Relevance of the columns; none where the rows are not at hand."""
    if X is None:
        return {}
    rows = check_rows(X, "X")
    names = column_names(X) or [f"x{j}" for j in range(rows.shape[1])]
    return of_columns(kernel, rows, names)


def candidates(chosen: Selection) -> str:
    """List all candidates, folded."""
    return (
        "<h2>All candidates</h2><details><summary>Scores of every candidate by every criterion"
        f'</summary><div class="scroll">{table_html(chosen.table)}</div></details>'
    )


def code(chosen: Selection, command: str | None, scaler: str | None, learner: Any = None) -> str:
    """Write the code that gives the same model again: the learner's where there is one."""
    machine = "SVC" if chosen.table.task == "classification" else "SVR"
    line = text.usage(chosen.kernel, chosen.table.task, chosen.model)
    lines = ["# in scikit-learn", f"model = {line}.fit(X, y)"]
    if learner is not None:
        fitted = " ".join(repr(learner).split())
        lines = [
            *("# this model", f"model = {fitted}.fit({_given_to(learner, chosen)})"),
            *("# the elected kernel in scikit-learn", f"alone = {line}.fit(X, y)"),
        ]
    if scaler is not None:
        lines = [f"X = {scaler}.fit_transform(X)", "", *lines]
    if chosen.model is not None:
        own = text.judged(chosen.kernel, chosen.table.task, chosen.model, chosen.landmarks)
        lines += ["# the least-squares model that was judged", f"judged = {own}.fit(X, y)"]
    used = "\n".join(lines)
    if not printed_whole(chosen.kernel):
        whole = f"kernel = serialization.from_dict({to_dict(chosen.kernel)})"
        used = f"{whole}\n{used.replace(repr(chosen.kernel), 'kernel')}"
    ours = sorted(
        set(re.findall(r"\b([A-Z]\w+|normalized|on_columns)\(", used)) - {machine, "StandardScaler"}
    )
    head = [f"from kernelect.kernels import {name}" for name in ours if hasattr(kernels, name)]
    head += [f"from kernelect import {name}" for name in ours if not hasattr(kernels, name)]
    head += ["from kernelect import serialization"] * ("serialization." in used)
    head += ["from sklearn.preprocessing import StandardScaler"] * (scaler is not None)
    shown = "\n".join([*head, f"from sklearn.svm import {machine}", "", used])
    typed = "" if command is None else f"<pre>{escape(command)}</pre>"
    return f"<h2>Code to reproduce it</h2>{typed}<pre>{escape(shown)}</pre>"


def _given_to(learner: Any, chosen: Selection) -> str:
    """Write what a learner was fitted to; by itself it elects by folds where rows have groups."""
    given = ["X", "y"]
    if learner._target.weights is not None and getattr(learner, "class_weight", None) is None:
        given.append("sample_weight=sample_weight")
    if chosen.by_folds and learner.folds is None:
        given.append("groups=groups")
    return ", ".join(given)


def versions(chosen: Selection) -> str:
    """Name the versions that were at work."""
    import scipy
    import sklearn

    names = {
        "kernelect": __version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }
    listed = ", ".join(f"{name} {escape(str(version))}" for name, version in names.items())
    lam = f", λ = {chosen.lam:.4g}" if is_number(chosen.lam) else ""
    how = f"criterion {escape(chosen.criterion)}, decided by {escape(chosen.decisive)}{lam}"
    return f'<h2>How it was made</h2><p class="soft">{how}; {listed}; {platform.system()}.</p>'
