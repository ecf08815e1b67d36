"""Agreement of criteria, rivals of the winner, memory beforehand."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

import kernelect as ke


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def test_agreement_is_spearmans(iris):
    table = ke.evaluate(*iris, criteria=["sm", "kta", "loo", "stability"])
    found = ke.agreement(table)
    assert found.names == ["sm", "kta", "loo"]
    wanted = spearmanr(table.scores["sm"], table.scores["kta"]).statistic
    assert found.matrix[0, 1] == pytest.approx(wanted)
    against = spearmanr(table.scores["sm"], -table.scores["loo"]).statistic
    assert found.matrix[2, 0] == pytest.approx(against)
    np.testing.assert_allclose(np.diagonal(found.matrix), 1.0)
    assert found.to_frame().loc["sm", "kta"] == found.matrix[0, 1]


def test_agreement_leaves_out_what_is_undefined(iris):
    chosen = ke.select(*iris)
    found = ke.agreement(chosen)
    verified = chosen.verified
    place = found.names.index("loo"), found.names.index("kta")
    scores = chosen.table.scores
    wanted = spearmanr(-scores["loo"][verified], scores["kta"][verified]).statistic
    assert found.matrix[place] == pytest.approx(wanted)
    with pytest.raises(TypeError, match="needs a result of evaluate or select, not a NoneType"):
        ke.agreement(None)
    with pytest.raises(ValueError, match="at least two criteria"):
        ke.agreement(ke.evaluate(*iris, criteria="sm"))


def test_rivals(iris):
    chosen = ke.select(*iris, criterion="loo")
    near = ke.rivals(chosen)
    assert near[0].index == chosen.index
    limit = chosen.score + chosen.table.errors["loo"][chosen.index]
    within = set(np.flatnonzero(chosen.table.scores["loo"] <= limit))
    assert {rival.index for rival in near} == within
    assert len(ke.rivals(chosen, 0.0)) == 1
    assert ke.rivals(ke.select(*iris))[0].kernel == ke.select(*iris).kernel
    for given in (chosen.table, None):
        with pytest.raises(TypeError, match="rivals needs a result of select, not a "):
            ke.rivals(given)
    with pytest.raises(ValueError, match="no standard error"):
        ke.rivals(ke.select(*iris, criterion="sm"))


def test_rivals_with_a_searched_lambda(iris):
    chosen = ke.select(*iris, lam="auto")
    near = ke.rivals(chosen)
    assert near[0].lam == chosen.lam
    assert {rival.index for rival in near} <= set(chosen.verified)
    assert len(near) > 1


def test_memory_grows_as_the_method_does(iris):
    one = ke.memory_estimate((2000, 10), criteria="loo", n_threads=1)
    assert one == pytest.approx(1.3 * 8 * 2000**2, rel=0.15)
    assert ke.memory_estimate((4000, 10), criteria="loo", n_threads=1) > 3.5 * one
    assert ke.memory_estimate((2000, 10), criteria="loo", n_threads=2) > 1.8 * one
    assert ke.memory_estimate((2000, 10), 1, "loo", n_threads=2) < 1.01 * one
    assert ke.memory_estimate((2000, 10), criteria="auto", lam="auto", n_threads=1) > 2.0 * one
    assert ke.memory_estimate((100_000, 10), criteria=["sm", "kta"]) < 1e8
    assert ke.memory_estimate(iris[0], ke.gaussian_grid(0, 3), "sm") < 1e5


@pytest.mark.parametrize(
    "shape", [(3,), 5, [[1, 2], [3, 4]], "ab", (0, 2), (np.nan, 2), np.ones(3), None]
)
def test_memory_needs_rows_and_columns(shape):
    with pytest.raises(ValueError, match=r"shape must be \(rows, columns\), or an array"):
        ke.memory_estimate(shape)


@pytest.mark.parametrize("kernels", [-3, 0, 2.5, [], True, iter(ke.gaussian_grid(0, 3))])
def test_memory_needs_a_number_of_candidates(kernels):
    number = type(kernels) is int or kernels == []
    wrong = ValueError if number else TypeError
    with pytest.raises(wrong, match="kernels must be a list of candidates or their number"):
        ke.memory_estimate((10, 2), kernels)
    assert ke.memory_estimate((10, 2), "auto") == ke.memory_estimate((10, 2), None)
    with pytest.raises(TypeError, match="n_classes must be a whole number, not 'a'"):
        ke.memory_estimate((10, 2), n_classes="a")
    with pytest.raises(ValueError, match="n_classes must be a whole number of at least 1, not 0"):
        ke.memory_estimate((10, 2), n_classes=0)
