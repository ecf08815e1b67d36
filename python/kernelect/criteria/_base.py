"""What every criterion says about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._data.target import Target
from .._support.arrays import FloatArray
from .._support.remedy import Remedy, advised
from ._column import Column
from ._evidence import Evidence
from ._goal import Goal
from ._needs import Needs


@dataclass(frozen=True, repr=False)
class Criterion(ABC):
    """A formula on evidence about a kernel matrix.

    A criterion has a `name`, a `direction` (+1: larger is better, -1: smaller is better, 0: a
    diagnostic without one), says by `needs` what evidence it is a function of, and turns that
    evidence into a `Column` by `column`. Further class attributes say for which tasks there is a
    formula (`multiclass`, `regression`), whether the time for one candidate grows as n^3 (`cubic`)
    or as n^2, whether there is a value for every lambda (`regularised`), whether ``sample_weight``
    plays a part (`weighs_rows`), and what is said where a value is not a number (`undefined`).
    """

    name: ClassVar[str]
    multiclass: ClassVar[bool] = True
    regression: ClassVar[bool] = False
    cubic: ClassVar[bool] = True
    regularised: ClassVar[bool] = False
    weighs_rows: ClassVar[bool] = False
    undefined: ClassVar[str] = "the value is not a number"

    @property
    @abstractmethod
    def direction(self) -> int:
        """+1: larger is better, -1: smaller is better, 0: a diagnostic."""

    @abstractmethod
    def needs(self) -> Needs:
        """Say what evidence the formula is a function of."""

    @abstractmethod
    def column(self, evidence: Evidence) -> Column:
        """Compute the values of all candidates; `scored` makes a column of them.

        Parameters
        ----------
        evidence : Evidence
            What `needs` asked for, and perhaps more.

        Returns
        -------
        Column
            With values of shape (candidates,), or (candidates, lambdas) for a criterion that is
            `regularised`.
        """

    def scored(
        self,
        values: ArrayLike,
        *,
        reasons: Sequence[str | None] | None = None,
        ties: FloatArray | None = None,
        errors: FloatArray | None = None,
    ) -> Column:
        """Make a column of values.

        Parameters
        ----------
        values : array-like of shape (candidates,) or (candidates, lambdas)
            NaN where the formula is undefined, which becomes the worst value.
        reasons : list of str or None, optional
            Why a candidate has no value, None where it has one.
        ties : ndarray, optional
            Breaks ties of equal values; smaller is better.
        errors : ndarray, optional
            Standard errors.

        Returns
        -------
        Column
            Under this criterion's key.
        """
        numbers = np.asarray(values, dtype=np.float64)
        given: list[str | None] = [None] * len(numbers) if reasons is None else list(reasons)
        missing = np.isnan(numbers)
        if missing.any():
            if not self.regularised:  # of ridge systems it is known why they have no solution
                given = [
                    self.undefined if reason is None and gone else reason
                    for reason, gone in zip(given, missing, strict=True)
                ]
            # Large values of a criterion without a direction are those of kernels out of range.
            worst = -np.inf * self.direction if self.direction else np.inf
            numbers = np.where(missing, worst, numbers)
        return Column(
            self.key, self.direction, numbers, given, ties=ties, errors=errors, label=self.label
        )

    @property
    def key(self) -> str:
        """Name in results, with the parameters that are not at their default."""
        shown = [
            f"{name}={self._printed(name)}"
            for name, default in _defaults(type(self))
            if getattr(self, name) != default
        ]
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    @property
    def label(self) -> str:
        """What text calls the value."""
        return self.key

    @property
    def standard_errors(self) -> bool:
        """Whether the values come with standard errors."""
        return False

    def goal(self) -> Goal | None:
        """Say by which derivatives of the core kernels are refined; None where there are none."""
        return None

    def with_scoring(self, scoring: str) -> Criterion:
        """Return the criterion that gives a scikit-learn score, itself where there is none."""
        return self

    def beside_identity(self) -> Criterion | None:
        """Return the criterion in units of its value for the identity kernel, or None."""
        return None

    def _printed(self, name: str) -> str:
        """Return a parameter as keys show it."""
        return repr(getattr(self, name))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.key[len(self.name) :] or '()'}"

    def applies_to(self, task: str, n_classes: int) -> bool:
        """Whether there is a formula for such a target."""
        if task == "regression":
            return self.regression
        return n_classes <= 2 or self.multiclass

    def check_target(self, target: Target) -> None:
        """Raise unless there is a formula for this target."""
        if self.applies_to(target.task, target.n_classes):
            return
        if target.task == "regression":
            raise advised(
                ValueError,
                f"{self.key} is defined for classification only, and y was taken for regression",
                Remedy(
                    "pass task='classification' if it holds labels",
                    "pass --task classification if it holds labels",
                ),
            )
        raise ValueError(
            f"{self.key} is defined for two classes only, and y has {target.n_classes}; "
            f"kernelect.criteria.names({target.task!r}, {target.n_classes}) lists what applies"
        )


@cache  # keys are asked for many times in every call
def _defaults(kind: type[Criterion]) -> tuple[tuple[str, Any], ...]:
    return tuple((item.name, item.default) for item in fields(kind))
