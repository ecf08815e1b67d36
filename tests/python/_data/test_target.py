"""Labels and numbers of every kind that is promised give the same scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from problems import problem
from same_numbers import CRITERIA, GRID, X, Y, same

import kernelect as ke
from kernelect._data.target import check_target

MANY, CODES = problem("multiclass", n=70, d=4)
NUMBERS = problem("regression", n=70, d=4)[1]


@pytest.mark.parametrize(
    "labels",
    [
        np.where(Y == 1, "yes", "no"),
        np.where(Y == 1, "yes", "no").tolist(),
        np.where(Y == 1, "yes", "no").astype(object),
        np.where(Y == 1, b"yes", b"no"),
        Y.astype(bool),
        Y.astype(bool).tolist(),
        Y.astype(bool).astype(object),
        Y.astype(np.int8),
        Y.astype(np.uint64),
        Y.astype(float),
        Y.astype(np.float32),
        Y.astype(object),
        2 * Y - 1,
        Y * 10**15,
        Y.reshape(-1, 1),
        Y.tolist(),
        tuple(Y),
        pd.Series(Y, index=np.arange(70)[::-1]),
        pd.Series(Y).astype("Int64"),
        pd.Series(Y).astype("boolean"),
        pd.Series(np.where(Y == 1, "yes", "no")),
        pd.Series(np.where(Y == 1, "yes", "no")).astype("category"),
        pd.Categorical.from_codes(Y, ["no", "yes"]),
        pd.DataFrame({"kind": Y}),
        pd.date_range("2020-01-01", periods=2).to_numpy()[Y],
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
def test_labels_of_any_type(labels):
    same(ke.evaluate(X, labels, GRID, CRITERIA))


def test_labels_of_several_classes():
    names = np.array(["d", "a", "c", "b"])[CODES]
    wanted = ke.evaluate(MANY, CODES, GRID, CRITERIA)
    same(ke.evaluate(MANY, names, GRID, CRITERIA), wanted, rtol=1e-13)
    same(ke.evaluate(MANY, pd.Categorical(names), GRID, CRITERIA), wanted, rtol=1e-13)
    same(ke.evaluate(MANY, CODES * 1.0, GRID, CRITERIA), wanted)


def test_many_names_are_many_classes():
    """However many there are, text is never a number to predict."""
    names = [f"name {i % 40}" for i in range(70)]
    table = ke.evaluate(X, names, GRID, ["sm", "ckta"])
    assert table.task == "classification"
    assert np.isfinite(table.scores["ckta"]).all()


@pytest.mark.parametrize(
    ("target", "task"),
    [
        (np.arange(70) % 20, "classification"),
        (np.arange(70) % 21, "regression"),
        (np.arange(70) % 20 * 1.0, "classification"),
        (np.arange(70) % 20 * 1.5, "regression"),
        (np.arange(70) % 2 + 0.5, "regression"),
        (np.arange(70) % 2 == 0, "classification"),
        ((np.arange(70) % 30).astype(str), "classification"),
        (NUMBERS, "regression"),
        (NUMBERS.astype(object), "regression"),
        (pd.array(NUMBERS, dtype="Float64"), "regression"),
        (np.c_[np.arange(70) % 2, np.arange(70) % 3], "regression"),
    ],
)
def test_what_auto_takes_a_target_for(target, task):
    assert ke.evaluate(X, target, GRID, "sm").task == task
    if np.asarray(target).ndim == 1 and np.asarray(target).dtype.kind in "biuf":
        assert ke.evaluate(X, target, GRID, "sm", task="regression").task == "regression"


def test_whole_numbers_can_be_classes_when_told():
    target = np.arange(70) % 30
    assert ke.evaluate(X, target, GRID, "sm", task="classification").task == "classification"


def test_several_targets():
    """Alignments take the sum of the targets' matrices, the spectral measure the mean."""
    two = np.c_[NUMBERS, np.cos(X[:, 1])]
    table = ke.evaluate(X, two, GRID, ["sm", "kta", "ckta"])
    each = [ke.evaluate(X, column, GRID, "sm").scores["sm"] for column in two.T]
    assert_allclose(table.scores["sm"], np.mean(each, axis=0), rtol=1e-12)
    centred = two - two.mean(axis=0)
    for place, kernel in enumerate(GRID):
        k = kernel(X)
        t = centred
        for key in ("kta", "ckta"):
            k = k if key == "kta" else k - k.mean(0) - k.mean(0)[:, None] + k.mean()
            wanted = np.sum(k * (t @ t.T)) / np.linalg.norm(k) / np.linalg.norm(t @ t.T)
            assert table.scores[key][place] == pytest.approx(wanted, rel=1e-10)
    same(ke.evaluate(X, pd.DataFrame(two), GRID, ["sm", "kta", "ckta"]), table)


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_targets_of_any_size(scale):
    """No criterion of a regression changes with its unit."""
    wanted = ke.evaluate(X, NUMBERS, GRID, CRITERIA)
    same(ke.evaluate(X, scale * NUMBERS, GRID, CRITERIA), wanted, rtol=1e-11)
    unlike = np.c_[NUMBERS, np.clip(scale, 1e-150, 1e150) * NUMBERS]
    assert_allclose(
        ke.evaluate(X, unlike, GRID, "sm").scores["sm"], wanted.scores["sm"], rtol=1e-11
    )


@pytest.mark.parametrize("sizes", [(7, 5), (5, 5), (3, 9, 4), (6, 1, 6, 3)])
def test_the_order_by_class_does_not_depend_on_the_names_of_classes(sizes):
    """Every other row of it is a half of the rows, which learners are judged by."""
    rng = np.random.default_rng(1)
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    wanted = check_target(codes, "classification").shuffled_by_class()
    for seed in range(5):
        names = np.random.default_rng(seed).permutation(list("abcd"))[codes]
        found = check_target(names).shuffled_by_class()
        np.testing.assert_array_equal(found, wanted)
    assert np.sort(wanted).tolist() == list(range(sum(sizes)))
    assert np.count_nonzero(np.diff(codes[wanted])) == len(sizes) - 1
    assert (np.diff(np.bincount(codes)[codes[wanted]]) >= 0).all()
