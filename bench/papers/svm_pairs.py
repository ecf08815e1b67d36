"""One observation for the survey's Table 5: SVM errors of 11 kernels on a two-class problem.

Problems are two-class sets, and all pairs of classes of the multi-class ones. A measure chooses the
kernel on all rows, as the survey does; C is then that of the least 10-fold error for each kernel.
"""

from __future__ import annotations

import itertools
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

import kernelect as ke
from kernelect._auto import elect
from kernelect._problem import Problem
from kernelect._regularisation import check_regularisation
from kernelect._ridge_evidence import RidgeOptions
from kernelect.criteria import resolve

from .data import Entry, load, manifest, scale
from .runner import Found, Observation

WIDTHS = (0.1, 1, 2, 4, 8, 16, 32)
DEGREES = (1, 2, 3, 4)
LABELS = [f"R{w:g}" for w in WIDTHS] + [f"P{d}" for d in DEGREES]
BOXES = (0.01, 0.1, 1.0, 10.0, 100.0)
CRITERIA = ["kta", "ekta", "ckta", "fsm", "kcsm", "sm", ke.criteria.SM(r=3), "loo"]
STEPS = 200_000  # of the SVM solver; polynomials of degree 4 may not converge before


def pairs(entries: list[Entry]) -> list[Entry]:
    """Two-class problems; ``iris/1/2`` is classes 1 and 2 of iris."""
    found = []
    for entry in entries:
        if entry.task == "binary":
            found.append(entry)
        else:
            for a, b in itertools.combinations(range(1, entry.classes + 1), 2):
                found.append(replace(entry, name=f"{entry.name}/{a}/{b}", task="binary"))
    return found


def problem(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    base, *labels = name.split("/")
    X, y = load(folder, manifest(folder)[base])
    if labels:
        kept = np.isin(y, [float(label) for label in labels])
        X, y = X[kept], np.where(y[kept] == float(labels[0]), 1.0, -1.0)
    return X, y


def candidates(columns: int) -> list[ke.kernels.Kernel]:
    """Gaussians of width w, exp(-|x-x'|^2/(2 w^2)), and (1 + x.x'/columns)^d (LIBSVM's gamma)."""
    widths = [ke.Gaussian(tau=float(w) ** 2) for w in WIDTHS]
    return [*widths, *(ke.Polynomial(d, gamma=1.0 / columns, coef0=1.0) for d in DEGREES)]


def observe(folder: Path, entry: Entry, number: int) -> Found:
    X, y = problem(folder, entry.name)
    X, _ = scale(X, X, "standard")
    kernels = candidates(X.shape[1])
    # Without shortcuts: polynomials of exactly low rank on lattice data need the plain factorisation.
    problem_of = Problem.make(X, y, kernels, "classification", 1)
    options = RidgeOptions(check_regularisation(1.0, "sum", True), shortcuts=False)
    table = problem_of.score(resolve(CRITERIA), options, None)
    picks = {key: int(table.best(key).index) for key in table.scores}
    picks["auto"] = elect(problem_of, ke.criteria.LOO(), options, None).index
    folds = list(StratifiedKFold(10, shuffle=True, random_state=number).split(X, y))
    errors = np.empty((len(kernels), len(BOXES), len(folds)))
    stopped = 0
    for k, kernel in enumerate(kernels):
        K = kernel(X)
        for c, box in enumerate(BOXES):
            for f, (train, test) in enumerate(folds):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", ConvergenceWarning)
                    model = SVC(C=box, kernel="precomputed", max_iter=STEPS)
                    model.fit(K[np.ix_(train, train)], y[train])
                stopped += bool(caught)
                errors[k, c, f] = np.mean(model.predict(K[np.ix_(test, train)]) != y[test])
    return {"rows": len(y), "picks": picks, "errors": errors.tolist(), "stopped": stopped}


PAIRS = Observation("svm-pairs", observe)
