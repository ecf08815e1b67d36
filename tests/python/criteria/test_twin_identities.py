"""Identities of the papers that tie the slow twins to one another and to feature space."""

from __future__ import annotations

import math

import numpy as np
import pytest
import twins
from catalogue import BY_KEY
from problems import labels, problem

CLASS_SIZES = [(5, 5), (3, 7), (9, 2)]


@pytest.fixture
def psd():
    """An unbalanced binary problem and a wide-spectrum Gram matrix with entries of both signs."""
    rng = np.random.default_rng(7)
    features = rng.normal(size=(11, 6)) + 0.3
    return features, features @ features.T, labels(4, 7)


# Spectral measure: closed forms of section 1.5 -------------------------------------------------


@pytest.mark.parametrize("sizes", CLASS_SIZES)
@pytest.mark.parametrize("r", [1, 2, 3, 6])
def test_sm_closed_forms(sizes, r):
    p, q = sizes
    n = p + q
    y = labels(p, q)
    kinds = {"identity": np.eye(n), "ones": np.ones((n, n)), "block": np.equal.outer(y, y) * 1.0}
    c = p**2 + q**2
    wanted = {
        ("identity", False): n**-r,
        ("identity", True): n ** (2 - r) / (p * q),
        ("ones", False): n**-r * ((p - q) / n) ** 2,
        ("ones", True): 0.0,
        ("block", False): (p ** (r + 1) + q ** (r + 1)) / (n * c**r),
        ("block", True): n * (p ** (r - 1) + q ** (r - 1)) / c**r,
    }
    for (kind, weighted), expected in wanted.items():
        got = twins.sm(kinds[kind], y, r=r, normalization="sum", weighted=weighted)
        assert got == pytest.approx(expected, rel=1e-12, abs=1e-16), (kind, weighted)
    # Under the trace the block kernel wins over the identity by (n/2)^r when balanced.
    block = twins.sm(kinds["block"], y, r=r)
    assert block == pytest.approx(n * (p ** (r - 1) + q ** (r - 1)) / n**r, rel=1e-12)
    if p == q:
        assert block / twins.sm(np.eye(n), y, r=r) == pytest.approx((n / 2) ** r, rel=1e-12)


@pytest.mark.parametrize("normalization", ["trace", "sum"])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("r", range(1, 9))
def test_sm_is_the_spectral_sum(psd, r, weighted, normalization):
    _, k, y = psd
    n = len(k)
    eigenvalues, vectors = np.linalg.eigh(
        k / (np.trace(k) if normalization == "trace" else k.sum())
    )
    u = twins.sm_columns(k, y, weighted)[:, 0]
    wanted = (eigenvalues**r * (vectors.T @ u) ** 2).sum() / n
    options = {"normalization": normalization, "weighted": weighted}
    assert twins.sm(k, y, r=r, **options) == pytest.approx(wanted, rel=1e-11)
    quotient = wanted / twins.sm(np.eye(n), y, r=r, **options)
    assert twins.sm(k, y, r=r, relative=True, **options) == pytest.approx(quotient, rel=1e-11)


def test_sm_weights_and_relative_form(psd):
    _, k, y = psd
    p, q, n = 4, 7, 11
    ybar = np.where(y == 0, n / p, -n / q)
    np.testing.assert_allclose(twins.sm_columns(k, y)[:, 0], ybar, rtol=1e-15)
    u = ybar / n
    scaled = n * k / k.sum()
    wanted = p * q / n * (u @ scaled @ scaled @ scaled @ u)
    got = twins.sm(k, y, r=3, normalization="sum", relative=True)
    assert got == pytest.approx(wanted, rel=1e-12)


def test_sm_multiclass_is_the_mean_over_one_against_the_rest():
    x, y = problem("multiclass", n=23)
    k = twins.gaussian(x, 2.0)
    for weighted in (True, False):
        one_by_one = [twins.sm(k, y == label, r=3, weighted=weighted) for label in np.unique(y)]
        got = twins.sm(k, y, r=3, weighted=weighted)
        assert got == pytest.approx(np.mean(one_by_one), rel=1e-13)


def test_sm_regression_target_is_centred_with_squared_norm_n():
    x, t = problem("regression", n=15)
    k = twins.gaussian(x, 2.0)
    u = twins.sm_columns(k, t, task="regression")[:, 0]
    assert u.sum() == pytest.approx(0.0, abs=1e-12)
    assert u @ u == pytest.approx(15.0)
    assert np.corrcoef(u, t)[0, 1] == pytest.approx(1.0)
    assert twins.sm(np.eye(15), t, r=2, task="regression") == pytest.approx(15.0**-2)


