"""Landmark models against honest retraining, and what could go wrong with their numbers."""

import pickle

import mpmath
import numpy as np
import pytest
import scipy.sparse as sp
import twins
from kernel_catalogue import Kernel

import kernelect as ke
from kernelect._dispatch import core
from kernelect._evidence.landmarks.choice import choose
from kernelect._evidence.landmarks.model import LEAF_ROWS

RIDGES = np.array([1e-3, 0.1, 1.0, 30.0])


def rows_and_targets(n=90, d=4, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    y = np.c_[np.sin(2 * x[:, 0]) + 0.3 * rng.normal(size=n), x[:, 1] * x[:, 2]]
    return x, y


def chosen_of(kernel, x, count, **how):
    return choose(kernel, x, np.arange(x.shape[0]), count, seed=3, **how)


def model_of(chosen, x, y, *, bias=True, weights=None, **how):
    origin = y.mean(axis=0)
    sums = chosen.sums(x, y, target_origin=origin, weights=weights)
    return chosen.ridge(sums, target_origin=origin, bias=bias, **how)


def places(chosen, n):
    found = np.full(n, -1)
    found[chosen.numbers] = np.arange(chosen.size)
    return found


def left_out(kernel, x, y, count, ridges, *, weights=None, bias=True):
    chosen = chosen_of(kernel, x, count)
    model = model_of(chosen, x, y, weights=weights, bias=bias)
    how = {"landmark": places(chosen, len(y)), "weights": weights}
    return chosen, model.left_out(x, y, np.asarray(ridges), **how).residuals


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_left_out_rows_leave_the_fit_and_the_landmarks(bias, weighted):
    x, y = rows_and_targets()
    weights = np.random.default_rng(1).uniform(0.2, 3.0, len(y)) if weighted else None
    kernel = ke.Gaussian(4.0)
    chosen, found = left_out(kernel, x, y, 25, RIDGES, weights=weights, bias=bias)
    assert chosen.size == 25
    k = kernel(x)
    for ridge, residuals in zip(RIDGES, found, strict=True):
        honest = twins.landmark_outputs(
            k, y, chosen.numbers, twins.singles(len(y)), lam=ridge, bias=bias, weights=weights
        )
        np.testing.assert_allclose(residuals, y - honest, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("bias", [True, False])
def test_folds_from_their_own_sums(bias):
    x, y = rows_and_targets()
    kernel = ke.Laplacian(0.3)
    chosen = chosen_of(kernel, x, 20)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, len(y))
    folds = np.arange(len(y)) % 4  # the fourth is in no fold
    origin = np.zeros(2)
    sums = chosen.sums(x, y, target_origin=origin, weights=weights, folds=folds, fold_count=3)
    for fold in range(3):
        model = chosen.ridge(sums, target_origin=origin, bias=bias, without_fold=fold)
        test = np.flatnonzero(folds == fold)
        found = model.residuals(x[test], y[test], np.array([0.5]))
        honest = twins.landmark_outputs(
            kernel(x), y, chosen.numbers, [test], drop=False, lam=0.5, bias=bias, weights=weights
        )
        np.testing.assert_allclose(found[0], (y - honest)[test], rtol=1e-8, atol=1e-10)


def test_sums_of_squares_and_degrees_of_freedom():
    x, y = rows_and_targets()
    kernel = ke.Gaussian(2.0)
    chosen = chosen_of(kernel, x, 30)
    model = model_of(chosen, x, y)
    squares, total, freedom = model.model.spread(list(RIDGES))
    near = twins.nystroem(kernel(x), chosen.numbers)
    for ridge, square, free in zip(RIDGES, squares, freedom, strict=True):
        hat = twins.hat(near, np.full(len(y), ridge))
        np.testing.assert_allclose(square, ((y - hat @ y) ** 2).sum(axis=0), rtol=1e-8)
        assert free == pytest.approx(np.trace(hat), rel=1e-9)
    np.testing.assert_allclose(total, ((y - y.mean(axis=0)) ** 2).sum(axis=0))
    coefficients, intercepts = model.coefficients(RIDGES)
    fitted = kernel(x, chosen.rows) @ coefficients + intercepts[:, None, :]
    trained = model.residuals(x, y, RIDGES)
    np.testing.assert_allclose(y - fitted, trained, atol=1e-9)


def test_the_first_landmarks_are_a_smaller_model():
    x, y = rows_and_targets()
    kernel = ke.Gaussian(4.0)
    chosen = chosen_of(kernel, x, 24)
    half = model_of(chosen, x, y, order=12)
    found = half.left_out(x, y, np.array([0.3]), landmark=places(chosen, len(y))).residuals
    honest = twins.landmark_outputs(
        kernel(x), y, chosen.numbers[:12], twins.singles(len(y)), lam=0.3
    )
    np.testing.assert_allclose(found[0], y - honest, rtol=1e-8, atol=1e-10)


def test_what_is_left_and_the_centred_trace():
    x, y = rows_and_targets(200)
    kernel = ke.Gaussian(2.0)
    chosen = chosen_of(kernel, x, 40)
    sums = chosen.sums(x, y, target_origin=np.zeros(2), weights=np.linspace(1, 2, len(y)))
    k = kernel(x)
    left = twins.what_is_left(k, chosen.numbers)
    assert sums.left == pytest.approx(left, rel=1e-9)
    assert chosen.left[-1] == pytest.approx(left, rel=1e-9)
    assert sums.centred_trace == pytest.approx(1.0 - k.mean(), rel=0.01)


def test_forms_of_rows_and_kernels_give_the_same_model():
    x, y = rows_and_targets()
    x[np.abs(x) < 0.7] = 0.0
    kernel = ke.Gaussian(3.0)
    wanted, expected = left_out(kernel, x, y, 20, [0.1])
    for rows in (sp.csr_matrix(x), sp.csr_array(x)):
        sparse, found = left_out(kernel, rows, y, 20, [0.1])
        np.testing.assert_array_equal(sparse.numbers, wanted.numbers)
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)
    function = ke.kernels.Function(kernel)
    other, found = left_out(function, x, y, 20, [0.1])
    np.testing.assert_array_equal(other.numbers, wanted.numbers)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)
    scaled, found = left_out(2.0 * kernel * ke.Linear() + kernel, x, y, 20, [0.1])
    assert scaled.size == 20
    assert np.isfinite(found).all()


