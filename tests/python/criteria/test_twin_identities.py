"""Identities of the papers that tie the slow twins to one another and to feature space."""

from __future__ import annotations

import math

import numpy as np
import pytest
import reference as ref
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
        got = ref.sm(kinds[kind], y, r=r, normalization="sum", weighted=weighted)
        assert got == pytest.approx(expected, rel=1e-12, abs=1e-16), (kind, weighted)
    # Under the trace the block kernel wins over the identity by (n/2)^r when balanced.
    block = ref.sm(kinds["block"], y, r=r)
    assert block == pytest.approx(n * (p ** (r - 1) + q ** (r - 1)) / n**r, rel=1e-12)
    if p == q:
        assert block / ref.sm(np.eye(n), y, r=r) == pytest.approx((n / 2) ** r, rel=1e-12)


@pytest.mark.parametrize("normalization", ["trace", "sum"])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("r", range(1, 9))
def test_sm_is_the_spectral_sum(psd, r, weighted, normalization):
    _, k, y = psd
    n = len(k)
    eigenvalues, vectors = np.linalg.eigh(
        k / (np.trace(k) if normalization == "trace" else k.sum())
    )
    u = ref.sm_columns(k, y, weighted)[:, 0]
    wanted = (eigenvalues**r * (vectors.T @ u) ** 2).sum() / n
    options = {"normalization": normalization, "weighted": weighted}
    assert ref.sm(k, y, r=r, **options) == pytest.approx(wanted, rel=1e-11)
    quotient = wanted / ref.sm(np.eye(n), y, r=r, **options)
    assert ref.sm(k, y, r=r, relative=True, **options) == pytest.approx(quotient, rel=1e-11)


def test_sm_weights_and_relative_form(psd):
    _, k, y = psd
    p, q, n = 4, 7, 11
    ybar = np.where(y == 0, n / p, -n / q)
    np.testing.assert_allclose(ref.sm_columns(k, y)[:, 0], ybar, rtol=1e-15)
    u = ybar / n
    scaled = n * k / k.sum()
    wanted = p * q / n * (u @ scaled @ scaled @ scaled @ u)
    got = ref.sm(k, y, r=3, normalization="sum", relative=True)
    assert got == pytest.approx(wanted, rel=1e-12)


def test_sm_multiclass_is_the_mean_over_one_against_the_rest():
    x, y = problem("multiclass", n=23)
    k = ref.gaussian(x, 2.0)
    for weighted in (True, False):
        one_by_one = [ref.sm(k, y == label, r=3, weighted=weighted) for label in np.unique(y)]
        got = ref.sm(k, y, r=3, weighted=weighted)
        assert got == pytest.approx(np.mean(one_by_one), rel=1e-13)


def test_sm_regression_target_is_centred_with_squared_norm_n():
    x, t = problem("regression", n=15)
    k = ref.gaussian(x, 2.0)
    u = ref.sm_columns(k, t, task="regression")[:, 0]
    assert u.sum() == pytest.approx(0.0, abs=1e-12)
    assert u @ u == pytest.approx(15.0)
    assert np.corrcoef(u, t)[0, 1] == pytest.approx(1.0)
    assert ref.sm(np.eye(15), t, r=2, task="regression") == pytest.approx(15.0**-2)


@pytest.mark.parametrize("sizes", CLASS_SIZES)
def test_graph_cut_and_mean_discrepancy(sizes):
    y = labels(*sizes)
    n = len(y)
    k = ref.gaussian(np.random.default_rng(1).normal(size=(n, 3)), 1.5)
    plain = ref.sm(k, y, r=1, normalization="sum", weighted=False)
    weighted = ref.sm(k, y, r=1, normalization="sum")
    ratio = ref.ncut(k, y)
    cut = k[y == 0][:, y == 1].sum()
    assert ratio == pytest.approx(1 - n * plain, rel=1e-12)
    assert ratio == pytest.approx(4 * cut / k.sum(), rel=1e-12)
    assert weighted == pytest.approx(n * ref.mmd(k, y) / k.sum(), rel=1e-12)
    assert ref.sm(k, y, r=1) == pytest.approx(n * ref.mmd(k, y) / np.trace(k), rel=1e-12)
    assert ratio <= ref.ncut(k, y, "shi_malik") * (1 + 1e-12)
    if sizes[0] == sizes[1]:
        assert ratio == pytest.approx(1 - n / 4 * weighted, rel=1e-12)
        within = k.sum() - 2 * cut
        wanted = 4 / n * (within - 2 * cut) / (within + 2 * cut)
        assert weighted == pytest.approx(wanted, rel=1e-12)