@pytest.mark.parametrize("sizes", CLASS_SIZES)
def test_graph_cut_and_mean_discrepancy(sizes):
    y = labels(*sizes)
    n = len(y)
    k = twins.gaussian(np.random.default_rng(1).normal(size=(n, 3)), 1.5)
    plain = twins.sm(k, y, r=1, normalization="sum", weighted=False)
    weighted = twins.sm(k, y, r=1, normalization="sum")
    ratio = twins.ncut(k, y)
    cut = k[y == 0][:, y == 1].sum()
    assert ratio == pytest.approx(1 - n * plain, rel=1e-12)
    assert ratio == pytest.approx(4 * cut / k.sum(), rel=1e-12)
    assert weighted == pytest.approx(n * twins.mmd(k, y) / k.sum(), rel=1e-12)
    assert twins.sm(k, y, r=1) == pytest.approx(n * twins.mmd(k, y) / np.trace(k), rel=1e-12)
    assert ratio <= twins.ncut(k, y, "shi_malik") * (1 + 1e-12)
    if sizes[0] == sizes[1]:
        assert ratio == pytest.approx(1 - n / 4 * weighted, rel=1e-12)
        within = k.sum() - 2 * cut
        wanted = 4 / n * (within - 2 * cut) / (within + 2 * cut)
        assert weighted == pytest.approx(wanted, rel=1e-12)


def test_shi_malik_equals_the_ratio_for_equal_volumes():
    k = np.array([[2.0, 1, 0.5, 0], [1, 2, 0, 0.5], [0.5, 0, 3, 0], [0, 0.5, 0, 3]])
    y = labels(2, 2)
    assert twins.ncut(k, y, "shi_malik") == pytest.approx(twins.ncut(k, y), rel=1e-14)


# Alignment and separability: section 2 ---------------------------------------------------------


@pytest.mark.parametrize("a", [0.1, 0.3, 0.5, 0.8])
def test_survey_table_2(a):
    y = labels(round(10 * a), 10 - round(10 * a))
    k = twins.linear(np.where(y[:, None] == 0, [-1.0, 1.0], [1.0, 1.0]))
    root = math.hypot(a, 1 - a)
    assert twins.kta(k, y) == pytest.approx(root, rel=1e-12)
    assert twins.ekta(k, y) == pytest.approx(2 * a * (1 - a) / root, rel=1e-12)
    assert twins.ckta(k, y, "survey") == pytest.approx(4 * a * (1 - a), rel=1e-12)
    assert twins.ckta(k, y) == pytest.approx(1.0, rel=1e-12)
    if a > 0.1:
        assert twins.fsm(k, y) == pytest.approx(0.0, abs=1e-14)
    assert twins.kcsm(k, y) == math.inf
    assert twins.kcsm(k, y, bounded=True) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("t", [0.2, 0.7, 1.9, 3.0, 5.1])
def test_survey_table_3(t):
    y = labels(4, 4)
    other = [-1 + 2 * math.cos(t), 1 + 2 * math.sin(t)]
    k = twins.linear(np.where(y[:, None] == 0, [-1.0, 1.0], other))
    cos, sin = math.cos(t), math.sin(t)
    wanted = 1 / math.sqrt(18 - 12 * cos * sin - 16 * (cos - sin))
    assert twins.kta(k, y) == pytest.approx(wanted, rel=1e-12)
    assert twins.ekta(k, y) == pytest.approx(wanted, rel=1e-12)
    assert twins.ckta(k, y) == pytest.approx(1.0, rel=1e-12)
    assert twins.ckta(k, y, "survey") == pytest.approx(1.0, rel=1e-12)
    assert twins.fsm(k, y) == pytest.approx(0.0, abs=1e-14)
    assert twins.kcsm(k, y, bounded=True) == pytest.approx(1.0, rel=1e-12)


def test_alignment_identities(psd):
    _, k, y = psd
    p, q, n = 4, 7, 11
    s = twins.signs(k, y)
    centred_form = s @ twins.center(k) @ s
    md2 = twins.mmd(k, y)
    y_e = np.where(y == 0, 1 / p, -1 / q)
    assert twins.ckta(k, y) == pytest.approx(twins.ckta(k, y, "survey") * n**2 / (4 * p * q))
    assert twins.norm(twins.center(np.outer(s, s))) == pytest.approx(4 * p * q / n)
    assert twins.norm(np.outer(y_e, y_e)) == pytest.approx(n / (p * q))
    assert y_e @ k @ y_e == pytest.approx(md2)
    assert centred_form * (n / (2 * p * q)) ** 2 == pytest.approx(md2)
    between, within = twins.scatter(k, y)
    assert between == pytest.approx(p * q / n * md2)
    assert between == pytest.approx(centred_form * n / (4 * p * q))
    assert between + within == pytest.approx(np.trace(twins.center(k)))
    bounded = twins.kcsm(k, y, bounded=True)
    assert bounded == pytest.approx(twins.kcsm(k, y) / (1 + twins.kcsm(k, y)))


