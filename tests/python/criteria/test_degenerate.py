"""Kernels and data at the edge of the formulas: right limits, or the worst value and a reason."""

from __future__ import annotations

import math

import numpy as np
import pytest
import twins
from catalogue import BY_KEY, MOMENTS, assert_scores, criteria_for, table
from problems import labels, problem
from scipy import sparse

import kernelect as ke

CLASS_SIZES = [(5, 5), (3, 7), (9, 2), (40, 90)]
WORST = {1: -math.inf, -1: math.inf}


def check(result, wanted, index=0):
    """Values by key, None standing for the worst value with a reason."""
    for key, value in wanted.items():
        score, reason = result.scores[key][index], result.reasons[key][index]
        if value is None:
            assert score == WORST[result.direction[key]], key
            assert isinstance(reason, str), key
            assert reason, key
        else:
            assert score == pytest.approx(value, rel=1e-10, abs=1e-14), key
            assert reason is None, key


@pytest.mark.parametrize("sizes", CLASS_SIZES)
def test_identity_and_all_ones(sizes):
    p, q = sizes
    n = p + q
    difference = ((p - q) / n) ** 2
    at_identity = {
        **{f"sm(r={r})": n ** (2 - r) / (p * q) for r in (1, 3, 4, 5, 8)},
        **{f"sm(r={r}, normalization='sum')": n ** (2 - r) / (p * q) for r in (1, 3, 4)},
        **{f"sm(r={r}, weighted=False)": n**-r for r in (1, 3, 4)},
        "sm": 1 / (p * q),
        "sm(relative=True)": 1.0,
        "sm(r=3, relative=True)": 1.0,
        "sm(r=3, normalization='sum', relative=True)": 1.0,
        "kta": 1 / math.sqrt(n),
        "ekta": 1 / math.sqrt(n),
        "ckta": 1 / math.sqrt(n - 1),
        "ckta(variant='survey')": 4 * p * q / (n**2 * math.sqrt(n - 1)),
        "fsm": 0.0,
        "kcsm": 1 / (n - 2),
        "ncut": 0.0,
        "mmd": 1 / p + 1 / q,
        "stability": 1.0,
    }
    at_ones = {
        **{key: 0.0 for key in at_identity if key.startswith("sm") and "False" not in key},
        **{f"sm(r={r}, weighted=False)": difference for r in (1, 3, 4)},
        **{
            f"sm(r={r}, normalization='sum', weighted=False)": n**-r * difference for r in (1, 3, 4)
        },
        "kta": difference,
        "ekta": 0.0,
        "ckta": None,
        "ckta(variant='survey')": None,
        "fsm": None,
        "kcsm": None,
        "kcsm(bounded=True)": None,
        "ncut": 1 - difference,
        "mmd": 0.0,
        "stability": (1 + math.sqrt(4 * n - 3)) / 2,
    }
    y = np.random.default_rng(0).permutation(labels(p, q))
    result = table(None, y, [np.eye(n), np.ones((n, n))], MOMENTS)
    check(result, at_identity, 0)
    check(result, at_ones, 1)


@pytest.mark.parametrize("task", ["multiclass", "regression"])
def test_identity_and_all_ones_beyond_two_classes(task):
    _, y = problem(task, n=30)
    n = len(y)
    criteria = criteria_for(task, MOMENTS)
    matrices = [np.eye(n), np.ones((n, n))]
    result = table(None, y, matrices, criteria, task)
    assert_scores(result, criteria, matrices, y, task, atol=1e-13)
    for criterion in criteria:
        worst = np.isinf(result.scores[criterion.key])
        assert [reason is not None for reason in result.reasons[criterion.key]] == list(worst)
    assert result.reasons["ckta"][1]


def test_the_ends_of_a_bandwidth_grid():
    """Far too narrow is the identity, far too wide all ones: the same values and reasons."""
    x, y = problem("binary", n=24)
    kernels = [ke.Gaussian(1e-12), ke.Gaussian(1e18)]
    from_data = table(x, y, kernels, MOMENTS)
    from_matrices = table(None, y, [np.eye(24), np.ones((24, 24))], MOMENTS)
    for key, values in from_matrices.scores.items():
        np.testing.assert_allclose(from_data.scores[key], values, rtol=1e-10, atol=1e-12)
        reasons = [reason is None for reason in from_matrices.reasons[key]]
        assert [reason is None for reason in from_data.reasons[key]] == reasons, key


