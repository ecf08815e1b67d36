"""One observation for the PEP paper: test accuracy of learned kernels, and of one elected kernel.

50 % of the rows for training, C = 1, 41 base kernels of unit diagonal (Gaussians gamma = 2^-10 ..
2^10, polynomials of degree 1 .. 20). FKL takes lambda and t by 3-fold cross-validation on the
training rows; IFKL takes those that FKL chose. Infinite methods search both families.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

import kernelect as ke

from ..tools.data import Entry, split
from ..tools.runner import Found, Observation


def _finite(method: str, **parameters: Any) -> Callable[[], Any]:
    return lambda: ke.MKLClassifier(method, n_jobs=1, **parameters)


FINITE = {
    "CABMKL linear": _finite("align_linear"),
    "CABMKL conic": _finite("alignf"),
    "SimpleMKL": _finite("simple"),
    "GMKL": _finite("gmkl"),
    "NLMKL p=1": _finite("nlmkl", p=1.0),
    "NLMKL p=2": _finite("nlmkl", p=2.0),
    "GLMKL p=1": _finite("lp", p=1.0),
    "GLMKL p=2": _finite("lp", p=2.0),
    "average": _finite("average"),
}


def observe(folder: Path, entry: Entry, number: int) -> Found:
    part = split(folder, entry, number, share=0.5)
    accuracy: dict[str, float] = {}
    seconds: dict[str, float] = {}

    def judge(name: str, model: Any) -> Any:
        started = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(part.X, part.y)
        seconds[name] = time.process_time() - started
        accuracy[name] = 100.0 * float(model.score(part.X_test, part.y_test))
        return model

    fkl = judge("FKL", ke.MKLClassifier("fkl", lam="cv", t="cv", cv=3, n_jobs=1))
    lam, t = float(fkl.lam_), int(fkl.t_)
    for name, method, weight in (("IFKL", "ifkl", lam), ("IKL", "ikl", 0.0)):
        judge(name, ke.InfiniteMKLClassifier(method, "both", lam=weight, t=t, n_jobs=1))
    for name, make in FINITE.items():
        judge(name, make())
    judge("one kernel by auto, SVM", Elected())
    return {"rows": len(part.y), "accuracy": accuracy, "seconds": seconds, "lam": lam, "t": t}


class Elected:
    """An SVM of the same C with the Gaussian that `auto` elects."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Elected:
        kernel = ke.select(X, y, ke.gaussian_grid(-11, 9), n_threads=1).kernel
        self.machine = SVC(C=1.0, **kernel.params_for(SVC)).fit(X, y)
        return self

    def score(self, X: np.ndarray, y: np.ndarray) -> float:
        return float(self.machine.score(X, y))


LEARNING = Observation("learning", observe)
