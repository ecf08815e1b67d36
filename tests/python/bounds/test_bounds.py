"""The papers' bounds against direct transcriptions, their lemmas and the measures' definitions."""

from __future__ import annotations

from math import log, sqrt

import golden
import numpy as np
import pytest
import twins
from numpy.testing import assert_allclose
from problems import problem
from scipy.optimize import minimize_scalar
from sklearn.svm import SVC

from kernelect.bounds import (
    expected_margin_bound,
    krr_cv_variance_bound,
    lssvm_cv_variance_unproven,
    margin_term,
    pep_bound,
    sm_lssvm_bound,
    sm_svm_bound,
    svm_cv_variance_bound,
    unified_decomposition,
    unified_decomposition_of_gram,
)


def gram_and_labels(seed, n=40):
    x, y = problem("binary", n=n, d=3, seed=seed)
    tau = 2.0 ** np.random.default_rng(seed).integers(-3, 6)
    return twins.gaussian(x, tau), 2.0 * y - 1


def term(theta, n, delta, extra=0.0):
    mu = 8 / theta**2 * log(n) * log(2 * n) + log(2 * n / delta)
    return theta + (7 * mu + 3 * sqrt(3 * mu) + 6 + extra) / (3 * n) + sqrt(3 * mu / n)


# Spectral measure.


def test_margin_term_is_the_minimum():
    sizes = np.array([1e2, 1e3, 1e4, 1e5, 1e6])
    found = margin_term(sizes)
    assert_allclose(found.value, [8.5, 3.2, 1.6, 0.97, 0.57], atol=0.05)
    for n, value, theta in zip(sizes, found.value, found.theta, strict=True):
        best = minimize_scalar(term, bounds=(1e-4, 1), args=(n, 0.05), method="bounded")
        assert value <= best.fun + 1e-9
        assert_allclose(value, term(theta, n, 0.05), rtol=1e-13)
        assert 0 < theta <= 1


def test_margin_term_broadcasts():
    found = margin_term([[1e4], [1e6]], delta=[0.01, 0.1, 0.5])
    assert found.value.shape == (2, 3)
    assert np.all(np.diff(found.value, axis=1) < 0)


@pytest.mark.parametrize("scale", ["sum", "trace"])
@pytest.mark.parametrize("lam", [0.1, 1.0, 4.0])
def test_lssvm_lemma_holds_with_the_corrected_constant(scale, lam):
    for seed in range(20):
        k, y = gram_and_labels(seed)
        n = len(y)
        total = k.sum() if scale == "sum" else np.trace(k)
        fit = y @ k @ np.linalg.solve(k + lam * np.eye(n), y) / n
        for degree in (1, 2, 3):
            measure = y @ np.linalg.matrix_power(k / total, degree) @ y / n
            bound = sm_lssvm_bound(measure, n, scale=total, lam=lam) - margin_term(n).value
            assert 1 - fit <= bound + 1e-12


def test_printed_lssvm_constant_fails():
    n, lam = 40, 10.0
    k, y = np.eye(n), np.r_[np.ones(n - 1), -1.0]
    total = k.sum()
    fit = y @ k @ np.linalg.solve(k + lam * np.eye(n), y) / n
    measure = y @ (k / total) @ y / n
    assert fit >= total / (total + lam) * measure
    assert fit < total * lam / (total + lam) * measure


@pytest.mark.parametrize("scale", ["sum", "trace"])
@pytest.mark.parametrize("lam", [0.05, 0.5, 2.0])
def test_svm_lemma_holds(scale, lam):
    for seed in range(3):
        k, y = gram_and_labels(seed, n=25)
        n, entries = len(y), k.sum()
        total = entries if scale == "sum" else np.trace(k)
        # A bias-free machine: the dual box alone, by projected coordinate ascent.
        alpha = np.zeros(n)
        for _ in range(100):
            for i in range(n):
                step = (1 - y[i] * (k[i] @ (alpha * y))) / k[i, i]
                alpha[i] = np.clip(alpha[i] + step, 0, 1 / (2 * lam))
        margin = y @ k @ (y * alpha) / n
        measure = y @ (k / total) @ y / n
        b = max(1.0, 1 / (2 * lam) - 1)
        assert margin >= total * measure - entries * b / n - 1e-9
        full = sm_svm_bound(measure, n, scale=total, lam=lam, entry_sum=entries)
        expected = 1 - total * measure + margin_term(n, extra=3 * entries * b).value
        assert_allclose(full, expected, rtol=1e-13)


def test_svm_bound_takes_the_scale_as_entry_sum():
    args = {"scale": 30.0, "lam": 0.1}
    assert sm_svm_bound(0.1, 500, **args) == sm_svm_bound(0.1, 500, entry_sum=30.0, **args)