def test_wide_kernels_keep_their_digits():
    """Sums of k k' that are whitened afterwards would be off by a hundredth here."""
    x, y = rows_and_targets(40)
    kernel = ke.Gaussian(200.0)
    chosen = chosen_of(kernel, x, 20)
    spread = 1.0 - kernel(x).mean()
    ridge = spread * 2.0**-10
    model = model_of(chosen, x, y)
    found = model.left_out(x, y, np.array([ridge])).residuals
    with mpmath.workdps(60):
        exact = Kernel("Gaussian", (200.0,)).matrix(twins.extended(x))
        near = twins.nystroem(exact, chosen.numbers)
        system = near + np.diag(twins.extended(np.full(40, ridge)))
        inverse = twins.solve(system, twins.extended(np.eye(40)))
        sums = inverse.sum(axis=1)
        maker = inverse - np.outer(sums, sums) / sums.sum()
        honest = (maker @ twins.extended(y)) / np.diag(maker)[:, None]
    honest = honest.astype(float)
    assert np.abs(found[0] - honest).max() <= 1e-8 * np.abs(honest).max()


@pytest.mark.parametrize("factor", [1e-9, 1e9])
def test_no_jitter_depends_on_the_scale(factor):
    x, y = rows_and_targets()
    kernel = ke.Gaussian(4.0)
    wanted, expected = left_out(kernel, x, y, 25, [0.01])
    scaled, found = left_out(factor * kernel, x, y, 25, [factor * 0.01])
    np.testing.assert_array_equal(scaled.numbers, wanted.numbers)
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_duplicated_rows_are_one_landmark():
    x, y = rows_and_targets(30)
    x, y = np.vstack([x, x, x]), np.vstack([y, y + 0.1, y - 0.2])
    kernel = ke.Gaussian(4.0)
    chosen, found = left_out(kernel, x, y, 25, [0.2])
    assert len(np.unique(x[chosen.numbers], axis=0)) == chosen.size == 25
    honest = twins.landmark_outputs(kernel(x), y, chosen.numbers, twins.singles(len(y)), lam=0.2)
    np.testing.assert_allclose(found[0], y - honest, rtol=1e-7, atol=1e-9)


def test_very_wide_kernels_are_ridge_regression_on_the_features():
    x, y = rows_and_targets()
    tau, ridge = 2.0**20, 0.5
    _, found = left_out(ke.Gaussian(tau), x, y, 40, [ridge / tau])
    linear = twins.landmark_outputs(
        x @ x.T, y, np.arange(4), twins.singles(len(y)), drop=False, lam=ridge
    )
    np.testing.assert_allclose(found[0], y - linear, rtol=1e-3, atol=1e-3)


def test_tiny_ridges_at_landmarks():
    x, y = rows_and_targets()
    kernel = ke.Gaussian(1.0)
    chosen, found = left_out(kernel, x, y, 20, [1e-12])
    assert np.isfinite(found).all()
    honest = twins.landmark_outputs(
        kernel(x), y, chosen.numbers, [[i] for i in chosen.numbers], lam=1e-9
    )
    at = chosen.numbers
    np.testing.assert_allclose(found[0][at], (y - honest)[at], rtol=1e-4, atol=1e-5)


def test_the_bias_is_not_penalised():
    x, y = rows_and_targets()
    _, found = left_out(ke.Gaussian(4.0), x, y, 25, [0.5])
    _, moved = left_out(ke.Gaussian(4.0), x, y + 1000.0, 25, [0.5])
    np.testing.assert_allclose(moved, found, atol=1e-9)


