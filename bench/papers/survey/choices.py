"""What the survey does not say: scaling of attributes, meaning of the RBF parameter, polynomials.

For every reading, on how many problems each measure chooses the kernel that is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import kernelect as ke

from ..tools.data import Entry, load, scale
from ..tools.pages import Table
from ..tools.printed import SURVEY_ERRORS, SURVEY_MEASURES
from ..tools.runner import Found, Observation, Setting, run
from .svm_pairs import LABELS, gaussians, polynomials

SCALINGS = {"standardised": "standard", "[0, 1]": "minmax", "raw": "none"}
PARAMETERS = {
    "width w, exp(-D^2/(2 w^2))": lambda w: w**2,
    "exp(-D^2/w)": lambda w: w / 2,
    "exp(-w D^2)": lambda w: 0.5 / w,
}
MEASURES = {name: name.lower() for name in SURVEY_MEASURES}


def readings(columns: int) -> dict[str, tuple[str, list[ke.kernels.Kernel]]]:
    """Scaling and candidates by the name of the reading."""
    found = {}
    for scaling, how in SCALINGS.items():
        for name, tau in PARAMETERS.items():
            found[f"{scaling}; {name}"] = (how, [*gaussians(tau), *polynomials(1.0 / columns)])
    name, tau = next(iter(PARAMETERS.items()))
    plain = [*gaussians(tau), *polynomials(1.0)]
    found[f"standardised; {name}; (1 + x.x')^p"] = ("standard", plain)
    return found


def observe(folder: Path, entry: Entry, number: int) -> Found:
    X, y = load(folder, entry)
    choices = {}
    for name, (how, kernels) in readings(X.shape[1]).items():
        rows, _ = scale(X, X, how)
        table = ke.evaluate(rows, y, kernels, list(MEASURES.values()), n_threads=1)
        choices[name] = {m: LABELS[table.best(key).index] for m, key in MEASURES.items()}
    return choices


READINGS = Observation("survey-choices", observe)


def printed_choices(problem: str, measure: str) -> list[str]:
    """Labels of "R32, P1 31.30": the kernels that are printed, without the error."""
    return SURVEY_ERRORS[problem][measure].rsplit(" ", 1)[0].split(", ")


def table(setting: Setting, entries: Sequence[Entry]) -> Table:
    found = {name: splits[0] for name, splits in run(READINGS, setting.limited(1), entries).items()}
    rows: list[list[object]] = []
    for reading in next(iter(found.values())):
        counts = [
            sum(found[p][reading][m] in printed_choices(p, m) for p in found) for m in MEASURES
        ]
        rows.append([reading, *counts, sum(counts)])
    return Table(
        "survey-table5-choices",
        f"For the choices on which the survey is silent: problems of {len(found)} on which a "
        "measure elects the kernel that is printed, or one of them",
        ["attributes; RBF kernel, D = distance", *MEASURES, "together"],
        rows,
    )
