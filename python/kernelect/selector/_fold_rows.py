"""Rows as the folds of a support vector machine take them, and what it loses on others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from .._support.arrays import FloatArray, IntArray
from ..kernels import Gaussian

# Up to this many rows their kernel matrix, 32 MB, is made for folds: LIBSVM computes a value at a
# time, and again for every machine, which takes longer than its iterations where columns are many.
FEW = 2000


@dataclass(frozen=True)
class Rows:
    """Rows as a machine takes them.

    Attributes
    ----------
    rows : array-like
        Rows, or a kernel matrix of them.
    pairwise : bool
        Whether it is a matrix.
    y : ndarray
        Labels or numbers.
    fit_params : dict
        Metadata for the fit, such as sample_weight.
    weights : ndarray or None
        How much each row counts, by sample_weight and class_weight.
    """

    rows: Any
    pairwise: bool
    y: NDArray[Any]
    fit_params: dict[str, Any]
    weights: FloatArray | None

    @cached_property
    def several(self) -> bool:
        """Whether there are more than two labels."""
        return len(np.unique(self.y)) > 2

    def fit(self, machine: Any, train: IntArray) -> None:
        """Fit a machine to some of the rows."""
        given = {
            name: np.asarray(value)[train] if np.shape(value)[:1] == self.y.shape[:1] else value
            for name, value in self.fit_params.items()
        }
        rows = self.rows[np.ix_(train, train)] if self.pairwise else self.rows[train]
        machine.fit(rows, self.y[train], **given)

    def losses(self, machine: Any, train: IntArray, test: IntArray) -> FloatArray:
        """Squared errors, or squared hinge losses, of rows that a machine has not seen."""
        rows = self.rows[np.ix_(test, train)] if self.pairwise else self.rows[test]
        if hasattr(machine, "classes_"):
            return squared_hinge(machine.decision_function(rows), machine.classes_, self.y[test])
        return np.asarray((machine.predict(rows) - self.y[test]) ** 2, dtype=np.float64)

    def mean(self, values: FloatArray, places: IntArray) -> float:
        """Mean over some rows, as they count."""
        return float(
            np.average(values, weights=None if self.weights is None else self.weights[places])
        )


def squared_hinge(decisions: FloatArray, classes: NDArray[Any], labels: NDArray[Any]) -> FloatArray:
    """Squared hinge losses of rows; of several classes the mean over those that its own is up to.

    Parameters
    ----------
    decisions : ndarray of shape (n,) or (n, pairs)
        Of two classes positive for the second; of more, for each two the first against the second.
    classes : ndarray
        The classes, sorted.
    labels : ndarray of shape (n,)
        What the rows are. One of a class that was not learnt loses 1 whatever is decided.
    """
    if decisions.ndim == 1:
        first, second, decisions = np.array([1]), np.array([0]), decisions[:, None]
    else:
        first, second = np.triu_indices(len(classes), 1)
    signs = (labels[:, None] == classes[first]).astype(np.float64)
    signs -= labels[:, None] == classes[second]
    losses = np.abs(signs) * np.maximum(0.0, 1.0 - signs * decisions) ** 2
    known = np.abs(signs).sum(axis=1)
    return np.where(known > 0.0, losses.sum(axis=1) / np.maximum(known, 1.0), 1.0)


@dataclass
class AsMatrices:
    """Machines with a Gaussian as machines on its matrix, which those of one width share.

    Attributes
    ----------
    rows : Rows
        What they are fitted to.
    """

    rows: Rows
    _gamma: float | None = field(default=None, init=False)
    _made: Rows | None = field(default=None, init=False)

    def given(self, machine: Any) -> Rows:
        """Return what a machine is to be fitted to, and turn it into one that takes that."""
        few = len(self.rows.y) <= FEW and not self.rows.pairwise
        numeric = isinstance(getattr(machine, "gamma", None), float)
        if not (few and numeric and machine.kernel in ("rbf", "precomputed")):
            return self.rows
        if issparse(self.rows.rows):
            return self.rows
        if self._made is None or machine.gamma != self._gamma:
            matrix = Gaussian(gamma=machine.gamma)(self.rows.rows)
            self._gamma, self._made = machine.gamma, replace(self.rows, rows=matrix, pairwise=True)
        machine.set_params(kernel="precomputed")
        return self._made
