"""Every criterion against its slow twin on random data: kernels, inputs, targets, candidates."""

from __future__ import annotations

import numpy as np
import pytest
import twins
from catalogue import (
    BY_KEY,
    CRITERIA,
    MOMENTS,
    RIDGE,
    SPECTRUM,
    assert_same,
    assert_scores,
    criteria_for,
    fold_numbers,
    table,
)
from kernel_catalogue import DEFINITE, FAMILIES
from problems import TASKS, labels, problem
from scipy import sparse

import kernelect as ke

both = pytest.mark.parametrize(
    ("given", "families"),
    [(MOMENTS, FAMILIES), (SPECTRUM + RIDGE, DEFINITE)],
    ids=["sums", "systems"],
)


def sparsified(x):
    """Most entries zero, so that rows share few columns."""
    return np.where(np.random.default_rng(8).random(x.shape) < 0.7, 0.0, x)


# Sizes below, at and above the powers of two that tiles like to have.
@both
@pytest.mark.parametrize("n", [9, 64, 65, 131])
@pytest.mark.parametrize("task", TASKS)
def test_dense(task, n, given, families):
    x, y = problem(task, n=max(n, 20) if task == "multiclass" else n)
    criteria = criteria_for(task, given)
    result = table(x, y, [kernel.build() for kernel in families], criteria, task)
    matrices = [kernel.matrix(x) for kernel in families]
    assert_scores(result, criteria, matrices, y, task, x=x)


@both
@pytest.mark.parametrize("task", TASKS)
def test_sparse(task, given, families):
    x, y = problem(task, n=90, d=12)
    x = sparsified(x)
    criteria = criteria_for(task, given)
    kernels = [kernel.build() for kernel in families]
    matrices = [kernel.matrix(x) for kernel in families]
    result = table(sparse.csr_array(x), y, kernels, criteria, task)
    assert_scores(result, criteria, matrices, y, task, x=x)


@both
def test_sparse_layouts_agree(given, families):
    """Unsorted indices, stored zeros, other formats and integer width: the same rows."""
    criteria = criteria_for("binary", given)
    x, y = problem("binary", n=40, d=9)
    x = sparsified(x)
    kernels = [kernel.build() for kernel in families]
    rows = sparse.csr_array(x)
    plain = table(rows, y, kernels, criteria)
    backwards = np.concatenate(
        [np.arange(rows.indptr[i], rows.indptr[i + 1])[::-1] for i in range(40)]
    )
    turned = sparse.csr_array(
        (rows.data[backwards], rows.indices[backwards], rows.indptr), shape=rows.shape
    )
    stored_zeros = sparse.csr_array(
        (x.ravel(), np.tile(np.arange(9), 40), 9 * np.arange(41)), shape=x.shape
    )
    wide_indices = sparse.csr_array(
        (rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64)), shape=rows.shape
    )
    for other in (turned, stored_zeros, wide_indices, rows.tocsc(), sparse.csr_matrix(rows)):
        result = table(other, y, kernels, criteria)
        for key, values in plain.scores.items():
            np.testing.assert_allclose(result.scores[key], values, rtol=1e-12, err_msg=key)


@pytest.mark.parametrize("task", TASKS)
def test_one_feature(task):
    """Where every family is positive semidefinite."""
    x, y = problem(task, n=40, d=1)
    criteria = [c for c in criteria_for(task) if c.name != "er_ratio"]  # of rank one and two
    result = table(x, y, [kernel.build() for kernel in FAMILIES], criteria, task)
    matrices = [kernel.matrix(x) for kernel in FAMILIES]
    assert_scores(result, criteria, matrices, y, task, x=x)


@pytest.mark.parametrize("d", [1, 2, 7, 33, 130])
def test_dimensions(d):
    x, y = problem("multiclass", n=50, d=d)
    criteria = criteria_for("multiclass")
    kernels = [ke.Gaussian(float(d)), ke.Laplacian(1 / d), ke.Polynomial(2, 1 / d), ke.Linear()]
    matrices = [
        twins.gaussian(x, float(d)),
        twins.laplacian(x, 1 / d),
        twins.polynomial(x, 2, 1 / d),
        twins.linear(x),
    ]
    result = table(x, y, kernels, criteria, "multiclass")
    assert_scores(result, criteria, matrices, y, "multiclass", x=x)