def test_a_row_of_weight_two_is_that_row_twice():
    x, y = rows_and_targets(40)
    weights = np.ones(40)
    weights[7] = 2.0
    chosen = chosen_of(ke.Gaussian(4.0), x, 15)
    once = model_of(chosen, x, y, weights=weights).coefficients(RIDGES)
    twice = model_of(chosen, np.vstack([x, x[7]]), np.vstack([y, y[7]])).coefficients(RIDGES)
    np.testing.assert_allclose(once[0], twice[0], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(once[1], twice[1], rtol=1e-6, atol=1e-9)


def test_a_linear_kernel_has_as_many_landmarks_as_features():
    x, y = rows_and_targets(d=3)
    chosen = chosen_of(ke.Linear(), x, 50)
    assert chosen.size == 3
    assert (model_of(chosen, x, y).model.eigenvalues >= 0.0).all()


def test_kernels_alike_have_landmarks_alike():
    x, _ = rows_and_targets(500)

    def shared(seed, other):
        one, two = (
            choose(ke.Gaussian(tau), x, np.arange(500), 60, seed=own)
            for tau, own in ((4.0, seed), (4.2, other))
        )
        return len(set(one.numbers) & set(two.numbers))

    assert sum(shared(s, s) for s in range(5)) > 2 * sum(shared(s, s + 5) for s in range(5))


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("cuts", [(), (1,), (1, 2, 3, 4, 5, 6), (3,), (2, 5)])
def test_bits_do_not_depend_on_threads_or_chunks(threads, cuts):
    n = 6 * LEAF_ROWS + 55
    x, y = rows_and_targets(n, d=12)
    x += 100.0  # where distances are taken from a centre
    chosen = choose(ke.Gaussian(20.0), x[:500], np.arange(500), 12)
    how = {"target_origin": np.zeros(2), "fold_count": 2, "weights": np.linspace(1.0, 2.0, n)}
    folds = np.arange(n) % 3
    whole = chosen.sums(x, y, folds=folds, **how)
    starts = [0, *(cut * LEAF_ROWS for cut in cuts)]
    parts = []
    for start, end in reversed(list(zip(starts, [*starts[1:], n], strict=True))):
        rows = slice(start, end)
        given = {**how, "weights": how["weights"][rows], "folds": folds[rows], "threads": threads}
        part = chosen.sums(np.array(x[rows]), y[rows], first_row=start, **given)
        parts.append(pickle.loads(pickle.dumps(part)))
    total, *others = parts
    for part in others:
        total.merge(part)
    assert total.rows == n
    state, expected = (pickle.dumps(sums) for sums in (total, whole))
    assert state == expected


def test_rows_may_have_large_numbers():
    x, y = rows_and_targets(50)
    chosen = chosen_of(ke.Gaussian(1.0), x, 5)
    sums = chosen.sums(x, y, target_origin=np.zeros(2), first_row=2**33)
    with pytest.raises(ValueError, match="rows are missing"):
        chosen.ridge(sums, target_origin=np.zeros(2), bias=True)
    with pytest.raises(ValueError, match="in the sums already"):
        sums.merge(sums)


def test_landmarks_travel():
    x, y = rows_and_targets()
    chosen = chosen_of(ke.Gaussian(1.0), x, 10)
    sums = chosen.sums(x, y, target_origin=np.zeros(2))
    other = pickle.loads(pickle.dumps(chosen))
    assert pickle.dumps(other.sums(x, y, target_origin=np.zeros(2))) == pickle.dumps(sums)


def test_kernels_without_landmarks_say_why():
    x, _ = rows_and_targets()
    with pytest.raises(core.Undefined, match="zero on all rows"):
        chosen_of(ke.Linear(), np.zeros((9, 2)), 3)
    with pytest.raises(core.Undefined, match="not finite"):
        chosen_of(ke.Linear(), 1e200 * x, 3)


def test_numbers_of_rows_may_be_beyond_32_bits():
    x, y = rows_and_targets(2 * LEAF_ROWS)
    chosen = chosen_of(ke.Gaussian(4.0), x[:200], 5)
    first = 2**33  # a chunk of the middle of as many rows
    parts = [
        chosen.sums(rows, own, target_origin=np.zeros(2), first_row=first + start)
        for start, rows, own in ((0, x[:LEAF_ROWS], y[:LEAF_ROWS]),
                                 (LEAF_ROWS, x[LEAF_ROWS:], y[LEAF_ROWS:]))
    ]  # fmt: skip
    parts[1].merge(parts[0])
    whole = chosen.sums(x, y, target_origin=np.zeros(2), first_row=first)
    assert pickle.dumps(parts[1]) == pickle.dumps(whole)
    assert whole.__getstate__()[3][0][:2] == (1, first // (2 * LEAF_ROWS))
    with pytest.raises(ValueError, match="rows are missing"):
        chosen.ridge(whole, target_origin=np.zeros(2), bias=True)