def test_shi_malik_equals_the_ratio_for_equal_volumes():
    k = np.array([[2.0, 1, 0.5, 0], [1, 2, 0, 0.5], [0.5, 0, 3, 0], [0, 0.5, 0, 3]])
    y = labels(2, 2)
    assert ref.ncut(k, y, "shi_malik") == pytest.approx(ref.ncut(k, y), rel=1e-14)


# Alignment and separability: section 2 ---------------------------------------------------------


@pytest.mark.parametrize("a", [0.1, 0.3, 0.5, 0.8])
def test_survey_table_2(a):
    y = labels(round(10 * a), 10 - round(10 * a))
    k = ref.linear(np.where(y[:, None] == 0, [-1.0, 1.0], [1.0, 1.0]))
    root = math.hypot(a, 1 - a)
    assert ref.kta(k, y) == pytest.approx(root, rel=1e-12)
    assert ref.ekta(k, y) == pytest.approx(2 * a * (1 - a) / root, rel=1e-12)
    assert ref.ckta(k, y, "survey") == pytest.approx(4 * a * (1 - a), rel=1e-12)
    assert ref.ckta(k, y) == pytest.approx(1.0, rel=1e-12)
    if a > 0.1:
        assert ref.fsm(k, y) == pytest.approx(0.0, abs=1e-14)
    assert ref.kcsm(k, y) == math.inf
    assert ref.kcsm(k, y, bounded=True) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("t", [0.2, 0.7, 1.9, 3.0, 5.1])
def test_survey_table_3(t):
    y = labels(4, 4)
    other = [-1 + 2 * math.cos(t), 1 + 2 * math.sin(t)]
    k = ref.linear(np.where(y[:, None] == 0, [-1.0, 1.0], other))
    cos, sin = math.cos(t), math.sin(t)
    wanted = 1 / math.sqrt(18 - 12 * cos * sin - 16 * (cos - sin))
    assert ref.kta(k, y) == pytest.approx(wanted, rel=1e-12)
    assert ref.ekta(k, y) == pytest.approx(wanted, rel=1e-12)
    assert ref.ckta(k, y) == pytest.approx(1.0, rel=1e-12)
    assert ref.ckta(k, y, "survey") == pytest.approx(1.0, rel=1e-12)
    assert ref.fsm(k, y) == pytest.approx(0.0, abs=1e-14)
    assert ref.kcsm(k, y, bounded=True) == pytest.approx(1.0, rel=1e-12)


def test_alignment_identities(psd):
    _, k, y = psd
    p, q, n = 4, 7, 11
    s = ref.signs(k, y)
    centred_form = s @ ref.center(k) @ s
    md2 = ref.mmd(k, y)
    y_e = np.where(y == 0, 1 / p, -1 / q)
    assert ref.ckta(k, y) == pytest.approx(ref.ckta(k, y, "survey") * n**2 / (4 * p * q))
    assert ref.norm(ref.center(np.outer(s, s))) == pytest.approx(4 * p * q / n)
    assert ref.norm(np.outer(y_e, y_e)) == pytest.approx(n / (p * q))
    assert y_e @ k @ y_e == pytest.approx(md2)
    assert centred_form * (n / (2 * p * q)) ** 2 == pytest.approx(md2)
    between, within = ref.scatter(k, y)
    assert between == pytest.approx(p * q / n * md2)
    assert between == pytest.approx(centred_form * n / (4 * p * q))
    assert between + within == pytest.approx(np.trace(ref.center(k)))
    bounded = ref.kcsm(k, y, bounded=True)
    assert bounded == pytest.approx(ref.kcsm(k, y) / (1 + ref.kcsm(k, y)))


