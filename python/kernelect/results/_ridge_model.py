"""The model that a held-out loss judged, and what other estimators call its regularisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._support.arguments import check_choice, check_flag, check_number, check_whole
from ..kernels._base import parameter_names

if TYPE_CHECKING:
    from .._data.target import Target

# SVR's own defaults, which are made for targets of unit variance.
_EPSILON, _TOLERANCE = 0.1, 1e-3


@dataclass(frozen=True)
class RidgeModel:
    """The least-squares model that was judged: ``sum(loss) + ridge |f|^2`` on all rows.

    Attributes
    ----------
    lam : float
        Its lambda.
    rows : int
        On how many rows it was fitted.
    lam_convention : {"sum", "mean"}
        Whether the ridge is lambda, or lambda times the rows.
    bias : bool
        With a bias term (LSSVM), or without (kernel ridge regression).
    unit : float
        The unit of y: the standard deviation of a regression's target; 1 for classes.
    """

    lam: float
    rows: int
    lam_convention: str = "sum"
    bias: bool = True
    unit: float = 1.0

    def __post_init__(self) -> None:
        check_number(self.lam, "lam", positive=True)
        check_whole(self.rows, "rows", least=1)
        check_choice(self.lam_convention, "lam_convention", ("sum", "mean"))
        check_flag(self.bias, "bias")
        check_number(self.unit, "unit", positive=True)

    @property
    def ridge(self) -> float:
        """What is added to the kernel's diagonal."""
        return self.lam * self.rows if self.lam_convention == "mean" else self.lam

    @classmethod
    def of(cls, target: Target, lam: float, *, mean: bool, bias: bool) -> RidgeModel:
        """Make the model of a lambda.

        Parameters
        ----------
        target : Target
            What it was fitted to.
        lam : float
            Its lambda.
        mean : bool
            Whether the ridge is that many times lambda as there are rows.
        bias : bool
            Whether it has a bias term.

        Returns
        -------
        RidgeModel
            With its ridge.
        """
        spread = np.std(target.values, axis=1) if target.task == "regression" else np.ones(1)
        unit = float(np.sqrt(np.mean(np.square(spread))))
        convention = "mean" if mean else "sum"
        return cls(float(lam), target.size, convention, bias, unit if unit > 0 else 1.0)

    def params_for(self, estimator: object) -> dict[str, Any]:
        """Parameters that make an estimator regularise as much as this model.

        A support vector machine minimises ``C sum(loss) + |f|^2 / 2``, a ridge system ``sum(loss) +
        ridge |f|^2``: in units of y equal weights at C = 1 / (2 ridge). The loss of `SVR` is
        absolute, not squared, so its C, epsilon and tol are multiples of that unit. Kernel ridge
        regression and Gaussian process regression add alpha = ridge to the diagonal: the same
        predictions as of a model without bias.

        Parameters
        ----------
        estimator : object
            An estimator or its class.

        Returns
        -------
        dict
            Empty where the estimator has nothing that stands for a ridge, as `NuSVC` and
            `GaussianProcessClassifier`.
        """
        names = parameter_names(estimator)
        if {"lam", "lam_convention", "bias"} <= names:
            return {"lam": self.lam, "lam_convention": self.lam_convention, "bias": self.bias}
        if "C" in names:
            regression = {"epsilon": _EPSILON, "tol": _TOLERANCE} if "epsilon" in names else {}
            scaled = {name: self.unit * default for name, default in regression.items()}
            return {"C": self.unit * 0.5 / self.ridge, **scaled}
        # The alpha of a transformer such as KernelPCA is another thing.
        return {"alpha": self.ridge} if "alpha" in names and hasattr(estimator, "score") else {}
