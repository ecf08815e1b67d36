"""Ways of the core to one answer: paths of lambdas, shortcuts, threads, Eigen alone."""

import numpy as np
import pytest
import twins
from hypothesis import given, settings
from hypothesis import strategies as st
from ridge_core import NO_WEIGHTS, TAUS, ridge, rows_targets_folds

from kernelect._dispatch import core

LIKELIHOOD = ("log_determinant", "energies")


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("mean", [True, False])
def test_a_path_of_lambdas_is_one_eigendecomposition(bias, mean):
    x, y, folds = rows_targets_folds(70, seed=5)
    K, lambdas = twins.gaussian(x, 1.0), np.geomspace(1e-3, 1e3, 40)
    how = {"folds": [folds], "bias": bias, "mean": mean, "shortcuts": False}
    path, each = ridge([K], y, lambdas, **how), ridge([K], y, lambdas, eigen=False, **how)
    assert {p for row in path["path"] for p in row} == {"eigen"}
    assert {p for row in each["path"] for p in row} == {"dense"}
    for name in ("alpha", "bias", "trace", "gcv", "leverages", *LIKELIHOOD):
        np.testing.assert_allclose(path[name], each[name], rtol=1e-8, atol=1e-9, err_msg=name)
    for a, b in ((path["loo"], each["loo"]), (path["cv"][0], each["cv"][0])):
        np.testing.assert_allclose(a["outputs"], b["outputs"], atol=1e-9)


def with_and_without(grams, y, **options):
    """The same question with and without shortcuts, and the largest difference of each answer."""
    fast, plain = ridge(grams, y, **options), ridge(grams, y, shortcuts=False, **options)
    outputs = [(fast["loo"], plain["loo"]), *zip(fast["cv"], plain["cv"], strict=True)]
    gaps = {f"outputs {i}": np.max(np.abs(a["outputs"] - b["outputs"]))
            for i, (a, b) in enumerate(outputs)}  # fmt: skip
    gaps |= {name: np.max(np.abs(fast[name] - plain[name]) / (1 + np.abs(plain[name])))
             for name in ("alpha", "bias", "gcv", "trace", "leverages", *LIKELIHOOD)}  # fmt: skip
    variances = fast["loo"]["variances"], plain["loo"]["variances"]
    gaps["variances"] = np.max(np.abs(variances[0] / variances[1] - 1))
    return [path for (path,) in fast["path"]], gaps


def test_shortcuts_agree_with_the_factorisation_on_the_default_grid():
    x, y, folds = rows_targets_folds(400, d=20, seed=6)
    grams = [twins.gaussian(x, 2.0**i) for i in range(-15, 16)]
    paths, gaps = with_and_without(grams, y[:, 0], folds=[folds])
    assert paths[:10] == ["identity"] * 10
    assert "dense" in paths[13:25]
    assert paths[-1] == "low_rank"
    assert max(gaps.values()) < 1e-10, gaps


@settings(deadline=None, max_examples=40)
@given(
    n=st.integers(20, 150),
    d=st.integers(1, 6),
    log_tau=st.integers(-15, 15),
    log_lam=st.integers(-6, 6),
    bias=st.booleans(),
    duplicates=st.integers(0, 6),
    weighted=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_shortcuts_agree_with_the_factorisation(
    *, n, d, log_tau, log_lam, bias, duplicates, weighted, seed
):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    x[:duplicates] = x[n - 1]
    weights = rng.uniform(0.2, 5.0, size=n) if weighted else NO_WEIGHTS
    folds = np.array_split(rng.permutation(n), 4)
    y = np.sign(rng.normal(size=n))
    lam = 2.0**log_lam
    _, gaps = with_and_without(
        [twins.gaussian(x, 2.0**log_tau)],
        y,
        lambdas=[lam],
        bias=bias,
        weights=weights,
        folds=[folds],
    )
    assert max(gaps.values()) < 1e-10, gaps


def test_duplicates_of_narrow_kernels_take_the_shortcut_too():
    x, y, folds = rows_targets_folds(200, d=5, seed=7)
    x[:8] = x[8:16]
    paths, gaps = with_and_without([twins.gaussian(x, 1e-3)], y[:, 0], folds=[folds])
    assert paths == ["low_rank"]
    assert max(gaps.values()) < 1e-10, gaps


def flat(found):
    """All numbers of an answer in one vector."""
    numbers = [found[name] for name in ("alpha", "bias", "trace", "gcv", "jitter", *LIKELIHOOD)]
    for part in (found["loo"], *found["cv"]):
        numbers += [part["squared"], part["outputs"], part["point_squared"]]
    return np.concatenate([a.ravel() for a in numbers])


def test_threads_and_the_place_of_the_data_do_not_change_a_bit():
    x, y, folds = rows_targets_folds(150, seed=9)
    grams = [twins.gaussian(x, tau) for tau in TAUS]
    one = flat(ridge(grams, y, folds=[folds]))
    np.testing.assert_array_equal(flat(ridge(grams, y, folds=[folds], threads=3)), one)
    room = np.empty(150 * 150 + 8)
    for offset in range(8):
        moved = room[offset : offset + 150 * 150].reshape(150, 150)
        moved[:] = grams[2]
        alone = flat(ridge([moved], y, folds=[folds]))
        np.testing.assert_array_equal(alone, flat(ridge([grams[2]], y, folds=[folds])))


def test_eigen_alone_gives_the_same():
    x, y, folds = rows_targets_folds(120, seed=11)
    grams = [twins.gaussian(x, tau) for tau in TAUS]
    expected = flat(ridge(grams, y, folds=[folds]))
    if not core.has_lapack():
        pytest.skip("SciPy's LAPACK is not in use")
    core.use_eigen()
    try:
        found = flat(ridge(grams, y, folds=[folds]))
    finally:
        core.use_scipy_lapack()
    np.testing.assert_allclose(found, expected, atol=1e-9)
