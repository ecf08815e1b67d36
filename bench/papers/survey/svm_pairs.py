"""One observation for the survey's Table 5: SVM errors of 11 kernels on a two-class problem.

Problems are two-class sets, and all pairs of classes of the multi-class ones. A measure chooses the
kernel on all rows, as the survey does; C is then that of the least 10-fold error for each kernel.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

import kernelect as ke

from ..tools.data import Entry, load, scale
from ..tools.runner import Found, Observation

WIDTHS = (0.1, 1, 2, 4, 8, 16, 32)
DEGREES = (1, 2, 3, 4)
LABELS = [f"R{w:g}" for w in WIDTHS] + [f"P{d}" for d in DEGREES]
BOXES = (0.01, 0.1, 1.0, 10.0, 100.0)
CRITERIA = ["kta", "ekta", "ckta", "fsm", "kcsm", "sm", ke.criteria.SM(r=3), "loo"]
STEPS = 200_000  # of the SVM solver; polynomials of degree 4 may not converge before


def candidates(columns: int) -> list[ke.kernels.Kernel]:
    """Gaussians of width w, exp(-|x-x'|^2/(2 w^2)), and (1 + x.x'/columns)^d (LIBSVM's gamma)."""
    return [*gaussians(lambda w: w**2), *polynomials(1.0 / columns)]


def gaussians(tau: Callable[[float], float]) -> list[ke.kernels.Kernel]:
    """The survey's RBF kernels, with what its parameter is taken for."""
    return [ke.Gaussian(tau=tau(float(w))) for w in WIDTHS]


def polynomials(gamma: float) -> list[ke.kernels.Kernel]:
    return [ke.Polynomial(d, gamma=gamma, coef0=1.0) for d in DEGREES]


def observe(folder: Path, entry: Entry, number: int) -> Found:
    X, y = load(folder, entry)
    X, _ = scale(X, X, "standard")
    kernels = candidates(X.shape[1])
    table = ke.evaluate(X, y, kernels, CRITERIA, n_threads=1)
    picks = {key: int(table.best(key).index) for key in table.scores}
    picks["auto"] = ke.select(X, y, kernels, n_threads=1).index
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