@pytest.mark.parametrize("sizes", [(6, 6), (4, 9), (3, 4, 8)])
def test_class_block_kernel(sizes):
    """Each class one point in feature space: no spread within, KCSM at its best value."""
    y = labels(*sizes)
    n = len(y)
    block = np.equal.outer(y, y) * 1.0
    task = "binary" if len(sizes) == 2 else "multiclass"
    result = table(None, y, [block], criteria_for(task, MOMENTS), task)
    check(result, {"fsm": 0.0, "kcsm": math.inf, "kcsm(bounded=True)": 1.0})
    assert_scores(result, criteria_for(task, MOMENTS), [block], y, task, atol=1e-13)
    if task == "binary":
        p, q = sizes
        check(
            result,
            {f"sm(r={r})": n * (p ** (r - 1) + q ** (r - 1)) / n**r for r in (1, 3, 4, 5, 8)},
        )


def test_best_value_of_kcsm_wins_and_worst_value_loses():
    y = labels(6, 6)
    n = len(y)
    x, _ = problem("binary", n=n)
    block = np.equal.outer(y, y) * 1.0
    matrices = [np.ones((n, n)), twins.gaussian(x, 2.0), block]
    result = ke.evaluate(None, y, matrices, criteria=("kcsm", "fsm"))
    scores = result.scores["kcsm"]
    assert scores[2] == math.inf
    assert scores[0] == -math.inf
    assert math.isfinite(scores[1])
    assert result.scores["fsm"][0] == math.inf


def test_balanced_label_kernel_has_no_entry_sum():
    y = labels(5, 5)
    s = np.where(y == 0, 1.0, -1.0)
    result = table(None, y, [np.outer(s, s)], MOMENTS)
    undefined = [key for key in result.scores if "normalization='sum'" in key]
    check(result, dict.fromkeys([*undefined, "ncut", "ncut(variant='shi_malik')"]))
    check(result, {"kta": 1.0, "ckta": 1.0, "sm": 4.0, "kcsm": math.inf})


def test_linear_kernel_on_centred_data_has_no_entry_sum():
    x, y = problem("binary", n=20)
    x = x - x.mean(0)
    criteria = [BY_KEY["sm(r=3, normalization='sum')"], BY_KEY["sm(r=3)"], BY_KEY["ckta"]]
    result = table(x, y, [ke.Linear()], criteria)
    check(result, {"sm(r=3, normalization='sum')": None})
    assert_scores(result, criteria[1:], [twins.linear(x)], y)


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_zero_matrix_never_wins(task):
    x, y = problem(task, n=16)
    matrices = [np.zeros((16, 16)), twins.gaussian(x, 1.0)]
    result = table(None, y, matrices, criteria_for(task, MOMENTS), task)
    for criterion in criteria_for(task, MOMENTS):
        zero, gaussian = result.scores[criterion.key]
        assert not math.isnan(zero)
        if criterion.direction:
            assert criterion.direction * zero < criterion.direction * gaussian, criterion.key


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_constant_features_only(convert):
    y = labels(4, 8)
    x = convert(np.full((12, 3), 0.1))
    kernels = [ke.Gaussian(2.0**-15), ke.Laplacian(50.0), ke.Matern(1.5, 0.01), ke.Gaussian(1.0)]
    result = table(x, y, kernels, MOMENTS)
    for index in range(len(kernels)):
        check(result, {"ckta": None, "fsm": None, "kcsm": None, "mmd": 0.0, "sm": 0.0}, index)
        check(result, {"kta": (4 / 12) ** 2, "stability": (1 + math.sqrt(45)) / 2}, index)


@pytest.mark.parametrize("constant", [0.0, 3.7, -1e6])
def test_a_constant_feature_does_not_change_distances(constant):
    x, y = problem("binary", n=40)
    padded = np.column_stack([x[:, :2], np.full(40, constant), x[:, 2:]])
    kernels = [ke.Gaussian(0.5), ke.Laplacian(0.5), ke.Matern(2.5, 1.0)]
    matrices = [twins.gaussian(x, 0.5), twins.laplacian(x, 0.5), twins.matern(x, 2.5, 1.0)]
    assert_scores(table(padded, y, kernels, MOMENTS), MOMENTS, matrices, y)
    result = table(sparse.csr_array(padded), y, kernels, MOMENTS)
    assert_scores(result, MOMENTS, matrices, y)


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("shift", [0.0, 1000.0])
def test_duplicated_rows(shift, convert):
    """Narrow kernels magnify the rounding of a distance that is zero; copies must give K = 1."""
    x, y = problem("binary", n=36)
    x = np.round(1024 * x) / 1024 + shift
    twice, labels_twice = np.repeat(x, 2, axis=0), np.repeat(y, 2)
    taus = [2.0**-15, 2.0**-25, 0.5]
    result = table(convert(twice), labels_twice, [ke.Gaussian(tau) for tau in taus], MOMENTS)
    matrices = [twins.gaussian(twice, tau) for tau in taus]
    assert_scores(result, MOMENTS, matrices, labels_twice, atol=1e-14)


