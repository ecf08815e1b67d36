"""Rules of thumb for the width of a Gaussian."""

from __future__ import annotations

import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from refusals import refuses
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


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("unit", [1e160, 1e300, 1e-160, 1e-200, 1e-310])
@pytest.mark.parametrize("heuristic", [ke.heuristics.scale, ke.heuristics.median])
def test_rows_whose_squares_are_out_of_range(heuristic, unit, form):
    """Sparse rows of 1e160, and all of 1e-200, had the width of constant ones."""
    refuses(lambda: heuristic(form(unit * X)), ValueError, "leave the range of floating point")


def test_sparse_rows_far_from_zero():
    """The difference of two large numbers was taken for the variance."""
    far = 1e9 + X
    assert ke.heuristics.scale(sp.csr_matrix(far)).tau == pytest.approx(
        ke.heuristics.scale(far).tau, rel=1e-9
    )


@pytest.mark.parametrize("unit", [1e160, 1e300, 1e-160, 1e-300])
@pytest.mark.parametrize("kernel", ["committee", "best", "refined"])
def test_learners_of_rows_whose_squares_are_out_of_range(kernel, unit):
    """A tau that nobody gave was called infinite, or a rate not a number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = ke.LSSVMClassifier(kernel).fit(unit * X, Y)
    assert np.isfinite(model.decision_function(unit * X)).all()


@pytest.mark.parametrize(
    "use",
    [
        lambda x, y: ke.evaluate(x, y, "auto", "kta"),
        lambda x, y: ke.LSSVMClassifier("auto").fit(x, y),
        lambda x, y: ke.heuristics.median(x),
    ],
    ids=["auto", "learner", "median"],
)
def test_wide_sparse_rows_stay_sparse(use):
    """A dense pair of rows would take 32 MB."""
    random = np.random.default_rng(0)
    places = np.sort(random.integers(0, 2**21, (60, 16)), axis=1).ravel()
    wide = sp.csr_matrix((random.normal(size=960), places, np.arange(0, 961, 16)), (60, 2**21))
    tracemalloc.start()
    try:
        use(wide, np.arange(60) % 2)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10e6
    narrow = sp.csr_matrix(X)
    assert ke.heuristics.median(narrow).tau == pytest.approx(ke.heuristics.median(X).tau, rel=1e-12)
