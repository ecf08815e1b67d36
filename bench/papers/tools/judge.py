"""Test losses of every candidate, so that each choice can be compared with the best one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernelect.kernels import Kernel

from ...inside import check_target, least_squares  # type: ignore[import-not-found]
from .data import Split


def held_out_losses(
    split: Split,
    kernels: Sequence[Kernel],
    lam: object = 1.0,
    *,
    convention: str = "sum",
    bias: bool = True,
    scaling: str | None = None,
) -> np.ndarray:
    """Loss in percent of an LSSVM on the test part: kernels by lambdas."""
    points = held_out_points(split, kernels, lam, convention=convention, bias=bias, scaling=scaling)
    return np.asarray(100.0 * points.mean(axis=2))


def held_out_points(
    split: Split,
    kernels: Sequence[Kernel],
    lam: object = 1.0,
    *,
    convention: str = "sum",
    bias: bool = True,
    scaling: str | None = None,
) -> np.ndarray:
    """Loss of every row of the test part: kernels by lambdas by rows.

    Classification: errors (an output of exactly 0 counts one half for two classes, as an undecided
    answer). Regression: squared errors over the variance of the training target.
    """
    target = check_target(split.y, split.task)
    alpha, intercept, scale = least_squares(
        split.X, target, kernels, lam, convention=convention, bias=bias, scaling=scaling
    )
    points = np.empty((*alpha.shape[:2], len(split.y_test)))
    for k, kernel in enumerate(kernels):
        K = kernel(split.X_test, split.X) * float(scale[k])
        for j in range(alpha.shape[1]):
            outputs = K @ alpha[k, j] + intercept[k, j]
            points[k, j] = _points(outputs, split, target.classes)
    return points


def _points(outputs: np.ndarray, split: Split, classes: np.ndarray) -> np.ndarray:
    if split.task == "regression":
        return np.asarray((outputs[:, 0] - split.y_test) ** 2)
    if len(classes) == 2:
        signs = np.where(split.y_test == classes[1], 1.0, -1.0) * outputs[:, 0]
        return np.asarray((signs < 0) + 0.5 * (signs == 0))
    return np.asarray(classes[np.argmax(outputs, axis=1)] != split.y_test, dtype=float)
