"""Criteria and kernels in both worlds: the library's objects and their slow twins."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np
import reference
from problems import api_task

CLASSES = {
    "sm": "SM",
    "kta": "KTA",
    "ekta": "EKTA",
    "ckta": "CKTA",
    "fsm": "FSM",
    "kcsm": "KCSM",
    "ncut": "Ncut",
    "mmd": "MMD",
    "stability": "Stability",
}
DIRECTION = {
    "sm": 1,
    "kta": 1,
    "ekta": 1,
    "ckta": 1,
    "fsm": -1,
    "kcsm": 1,
    "ncut": -1,
    "mmd": 1,
    "stability": 0,
}
ALL_TASKS = ("binary", "multiclass", "regression")
CLASS_TASKS = ("binary", "multiclass")
BINARY = ("binary",)


@dataclass(frozen=True)
class Criterion:
    name: str
    tasks: tuple[str, ...]
    params: dict = field(default_factory=dict)

    @property
    def key(self):
        """The name under which the score table lists it."""
        written = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{self.name}({written})" if written else self.name

    @property
    def direction(self):
        return DIRECTION[self.name]

    def build(self):
        import kernelect as ke

        return getattr(ke.criteria, CLASSES[self.name])(**self.params)

    def reference(self, k, y, task="binary"):
        takes_task = self.name in ("sm", "kta", "ckta")
        options = {"task": api_task(task)} if takes_task else {}
        return getattr(reference, self.name)(k, y, **self.params, **options)


def _sm(tasks=ALL_TASKS, **params):
    return Criterion("sm", tasks, params)


CRITERIA = [
    _sm(),
    *(_sm(r=r) for r in (1, 3, 4, 5, 8)),
    *(_sm(r=r, normalization="sum") for r in (1, 3, 4)),
    _sm(normalization="sum"),
    # Plain labels have no form for regression, where there are no labels to weight.
    *(_sm(CLASS_TASKS, r=r, weighted=False) for r in (1, 3, 4)),
    _sm(CLASS_TASKS, weighted=False),
    *(_sm(CLASS_TASKS, r=r, normalization="sum", weighted=False) for r in (1, 3, 4)),
    _sm(CLASS_TASKS, normalization="sum", weighted=False),
    _sm(relative=True),
    _sm(r=3, relative=True),
    _sm(r=3, normalization="sum", relative=True),
    Criterion("kta", ALL_TASKS),
    Criterion("ekta", CLASS_TASKS),
    Criterion("ckta", ALL_TASKS),
    Criterion("ckta", BINARY, {"variant": "survey"}),
    Criterion("fsm", CLASS_TASKS),
    Criterion("kcsm", CLASS_TASKS),
    Criterion("kcsm", CLASS_TASKS, {"bounded": True}),
    Criterion("ncut", BINARY),
    Criterion("ncut", BINARY, {"variant": "shi_malik"}),
    Criterion("mmd", BINARY),
    Criterion("stability", ALL_TASKS),
]
BY_KEY = {criterion.key: criterion for criterion in CRITERIA}


def criteria_for(task):
    return [criterion for criterion in CRITERIA if task in criterion.tasks]


@dataclass(frozen=True)
class Kernel:
    name: str
    arguments: tuple

    def __str__(self):
        return f"{self.name}{self.arguments}"

    def build(self):
        import kernelect as ke

        return getattr(ke, self.name)(*self.arguments)

    def matrix(self, x, z=None):
        return getattr(reference, self.name.lower())(x, *self.arguments, z=z)


KERNELS = [
    Kernel("Gaussian", (0.3,)),
    Kernel("Gaussian", (4.0,)),
    Kernel("Laplacian", (0.4,)),
    Kernel("Matern", (0.5, 1.7)),
    Kernel("Matern", (1.5, 0.8)),
    Kernel("Matern", (2.5, 2.5)),
    Kernel("Polynomial", (3, 0.5, 1.0)),
    Kernel("Polynomial", (2, 1.0, 0.0)),
    Kernel("Linear", ()),
]


def table(x, y, kernels, criteria, task="binary", **options):
    """The library's score table for criteria of this catalogue.

    Advice to the user (a grid's edge, features of very different scales) is not what these tests
    are about; any other warning stays an error.
    """
    import kernelect as ke

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return ke.evaluate(
            x,
            y,
            kernels,
            criteria=[criterion.build() for criterion in criteria],
            task=api_task(task),
            **options,
        )


def assert_scores(result, criteria, matrices, y, task="binary", *, rtol=1e-10, atol=0.0):
    """Every score against its twin on the given Gram matrices; infinities must agree exactly."""
    for criterion in criteria:
        wanted = [float(criterion.reference(k, y, task)) for k in matrices]
        np.testing.assert_allclose(
            result.scores[criterion.key], wanted, rtol=rtol, atol=atol, err_msg=criterion.key
        )


def assert_same(first, second):
    """Bitwise equality of two score tables."""
    assert list(first.scores) == list(second.scores)
    for key, values in first.scores.items():
        assert values.tobytes() == second.scores[key].tobytes(), key
