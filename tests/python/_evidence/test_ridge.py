"""The core's ridge systems on stored kernel matrices: every path against honest retraining."""

import numpy as np
import pytest
from golden import FOLDS, TAU, T, X, Y
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict

from kernelect._dispatch import core

NO_WEIGHTS = np.zeros(0)


def ridge(grams, targets, lambdas=(1.0,), *, folds=(), threads=1, progress=None, **options):
    """Call the core with everything on that costs nothing; `folds` is a list of fold sets."""
    targets = np.ascontiguousarray(np.asarray(targets, dtype=float).reshape(len(targets), -1))
    asked = {
        "mean": False,
        "bias": True,
        "weights": NO_WEIGHTS,
        "fit": True,
        "gcv": True,
        "loo": True,
        "cv": True,
        "bif_order": 0,
        "zero_one": False,
        "outputs": True,
        "shortcuts": True,
        "eigen": True,
    } | options
    request = core.RidgeRequest(
        targets=targets,
        lambdas=list(lambdas),
        fold_sets=[[np.asarray(fold, dtype=np.int64) for fold in one] for one in folds],
        **asked,
    )
    grams = [np.ascontiguousarray(gram, dtype=float) for gram in grams]
    return core.ridge(grams, request, threads=threads, progress=progress)


def gaussian(x, tau):
    return np.exp(-((x[:, None] - x[None]) ** 2).sum(axis=-1) / (2 * tau))


def fit(K, y, ridges, bias):
    """Coefficients and bias by solving the bordered system as it stands."""
    n = len(K)
    system = np.zeros((n + bias, n + bias))
    system[:n, :n] = K + np.diag(ridges)
    system[:n, n:] = system[n:, :n] = 1.0
    solution = np.linalg.solve(system, np.vstack([y, np.zeros((int(bias), y.shape[1]))]))
    return solution[:n], solution[n] if bias else np.zeros(y.shape[1])


def retrained(K, y, test, lam, *, mean=False, bias=True, weights=None):
    """Outputs at `test` of a model that never saw it."""
    train = np.setdiff1d(np.arange(len(K)), test)
    rho = len(train) * lam if mean else lam
    ridges = np.full(len(train), rho) / (1.0 if weights is None else weights[train])
    alpha, b = fit(K[np.ix_(train, train)], y[train], ridges, bias)
    return K[np.ix_(test, train)] @ alpha + b


