"""Walks from pair to pair, and what of the losses of rows decides them."""

import numpy as np
import pytest
from sklearn.svm import SVR

import kernelect as ke
from kernelect.selector import _pairs
from kernelect.selector._fold_rows import Rows
from kernelect.selector._judged_pairs import JudgedPairs, strides


def judged_pairs(losses, y=None, weights=None, two_classes=False):
    """Pairs named by C, each with losses of its own."""
    count = len(next(iter(losses.values())))
    y = np.zeros(count) if y is None else y
    rows = Rows(np.zeros((count, 1)), False, y, {}, weights)
    return JudgedPairs(
        lambda pair: (np.asarray(losses[pair["C"]]), np.zeros(1), False),
        rows,
        np.arange(count),
        two_classes,
    )


def test_a_walk_ends_where_the_loss_does_not_fall():
    judged = judged_pairs({1.0: [4.0], 2.0: [3.0], 3.0: [2.0], 4.0: [2.0], 5.0: [0.0]})
    judged.add({"C": 1.0})
    assert judged.walk(0, ({"C": C} for C in (2.0, 3.0, 4.0, 5.0))) == 2
    assert [pair["C"] for pair in judged.pairs] == [1.0, 2.0, 3.0, 4.0]
    assert judged.eligible == [True, True, True, False]
    assert judged.means().tolist() == [4.0, 3.0, 2.0, np.inf]


def test_a_step_that_gets_more_of_two_classes_wrong_is_none():
    before = np.array([4.0, 0.5, 0.5, 0.5])
    two = judged_pairs({1.0: before}, two_classes=True)
    assert two.is_better(np.array([2.0, 0.5, 0.5, 0.5]), before)
    assert not two.is_better(np.array([1.1, 1.1, 0.0, 0.0]), before)
    assert not two.is_better(np.array([0.9, 2.0, 2.0, 1.0]), before)
    assert judged_pairs({1.0: before}).is_better(np.array([1.1, 1.1, 0.0, 0.0]), before)


def test_standard_errors():
    random = np.random.default_rng(0)
    gain, weights = random.normal(0.3, 1.0, 50), random.integers(1, 4, 50).astype(float)
    for given in (None, weights):
        judged = judged_pairs({1.0: gain, 2.0: np.zeros(50)}, weights=given)
        judged.add({"C": 1.0})
        judged.add({"C": 2.0})
        share = np.full(50, 1 / 50) if given is None else given / given.sum()
        mean = share @ gain
        wanted = mean / np.sqrt(share**2 @ (gain - mean) ** 2)
        assert judged.standard_errors(1) == pytest.approx(wanted)
        assert judged.standard_errors(0) == 0.0


def test_strides_are_as_long_as_they_should_be_and_three_at_most():
    assert list(strides(1.0, [2.0, 4.0, 8.0, 16.0, 64.0, 256.0])) == [4.0, 16.0, 64.0]
    assert list(strides(1.0, [0.5, 0.25, 0.125])) == [0.25]
    assert list(strides(1.0, [])) == []


def test_of_matrices_a_machine_of_numbers_walks_to_larger_c_alone(monkeypatch):
    X = np.random.default_rng(0).normal(size=(150, 3))
    y = np.sin(2.0 * X[:, 0]) + X[:, 1]
    monkeypatch.setattr(_pairs, "_FEW", 100)
    monkeypatch.setattr(_pairs, "MANY", 149)
    matrices = np.array([kernel(X) for kernel in ke.gaussian_grid(-3, 3)])
    told = ke.KernelSelector(SVR(), matrices, C="auto").fit(None, y).fold_results_
    assert "gamma" not in told
    assert told["C"][1] == 4.0 * told["C"][0]
