"""A support vector machine with a Gaussian, trained on the Gaussian's matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._support.arrays import FloatArray
from ..kernels import Gaussian
from ._fold_rows import FEW
from ._hand_over import is_libsvm

# Rows whose outputs are compared, and how near they are, relative to the largest.
_LOOKED_AT, _NEAR = 5, 1e-6


def takes_matrix(machine: Any, rows: Any, routed: dict[str, Any]) -> bool:
    """Whether a machine can be trained so, and whether that saves time.

    Only scikit-learn's own machines are known well enough to be given their rows back. With weights
    of rows they may leave some out, and count the others in another way.
    """
    own = is_libsvm(machine) and type(machine).__module__.startswith("sklearn.svm.")
    if not own or routed or not isinstance(rows, np.ndarray):
        return False
    numeric = isinstance(machine.gamma, float)
    return machine.kernel == "rbf" and numeric and rows.ndim == 2 and len(rows) <= FEW


def fit_on_matrix(machine: Any, rows: Any, y: Any) -> None:
    """Fit a machine to rows by way of their kernel matrix; it is then what `fit` makes of it.

    LIBSVM computes a value of the kernel at a time, and takes much longer for that than for its
    iterations where columns are many: 1,000 rows of usps took 212 ms, and 66 ms this way.
    """
    matrix = Gaussian(gamma=machine.gamma)(rows)
    machine.set_params(kernel="precomputed")
    try:
        machine.fit(matrix, y)
        expected = _outputs(machine, matrix[:_LOOKED_AT])
    finally:
        machine.set_params(kernel="rbf")
    if not _takes_rows(machine, rows, expected):
        machine.fit(rows, y)


def _takes_rows(machine: Any, rows: Any, expected: FloatArray) -> bool:
    """Whether a machine that is given rows in place of the matrix says what it said before.

    How scikit-learn keeps them is not part of its interface, and may change with its versions.
    """
    machine._gamma = machine.gamma
    machine.support_vectors_ = np.ascontiguousarray(rows[machine.support_], dtype=np.float64)
    machine.n_features_in_, machine.shape_fit_ = rows.shape[1], rows.shape
    try:
        found = _outputs(machine, rows[:_LOOKED_AT])
    except (AttributeError, ValueError):
        return False
    near = _NEAR * np.abs(expected).max()
    return found.shape == expected.shape and np.allclose(found, expected, rtol=0.0, atol=near)


def _outputs(machine: Any, rows: Any) -> FloatArray:
    outputs: FloatArray = getattr(machine, "decision_function", machine.predict)(rows)
    return outputs


__all__ = ["fit_on_matrix", "takes_matrix"]