# Principal eigenvalue proportion.


def test_pep_theorems():
    n, t, risk, beta, k = 5000, 8, 0.12, 0.7, 3.0
    options = {"t": t, "norm_bound": 2.0, "loss_bound": 3.0, "lipschitz": 1.5, "kappa": 1.2,
               "delta": 0.1, "k": k}  # fmt: skip
    c1, c2 = 40 * 4 * 2.25 * 1.2, 20 * log(10) + 40 * 2.25 * t
    expected = k / (k - 1) * risk + c1 * k * (1 - beta) / n + c2 * k / n
    assert_allclose(pep_bound(risk, beta, n, **options), expected)
    c1, c2 = 20 * 4 * 2.25 * 1.2, 37 * log(10) + 20 * 2.25 * t
    expected = k / (k - 1) * risk + c1 * k * (1 - beta) / n + c2 * k / n
    assert_allclose(pep_bound(risk, beta, n, population=True, **options), expected)


def test_pep_corollaries_average_over_the_combination():
    options = {"t": 4, "norm_bound": 1.0, "loss_bound": 1.0}
    betas = np.array([[0.9, 0.5, 0.1], [0.3, 0.3, 0.3]])
    combined = pep_bound(0.2, betas, 1000, weights=[0.2, 0.3, 0.5], **options)
    assert_allclose(combined, pep_bound(0.2, betas @ [0.2, 0.3, 0.5], 1000, **options))
    assert_allclose(pep_bound(0.2, 0.4, 1000, weights=[1.0], **options),
                    pep_bound(0.2, 0.4, 1000, **options))  # fmt: skip


def test_larger_proportions_give_smaller_bounds():
    bounds = pep_bound(0.1, np.linspace(0, 1, 5), 1000, t=2, norm_bound=1.0, loss_bound=1.0)
    assert np.all(np.diff(bounds) < 0)


# The unified form.


def measures(k, y):
    """KTA, EKTA, CKTA (survey), 1/FSM and KCSM from their definitions."""
    return {
        "kta": twins.kta(k, y),
        "ekta": twins.ekta(k, y),
        "ckta": twins.ckta(k, y, "survey"),
        "1/fsm": 1 / twins.fsm(k, y),
        "kcsm": twins.kcsm(k, y),
    }


def test_decomposition_reproduces_the_measures():
    for seed in range(10):
        k, y = gram_and_labels(seed)
        table = unified_decomposition_of_gram(k, y)
        for name, expected in measures(k, y).items():
            row = table[name]
            assert_allclose(row.value, expected, rtol=1e-11)
            assert_allclose(row.coefficient * row.alignment, expected, rtol=1e-11)
        assert_allclose(table["kta"].alignment, y @ k @ y / len(y) ** 2)


def test_golden_values():
    table = unified_decomposition_of_gram(twins.gaussian(golden.X, golden.TAU), golden.Y)
    wanted = {name: golden.CLASSIFICATION[name] for name in ("kta", "ekta", "kcsm")}
    wanted["ckta"] = golden.CLASSIFICATION["ckta(variant='survey')"]
    wanted["1/fsm"] = 1 / golden.CLASSIFICATION["fsm"]
    for name, value in wanted.items():
        assert_allclose(table[name].value, value, rtol=1e-10)


def test_decomposition_at_degenerate_kernels():
    y = np.array([1.0, 1, 1, -1, -1, -1, -1])
    identity = unified_decomposition_of_gram(np.eye(7), y)
    assert_allclose(identity["kta"].value, 1 / sqrt(7))
    assert_allclose(identity["kcsm"].value, 1 / 5)
    assert identity["1/fsm"].value > 1e14  # FSM is 0, up to rounding
    constant = unified_decomposition_of_gram(np.ones((7, 7)), y)
    assert_allclose(constant["kta"].value, 1 / 49)
    for name in ("ekta", "ckta", "kcsm", "1/fsm"):
        assert constant[name].value == 0
    single = unified_decomposition_of_gram(np.eye(3), [1, 1, -1])
    assert np.isfinite(single["kcsm"].value)


def test_decomposition_takes_a_column_per_candidate():
    table = unified_decomposition(
        positive=3, negative=4, alignment=[10.0, 20.0], centered_alignment=[8.0, 9.0],
        norm=[5.0, 6.0], centered_norm=[4.0, 0.0], spread=[0.5, 0.0], within_scatter=[2.0, 3.0],
    )  # fmt: skip
    assert_allclose(table["kta"].value, [10 / 5 / 7, 20 / 6 / 7])
    assert table["1/fsm"].value[1] == np.inf


