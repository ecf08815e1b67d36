"""The shortlist of a regression goes on where its winner stands at an end."""

import numpy as np
import pytest

import kernelect as ke

GRID = ke.gaussian_grid(-4, 14)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_small_lambda_wants_kernels_wider_than_the_screening_thinks(weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5))
    y = X @ rng.normal(size=5) + 0.5 * rng.normal(size=150)
    weights = rng.integers(1, 3, size=150) if weighted else None
    how = {"lam": 1e-3, "sample_weight": weights}
    chosen = ke.select(X, y, GRID, **how)
    best = ke.select(X, y, GRID, "loo", **how)
    screened = [ke.select(X, y, GRID, c).index for c in ("kta", ke.criteria.SM(r=1))]
    assert best.index > max(screened) + 1
    assert chosen.index == best.index
    assert chosen.score == best.score
    assert chosen.verified == list(range(min(screened) - 1, best.index + 2))
