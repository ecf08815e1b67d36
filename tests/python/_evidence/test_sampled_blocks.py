"""Sums of sampled rows a block of rows at a time: what all rows together give."""

import numpy as np
import pytest

import kernelect as ke
from kernelect._evidence.sampled import blocks
from kernelect._evidence.sampled.blocks import BlockSums, SampledRows

RNG = np.random.default_rng(2)
# Blocks of very different spread: one kernel is wide on some and narrow on others.
X = RNG.normal(size=(3000, 2)) * np.repeat([1e-3, 1.0, 30.0], 1000)[:, None]
CLASSES = np.where(np.arange(3000) < 1500, RNG.integers(0, 2, 3000), 2)


@pytest.mark.parametrize("target", [CLASSES, X[:, 0] + X[:, 1] ** 2], ids=["classes", "numbers"])
def test_blocks_of_any_spread_give_what_all_rows_give(target, monkeypatch):
    how = {"kernels": ke.gaussian_grid(-6, 14, 2), "sample": 200, "random_state": 1}
    whole = ke.evaluate(X, target, criteria=["sm", ke.criteria.SM(r=1), "kta", "ckta"], **how)
    monkeypatch.setattr(blocks, "_BLOCK", 256)
    parts = ke.evaluate(X, target, criteria=["sm", ke.criteria.SM(r=1), "kta", "ckta"], **how)
    for key, column in whole.columns.items():
        assert np.allclose(parts.columns[key].values, column.values, rtol=1e-9, atol=1e-13)
        assert np.allclose(parts.columns[key].errors, column.errors, rtol=1e-6, atol=1e-12)


def test_a_block_takes_the_form_that_it_is_asked_for():
    groups, kernels = np.arange(64) % 8, [ke.Gaussian(50.0)]
    sampled = SampledRows(kernels, X[:64].copy(), groups, RNG.random(64), 3)
    rows, codes, vectors = X[900:1200].copy(), CLASSES[900:1200], RNG.normal(size=(2, 300))
    K = kernels[0](rows, sampled.rows)
    for shift, sign in ((0.0, 1.0), (1.0, -1.0)):
        forms = np.array([shift]), np.array([sign])
        found = sampled.sums(rows, codes, vectors, forms, threads=1, tick=None)
        E = sign * (K - shift)
        by_class = [E[codes == code].sum(axis=0) for code in range(3)]
        spreads = [
            ((E[:, groups == g] @ sampled.weights[groups == g]) ** 2).sum() for g in range(8)
        ]
        for one, other in zip(found, (by_class, vectors @ E, (E**2).sum(0), spreads), strict=False):
            assert np.allclose(one[0], other, rtol=1e-9, atol=1e-9)
        assert found[4][0] == pytest.approx(300.0)


def test_sums_of_blocks_are_the_same_in_any_order():
    parts = [[RNG.normal(size=3)] for _ in range(11)]
    results = set()
    for _ in range(5):
        total = BlockSums()
        for some in np.array_split(RNG.permutation(11), 3):
            own = BlockSums()
            for index in some:
                own.add(0, int(index), parts[index])
            total.merge(own)
        results.add(total.whole()[0].tobytes())
    assert len(results) == 1
    assert np.allclose(total.whole()[0], np.sum(parts, axis=0)[0])