def test_expected_margin_bound_on_a_finite_distribution():
    rng = np.random.default_rng(0)
    for _ in range(20):
        k, y = gram_and_labels(int(rng.integers(1000)))
        alpha = rng.random(len(y))
        outputs = k @ (alpha * y) / len(y)
        bound = expected_margin_bound(
            np.mean(y * outputs), coefficient_bound=alpha.max(), kernel_bound=k.max()
        )
        assert np.mean(y * outputs < 0) <= bound


# Kernel stability.


def test_variance_bounds():
    beta, n, lam, kappa, m = 1.7, 90, 0.2, 1.3, 72.0
    krr = krr_cv_variance_bound(beta, n, folds=5, lam=lam, kappa=kappa, target_bound=2.0)
    assert_allclose(
        krr, 16 * (kappa**2 * 4 / (lam**3 * m) + kappa * 4 / (lam**2 * m)) ** 2 * beta**2
    )
    lssvm = lssvm_cv_variance_unproven(beta, n, folds=5, lam=lam, kappa=kappa)
    assert_allclose(lssvm, 16 * (2.3**2 / (lam**3 * m) + 2.3 / (lam**2 * m)) ** 2 * beta**2)
    svm = svm_cv_variance_bound(beta, lam=lam, kappa=kappa)
    assert_allclose(
        svm, 8 * 2.5**2 * kappa**1.5 * sqrt(beta) * (1 + (beta / (4 * kappa)) ** 0.25) ** 2
    )


def test_svm_lemma_behind_the_variance_bound():
    """4 |h' - h|^2, |h' - h| <= sqrt(2) C0 kappa^(3/4) beta^(1/4) (1 + (beta / 4 kappa)^(1/4))."""
    k, y = gram_and_labels(3, n=30)
    removed = k.copy()
    removed[5, :] = removed[:, 5] = 0.0
    beta, box = np.linalg.norm(k - removed, 2), 1.0
    fits = []
    for gram in (k, removed):
        machine = SVC(C=box / len(y), kernel="precomputed", tol=1e-8).fit(gram, y)
        z = np.zeros(len(y))
        z[machine.support_] = machine.dual_coef_[0]
        fits.append(gram @ z)
    limit = svm_cv_variance_bound(beta, lam=1 / (2 * box)) / 4
    assert np.max((fits[1] - fits[0]) ** 2) <= limit


def test_lssvm_statement_rests_on_a_false_norm_bound():
    m, lam = 10, 1.0
    bordered = np.block([[np.ones((m, m)) + m * lam * np.eye(m), np.ones((m, 1))],
                         [np.ones((1, m)), np.zeros((1, 1))]])  # fmt: skip
    assert_allclose(np.linalg.norm(np.linalg.inv(bordered), 2), 2.05, atol=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: margin_term(4), "n must be at least 5"),
        (lambda: margin_term(100, delta=0.0), "delta must lie strictly between 0 and 1"),
        (lambda: sm_lssvm_bound(0.1, 100, scale=0.0, lam=1.0), "scale must be above 0"),
        (lambda: sm_lssvm_bound(-0.1, 100, scale=1.0, lam=1.0), "sm must be at least 0"),
        (lambda: sm_svm_bound(0.1, 100, scale=1.0, lam=np.nan), "lam must be above 0"),
        (lambda: pep_bound(0.1, 1.2, 9, t=2, norm_bound=1.0, loss_bound=1.0), "pep .* at most 1"),
        (lambda: pep_bound(0.1, 0.2, 9, t=0, norm_bound=1.0, loss_bound=1.0), "t must be a whole"),
        (lambda: pep_bound(0.1, 0.2, 9, t=1, norm_bound=1, loss_bound=1, k=1), "k must be above 1"),
        (lambda: pep_bound(0.1, 0.2, 2, t=1, norm_bound=1, loss_bound=1), "n must be at least 3"),
        (
            lambda: pep_bound(
                0.1, [0.2, 0.3], 9, t=1, norm_bound=1, loss_bound=1, weights=[0.9, 0.3]
            ),
            "sum to 1",
        ),
        (
            lambda: pep_bound(0.1, [0.2, 0.3], 9, t=1, norm_bound=1, loss_bound=1, weights=[1.0]),
            "one entry per kernel",
        ),
        (
            lambda: expected_margin_bound(2.0, coefficient_bound=1, kernel_bound=1),
            "must not exceed",
        ),
        (lambda: krr_cv_variance_bound(1.0, 90, folds=1, lam=1.0), "folds must be a whole number"),
        (lambda: svm_cv_variance_bound(0.0, lam=1.0), "stability must be above 0"),
        (lambda: unified_decomposition_of_gram(np.eye(3), [1, 1, 1]), "both at least once"),
        (lambda: unified_decomposition_of_gram(np.eye(4), [1, 1, -1]), "match y"),
    ],
)
def test_mistakes(call, message):
    with pytest.raises(ValueError, match=message):
        call()
