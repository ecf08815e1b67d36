"""Weights of models by their held-out residuals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from kernelect.lssvm._elections.stacking import (
    MOST,
    cross_fitted,
    residual_products,
    share_kept,
    shrink,
    stack,
)

RANDOM = np.random.default_rng(11)


def _models(rows=400, columns=2, shared=1.0, own=(0.5, 0.6, 0.7)):
    """Residuals that have a part in common, and parts of their own that mixtures average out."""
    common = shared * RANDOM.normal(size=(rows, columns))
    return np.array([common + size * RANDOM.normal(size=(rows, columns)) for size in own])


def test_fitted_weights_are_the_best_of_the_simplex():
    residuals = _models(rows=100_000)
    found = stack(residual_products(residuals), 0)

    def loss(free):
        weights = np.array([1.0 - free.sum(), *free])
        return np.mean(np.tensordot(weights, residuals, 1) ** 2)

    best = minimize(loss, [0.3, 0.3], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 0}).x
    np.testing.assert_allclose(found[1:], best, atol=1e-3)
    assert found.sum() == pytest.approx(1.0)


def test_what_chance_gives_is_shrunk_away():
    kept = []
    for _ in range(50):
        residuals = RANDOM.normal(size=(1, 40, 1)) + 0.1 * RANDOM.normal(size=(4, 40, 1))
        residuals[0] = residuals.mean(axis=0)  # no mixture is better but by chance
        unseen = cross_fitted(residuals, np.array_split(np.arange(40), 10), 0)
        kept.append(share_kept(unseen, residuals[0]))
    assert np.median(kept) == 0.0
    assert np.mean(kept) < 0.5


def test_the_share_kept_is_the_best_on_the_line_or_all_where_that_gains():
    elected = RANDOM.normal(size=(300, 2))
    step = RANDOM.normal(size=(300, 2))
    step *= (elected * step).sum() / (step**2).sum()  # the least residual is at the whole step
    for share, wanted in ((0.3, 0.3), (0.49, 0.49), (0.51, 1.0), (2.0, 1.0), (-1.0, 0.0)):
        assert share_kept(elected - step / share, elected) == pytest.approx(wanted)
    assert share_kept(elected, elected) == 0.0
    assert share_kept(elected * (1.0 - 1e-15), elected) == 0.0


def test_shrunk_weights_add_up_and_stay_few():
    weights = np.array([0.0, 0.3, 0.25, 0.2, 0.15, 0.1])
    shrunk = shrink(weights, 0.5, 0)
    assert shrunk.sum() == pytest.approx(1.0)
    assert np.count_nonzero(shrunk) == MOST
    assert shrunk[5] == 0.0 < shrunk[4]
    assert shrunk[0] > 0.5
    np.testing.assert_array_equal(shrink(weights, 1.0, 0), weights)
    np.testing.assert_array_equal(shrink(weights, 0.0, 0), np.eye(6)[0])


def test_a_much_better_model_takes_the_place_of_the_elected_one():
    residuals = np.array([RANDOM.normal(size=(500, 1)), 0.1 * RANDOM.normal(size=(500, 1))])
    np.testing.assert_array_equal(stack(residual_products(residuals), 0), [0.0, 1.0])


def test_a_model_without_a_residual_and_hopeless_ones():
    exact = np.array([RANDOM.normal(size=(9, 1)), np.zeros((9, 1))])
    np.testing.assert_array_equal(stack(residual_products(exact), 0), [0.0, 1.0])
    np.testing.assert_array_equal(stack(residual_products(exact), 1), [0.0, 1.0])
    apart = np.concatenate([1e-9 * _models(), 1e9 * _models()])
    found = stack(residual_products(apart), 0)
    assert not found[3:].any()
    assert found[:3].sum() == pytest.approx(1.0)


def test_members_are_few():
    residuals = RANDOM.normal(size=(12, 3000, 1))
    weights = stack(residual_products(residuals), 7)
    assert np.count_nonzero(weights) == MOST
    assert weights.sum() == pytest.approx(1.0)
    assert (weights >= 0.0).all()


def test_the_same_model_twice_does_no_harm():
    residuals = _models()
    twice = np.concatenate([residuals, residuals])
    losses = [
        np.mean(np.tensordot(stack(residual_products(own), 0), own, 1) ** 2)
        for own in (twice, residuals)
    ]
    assert losses[0] == pytest.approx(losses[1], rel=0.02)


def test_cross_fitted_residuals_are_by_weights_that_have_not_seen_them():
    residuals = _models(rows=90)
    folds = np.array_split(RANDOM.permutation(90), 4)
    found = cross_fitted(residuals, folds, 1)
    for fold in folds:
        rest = np.delete(residuals, fold, axis=1)
        weights = stack(residual_products(rest), 1)
        np.testing.assert_allclose(found[fold], np.tensordot(weights, residuals[:, fold], 1))
