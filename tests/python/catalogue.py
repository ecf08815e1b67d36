"""Criteria of all three kinds of evidence: the library's objects and their slow twins.

A new criterion is one line in `MOMENTS`, `SPECTRUM` or `RIDGE`: its object, its twin, its direction
(+1: larger is better, -1: smaller, 0: neither) and the tasks it has a form for. The tests against
twins, for invariances, precision, determinism, forms of input, degenerate kernels and JSON then
include it.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
import twins
from problems import api_task
from sklearn.model_selection import PredefinedSplit

import kernelect as ke
from kernelect import criteria as made

ALL_TASKS = ("binary", "multiclass", "regression")
CLASS_TASKS = ("binary", "multiclass")
BINARY = ("binary",)


def _exact(wanted):
    """Sums over the kernel matrix keep nearly all their digits."""
    return 1e-10


def _solved(wanted):
    """Eigenvalues and solutions of equations."""
    return 1e-9


def _ratio(wanted):
    """The smaller the rest of the spectrum, the fewer of its digits are left in 1 - PEP."""
    return 1e-9 * (1 + wanted)


@dataclass(frozen=True)
class Criterion:
    object: made.Criterion
    twin: Callable
    direction: int
    tasks: tuple[str, ...]
    kind: str
    precision: Callable = _exact

    @property
    def name(self):
        return self.object.name

    @property
    def key(self):
        """The name under which the score table lists it."""
        return self.object.key

    def __str__(self):
        return self.key

    def build(self):
        return self.object

    def reference(self, k, y, task="binary", **known):
        """The twin's value; of what is known it is given what it asks for."""
        known = {"folds": fold_numbers(y), "x": None, "kernel": None, **known}
        known["task"] = api_task(task)
        asked = inspect.signature(self.twin).parameters
        given = {name: value for name, value in known.items() if name in asked}
        given |= {item.name: getattr(self.object, item.name) for item in fields(self.object)
                  if item.name in asked and item.name not in known}  # fmt: skip
        return self.twin(k, y, **given) if "y" in asked else self.twin(k, **given)


def _moments(twin, direction, tasks, *objects):
    return [Criterion(item, twin, direction, tasks, "moments") for item in objects]


def _spectrum(twin, direction, *objects, tasks=ALL_TASKS, precision=_solved):
    return [Criterion(item, twin, direction, tasks, "spectrum", precision) for item in objects]


def _ridge(twin, *objects, tasks=ALL_TASKS, direction=-1):
    return [Criterion(item, twin, direction, tasks, "ridge", _solved) for item in objects]


