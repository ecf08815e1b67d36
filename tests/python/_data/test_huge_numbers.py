"""Whole numbers that no float can hold."""

from __future__ import annotations

import numpy as np
import pytest

import kernelect as ke

HUGE = 10**400


def test_in_rows() -> None:
    with pytest.raises(ValueError, match="X: column 0 contains infinity"):
        ke.select([[HUGE, 1], [2, 3], [1, 1]], [0, 1, 0])


@pytest.mark.parametrize("task", ["auto", "regression", "classification"])
def test_in_the_target(task: str) -> None:
    with pytest.raises(ValueError, match="y has a number too large for floating point"):
        ke.select(np.eye(4), [HUGE, 1, 2, 3], task=task)


def test_targets_beyond_64_bits_are_numbers() -> None:
    found = ke.evaluate(
        np.random.default_rng(0).normal(size=(30, 2)), [10**30 * i for i in range(30)]
    )
    assert found.task == "regression"


def test_in_a_kernel() -> None:
    with pytest.raises(ValueError, match="positive finite number"):
        ke.Gaussian(HUGE)
