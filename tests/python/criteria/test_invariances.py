"""What must not change a sum over the kernel matrix, on problems that hypothesis picks."""

from __future__ import annotations

import numpy as np
import pytest
from catalogue import MOMENTS, criteria_for, table
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_catalogue import DEFINITE, FAMILIES, OF_DIFFERENCES, OF_TURNED_ROWS
from problems import TASKS, problem

import kernelect as ke

steady = settings(max_examples=15, deadline=None, derandomize=True, database=None)

seeds = st.integers(0, 10_000)
sizes = st.integers(20, 70)
tasks = st.sampled_from(TASKS)
kernels = st.sampled_from(FAMILIES)

# Of the O(n^2) criteria only kernel stability and the class distance carry the kernel's unit.
SCALES_WITH_KERNEL = ("mmd", "stability")
CENTRED = ("ckta", "fsm", "kcsm", "mmd")


def dyadic(x):
    """Multiples of 1/256: translations and differences of such numbers are exact."""
    return np.round(256 * x) / 256


def assert_close(result, wanted, keys=None, rtol=1e-10):
    for key in keys or wanted.scores:
        np.testing.assert_allclose(
            result.scores[key], wanted.scores[key], rtol=rtol, atol=0, err_msg=key
        )


@steady
@given(kernels, tasks, sizes, seeds, st.floats(1e-6, 1e6))
def test_scale_of_the_kernel(kernel, task, n, seed, factor):
    x, y = problem(task, n=n, seed=seed)
    criteria = criteria_for(task, MOMENTS)
    plain = table(x, y, [kernel.build()], criteria, task)
    scaled = table(x, y, [factor * kernel.build()], criteria, task)
    matrix = table(None, y, [factor * kernel.matrix(x)], criteria, task)
    for criterion in criteria:
        unit = factor if criterion.name in SCALES_WITH_KERNEL else 1.0
        wanted = pytest.approx(unit * plain.scores[criterion.key][0], rel=1e-10)
        assert scaled.scores[criterion.key][0] == wanted, criterion.key
        assert matrix.scores[criterion.key][0] == wanted, criterion.key


@steady
@given(kernels, tasks, sizes, seeds)
def test_order_of_the_rows(kernel, task, n, seed):
    x, y = problem(task, n=n, seed=seed)
    order = np.random.default_rng(seed).permutation(n)
    criteria = criteria_for(task, MOMENTS)
    built = [kernel.build(), ke.Gaussian(2.0**12), ke.Gaussian(2.0**-4)]
    assert_close(
        table(x[order], y[order], built, criteria, task), table(x, y, built, criteria, task)
    )


@steady
@given(kernels, sizes, seeds)
def test_swapped_labels(kernel, n, seed):
    x, y = problem("binary", n=n, seed=seed)
    built = [kernel.build(), ke.Gaussian(2.0**12)]
    assert_close(table(x, 1 - y, built, MOMENTS), table(x, y, built, MOMENTS))


@steady
@given(sizes, seeds)
def test_sign_and_unit_of_a_regression_target(n, seed):
    x, t = problem("regression", n=n, seed=seed)
    criteria = criteria_for("regression", MOMENTS)
    built = [kernel.build() for kernel in FAMILIES]
    plain = table(x, t, built, criteria, "regression")
    assert_close(table(x, -2.5 * t, built, criteria, "regression"), plain)
    assert_close(table(x, t + 3.0, built, criteria, "regression"), plain)


@steady
@given(tasks, sizes, seeds, st.integers(-1000, 1000))
def test_translation_leaves_distances(task, n, seed, shift):
    x, y = problem(task, n=n, seed=seed)
    x = dyadic(x)
    criteria = criteria_for(task, MOMENTS)
    built = [kernel.build() for kernel in OF_DIFFERENCES]
    built.append(ke.Gaussian(2.0**12))
    assert_close(table(x + shift, y, built, criteria, task), table(x, y, built, criteria, task))


@steady
@given(st.sampled_from(["binary", "multiclass"]), sizes, seeds, st.integers(-4, 4))
def test_translation_and_the_linear_kernel(task, n, seed, shift):
    x, y = problem(task, n=n, seed=seed)
    x = dyadic(x)
    criteria = [c for c in criteria_for(task, MOMENTS) if c.name in CENTRED]
    plain = table(x, y, [ke.Linear()], criteria, task)
    assert_close(table(x + shift, y, [ke.Linear()], criteria, task), plain)


def test_translation_changes_the_uncentred_measures():
    x, y = problem("binary")
    criteria = [c for c in MOMENTS if c.name in ("sm", "kta", "ekta")]
    plain = table(x, y, [ke.Linear()], criteria)
    moved = table(x + 2.0, y, [ke.Linear()], criteria)
    for key, values in plain.scores.items():
        assert moved.scores[key][0] != pytest.approx(values[0], rel=1e-3), key


@steady
@given(tasks, sizes, seeds)
def test_rotation_of_the_features(task, n, seed):
    x, y = problem(task, n=n, seed=seed)
    rotation, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(x.shape[1],) * 2))
    criteria = criteria_for(task, MOMENTS)
    built = [kernel.build() for kernel in OF_TURNED_ROWS]
    plain = table(x, y, built, criteria, task)
    assert_close(table(x @ rotation, y, built, criteria, task), plain)