@pytest.mark.parametrize("kernel", [ke.Gaussian(2.0**-15), ke.Matern(0.5, 1e-3)], ids=str)
def test_classes_of_identical_rows(kernel):
    y = np.random.default_rng(2).permutation(labels(7, 12))
    x = np.array([[0.1, 77.7, -3.3], [0.2, 77.7, -3.3]])[y]
    result = table(x, y, [kernel], MOMENTS)
    check(result, {"kcsm": math.inf, "kcsm(bounded=True)": 1.0, "fsm": 0.0, "ckta": 1.0})


def test_nearly_duplicated_rows():
    x, y = problem("binary", n=30)
    rng = np.random.default_rng(6)
    near = np.vstack([x, x + 1e-6 * rng.normal(size=x.shape)])
    both = np.concatenate([y, y])
    taus = [1e-13, 1e-12, 1e-11]
    result = table(near, both, [ke.Gaussian(tau) for tau in taus], MOMENTS)
    # The twin takes Ncut as 1 - y'Ky/1'K1, which is 0 up to rounding here.
    assert_scores(result, MOMENTS, [twins.gaussian(near, tau) for tau in taus], both, atol=1e-15)


@pytest.mark.parametrize("sizes", [(1, 11), (8, 1), (1, 4, 6)])
def test_class_of_one_member(sizes):
    y = labels(*sizes)
    x, _ = problem("binary", n=len(y))
    task = "binary" if len(sizes) == 2 else "multiclass"
    criteria = criteria_for(task, MOMENTS)
    result = table(x, y, [ke.Gaussian(1.0), ke.Linear()], criteria, task)
    check(result, {"fsm": None}, 0)
    check(result, {"fsm": None}, 1)
    assert_scores(result, criteria, [twins.gaussian(x, 1.0), twins.linear(x)], y, task)
    for criterion in criteria:
        if criterion.name != "fsm":
            assert np.isfinite(result.scores[criterion.key]).all(), criterion.key


def test_two_rows():
    result = table([[0.0], [1.0]], [0, 1], [ke.Gaussian(0.5)], MOMENTS)
    e = math.exp(-1)
    wanted = {
        "sm(r=1)": 2 * (1 - e),
        "mmd": 2 * (1 - e),
        "kta": (1 - e) / math.sqrt(2 + 2 * e * e),
        "ckta": 1.0,
        "fsm": None,
        "kcsm": math.inf,
        "ncut": 2 * e / (1 + e),
        "stability": (1 + math.sqrt(1 + 4 * e * e)) / 2,
    }
    check(result, wanted)


@pytest.mark.parametrize("scale", [1e150, 1e200, 1e-150, 1e-200])
def test_extreme_feature_values(scale):
    x, y = problem("binary", n=20)
    kernels = [
        ke.Gaussian(1.0),
        ke.Laplacian(1.0),
        ke.Matern(0.5, 1.0),
        ke.Matern(1.5, 1.0),
        ke.Matern(2.5, 1.0),
    ]
    result = table(scale * x, y, kernels, MOMENTS)
    limit = np.eye(20) if scale > 1 else np.ones((20, 20))
    assert_scores(result, MOMENTS, [limit] * len(kernels), y, atol=1e-13)


@pytest.mark.parametrize("scale", [1e150, 1e-150])
def test_extreme_dot_products_give_no_nan(scale):
    x, y = problem("binary", n=20)
    result = table(scale * x, y, [ke.Linear(), ke.Polynomial(3)], MOMENTS)
    for key, values in result.scores.items():
        assert not np.isnan(values).any(), key


def test_large_powers_do_not_underflow_the_relative_measure():
    x, y = problem("binary", n=300)
    power = {"r": 150, "relative": True}
    wanted = twins.sm(twins.gaussian(x, 0.02), y, **power)
    assert 1 < wanted < math.inf
    assert twins.sm(twins.gaussian(x, 0.02), y, r=150) == 0.0
    result = ke.evaluate(x, y, [ke.Gaussian(0.02)], criteria=[ke.criteria.SM(**power)])
    assert result.scores["sm(r=150, relative=True)"][0] == pytest.approx(wanted, rel=1e-10)


def test_worst_values_follow_the_direction():
    assert {criterion.direction for criterion in MOMENTS} == {1, -1, 0}
    y = labels(5, 6)
    result = table(None, y, [np.ones((11, 11))], MOMENTS)
    for criterion in MOMENTS:
        assert result.direction[criterion.key] == criterion.direction
        score = result.scores[criterion.key][0]
        if math.isinf(score):
            assert score == WORST[criterion.direction]


def test_targets_too_large_to_be_squared():
    x = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match="undefined for every candidate: the value is not finite"):
        ke.select(x, 1e200 * x[:, 0], ke.gaussian_grid(-2, 2))
