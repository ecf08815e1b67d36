"""Landmark models by honest retraining, with Nystroem's matrix whole in place of the kernel's."""

from __future__ import annotations

import numpy as np

from .numbers import solve
from .ridge import hat, left_out_variance, retrained


def nystroem(k, landmarks):
    """The kernel as far as the landmarks see it: K_nm K_mm^-1 K_mn."""
    cross = k[:, landmarks]
    return cross @ solve(k[np.ix_(landmarks, landmarks)], cross.T)


def landmark_outputs(k, targets, landmarks, tests, *, drop=True, **how):
    """Outputs at each test part of a model without it, and without its landmarks if `drop`."""
    outputs = np.full(targets.shape, np.nan, dtype=k.dtype)
    for test in tests:
        kept = landmarks[~np.isin(landmarks, test)] if drop else landmarks
        outputs[test] = retrained(nystroem(k, kept), targets, test, **how)
    return outputs


def landmark_variances(k, landmarks, **how):
    """Of each left-out target: landmarks, without its row, see no more of that than they do."""
    found = []
    for i in range(len(k)):
        near = nystroem(k, landmarks[landmarks != i])
        near[i, i] = k[i, i]
        found.append(left_out_variance(near, i, **how))
    return np.array(found)


def series_outputs(k, targets, landmarks, tests, *, order, ridges, bias=True):
    """Outputs at each test part by a series in the smoother of the fit on all rows."""
    n, smoother = len(k), hat(nystroem(k, landmarks), ridges, bias)
    outputs = np.full(targets.shape, np.nan)
    for test in tests:
        weights = np.full((n, 1), -len(test) / (n - len(test)))
        weights[test] = 1.0
        found = smoother @ targets
        term = found - targets
        for _ in range(order):
            term = smoother @ (weights * term)
            found = found + term
        outputs[test] = found[test]
    return outputs


def what_is_left(k, landmarks):
    """The mean of k(x, x) that the landmarks do not see."""
    return np.diag(k - nystroem(k, landmarks)).mean()
