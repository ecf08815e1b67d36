"""What every criterion says about itself."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import numpy as np

from .._data.target import Target
from .._support.remedy import Remedy, advised

Evidence = Literal["moments", "spectrum", "ridge"]


@dataclass(frozen=True, repr=False)
class Criterion:
    """A formula on evidence about a kernel matrix.

    Class attributes say what results need to know: `name`, `direction` (+1: larger is better, -1:
    smaller is better, 0: a diagnostic without one), the kind of `evidence`, for which tasks there
    is a formula, whether the time for one candidate grows as n^3 (`cubic`) or as n^2, and whether
    there is a value for every lambda (`regularised`).
    """

    name: ClassVar[str]
    direction: ClassVar[int]
    evidence: ClassVar[Evidence]
    multiclass: ClassVar[bool] = True
    regression: ClassVar[bool] = False
    unlabelled: ClassVar[bool] = False
    cubic: ClassVar[bool] = True
    regularised: ClassVar[bool] = False

    @property
    def key(self) -> str:
        """Name in results, with the parameters that are not at their default."""
        shown = [
            f"{item.name}={self._printed(item.name)}"
            for item in fields(self)
            if getattr(self, item.name) != item.default
        ]
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    def _printed(self, name: str) -> str:
        """Give a parameter as keys show it."""
        return repr(getattr(self, name))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.key[len(self.name) :] or '()'}"

    def sense(self) -> int:
        """Tell the direction with these parameters."""
        return self.direction

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


def choice(value: Any, name: str, options: tuple[str, ...], owner: str) -> None:
    """Raise unless `value` is one of the options."""
    if not isinstance(value, str) or value not in options:
        wanted = " or ".join(repr(option) for option in options)
        raise ValueError(f"{owner}: {name} must be {wanted}, not {value!r}")


def flag(value: Any, name: str, owner: str) -> bool:
    """Check a parameter that is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{owner}: {name} must be True or False, not {value!r}")
    return bool(value)
