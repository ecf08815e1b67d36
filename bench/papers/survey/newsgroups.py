"""One observation for the survey's text problem: 20 Newsgroups with its own test part.

The measures choose among the survey's 11 kernels on the whole training part. What is cubic in the
rows (leave-one-out, the C of the SVM by ten folds) sees a stratified sample of it; the SVM itself
is trained on the whole part with the C so found, and judged on the test part.
"""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.svm import SVC

import kernelect as ke

from ..tools.data import Entry, manifest
from ..tools.runner import Found, Observation
from .svm_pairs import BOXES, DEGREES, WIDTHS

SAMPLE = 2000
QUADRATIC = ["kta", "ekta", "ckta", "fsm", "kcsm", "sm", ke.criteria.SM(r=3)]
FORMS = ("tf-idf", "counts")


def candidates(form: str, columns: int) -> list[ke.kernels.Kernel]:
    """The kernels of the survey; rows of length 1 have products of order 1, so gamma is 1 there."""
    gamma = 1.0 if form == "tf-idf" else 1.0 / columns
    widths = [ke.Gaussian(tau=float(w) ** 2) for w in WIDTHS]
    return [*widths, *(ke.Polynomial(d, gamma=gamma, coef0=1.0) for d in DEGREES)]


def read(folder: Path, entry: Entry) -> tuple[Any, np.ndarray]:
    with gzip.open(folder / f"{entry.name}.svm.gz") as file:
        X, y = load_svmlight_file(file, n_features=entry.columns, zero_based=False)
    return X.tocsr(), y


def box(K: np.ndarray, y: np.ndarray, seed: int) -> float:
    """The C of the least error over ten folds (fewer where a class is smaller)."""
    folds = StratifiedKFold(
        min(10, int(np.unique(y, return_counts=True)[1].min())), shuffle=True, random_state=seed
    )
    errors = []
    for C in BOXES:
        wrong = 0
        for train, test in folds.split(K, y):
            model = SVC(C=C, kernel="precomputed").fit(K[np.ix_(train, train)], y[train])
            wrong += int(np.sum(model.predict(K[np.ix_(test, train)]) != y[test]))
        errors.append(wrong)
    return BOXES[int(np.argmin(errors))]


def observe(folder: Path, entry: Entry, number: int) -> Found:
    counts, y = read(folder, entry)
    test_counts, y_test = read(folder, manifest(folder)[f"{entry.name}.t"])
    weights = TfidfTransformer(sublinear_tf=True).fit(counts)
    found: Found = {"rows": len(y), "picks": {}, "errors": [], "boxes": []}
    sample = np.arange(len(y))
    if len(y) > SAMPLE:
        sample, _ = train_test_split(sample, train_size=SAMPLE, stratify=y, random_state=number)
    found["sample"] = len(sample)
    for form in FORMS:
        X = weights.transform(counts) if form == "tf-idf" else counts
        kernels = candidates(form, X.shape[1])
        table = ke.evaluate(X, y, kernels, QUADRATIC)
        picks = {key: int(table.best(key).index) for key in table.scores}
        few = ke.evaluate(X[sample], y[sample], kernels, ["loo"])
        picks["loo"] = int(few.best("loo").index)
        picks["auto"] = int(ke.select(X[sample], y[sample], kernels).index)
        found["picks"][form] = picks
    X, X_test = weights.transform(counts), weights.transform(test_counts)
    for kernel in candidates("tf-idf", X.shape[1]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            C = box(kernel(X[sample]), y[sample], number)
            model = SVC(C=C, kernel="precomputed", cache_size=1000).fit(kernel(X), y)
        found["errors"].append(float(np.mean(model.predict(kernel(X_test, X)) != y_test)))
        found["boxes"].append(C)
    return found


NEWSGROUPS = Observation("newsgroups", observe)
