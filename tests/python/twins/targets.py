"""Targets as numbers: indicators, signs and the columns that a ridge system fits."""

from __future__ import annotations

import numpy as np

from .numbers import as_type_of


def indicators(k, y):
    """One-hot columns Z, in the sorted order of the labels."""
    return as_type_of(k, np.asarray(y)[:, None] == np.unique(y)[None, :])


def signs(k, y):
    """The binary labels as +1 (the label that sorts first) and -1."""
    z = indicators(k, y)
    if z.shape[1] != 2:
        raise ValueError(f"two classes are wanted, got {z.shape[1]}")
    return z[:, 0] - z[:, 1]


def columns(k, y, task="classification"):
    """What is fitted: numbers, +1 for the second of two classes, or each class against the rest."""
    if task == "regression":
        y = as_type_of(k, y)
        return y.reshape(len(y), -1)
    z = 2 * indicators(k, y) - 1
    return z[:, 1:] if z.shape[1] == 2 else z
