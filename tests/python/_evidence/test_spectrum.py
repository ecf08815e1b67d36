"""The compiled spectrum: eigenpairs, quadrature and hinge forms, against full decompositions."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor

import golden
import numpy as np
import pytest
import twins
from numpy.testing import assert_allclose, assert_array_equal

from kernelect._dispatch import core


def sample(n, dim, seed=0):
    return np.random.default_rng(seed).standard_normal((n, dim))


def leading(k, count, **options):
    arguments = {
        "vectors": False, "tolerance": 1e-10, "vector_tolerance": 1e-9,
        "warm": None, "threads": 1, "progress": None,
    }  # fmt: skip
    return core.leading_spectrum(k, count=count, **{**arguments, **options})


def hinge(k, starts, threshold, max_steps=200):
    return core.hinge_forms(
        k, starts, threshold=threshold, tolerance=1e-11, max_steps=max_steps,
        threads=1, progress=None,
    )  # fmt: skip


def rules(k, starts, steps):
    stored = core.Sample([0] * len(k), 1)
    stored.add_matrix(k)
    return core.kernel_quadrature(
        stored, [("precomputed", 0.0, 0.0, 0, 0)], np.ascontiguousarray(starts.T),
        steps=steps, threads=1, progress=None,
    )  # fmt: skip


def column(vector):
    return np.ascontiguousarray(vector[:, None])


def assert_leading_sums(k, count):
    found = leading(k, count)
    assert found["converged"]
    assert found["values"].shape == (count + 1,)
    expected = twins.eigenvalues(k)[: count + 1]
    assert_allclose(np.cumsum(found["values"]), np.cumsum(expected), rtol=1e-9)
    return found


# The worked example.


def test_golden_proportion_and_ratio():
    found = leading(twins.gaussian(golden.X, golden.TAU), 2)
    main = found["values"][:2].sum()
    wanted = golden.CLASSIFICATION
    assert_allclose(main / found["trace"], wanted["pep(t=2)"], rtol=1e-10)
    assert_allclose(main / (found["trace"] - main), wanted["er_ratio(t=2)"], rtol=1e-10)


@pytest.mark.parametrize(
    ("scale", "weighted", "key"),
    [
        ("sum", False, "sm_hinge(h=0.1, normalization='sum', weighted=False)"),
        ("trace", False, "sm_hinge(h=0.1, weighted=False)"),
        ("trace", True, "sm_hinge(h=0.1)"),
    ],
)
def test_golden_hinge(scale, weighted, key):
    k, expected = twins.gaussian(golden.X, golden.TAU), golden.CLASSIFICATION[key]
    normaliser = k.sum() if scale == "sum" else np.trace(k)
    y = twins.sm_columns(k, golden.Y, weighted)[:, 1]
    values, errors, _, converged = hinge(k, column(y), 0.1 * normaliser)
    assert converged[0]
    assert errors[0] <= 1e-11 * (y @ k @ y)
    assert_allclose(values[0] / normaliser / 7, expected, rtol=1e-10)
    full, vectors = core.full_spectrum(k, vectors=True)
    energies = core.label_energies(vectors, column(y))[:, 0].copy()
    exact = core.hinge_sum(full, energies, threshold=0.1 * normaliser)
    assert_allclose(exact / normaliser / 7, expected, rtol=1e-10)


# Leading eigenvalues against full decompositions.


@pytest.mark.parametrize("exponent", [-8, -5, -4, -3, -2, -1, 0, 1, 3, 6, 10, 15])
def test_gaussian_grid(exponent):
    k = twins.gaussian(sample(300, 5), 2.0**exponent)
    for count in (1, 4, 16):
        found = assert_leading_sums(k, count)
        assert_allclose(found["trace"], 300)


@pytest.mark.parametrize("exponent", [-2, 0, 2, 6])
@pytest.mark.parametrize(("levels", "dim"), [(4, 4), (2, 8)])
def test_regular_designs_repeat_eigenvalues(exponent, levels, dim):
    design = np.array(list(itertools.product(range(levels), repeat=dim)), dtype=float)
    for count in (3, 16):
        assert_leading_sums(twins.gaussian(design, 2.0**exponent), count)


def block_kernel(n, blocks):
    label = np.arange(n) % blocks
    return (label[:, None] == label).astype(float)


@pytest.mark.parametrize(
    "k",
    [
        np.eye(250),
        np.ones((250, 250)),
        block_kernel(250, 2),
        block_kernel(250, 25),
        block_kernel(253, 25),
        twins.gaussian(np.repeat(sample(50, 3), 5, axis=0), 0.5),
        sample(250, 5) @ sample(250, 5).T,
        (1 + sample(250, 3) @ sample(250, 3).T) ** 4,
        np.diag(np.linspace(0, 1, 250)),
        np.eye(250) + 1e-7 * twins.gaussian(sample(250, 3), 1.0),
        1e-40 * twins.gaussian(sample(250, 3), 1.0),
    ],
    ids=["identity", "constant", "two blocks", "equal blocks", "blocks", "duplicates", "linear",
         "polynomial", "diagonal", "nearly flat", "tiny scale"],
)  # fmt: skip
def test_degenerate_kernels(k):
    for count in (1, 2, 16):
        assert_leading_sums(k, count)


def test_near_identity_is_recognised_without_products():
    k = twins.gaussian(10 * sample(400, 20), 2.0**-3)
    found = assert_leading_sums(k, 16)
    assert (found["method"], found["products"]) == ("diagonal", 0)


def test_gap_behind_the_cut_shows_repeated_eigenvalues():
    values = leading(block_kernel(250, 25), 16)["values"]
    assert values[15] - values[16] < 1e-9 * values[0]
    values = leading(twins.gaussian(sample(250, 3), 1.0), 16)["values"]
    assert values[15] - values[16] > 1e-4 * values[0]


def test_vectors_residuals_and_energies():
    k = twins.gaussian(sample(400, 4), 1.0)
    found = leading(k, 10, vectors=True)
    v = found["vectors"]
    assert v.shape == (400, 10)
    assert_allclose(v.T @ v, np.eye(10), atol=1e-12)
    residuals = np.linalg.norm(k @ v - v * found["values"][:10], axis=0)
    assert_allclose(residuals, found["residuals"][:10], atol=1e-12 * found["values"][0])
    assert residuals.max() <= 1e-9 * found["values"][0]
    y = sample(400, 2, seed=1)
    full = np.linalg.eigh(k)[1][:, ::-1][:, :10]
    assert_allclose(core.label_energies(v, y), (full.T @ y) ** 2, rtol=1e-6, atol=1e-9)


def test_large_share_and_small_matrices_are_decomposed_in_full():
    k = twins.gaussian(sample(200, 3), 1.0)
    assert leading(k, 199)["method"] == "full"
    assert leading(twins.gaussian(sample(20, 3), 1.0), 2)["method"] == "full"
    values, vectors = core.full_spectrum(k, vectors=True)
    assert_allclose(values, twins.eigenvalues(k), atol=1e-12)
    assert_allclose((vectors * values) @ vectors.T, k, atol=1e-12)
    assert core.full_spectrum(k, vectors=False)[1] is None


def test_negative_eigenvalues_are_reported():
    q = np.linalg.qr(sample(300, 300))[0]
    spectrum = np.r_[5 * 0.9 ** np.arange(299), -2.0]
    k = (q * spectrum) @ q.T
    k = np.ascontiguousarray((k + k.T) / 2)
    found = leading(k, 4)
    assert found["method"] == "lanczos"
    assert_allclose(found["values"], spectrum[:5], rtol=1e-8)
    assert_allclose(found["smallest"], -2.0, rtol=1e-6)


def test_warm_start_finds_the_same_values():
    x = sample(300, 3)
    k = twins.gaussian(x, 2.0)
    warm = leading(twins.gaussian(x, 2.2), 12, vectors=True)["vectors"]
    assert_allclose(leading(k, 8, warm=warm)["values"], leading(k, 8)["values"], rtol=1e-9)
    misleading = np.ascontiguousarray(np.linalg.eigh(k)[1][:, 100:112])
    assert_allclose(leading(k, 8, warm=misleading)["values"], twins.eigenvalues(k)[:9], rtol=1e-8)


# The same bits everywhere.


def misaligned(array, offset):
    memory = np.empty(array.nbytes + 64, dtype=np.uint8)
    moved = memory[8 * offset :][: array.nbytes].view(np.float64).reshape(array.shape)
    moved[...] = array
    return moved


@pytest.mark.parametrize("tau", [2.0**-3, 1.0, 64.0])
def test_threads_and_addresses_do_not_change_bits(tau):
    k = twins.gaussian(sample(600, 4), tau)
    y = sample(600, 3, seed=1)
    first = leading(k, 6, vectors=True)
    rule = rules(k, y, 12)
    form = hinge(k, y, 1.0, max_steps=30)
    for offset in range(8):
        moved, moved_y = misaligned(k, offset), misaligned(y, offset)
        again = leading(moved, 6, vectors=True, threads=1 + offset % 3)
        for key in ("values", "vectors", "residuals"):
            assert_array_equal(again[key], first[key])
        assert again["sum_error"] == first["sum_error"]
        for got, expected in zip(rules(moved, moved_y, 12), rule, strict=True):
            assert_array_equal(got[0], expected[0])
            assert_array_equal(got[1], expected[1])
        assert_array_equal(hinge(moved, moved_y, 1.0, max_steps=30)[0], form[0])


def test_calls_from_many_threads():
    kernels = [twins.gaussian(sample(250, 3), 2.0**e) for e in range(-2, 6)]
    expected = [leading(k, 5)["values"] for k in kernels]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            for got, want in zip(pool.map(lambda k: leading(k, 5), kernels), expected, strict=True):
                assert_array_equal(got["values"], want)


# Quadrature of u' phi(K) u.


@pytest.mark.parametrize(
    "phi",
    [np.sqrt, np.square, lambda t: t / (1 + t), np.exp],
    ids=["sqrt", "square", "ratio", "exp"],
)
def test_quadrature_of_any_function(phi):
    k = twins.gaussian(sample(200, 3), 4.0) / 50 + 0.01 * np.eye(200)
    u = sample(200, 2, seed=3)
    values, vectors = np.linalg.eigh(k)
    expected = ((vectors.T @ u) ** 2 * phi(values)[:, None]).sum(axis=0)
    got = [w @ phi(t) for t, w in rules(k, u, 30)]
    assert_allclose(got, expected, rtol=1e-10)


def test_quadrature_stops_when_the_krylov_space_closes():
    u = column(sample(50, 1)[:, 0])
    ((nodes, weights),) = rules(np.eye(50), u, 20)
    assert_allclose(nodes, [1.0])
    assert_allclose(weights, [(u**2).sum()])
    ((nodes, _),) = rules(block_kernel(60, 5), column(np.ones(60)), 9)
    assert_allclose(nodes, [12.0])


@pytest.mark.parametrize("tau", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("threshold", [0.5, 1.0, 1.3, 3.0, 1000.0])
def test_hinge_forms(tau, threshold):
    k = twins.gaussian(sample(250, 3), tau)
    y = sample(250, 2, seed=2)
    values, vectors = np.linalg.eigh(k)
    expected = ((vectors.T @ y) ** 2 * np.where(values > threshold, values, 0)[:, None]).sum(axis=0)
    total = np.einsum("ic,ij,jc->c", y, k, y)
    for steps in (5, 20, 250):
        got, errors, _, _ = hinge(k, y, threshold, max_steps=steps)
        assert np.all(np.abs(got - expected) <= errors + 1e-11 * total)
    if threshold != 1:  # isolated points have eigenvalues so near 1 that rounding decides the side
        assert np.all(errors <= 1e-10 * total)


# Mistakes.


@pytest.mark.parametrize("count", [0, -3, 250, 900])
def test_count_out_of_range(count):
    with pytest.raises(ValueError, match=rf"t = {count} .* between 1 and 249"):
        leading(twins.gaussian(sample(250, 3), 1.0), count)


def test_wrong_arrays():
    k = twins.gaussian(sample(200, 3), 1.0)
    with pytest.raises(TypeError):
        leading(k.astype(np.float32), 2)
    with pytest.raises(TypeError):
        leading(np.asfortranarray(sample(200, 200)), 2)
    with pytest.raises(ValueError, match="square"):
        leading(np.ones((4, 3)), 2)
    with pytest.raises(ValueError, match="rows"):
        leading(k, 2, warm=np.ones((3, 2)))
    with pytest.raises(ValueError, match="rows"):
        rules(k, np.ones((3, 1)), 2)
    with pytest.raises(ValueError, match="rows"):
        core.label_energies(np.ones((3, 2)), np.ones((4, 1)))
    with pytest.raises(ValueError, match="positive"):
        rules(k, np.ones((200, 1)), 0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_non_finite_entries(bad):
    k = twins.gaussian(sample(250, 3), 1.0)
    k[40, 7] = k[7, 40] = bad
    for call in (
        lambda: leading(k, 2),
        lambda: core.full_spectrum(k, vectors=False),
        lambda: rules(k, np.ones((250, 1)), 5),
    ):
        with pytest.raises(ValueError, match="non-finite"):
            call()


def test_progress_can_stop_the_work():
    def stop(fraction):
        raise KeyboardInterrupt

    def work():
        k = twins.gaussian(sample(1500, 3), 0.05)
        for _ in range(200):
            leading(k, 100, progress=stop)

    with pytest.raises(KeyboardInterrupt):
        work()
