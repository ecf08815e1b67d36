"""The choices on which the PEP paper is silent: the size of the base kernels and of the attributes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import kernelect as ke

from .data import Entry, Split, split
from .pages import Table, span
from .printed import PEP_ACCURACIES
from .runner import Found, Observation, Setting, run

MOST_ROWS, MOST_SPLITS = 400, 5
VARIANTS = {
    "standardised, unit diagonal": ("standard", "diagonal"),
    "standardised, unit trace": ("standard", "trace"),
    "standardised, unit centred variance": ("standard", "centered"),
    "standardised, kernels as they are": ("standard", "none"),
    "[0, 1], unit diagonal": ("minmax", "diagonal"),
}
METHODS: dict[str, dict[str, Any]] = {
    "FKL": {"method": "fkl", "lam": "cv", "t": "cv", "cv": 3},
    "SimpleMKL": {"method": "simple"},
    "GLMKL p=2": {"method": "lp", "p": 2.0},
    "CABMKL conic": {"method": "alignf"},
}


def observe(folder: Path, entry: Entry, number: int) -> Found:
    found: Found = {}
    for variant, (attributes, kernels) in VARIANTS.items():
        part = split(folder, entry, number, share=0.5, scaling=attributes)
        found[variant] = {}
        for name, options in METHODS.items():
            model = ke.MKLClassifier(**options, scaling=kernels, n_jobs=1)
            found[variant][name] = _accuracy(model, part)
    return found


def _accuracy(model: ke.MKLClassifier, part: Split) -> float | None:
    """In percent; nothing where kernels of 1e30 leave the SVM without a solution."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            model.fit(part.X, part.y)
        except ValueError:
            return None
    return 100.0 * float(model.score(part.X_test, part.y_test))


CHOICES = Observation("learning-choices", observe)


def _mean(found: dict[str, list[Found]], variant: str, method: str) -> float | str:
    values = [[split[variant][method] for split in splits] for splits in found.values()]
    if any(None in of_set for of_set in values):
        return "fails"
    return float(np.mean([np.mean(of_set) for of_set in values]))


def table(setting: Setting) -> Table:
    entries = setting.entries(lambda e: e.name in PEP_ACCURACIES and e.rows <= MOST_ROWS)
    found = run(CHOICES, setting.limited(MOST_SPLITS), entries)
    rows: list[list[object]] = []
    printed = [float(np.mean([PEP_ACCURACIES[name][m] for name in found])) for m in METHODS]
    rows.append(["printed", *printed])
    for variant in VARIANTS:
        rows.append([variant, *(_mean(found, variant, m) for m in METHODS)])
    return Table(
        "pep-table1-choices",
        f"Mean test accuracy in % over the {len(found)} sets of at most {MOST_ROWS} rows, "
        f"{span(map(len, found.values()))} splits each, for the choices on which the paper is silent",
        ["attributes, base kernels", *METHODS],
        rows,
    )