def test_unified_decomposition(psd):
    _, k, y = psd
    p, q, n = 4, 7, 11
    s = twins.signs(k, y)
    balance = n**2 / (4 * p * q)
    raw = s @ k @ s / n**2
    centred = s @ twins.center(k) @ s / n**2
    _, within = twins.scatter(k, y)
    d = k[:, y == 0].mean(1) - k[:, y == 1].mean(1)
    spread = d[y == 0].std(ddof=1) + d[y == 1].std(ddof=1)
    assert twins.kta(k, y) == pytest.approx(raw * n / twins.norm(k))
    assert twins.ekta(k, y) == pytest.approx(balance * centred * n / twins.norm(k))
    assert twins.ckta(k, y, "survey") == pytest.approx(centred * n / twins.norm(twins.center(k)))
    assert 1 / twins.fsm(k, y) == pytest.approx(balance * n**2 / (p * q * spread) * centred)
    assert twins.kcsm(k, y) == pytest.approx(balance * n / within * centred)


def test_feature_space_definitions(psd):
    features, k, y = psd
    first, second = features[y == 0], features[y == 1]
    direction = first.mean(0) - second.mean(0)
    assert twins.mmd(k, y) == pytest.approx(direction @ direction)
    unit = direction / np.linalg.norm(direction)
    spread = (first @ unit).std(ddof=1) + (second @ unit).std(ddof=1)
    assert twins.fsm(k, y) == pytest.approx(spread / np.linalg.norm(direction))
    grand = features.mean(0)
    between = sum(len(f) * ((f.mean(0) - grand) ** 2).sum() for f in (first, second))
    within = sum(((f - f.mean(0)) ** 2).sum() for f in (first, second))
    assert twins.kcsm(k, y) == pytest.approx(between / within)


def test_fsm_bounds_the_training_error(psd):
    _, k, y = psd
    d = k[:, y == 0].mean(1) - k[:, y == 1].mean(1)
    s = [d[y == c].std(ddof=1) for c in (0, 1)]
    m = [d[y == c].mean() for c in (0, 1)]
    errors = np.mean((d < (m[0] * s[1] + m[1] * s[0]) / sum(s)) == (y == 0))
    assert errors <= twins.fsm(k, y) ** 2 / (1 + twins.fsm(k, y) ** 2)


def test_balanced_ekta_is_kta():
    x, y = problem("binary", n=16, balanced=True)
    k = twins.gaussian(x, 1.0)
    assert twins.ekta(k, y) == pytest.approx(twins.kta(k, y), rel=1e-12)


def test_multiclass_forms_reduce_to_the_binary_ones(psd):
    _, k, y = psd
    z = twins.indicators(k, y)
    same = z @ z.T
    np.testing.assert_array_equal(twins.kta_target(k, y), same - (1 - same))
    t = twins.ekta_target(k, y)
    assert twins.inner(k, t) / (twins.norm(k) * twins.norm(t)) == pytest.approx(twins.ekta(k, y))
    # One column against both: the second is the first with its sign turned.
    np.testing.assert_allclose(twins.sm_columns(k, y)[:, 0], -twins.sm_columns(k, y)[:, 1])


@pytest.mark.parametrize("coding", [(1.0, 0.0), (2.0, -1.0), (0.3, 5.0)])
def test_ckta_does_not_see_the_coding(coding):
    x, y = problem("multiclass", n=19)
    k = twins.gaussian(x, 2.0)
    z = twins.indicators(k, y)
    target = twins.center(coding[0] * z @ z.T + coding[1])
    centred = twins.center(k)
    wanted = twins.inner(centred, target) / (twins.norm(centred) * twins.norm(target))
    assert twins.ckta(k, y) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_wide_gaussian_tends_to_the_linear_kernel(task):
    x, y = problem(task, n=20)
    wide, flat = twins.gaussian(x, 1e6), twins.linear(x)
    for key in ("ckta", "fsm", "kcsm"):
        assert BY_KEY[key].reference(wide, y) == pytest.approx(
            BY_KEY[key].reference(flat, y), rel=1e-5
        )
    if task == "binary":
        p = (y == 0).mean()
        assert twins.kta(wide, y) == pytest.approx((2 * p - 1) ** 2, rel=1e-4)


# Kernel stability ------------------------------------------------------------------------------


def test_stability_is_the_spectral_norm_of_a_removed_point(psd):
    _, k, _ = psd
    norms = []
    for i in range(len(k)):
        without = k.copy()
        without[i, :] = without[:, i] = 0
        norms.append(np.linalg.norm(k - without, 2))
    assert twins.stability(k) == pytest.approx(max(norms), rel=1e-12)
    assert twins.stability(3.5 * k) == pytest.approx(3.5 * max(norms), rel=1e-12)
