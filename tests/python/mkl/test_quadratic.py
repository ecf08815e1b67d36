"""The small quadratic programs, and projections, against their optimality conditions."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernelect.mkl import project_simplex
from kernelect.mkl._solvers.quadratic import minimize_quadratic
from kernelect.mkl._solvers.simplex import clip_and_normalise


@settings(max_examples=200, deadline=None)
@given(
    size=st.integers(1, 12),
    rank=st.integers(0, 12),
    seed=st.integers(0, 10_000),
    simplex=st.booleans(),
)
# Of rank 1 or 2, where solutions were once too rough.
@example(size=6, rank=2, seed=386181, simplex=True)
@example(size=12, rank=1, seed=225224, simplex=True)
@example(size=9, rank=1, seed=26928, simplex=True)
def test_optimality(size, rank, seed, simplex):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(size, rank))
    H = A @ A.T
    if not simplex:  # otherwise unbounded below
        H = H + 0.1 * np.eye(size)
    c = rng.normal(size=size) * 10.0 ** rng.integers(-3, 4)
    x = minimize_quadratic(c, H, simplex=simplex)
    check_optimal(x, c, H, simplex)
    # From somewhere else.
    start = np.zeros(size)
    start[: size // 2] = rng.dirichlet(np.ones(size // 2)) if size > 1 else 0.0
    start[0] = 1.0 - start[1:].sum()
    check_optimal(minimize_quadratic(c, H, simplex=simplex, start=start), c, H, simplex)


def check_optimal(x, c, H, simplex):
    assert (x >= 0.0).all()
    gradient = c + H @ x
    scale = max(np.abs(c).max(), np.abs(H).max())
    if simplex:
        assert x.sum() == pytest.approx(1.0)
        gradient = gradient - gradient.min()
    assert gradient.min() >= -1e-8 * scale
    assert np.abs(gradient * x).max() <= 1e-7 * scale * max(1.0, x.max())


def test_equal_variables_share():
    H = np.ones((3, 3))
    x = minimize_quadratic(np.array([-1.0, -1.0, 5.0]), H, simplex=True)
    assert x[2] == 0.0
    assert x.sum() == pytest.approx(1.0)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-5.0, 5.0), min_size=1, max_size=9))
def test_simplex_projection(values):
    v = np.array(values)
    x = project_simplex(v)
    assert x.sum() == pytest.approx(1.0)
    assert (x >= 0.0).all()
    # The nearest point: v - x makes no acute angle with any direction into the simplex.
    for corner in np.eye(len(v)):
        assert (v - x) @ (corner - x) <= 1e-9


def test_the_printed_projection():
    assert clip_and_normalise(np.array([3.0, -1.0, 1.0])) == pytest.approx([0.75, 0.0, 0.25])
    assert clip_and_normalise(np.array([-1.0, -2.0])) == pytest.approx([0.5, 0.5])