def test_algebra_of_kernels():
    x, y = problem("binary", n=45)
    a, b = ke.Gaussian(2.0), ke.Polynomial(2, 0.5)
    k, m = twins.gaussian(x, 2.0), twins.polynomial(x, 2, 0.5)
    pairs = [
        (a + b, k + m),
        (2 * a, 2 * k),
        (a * b, k * m),
        (0.5 * a + 3 * ke.Linear(), 0.5 * k + 3 * twins.linear(x)),
        (ke.normalized(b), twins.normalized(m)),
        (
            ke.normalized(a + b) * ke.Laplacian(0.3),
            twins.normalized(k + m) * twins.laplacian(x, 0.3),
        ),
    ]
    for kernel, matrix in pairs:
        np.testing.assert_allclose(kernel(x), matrix, rtol=1e-12)
        np.testing.assert_allclose(kernel.diag(x), np.diag(matrix), rtol=1e-12)
    kernels, matrices = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    for rows in (x, sparse.csr_array(x)):
        assert_scores(table(rows, y, kernels, CRITERIA), CRITERIA, matrices, y, x=x)


# Targets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [[-1, 1], [0, 1], [3, 8], ["no", "yes"], [False, True], [b"a", b"b"], [0.0, 1.0]],
    ids=str,
)
def test_names_of_two_classes_do_not_matter(names):
    x, y = problem("binary", n=50)
    kernels = [ke.Gaussian(1.0), ke.Linear()]
    plain = table(x, y, kernels, CRITERIA)
    assert_same(table(x, np.array(names)[y], kernels, CRITERIA), plain)
    assert_same(table(x, [names[label] for label in y], kernels, CRITERIA), plain)


def test_names_of_several_classes_do_not_matter():
    x, y = problem("multiclass", n=50)
    criteria = criteria_for("multiclass")
    kernels = [ke.Gaussian(1.0), ke.Linear()]
    plain = table(x, y, kernels, criteria, "multiclass")
    names = np.array(["ant", "bee", "cat", "dog"])
    assert_same(table(x, names[y], kernels, criteria, "multiclass"), plain)
    folds = fold_numbers(y)
    result = table(x, names[::-1][y], kernels, criteria, "multiclass", folds=folds)
    for key, values in plain.scores.items():
        np.testing.assert_allclose(result.scores[key], values, rtol=1e-11, err_msg=key)


def test_many_classes():
    y = np.random.default_rng(3).permutation(labels(*([3] * 40)))
    x = np.random.default_rng(4).normal(size=(120, 3)) + 0.05 * y[:, None]
    criteria = criteria_for("multiclass")
    result = table(x, y, [ke.Gaussian(1.0)], criteria, "multiclass")
    assert_scores(result, criteria, [twins.gaussian(x, 1.0)], y, "multiclass", x=x)


def test_whole_numbers_as_a_regression_target():
    x, y = problem("multiclass", n=40)
    criteria = criteria_for("regression")
    result = table(x, y, [ke.Gaussian(1.0)], criteria, "regression")
    assert_scores(result, criteria, [twins.gaussian(x, 1.0)], y, "regression", x=x)


@pytest.mark.parametrize(
    ("task", "key"),
    [
        (task, criterion.key)
        for task in ("multiclass", "regression")
        for criterion in CRITERIA
        if task not in criterion.tasks and criterion.name not in ("sm", "sm_hinge")
    ],
)
def test_missing_forms_are_refused(task, key):
    x, y = problem(task, n=24)
    with pytest.raises(ValueError, match=f"(?i){BY_KEY[key].name}"):
        table(x, y, [ke.Gaussian(1.0)], [BY_KEY[key]], task)


# Inputs ----------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("task", TASKS)
def test_precomputed_matrices(task, given, families):
    x, y = problem(task, n=70)
    criteria = criteria_for(task, given)
    matrices = [kernel.matrix(x) for kernel in families]
    result = table(None, y, matrices, criteria, task)
    assert_scores(result, criteria, matrices, y, task)
    stacked = np.stack(matrices)
    assert_same(table(None, y, stacked, criteria, task), result)
    assert_same(table(None, y, (matrix for matrix in matrices), criteria, task), result)
    assert_same(table(None, y, [np.asfortranarray(m) for m in matrices], criteria, task), result)
    padded = np.zeros((len(matrices), 71, 75))
    padded[:, :70, :70] = stacked
    assert_same(table(None, y, [m[:70, :70] for m in padded], criteria, task), result)


