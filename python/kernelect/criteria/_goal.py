"""By which derivatives of the core a criterion can be refined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._needs import CoreCriterion, Folds


@dataclass(frozen=True)
class Goal:
    """A criterion whose derivatives in the parameters of a kernel are known to the core.

    Attributes
    ----------
    ridge : {"loo", "log_probability", "cv", "evidence"} or None
        What is asked of a ridge system; None where there is none.
    folds : Folds or None
        Of "cv", which rows are held out.
    variance : float
        Of "evidence", its scale; 0 for that of greatest likelihood.
    form : tuple or None
        A closed form on sums over the matrix; beside a ridge system it is added.
    factor : float
        By what the closed form is multiplied; over n where it is added.
    logarithmic : bool
        Whether the value is a positive number of which the logarithm matters, as of losses and
        alignments, and not a log probability itself.
    """

    ridge: Literal["loo", "log_probability", "cv", "evidence"] | None = None
    folds: Folds | None = None
    variance: float = 0.0
    form: CoreCriterion | None = None
    factor: float = 1.0
    logarithmic: bool = True
