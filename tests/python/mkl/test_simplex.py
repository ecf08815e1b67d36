"""Projections onto the simplex."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelect.mkl import project_simplex


@pytest.mark.parametrize("size", [1e15, 1e16, 1e100, 1e300])
def test_large_entries(size: float) -> None:
    np.testing.assert_array_equal(project_simplex(np.array([size, size, 0.0])), [0.5, 0.5, 0.0])
    np.testing.assert_array_equal(project_simplex(np.array([size, -size])), [1.0, 0.0])


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=12))
def test_the_projection_is_in_the_simplex_and_optimal(entries: list[float]) -> None:
    v = np.array(entries)
    d = project_simplex(v)
    assert (d >= 0.0).all()
    assert d.sum() == pytest.approx(1.0, abs=1e-12)
    # v - d is the same for all entries in use and not larger elsewhere.
    gap = (v - v.max()) - d
    used = d > 0.0
    assert np.ptp(gap[used]) <= 1e-12
    assert (gap[~used] <= gap[used].max() + 1e-12).all()
