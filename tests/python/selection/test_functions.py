"""Evaluate and select: one answer, and the warnings that come with it."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from problems import problem
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

import kernelect as ke

X, Y = problem("binary", n=50, d=3)
GRID = ke.gaussian_grid(-4, 6)


@pytest.mark.parametrize("criterion", ["sm", "kta", "fsm", "loo", ke.criteria.SM(r=3)])
def test_select_and_evaluate_agree(criterion):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        chosen = ke.select(X, Y, GRID, criterion)
    best = ke.evaluate(X, Y, GRID, criterion).best()
    assert chosen.score == pytest.approx(best.score, rel=1e-12)
    assert chosen.kernel == best.kernel


def warned(action):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    for warning in caught:
        assert warning.category is UserWarning
        assert warning.filename == __file__  # where the user called, not inside the library
        assert "\n" not in str(warning.message)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        (
            ke.gaussian_grid(5, 9),
            (
                "the winner Gaussian(tau=2^5) stands at the edge of the grid; "
                "add smaller values of tau"
            ),
        ),
        (
            ke.gaussian_grid(-9, -3)[::-1],
            (
                "the winner Gaussian(tau=0.125) stands at the edge of the grid; "
                "add larger values of tau"
            ),
        ),
        (ke.gaussian_grid(5, 9), "for example gaussian_grid(-3, 9), or kernels='auto'"),
        (ke.gaussian_grid(-9, -3), "for example gaussian_grid(-9, 5), or kernels='auto'"),
        (ke.gaussian_grid(5, 7, 0.5), "for example gaussian_grid(-3, 7, 0.5), or kernels='auto'"),
        (
            [ke.Gaussian(t) for t in (40.0, 100.0, 1000.0)],
            "for example gaussian_grid(-7.96578, 9.96578), or kernels='auto'",
        ),
        (
            [ke.Laplacian(g) for g in (1e-3, 1e-2, 0.1)],
            (
                "the winner Laplacian(gamma=0.1) stands at the edge of the grid; "
                "add larger values of gamma"
            ),
        ),
        (
            [ke.Laplacian(g) for g in (10.0, 100.0, 1e3)],
            "edge of the grid; add smaller values of gamma",
        ),
        (
            [ke.Matern(1.5, r) for r in (0.01, 0.1, 0.2)],
            "edge of the grid; add larger length scales",
        ),
        ([ke.Matern(1.5, r) for r in (20.0, 30.0, 60.0)], "the grid; add smaller length scales"),
    ],
)
def test_a_winner_at_the_edge_says_how_to_widen(grid, said):
    messages = warned(lambda: ke.select(X, Y, grid, "sm"))
    assert said in messages[0]


def test_the_advice_for_a_winner_at_the_edge_works():
    message = warned(lambda: ke.select(X, Y, ke.gaussian_grid(5, 9), "sm"))[0]
    advice = message.split("for example ")[1].split(", or")[0]
    assert warned(lambda: ke.select(X, Y, eval(advice, vars(ke)), "sm")) == []


def test_the_lowest_degree_is_no_edge():
    z = StandardScaler().fit_transform(load_iris().data)
    grid = ke.polynomial_grid(1, 4, gamma=1e-3)
    assert warned(lambda: ke.select(z, load_iris().target, grid, "fsm")) in (
        [],
        [
            (
                "the winner Polynomial(degree=4, gamma=0.001) stands at the edge of the grid; "
                "add higher degrees"
            )
        ],
    )
    flat = [ke.Polynomial(d) for d in (1, 2, 3)]
    table_like = warned(lambda: ke.select(X, Y, flat, "kta"))
    winner = ke.evaluate(X, Y, flat, "kta").best().kernel
    assert bool(table_like) == (winner.degree == 3)


def test_no_edge_without_an_ordered_grid():
    for grid in (
        ke.gaussian_grid(5, 6),
        [ke.Gaussian(64.0), ke.Gaussian(1024.0), ke.Gaussian(256.0)],
        [ke.Gaussian(64.0), ke.Gaussian(256.0), ke.Laplacian(1e-3)],
        [ke.Gaussian(64.0)],
    ):
        messages = warned(lambda grid=grid: ke.select(X, Y, grid, "sm"))
        assert not any("edge" in message for message in messages)


@pytest.mark.parametrize("criterion", ["sm", ke.criteria.SM(r=3), ke.criteria.SM(relative=True)])
def test_no_evidence_is_said(criterion):
    narrow = [ke.Gaussian(1e-9), ke.Gaussian(1e-8)]
    (message,) = warned(lambda: ke.select(X, Y, narrow, criterion))
    assert message.startswith(
        f"no evidence: by {ke.criteria.get(criterion).key} the best candidate"
    )
    assert "says no more about y than the identity kernel does; try other candidates" in message


def test_evidence_is_not_denied():
    assert warned(lambda: ke.select(X, Y, GRID, "sm")) == []
    assert warned(lambda: ke.select(X, Y, GRID, ke.criteria.SM(relative=True))) == []


@pytest.mark.parametrize("function", [ke.evaluate, ke.select])
def test_columns_of_very_different_scales_are_named(function):
    frame = pd.DataFrame(X * [1.0, 2e3, 1.0], columns=["age", "income", "height"])
    spread = frame["income"].std(ddof=0)
    narrow = frame[["age", "height"]].std(ddof=0)
    messages = warned(lambda: function(frame, Y, GRID, "sm"))
    wanted = (
        f"columns have very different scales (standard deviation {spread:.3g} in column 'income', "
        f"{narrow.min():.3g} in column {narrow.idxmin()!r}), and the largest dominate the kernel; "
        "standardise them, for example with StandardScaler"
    )
    assert messages[0] == wanted
    assert "in column 1," in warned(lambda: function(frame.to_numpy(), Y, GRID, "sm"))[0]


def test_scales_that_do_not_matter():
    for constant in (0.1, 1e9, 0.0):
        with_constant = np.c_[X, np.full(50, constant)]
        assert warned(lambda x=with_constant: ke.evaluate(x, Y, GRID, "sm")) == []
    assert warned(lambda: ke.evaluate(X * [1.0, 900.0, 1.0], Y, GRID, "sm")) == []
    assert warned(lambda: ke.evaluate(X[:, :1] * 1e9, Y, GRID, "sm")) == []


def test_scales_beyond_the_range_of_squares():
    for factor in (1e200, 1e-200):
        (message,) = warned(lambda f=factor: ke.evaluate(X * [1.0, f, 1.0], Y, GRID, "sm"))
        assert f"e{'+' if factor > 1 else '-'}" in message
        assert "column 1" in message