def test_unified_decomposition(psd):
    _, k, y = psd
    p, q, n = 4, 7, 11
    s = ref.signs(k, y)
    balance = n**2 / (4 * p * q)
    raw = s @ k @ s / n**2
    centred = s @ ref.center(k) @ s / n**2
    _, within = ref.scatter(k, y)
    d = k[:, y == 0].mean(1) - k[:, y == 1].mean(1)
    spread = d[y == 0].std(ddof=1) + d[y == 1].std(ddof=1)
    assert ref.kta(k, y) == pytest.approx(raw * n / ref.norm(k))
    assert ref.ekta(k, y) == pytest.approx(balance * centred * n / ref.norm(k))
    assert ref.ckta(k, y, "survey") == pytest.approx(centred * n / ref.norm(ref.center(k)))
    assert 1 / ref.fsm(k, y) == pytest.approx(balance * n**2 / (p * q * spread) * centred)
    assert ref.kcsm(k, y) == pytest.approx(balance * n / within * centred)


def test_feature_space_definitions(psd):
    features, k, y = psd
    first, second = features[y == 0], features[y == 1]
    direction = first.mean(0) - second.mean(0)
    assert ref.mmd(k, y) == pytest.approx(direction @ direction)
    unit = direction / np.linalg.norm(direction)
    spread = (first @ unit).std(ddof=1) + (second @ unit).std(ddof=1)
    assert ref.fsm(k, y) == pytest.approx(spread / np.linalg.norm(direction))
    grand = features.mean(0)
    between = sum(len(f) * ((f.mean(0) - grand) ** 2).sum() for f in (first, second))
    within = sum(((f - f.mean(0)) ** 2).sum() for f in (first, second))
    assert ref.kcsm(k, y) == pytest.approx(between / within)


def test_fsm_bounds_the_training_error(psd):
    _, k, y = psd
    d = k[:, y == 0].mean(1) - k[:, y == 1].mean(1)
    s = [d[y == c].std(ddof=1) for c in (0, 1)]
    m = [d[y == c].mean() for c in (0, 1)]
    errors = np.mean((d < (m[0] * s[1] + m[1] * s[0]) / sum(s)) == (y == 0))
    assert errors <= ref.fsm(k, y) ** 2 / (1 + ref.fsm(k, y) ** 2)


def test_balanced_ekta_is_kta():
    x, y = problem("binary", n=16, balanced=True)
    k = ref.gaussian(x, 1.0)
    assert ref.ekta(k, y) == pytest.approx(ref.kta(k, y), rel=1e-12)


def test_multiclass_forms_reduce_to_the_binary_ones(psd):
    _, k, y = psd
    z = ref.indicators(k, y)
    same = z @ z.T
    np.testing.assert_array_equal(ref.kta_target(k, y), same - (1 - same))
    t = ref.ekta_target(k, y)
    assert ref.inner(k, t) / (ref.norm(k) * ref.norm(t)) == pytest.approx(ref.ekta(k, y))
    # One column against both: the second is the first with its sign turned.
    np.testing.assert_allclose(ref.sm_columns(k, y)[:, 0], -ref.sm_columns(k, y)[:, 1])


@pytest.mark.parametrize("coding", [(1.0, 0.0), (2.0, -1.0), (0.3, 5.0)])
def test_ckta_does_not_see_the_coding(coding):
    x, y = problem("multiclass", n=19)
    k = ref.gaussian(x, 2.0)
    z = ref.indicators(k, y)
    target = ref.center(coding[0] * z @ z.T + coding[1])
    centred = ref.center(k)
    wanted = ref.inner(centred, target) / (ref.norm(centred) * ref.norm(target))
    assert ref.ckta(k, y) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_wide_gaussian_tends_to_the_linear_kernel(task):
    x, y = problem(task, n=20)
    wide, flat = ref.gaussian(x, 1e6), ref.linear(x)
    for key in ("ckta", "fsm", "kcsm"):
        assert BY_KEY[key].reference(wide, y) == pytest.approx(
            BY_KEY[key].reference(flat, y), rel=1e-5
        )
    if task == "binary":
        p = (y == 0).mean()
        assert ref.kta(wide, y) == pytest.approx((2 * p - 1) ** 2, rel=1e-4)


# Kernel stability ------------------------------------------------------------------------------


def test_stability_is_the_spectral_norm_of_a_removed_point(psd):
    _, k, _ = psd
    norms = []
    for i in range(len(k)):
        without = k.copy()
        without[i, :] = without[:, i] = 0
        norms.append(np.linalg.norm(k - without, 2))
    assert ref.stability(k) == pytest.approx(max(norms), rel=1e-12)
    assert ref.stability(3.5 * k) == pytest.approx(3.5 * max(norms), rel=1e-12)
