"""Rules of thumb for the width of a Gaussian."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from same_numbers import X, Y
from sklearn.metrics import pairwise

import kernelect as ke


def test_heuristics():
    from sklearn.svm import SVC

    machine = SVC().fit(X, Y)
    assert ke.heuristics.scale(X).gamma == pytest.approx(machine._gamma, rel=1e-12)
    assert ke.heuristics.scale(sp.csr_matrix(X)).gamma == pytest.approx(machine._gamma, rel=1e-12)
    distances = pairwise.euclidean_distances(X)[np.triu_indices(70, 1)]
    assert ke.heuristics.median(X).sigma == pytest.approx(np.median(distances), rel=0.05)
    assert ke.heuristics.median(2.0**400 * X).tau == ke.heuristics.median(X).tau * 2.0**800
