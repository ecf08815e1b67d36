"""What the PEP paper does not say: the size of the base kernels and of the attributes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import kernelect as ke

from ..tools.data import Entry, split
from ..tools.pages import Table, span
from ..tools.printed import PEP_ACCURACIES
from ..tools.runner import Found, Observation, Setting, run

MOST_ROWS, MOST_SPLITS = 400, 5
# Kernels as they are cannot be compared: polynomials of degree 20 on 60 attributes reach 1e36, and
# the SVM finds no solution.
VARIANTS = {
    "standardised, unit diagonal": ("standard", "diagonal"),
    "standardised, unit trace": ("standard", "trace"),
    "standardised, unit centred variance": ("standard", "centered"),
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
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(part.X, part.y)
            found[variant][name] = 100.0 * float(model.score(part.X_test, part.y_test))
    return found


CHOICES = Observation("learning-choices", observe)


def table(setting: Setting) -> Table:
    entries = setting.entries(lambda e: e.name in PEP_ACCURACIES and e.rows <= MOST_ROWS)
    found = run(CHOICES, setting.limited(MOST_SPLITS), entries)
    rows: list[list[object]] = []
    printed = [float(np.mean([PEP_ACCURACIES[name][m] for name in found])) for m in METHODS]
    rows.append(["printed", *printed])
    for variant in VARIANTS:
        means = [
            float(np.mean([np.mean([s[variant][m] for s in v]) for v in found.values()]))
            for m in METHODS
        ]
        rows.append([variant, *means])
    return Table(
        "pep-table1-choices",
        f"Mean test accuracy in % over the {len(found)} sets of at most {MOST_ROWS} rows, "
        f"{span(map(len, found.values()))} splits each, for the choices on which the paper is "
        "silent",
        ["attributes, base kernels", *METHODS],
        rows,
    )