def test_precomputed_single_precision():
    x, y = problem("binary", n=30)
    single = twins.gaussian(x, 1.0).astype(np.float32)
    assert_same(
        table(None, y, [single], CRITERIA), table(None, y, [single.astype(float)], CRITERIA)
    )


@both
def test_memory_order_and_precision_of_features(given, families):
    x, y = problem("multiclass", n=60, d=5)
    criteria = criteria_for("multiclass", given)
    kernels = [kernel.build() for kernel in families]

    def scores(features):
        return table(features, y, kernels, criteria, "multiclass")

    plain = scores(x)
    assert_same(scores(np.asfortranarray(x)), plain)
    assert_same(scores(np.repeat(np.repeat(x, 2, 0), 3, 1)[::2, ::3]), plain)
    assert_same(scores(x[::-1][::-1]), plain)
    assert_same(scores(x.tolist()), plain)
    single = x.astype(np.float32)
    assert_same(scores(single), scores(single.astype(float)))
    assert_same(scores(np.asfortranarray(single)), scores(single))
    whole = np.round(4 * x).astype(np.int32)
    assert_same(scores(whole), scores(whole.astype(float)))


def test_callables_as_candidates():
    x, y = problem("binary", n=40)
    result = table(x, y, [lambda a, b=None: twins.gaussian(a, 1.5, b), ke.Gaussian(1.5)], CRITERIA)
    assert_scores(result, CRITERIA, [twins.gaussian(x, 1.5)] * 2, y, x=x)


# Candidates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "taus",
    [
        [2.0**i for i in range(-6, 7)],
        [3.0**i for i in range(-4, 5)],
        [1.5 * 2 ** (i / 2) for i in range(-8, 9)],
        [1.3**i for i in range(-12, 13)],
        [0.7, 11.0, 0.7, 1.4, 2.8, 0.05, 5.6],
    ],
    ids=["dyadic", "triadic", "half-octave", "fine", "mixed"],
)
@pytest.mark.parametrize("task", TASKS)
def test_grids(taus, task):
    """Chains of squarings, and grids that are none, in any order."""
    x, y = problem(task, n=50)
    order = np.random.default_rng(1).permutation(len(taus))
    taus = [taus[i] for i in order]
    criteria = criteria_for(task)
    result = table(x, y, [ke.Gaussian(tau) for tau in taus], criteria, task)
    # FSM of a narrow kernel is the spread of nearly equal numbers: right to 1e-15, not relatively.
    matrices = [twins.gaussian(x, tau) for tau in taus]
    assert_scores(result, criteria, matrices, y, task, x=x, atol=1e-15)


@both
def test_company_does_not_change_a_candidate(given, families):
    """A kernel scores the same alone as among others that share its tiles."""
    criteria = criteria_for("binary", given)
    x, y = problem("binary", n=80)
    kernels = [kernel.build() for kernel in families] + list(ke.gaussian_grid(-15, 15))
    together = table(x, y, kernels, criteria)
    for index in (0, 3, 6, 8, 9, 20, 28, 39):
        alone = table(x, y, [kernels[index]], criteria)
        for key, values in together.scores.items():
            wanted = alone.scores[key][0]
            atol = 1e-14 if key == "fsm" else 0.0  # exactly zero at K = I, but for rounding
            assert values[index] == pytest.approx(wanted, rel=1e-10, abs=atol), (key, index)


@both
def test_company_does_not_change_a_criterion(given, families):
    criteria = criteria_for("binary", given)
    x, y = problem("binary", n=80)
    kernels = [kernel.build() for kernel in families]
    together = table(x, y, kernels, criteria)
    for criterion in criteria:
        alone = table(x, y, kernels, [criterion])
        np.testing.assert_allclose(
            together.scores[criterion.key], alone.scores[criterion.key], rtol=1e-12
        )


def test_stability_is_a_norm_whatever_the_sign():
    x, y = problem("binary", n=30, d=3)
    k = FAMILIES[0].build()(x)
    places = np.arange(30)
    crosses = [(places[:, None] == i) | (places == i) for i in places]  # row and column i
    largest = max(np.linalg.norm(np.where(cross, k, 0.0), 2) for cross in crosses)
    for sign in (1.0, -1.0):
        score = ke.evaluate(None, y, [sign * k], "stability").scores["stability"][0]
        assert score == pytest.approx(largest, rel=1e-10)
