"""Landmark models by honest retraining, with Nystroem's matrix whole in place of the kernel's."""

from __future__ import annotations

import numpy as np

from .numbers import solve
from .ridge import retrained


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


def what_is_left(k, landmarks):
    """The mean of k(x, x) that the landmarks do not see."""
    return np.diag(k - nystroem(k, landmarks)).mean()