def problem(n, d=3, seed=0):
    rng = np.random.default_rng([n, d, seed])
    x = rng.normal(size=(n, d))
    signal = x[:, 0] + 0.5 * rng.normal(size=n)
    y = np.column_stack([np.sign(signal), np.sin(2 * signal) + 3.0])
    order = rng.permutation(n)
    cuts = np.cumsum([n // 3, n // 5, 1])  # unequal folds, one of a single point
    return x, y, np.split(order, cuts)


# Narrow, in between, wide: each of the three is answered by other mathematics.
TAUS = (1e-4, 0.02, 1.0, 2.0**9, 2.0**18)


@pytest.mark.parametrize("tau", TAUS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("mean", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("shortcuts", [True, False])
def test_held_out_outputs_are_honest_retraining(tau, bias, mean, weighted, shortcuts):
    x, y, folds = problem(60)
    K = gaussian(x, tau)
    weights = np.random.default_rng(1).uniform(0.3, 4.0, size=60) if weighted else None
    lam = 0.01 if mean else 0.4
    found = ridge(
        [K],
        y,
        [lam],
        folds=[folds[:4], [[5, 50]]],
        mean=mean,
        bias=bias,
        shortcuts=shortcuts,
        weights=weights if weighted else NO_WEIGHTS,
    )
    how = {"mean": mean, "bias": bias, "weights": weights}
    assert found["error"] == [[""]]
    loo = np.vstack([retrained(K, y, [i], lam, **how) for i in range(60)])
    np.testing.assert_allclose(found["loo"]["outputs"][0, 0], loo, atol=1e-10)
    np.testing.assert_allclose(found["loo"]["squared"][0, 0], ((y - loo) ** 2).mean(axis=0))
    outputs = found["cv"][0]["outputs"][0, 0]
    for fold in folds[:4]:
        np.testing.assert_allclose(outputs[fold], retrained(K, y, fold, lam, **how), atol=1e-10)
    pair = found["cv"][1]["outputs"][0, 0]
    np.testing.assert_allclose(pair[[5, 50]], retrained(K, y, [5, 50], lam, **how), atol=1e-10)
    assert np.isnan(np.delete(pair, [5, 50], axis=0)).all()
    held_out = ((y - pair)[[5, 50]] ** 2).mean(axis=0)
    np.testing.assert_allclose(found["cv"][1]["squared"][0, 0], held_out)

    rho = 60 * lam if mean else lam
    ridges = np.full(60, rho) if weights is None else rho / weights
    alpha, b = fit(K, y, ridges, bias)
    np.testing.assert_allclose(found["alpha"][0, 0], alpha, atol=1e-9)
    np.testing.assert_allclose(found["bias"][0, 0], b, atol=1e-9)
    # Leverages and GCV from the hat matrix, which maps targets to fitted values.
    unit, unit_b = fit(K, np.eye(60), ridges, bias)
    hat = K @ unit + unit_b
    np.testing.assert_allclose(found["leverages"][0, 0], np.diag(hat), atol=1e-9)
    np.testing.assert_allclose(found["trace"][0, 0], np.trace(unit), rtol=1e-9)
    w = np.ones(60) if weights is None else weights
    residuals = np.sqrt(w)[:, None] * (y - hat @ y)
    gcv = (residuals**2).mean(axis=0) / (1 - np.trace(hat) / 60) ** 2
    np.testing.assert_allclose(found["gcv"][0, 0], gcv, rtol=1e-8)


GOLDEN = [  # bias, lam, mean, criterion, value
    (True, 1.0, False, "loo", 0.374689761744),
    (True, 1.0, False, "cv", 0.3106870594),
    (True, 1.0, False, "gcv", 0.376071829714),
    (True, 0.1, False, "loo", 0.251246008072),
    (True, 0.1, False, "cv", 0.152042920056),
    (True, 0.1, False, "gcv", 0.26083108941),
    (True, 0.05, True, "cv", 0.150069568127),
    (True, 0.05, True, "bif", 0.132109455836),
    (False, 1.0, False, "loo", 0.336753181825),
    (False, 1.0, False, "cv", 0.304743087901),
    (False, 1.0, False, "gcv", 0.334574371148),
    (False, 0.1, False, "loo", 0.239528830742),
    (False, 0.1, False, "cv", 0.1520522394),
    (False, 0.1, False, "gcv", 0.244583128717),
    (False, 0.05, True, "cv", 0.150305797686),
    (False, 0.05, True, "bif", 0.13329861771),
]


@pytest.mark.parametrize(("bias", "lam", "mean", "criterion", "value"), GOLDEN)
def test_golden_values(bias, lam, mean, criterion, value):
    found = ridge(
        [gaussian(X, TAU)], Y, [lam], folds=[FOLDS], bias=bias, mean=mean, bif_order=3 * mean
    )
    if criterion == "gcv":
        got = found["gcv"]
    else:
        got = (found["loo"] if criterion == "loo" else found[criterion][0])["squared"]
    np.testing.assert_allclose(got[0, 0, 0], value, rtol=1e-10)


def test_golden_bias_regression_and_bayesian_regularisation():
    K = gaussian(X, TAU)
    found = ridge([K], Y)
    np.testing.assert_allclose(found["bias"][0, 0, 0], -0.0786220161551, rtol=1e-10)
    np.testing.assert_allclose(ridge([K], T)["loo"]["squared"][0, 0, 0], 1.33028138308, rtol=1e-10)
    br = core.bayesian_regularisation(found["loo"]["squared"][0, 0], 7, np.array([1 / (2 * TAU)]))
    np.testing.assert_allclose(br, -0.783996702677, rtol=1e-10)
    # Scaling the target by s adds n log s.
    scaled = core.bayesian_regularisation(
        9.0 * found["loo"]["squared"][0, 0], 7, np.array([1 / (2 * TAU)])
    )
    np.testing.assert_allclose(scaled - br, 7 * np.log(3.0))
    with pytest.raises(ValueError, match="not all 0"):
        core.bayesian_regularisation(np.ones(1), 7, np.zeros(2))


def influence_expansion(K, y, fold, *, lam, order, bias):
    """BIF of one fold, written with the operator L and its right-hand sides."""
    n, M = len(K), len(fold)
    alpha, b = fit(K, y[:, None], np.full(n, n * lam), bias)
    f, b = K @ alpha[:, 0], b[0]
    g, inside = y - f - b, np.isin(np.arange(n), fold).astype(float)
    L = np.block(
        [
            [lam * np.eye(n) + K / n, K.sum(axis=1)[:, None] / n],
            [np.ones((1, n)) / n, np.ones((1, 1))],
        ]
    )
    if not bias:
        L = L[:n, :n]

    def solve(function, constant):
        return np.linalg.solve(L, np.append(function, constant) if bias else function)

    def values(h):
        return h[:n] + (h[n] if bias else 0.0)

    eps, term, output = -M / (n - M), None, f + b
    for s in range(1, order + 1):
        if s == 1:
            term = eps * values(solve(K @ (inside * g) / M - lam * f, (inside @ g) / M))
        else:
            right = K @ term / n - K @ (inside * term) / M
            term = eps * values(solve(right, term.mean() - (inside @ term) / M))
        output = output + term
    return output[fold]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("tau", [0.001, 1.0, 1e5])
def test_bif_is_its_definition_and_tends_to_retraining(tau, bias):
    x, y, folds = problem(40, seed=2)
    K, lam = gaussian(x, tau), 0.02
    for order in (1, 3, 4):
        found = ridge([K], y[:, 0], [lam], folds=[folds], mean=True, bias=bias, bif_order=order)
        got = found["bif"][0]["outputs"][0, 0, :, 0]
        for fold in folds:
            expected = influence_expansion(K, y[:, 0], fold, lam=lam, order=order, bias=bias)
            np.testing.assert_allclose(got[fold], expected, atol=1e-9)
    found = ridge([K], y[:, 0], [1.0], folds=[folds], mean=True, bias=bias, bif_order=200, cv=True)
    np.testing.assert_allclose(found["bif"][0]["outputs"], found["cv"][0]["outputs"], atol=1e-9)


def test_zero_one_losses():
    x, y, folds = problem(50, seed=3)
    K, labels = gaussian(x, 1.0), y[:, 0]
    found = ridge([K], labels, folds=[folds], zero_one=True)
    for part in (found["loo"], found["cv"][0]):
        wrong = part["outputs"][0, 0, :, 0] * labels < 0
        np.testing.assert_allclose(part["zero_one"][0, 0], wrong.mean())
        np.testing.assert_array_equal(part["point_zero_one"][0, 0], wrong)
        errors = (labels - part["outputs"][0, 0, :, 0]) ** 2
        np.testing.assert_allclose(part["point_squared"][0, 0], errors)
    two = ridge([K], np.column_stack([labels, -labels]), folds=[folds], zero_one=True)
    np.testing.assert_allclose(two["loo"]["zero_one"], found["loo"]["zero_one"])
    np.testing.assert_allclose(two["loo"]["squared"].mean(), found["loo"]["squared"].mean())

    classes = np.digitize(x[:, 0], [-0.5, 0.5])
    columns = np.where(classes[:, None] == np.arange(3), 1.0, -1.0)
    several = ridge([K], columns, zero_one=True)["loo"]
    wrong = several["outputs"][0, 0].argmax(axis=1) != classes
    np.testing.assert_array_equal(several["point_zero_one"][0, 0], wrong)
    np.testing.assert_allclose(
        several["point_squared"][0, 0], ((columns - several["outputs"][0, 0]) ** 2).mean(axis=1)
    )


@pytest.mark.parametrize("shortcuts", [True, False])
@pytest.mark.parametrize("lam", [1.0, 0.1, 0.37])
def test_the_identity_kernel(shortcuts, lam):
    labels = np.repeat([1.0, -1.0], 20)
    without = ridge([np.eye(40)], labels, [lam], bias=False, zero_one=True, shortcuts=shortcuts)
    # Held-out outputs are 0, which counts one half whatever rounding makes of it.
    np.testing.assert_allclose(without["loo"]["zero_one"], 0.5)
    np.testing.assert_allclose(without["loo"]["squared"], 1.0)
    # With a bias the output is the mean of the other labels: always wrong for balanced classes.
    with_bias = ridge([np.eye(40)], labels, [lam], zero_one=True, shortcuts=shortcuts)
    np.testing.assert_allclose(with_bias["loo"]["zero_one"], 1.0)
    np.testing.assert_allclose(with_bias["loo"]["outputs"][0, 0, :, 0], -labels / 39)


def test_scikit_learn_agrees():
    x, y, _ = problem(45, seed=4)
    K, lam = gaussian(x, 0.8), 0.3
    model = KernelRidge(kernel="precomputed", alpha=lam)
    splits = list(KFold(4, shuffle=True, random_state=0).split(x))
    found = ridge([K], y, [lam], folds=[[test for _, test in splits]], bias=False)
    loo = cross_val_predict(model, K, y, cv=LeaveOneOut())
    np.testing.assert_allclose(found["loo"]["outputs"][0, 0], loo, atol=1e-10)
    cv = cross_val_predict(model, K, y, cv=splits)
    np.testing.assert_allclose(found["cv"][0]["outputs"][0, 0], cv, atol=1e-10)

    lambdas = [0.01, 0.3, 7.0]
    for bias in (True, False):
        path = ridge([x @ x.T], y[:, 1], lambdas, bias=bias)["loo"]["point_squared"][0]
        peer = RidgeCV(alphas=lambdas, fit_intercept=bias, store_cv_results=True).fit(x, y[:, 1])
        np.testing.assert_allclose(path, peer.cv_results_.T, rtol=1e-7)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("mean", [True, False])
def test_a_path_of_lambdas_is_one_eigendecomposition(bias, mean):
    x, y, folds = problem(70, seed=5)
    K, lambdas = gaussian(x, 1.0), np.geomspace(1e-3, 1e3, 40)
    how = {"folds": [folds], "bias": bias, "mean": mean, "shortcuts": False}
    path, each = ridge([K], y, lambdas, **how), ridge([K], y, lambdas, eigen=False, **how)
    assert {p for row in path["path"] for p in row} == {"eigen"}
    assert {p for row in each["path"] for p in row} == {"dense"}
    for name in ("alpha", "bias", "trace", "gcv", "leverages"):
        np.testing.assert_allclose(path[name], each[name], rtol=1e-8, atol=1e-9, err_msg=name)
    for a, b in ((path["loo"], each["loo"]), (path["cv"][0], each["cv"][0])):
        np.testing.assert_allclose(a["outputs"], b["outputs"], atol=1e-9)


def twins(grams, y, **options):
    """The same question with and without shortcuts, and the largest difference of each answer."""
    fast, plain = ridge(grams, y, **options), ridge(grams, y, shortcuts=False, **options)
    outputs = [(fast["loo"], plain["loo"]), *zip(fast["cv"], plain["cv"], strict=True)]
    gaps = {f"outputs {i}": np.max(np.abs(a["outputs"] - b["outputs"]))
            for i, (a, b) in enumerate(outputs)}  # fmt: skip
    gaps |= {name: np.max(np.abs(fast[name] - plain[name]) / (1 + np.abs(plain[name])))
             for name in ("alpha", "bias", "gcv", "trace", "leverages")}  # fmt: skip
    return [path for (path,) in fast["path"]], gaps


def test_shortcuts_agree_with_the_factorisation_on_the_default_grid():
    x, y, folds = problem(400, d=20, seed=6)
    grams = [gaussian(x, 2.0**i) for i in range(-15, 16)]
    paths, gaps = twins(grams, y[:, 0], folds=[folds])
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
    _, gaps = twins(
        [gaussian(x, 2.0**log_tau)], y, lambdas=[lam], bias=bias, weights=weights, folds=[folds]
    )
    assert max(gaps.values()) < 1e-10, gaps


def test_duplicates_of_narrow_kernels_take_the_shortcut_too():
    x, y, folds = problem(200, d=5, seed=7)
    x[:8] = x[8:16]
    paths, gaps = twins([gaussian(x, 1e-3)], y[:, 0], folds=[folds])
    assert paths == ["low_rank"]
    assert max(gaps.values()) < 1e-10, gaps


def test_singular_kernels_and_tiny_ridges():
    x, y, folds = problem(40, seed=8)
    x[:10] = x[10:20]
    K = gaussian(x, 1.0)
    found = ridge([K, np.eye(40)], y, [0.0, 1e-18, 1e-6], folds=[folds])
    (none, jittered, plain), healthy = found["error"][0], found["error"][1]
    assert "singular" in none
    assert "positive lam" in none
    assert jittered == plain == ""
    assert healthy == ["", "", ""]
    assert np.isnan(found["loo"]["outputs"][0, 0]).all()
    assert found["jitter"][0, 1] >= 1e-12
    assert found["jitter"][0, 2] == 0.0
    assert np.isfinite(found["cv"][0]["outputs"][0, 1:]).all()
    small = retrained(K, y, folds[1], 1e-6)
    np.testing.assert_allclose(found["cv"][0]["outputs"][0, 2][folds[1]], small, atol=1e-6)

    # A kernel of full rank needs no ridge.
    full = gaussian(x[10:], 0.05)
    loo = ridge([full], y[10:], [0.0])["loo"]["outputs"][0, 0]
    np.testing.assert_allclose(loo[3], retrained(full, y[10:], [3], 0.0)[0], atol=1e-9)

    indefinite = ridge([-np.eye(40)], y, [0.5])
    assert "not positive semidefinite" in indefinite["error"][0][0]
    assert "not finite" in ridge([np.full((40, 40), np.nan)], y)["error"][0][0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"folds": [[[0, 1], []]]}, "fold 1 is empty"),
        ({"folds": [[[0, 1], [1, 2]]]}, "point 1 is held out twice"),
        ({"folds": [[[0, 99]]]}, "holds out point 99"),
        ({"folds": [[list(range(10))]]}, "leave at least one"),
        ({"weights": np.zeros(10)}, "positive"),
        ({"weights": np.ones(3)}, "3 weights for 10 points"),
        ({"lambdas": [np.inf]}, "finite"),
        ({"zero_one": True}, r"\+1 and -1"),
        ({"bif_order": 3}, "mean convention"),
        ({"bif_order": -1, "mean": True}, "negative"),
    ],
)
def test_bad_requests(options, words):
    with pytest.raises(ValueError, match=words):
        ridge([np.eye(10)], np.arange(10.0), **options)


def test_bad_arrays():
    with pytest.raises(ValueError, match="NaN"):
        ridge([np.eye(3)], [0.0, np.nan, 1.0])
    with pytest.raises(ValueError, match="square"):
        ridge([np.eye(4)], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="two rows"):
        ridge([np.eye(1)], [0.0])
    request = core.RidgeRequest(
        targets=np.ones((3, 1)), lambdas=[1.0], mean=False, bias=True, weights=NO_WEIGHTS,
        fit=False, gcv=False, loo=True, fold_sets=[], cv=True, bif_order=0, zero_one=False,
        outputs=False, shortcuts=True, eigen=True,
    )  # fmt: skip
    with pytest.raises(TypeError):
        core.ridge([np.eye(3, dtype=np.float32)], request, threads=1, progress=None)


def flat(found):
    """All numbers of an answer in one vector."""
    numbers = [found[name] for name in ("alpha", "bias", "trace", "gcv", "jitter")]
    for part in (found["loo"], *found["cv"]):
        numbers += [part["squared"], part["outputs"], part["point_squared"]]
    return np.concatenate([a.ravel() for a in numbers])


def test_threads_and_the_place_of_the_data_do_not_change_a_bit():
    x, y, folds = problem(150, seed=9)
    grams = [gaussian(x, tau) for tau in TAUS]
    one = flat(ridge(grams, y, folds=[folds]))
    np.testing.assert_array_equal(flat(ridge(grams, y, folds=[folds], threads=3)), one)
    room = np.empty(150 * 150 + 8)
    for offset in range(8):
        moved = room[offset : offset + 150 * 150].reshape(150, 150)
        moved[:] = grams[2]
        alone = flat(ridge([moved], y, folds=[folds]))
        np.testing.assert_array_equal(alone, flat(ridge([grams[2]], y, folds=[folds])))


def test_progress_is_told_and_can_stop_the_work():
    x, y, _ = problem(300, seed=10)
    heard = []
    ridge([gaussian(x, 1.0)] * 60, y, progress=heard.append)
    assert heard == sorted(heard)
    assert all(0.0 <= fraction <= 1.0 for fraction in heard)

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ridge([gaussian(x, 1.0)] * 2000, y, progress=stop, threads=2)


def test_eigen_alone_gives_the_same():
    x, y, folds = problem(120, seed=11)
    grams = [gaussian(x, tau) for tau in TAUS]
    expected = flat(ridge(grams, y, folds=[folds]))
    if not core.has_lapack():
        pytest.skip("SciPy's LAPACK is not in use")
    core.use_eigen()
    try:
        found = flat(ridge(grams, y, folds=[folds]))
    finally:
        core.use_scipy_lapack()
    np.testing.assert_allclose(found, expected, atol=1e-9)