SM = made.SM
MOMENTS = [
    *_moments(twins.sm, 1, ALL_TASKS, SM(), *(SM(r=r) for r in (1, 3, 4, 5, 8))),
    *_moments(twins.sm, 1, ALL_TASKS, *(SM(r=r, normalization="sum") for r in (1, 3, 4, 2))),
    # Plain labels have no form for regression, where there are no labels to weight.
    *_moments(twins.sm, 1, CLASS_TASKS, *(SM(r=r, weighted=False) for r in (1, 3, 4, 2))),
    *_moments(
        twins.sm,
        1,
        CLASS_TASKS,
        *(SM(r=r, normalization="sum", weighted=False) for r in (1, 3, 4, 2)),
    ),
    *_moments(twins.sm, 1, ALL_TASKS, SM(relative=True), SM(r=3, relative=True)),
    *_moments(twins.sm, 1, ALL_TASKS, SM(r=3, normalization="sum", relative=True)),
    *_moments(twins.kta, 1, ALL_TASKS, made.KTA()),
    *_moments(twins.ekta, 1, CLASS_TASKS, made.EKTA()),
    *_moments(twins.ckta, 1, ALL_TASKS, made.CKTA()),
    *_moments(twins.ckta, 1, BINARY, made.CKTA("survey")),
    *_moments(twins.fsm, -1, CLASS_TASKS, made.FSM()),
    *_moments(twins.kcsm, 1, CLASS_TASKS, made.KCSM(), made.KCSM(bounded=True)),
    *_moments(twins.ncut, -1, BINARY, made.Ncut(), made.Ncut("shi_malik")),
    *_moments(twins.mmd, 1, BINARY, made.MMD()),
    *_moments(twins.stability, 0, ALL_TASKS, made.Stability()),
]
SPECTRUM = [
    *_spectrum(twins.pep, 0, made.PEP(), made.PEP(t=2)),
    *_spectrum(twins.er_ratio, 0, made.ERRatio(t=2), precision=_ratio),
    *_spectrum(twins.er, -1, made.ER(), made.ER(t=2, eta=0.5)),
    *_spectrum(twins.ep, -1, made.EP(), made.EP(eta=0.3, p=1)),
    *_spectrum(twins.sm_hinge, 1, made.SMHinge(h=0.1), made.SMHinge(h=0.03, normalization="sum")),
    *_spectrum(twins.sm_hinge, 1, made.SMHinge(h=0.1, weighted=False), tasks=CLASS_TASKS),
    *_spectrum(
        twins.sm_hinge,
        1,
        made.SMHinge(h=0.1, normalization="sum", weighted=False),
        tasks=CLASS_TASKS,
    ),
    *_spectrum(twins.sm_phi, 1, made.SMPhi(phi=np.square)),
    *_spectrum(twins.sm_phi, 1, made.SMPhi(phi=np.square, steps=5, normalization="sum")),
]
RIDGE = [
    *_ridge(twins.loo, made.LOO()),
    *_ridge(twins.loo, made.LOO(loss="zero_one"), tasks=CLASS_TASKS),
    *_ridge(twins.log_probability, made.LOO(loss="log_probability")),
    *_ridge(twins.cv, made.CV()),
    *_ridge(twins.cv, made.CV(loss="zero_one"), tasks=CLASS_TASKS),
    *_ridge(twins.gcv, made.GCV()),
    *_ridge(twins.evidence, made.MarginalLikelihood(), made.MarginalLikelihood(2.0), direction=1),
    *_ridge(twins.br, made.BR()),
    *_ridge(twins.bif, made.BIF(), made.BIF(order=1)),
    *_ridge(twins.ks, made.KS(), made.KS(eta=0.25)),
]
CRITERIA = MOMENTS + SPECTRUM + RIDGE
BY_KEY = {criterion.key: criterion for criterion in CRITERIA}


def criteria_for(task, criteria=CRITERIA):
    return [criterion for criterion in criteria if task in criterion.tasks]


def fold_numbers(y, count=5):
    """The fold of each row: each class is spread over all folds."""
    numbers = np.empty(len(y), dtype=int)
    numbers[np.argsort(np.asarray(y), kind="stable")] = np.arange(len(y)) % count
    return numbers


def table(x, y, kernels, criteria, task="binary", *, folds=None, **options):
    """The library's score table for criteria of this catalogue.

    Advice to the user (a grid's edge, features of very different scales) is not what these tests
    are about; any other warning stays an error.
    """
    splits = PredefinedSplit(fold_numbers(y) if folds is None else folds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return ke.evaluate(
            x,
            y,
            kernels,
            criteria=[criterion.build() for criterion in criteria],
            task=api_task(task),
            folds=splits,
            **options,
        )


def assert_scores(result, criteria, matrices, y, task="binary", *, x=None, rtol=1e-10, atol=0.0):
    """Every score against its twin on the given Gram matrices; infinities must agree exactly."""
    for criterion in criteria:
        for place, (k, kernel) in enumerate(zip(matrices, result.kernels, strict=True)):
            wanted = float(criterion.reference(k, y, task, x=x, kernel=kernel))
            np.testing.assert_allclose(
                result.scores[criterion.key][place],
                wanted,
                rtol=max(rtol, criterion.precision(wanted)) if np.isfinite(wanted) else 0.0,
                atol=atol,
                err_msg=f"{criterion.key} of {kernel}",
            )


def assert_same(first, second):
    """Bitwise equality of two score tables."""
    assert list(first.scores) == list(second.scores)
    for key, values in first.scores.items():
        assert values.tobytes() == second.scores[key].tobytes(), key
