"""Sums of a pass over ranges of rows, put together, are those of one pass."""

from __future__ import annotations

import functools
import pickle

import numpy as np
import pytest

from kernelect._dispatch import core

N = 9000
PROGRAMS = [
    [("gaussian", 1e-4, 0.0, 0, 0)],
    [("gaussian", 1.0, 0.0, 0, 0)],
    [("rational_quadratic", 0.5, 1.0, 0, 0)],
]
CLASSIFICATION = [
    ("sm", 2, False, False, False, False),
    ("ckta", 0, False, False, False, False),
    ("fsm", 0, False, False, False, False),
    ("ncut", 0, False, False, False, False),
]
REGRESSION = [("ckta", 0, False, False, False, False), ("kta", 0, False, False, False, False)]
DIVISIONS = [[(0, 3)], [(1, 3), (0, 1)], [(2, 3), (0, 1), (1, 2)]]


@functools.cache
def problem(task):
    """The sample, its targets and means, and the criteria."""
    random = np.random.default_rng(5)
    x = random.standard_normal((N, 2))
    y = x[:, 0] + 0.3 * random.standard_normal(N)
    regression = task == "regression"
    groups = np.zeros(N, dtype=int) if regression else (y > 0.4).astype(int)
    sample = core.Sample(groups.tolist(), 1 if regression else 2)
    sample.add_dense(x)
    targets = (y - y.mean())[None, :] if regression else np.zeros((0, N))
    means = np.array([y.mean()]) if regression else np.zeros(0)
    return sample, targets, means, PROGRAMS, REGRESSION if regression else CLASSIFICATION


@functools.cache
def at_once(task):
    values, reasons = core.score_moments(*problem(task), memory=1e9, threads=2, progress=None)
    assert all(reason == "" for row in reasons for reason in row)
    return values


def sums_of(task, first, last, threads):
    sums = core.moment_sums(
        *problem(task), first_leaf=first, last_leaf=last, threads=threads, progress=None
    )
    return pickle.loads(pickle.dumps(sums))  # as they travel between processes


def scores(task, sums):
    values, _ = core.score_moments_from(sums, *problem(task), threads=1, progress=None)
    return values


@pytest.mark.parametrize("ranges", DIVISIONS, ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_any_ranges_in_any_order_give_the_bits_of_one_pass(ranges, threads):
    assert core.moment_leaves(problem("binary")[0]) == 3
    sums = sums_of("binary", *ranges[0], threads)
    for first, last in ranges[1:]:
        assert not sums.complete
        sums.merge(sums_of("binary", first, last, threads))
    assert sums.complete
    np.testing.assert_array_equal(scores("binary", sums), at_once("binary"))


def test_ranges_of_a_regression():
    sums = sums_of("regression", 0, 2, 2)
    sums.merge(sums_of("regression", 2, 3, 1))
    np.testing.assert_array_equal(scores("regression", sums), at_once("regression"))


def test_what_does_not_belong_together_is_refused():
    sums = sums_of("regression", 2, 3, 1)
    with pytest.raises(ValueError, match="lack leaf 0 of 3"):
        scores("regression", sums)
    with pytest.raises(ValueError, match="leaf 2 is in both sums"):
        sums.merge(sums_of("regression", 2, 3, 1))
    with pytest.raises(ValueError, match="another sample, target or set of kernels"):
        sums.merge(sums_of("binary", 2, 3, 2))
    with pytest.raises(ValueError, match="there are 3"):
        sums_of("regression", 0, 4, 1)
    identity, rows, lanes, leaves, parts = sums.__getstate__()
    assert (rows, leaves, len(parts)) == (N, 3, 1)
    spoiled = core.MomentSums.__new__(core.MomentSums)
    with pytest.raises(ValueError, match="no state of moment sums"):
        spoiled.__setstate__((identity, rows, lanes + 1, leaves, parts))


def test_names_and_directions_of_the_core():
    directions = core.moment_criteria()
    assert directions["sm"] == 1
    assert directions["fsm"] == -1
    assert directions["stability"] == 0
    unit_diagonal = core.kernel_operations()
    assert unit_diagonal["gaussian"]
    assert unit_diagonal["periodic"]
    assert not unit_diagonal["linear"]