@steady
@given(tasks, sizes, seeds, st.integers(-20, 20))
def test_unit_of_the_features(task, n, seed, exponent):
    """Rows and length scales in another unit, a power of two so that nothing is rounded."""
    x, y = problem(task, n=n, seed=seed)
    unit = 2.0**exponent
    criteria = criteria_for(task, MOMENTS)
    plain = [ke.Gaussian(1.5), ke.Laplacian(0.5), ke.Matern(1.5, 2.0), ke.Polynomial(2, 0.5)]
    scaled = [
        ke.Gaussian(1.5 * unit**2),
        ke.Laplacian(0.5 / unit),
        ke.Matern(1.5, 2.0 * unit),
        ke.Polynomial(2, 0.5 / unit**2),
    ]
    result = table(unit * x, y, scaled, criteria, task)
    assert_close(result, table(x, y, plain, criteria, task), rtol=1e-12)


@steady
@given(kernels, tasks, sizes, seeds)
def test_order_of_the_features(kernel, task, n, seed):
    x, y = problem(task, n=n, d=6, seed=seed)
    criteria = criteria_for(task, MOMENTS)
    plain = table(x, y, [kernel.build()], criteria, task)
    assert_close(table(x[:, ::-1], y, [kernel.build()], criteria, task), plain)


@steady
@given(tasks, sizes, seeds)
def test_values_stay_in_their_range(task, n, seed):
    x, y = problem(task, n=n, seed=seed)
    criteria = criteria_for(task, MOMENTS)
    built = [kernel.build() for kernel in DEFINITE] + list(ke.gaussian_grid(-15, 15, step=5))
    result = table(x, y, built, criteria, task)
    limits = {
        "kta": (0, 1),
        "ekta": (0, 1),
        "ckta": (0, 1),
        "ckta(variant='survey')": (0, 1),
        "kcsm(bounded=True)": (0, 1),
        "fsm": (0, np.inf),
        "mmd": (0, np.inf),
        "sm": (0, np.inf),
    }
    for key in limits.keys() & result.scores.keys():
        low, high = limits[key]
        assert (result.scores[key] >= low).all(), key
        assert (result.scores[key] <= high * (1 + 1e-12)).all(), key


@steady
@given(sizes, seeds)
def test_identities_between_criteria(n, seed):
    x, y = problem("binary", n=n, seed=seed)
    p = int((y == 0).sum())
    q = n - p
    built = [kernel.build() for kernel in FAMILIES] + list(ke.gaussian_grid(-4, 15, step=3))
    scores = table(x, y, built, MOMENTS).scores
    trace = np.array([np.trace(kernel(x)) for kernel in built])

    def same(left, right):
        np.testing.assert_allclose(left, right, rtol=1e-10, atol=1e-14)

    same(scores["sm(r=1)"], n * scores["mmd"] / trace)
    same(scores["ckta"], scores["ckta(variant='survey')"] * n**2 / (4 * p * q))
    same(scores["kcsm(bounded=True)"], scores["kcsm"] / (1 + scores["kcsm"]))
    same(scores["ncut"], 1 - n * scores["sm(r=1, normalization='sum', weighted=False)"])
    same(scores["sm(relative=True)"], scores["sm"] * p * q)
    same(scores["sm(r=3, relative=True)"], scores["sm(r=3)"] * p * q * n)
    assert (scores["ncut"] <= scores["ncut(variant='shi_malik')"] * (1 + 1e-12))[:6].all()


@steady
@given(sizes, seeds)
def test_balanced_classes(n, seed):
    n += n % 2
    x, y = problem("binary", n=n, seed=seed, balanced=True)
    built = [kernel.build() for kernel in FAMILIES]
    scores = table(x, y, built, MOMENTS).scores
    np.testing.assert_allclose(scores["ekta"], scores["kta"], rtol=1e-10)
    np.testing.assert_allclose(scores["ckta"], scores["ckta(variant='survey')"], rtol=1e-10)
    weighted = scores["sm(r=1, normalization='sum')"]
    np.testing.assert_allclose(scores["ncut"], 1 - n / 4 * weighted, rtol=1e-10)


@steady
@given(sizes, seeds)
def test_wide_gaussian_tends_to_the_linear_kernel(n, seed):
    x, y = problem("binary", n=n, seed=seed)
    # The distance to the limit is of the order of (largest squared distance) / tau.
    result = table(x, y, [ke.Gaussian(1e8), ke.Linear()], MOMENTS)
    for key in ("ckta", "fsm", "kcsm"):
        wide, linear = result.scores[key]
        assert wide == pytest.approx(linear, rel=1e-5), key
    assert result.scores["kta"][0] == pytest.approx((2 * np.mean(y) - 1) ** 2, rel=1e-4)


@steady
@given(sizes, seeds)
def test_trace_measure_decreases_with_its_power(n, seed):
    """The eigenvalues of K / tr K lie in [0, 1]."""
    x, y = problem("binary", n=n, seed=seed)
    built = [kernel.build() for kernel in DEFINITE]
    scores = table(x, y, built, MOMENTS).scores
    for low, high in (("sm(r=1)", "sm"), ("sm", "sm(r=3)"), ("sm(r=4)", "sm(r=5)")):
        assert (scores[low] >= scores[high]).all()
