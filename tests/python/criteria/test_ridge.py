"""The criteria of ridge systems against honest retraining, through the public functions."""

import warnings

import numpy as np
import pytest
from golden import FOLDS, T, X, Y
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import balanced_accuracy_score, r2_score, roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)

import kernelect as ke


def retrained(K, targets, test, rho, bias):
    """Outputs on `test` of a model fitted without it, by solving the bordered system anew."""
    train = np.setdiff1d(np.arange(len(K)), test)
    A = K[np.ix_(train, train)] + rho(len(train)) * np.eye(len(train))
    if not bias:
        return K[np.ix_(test, train)] @ np.linalg.solve(A, targets[train])
    one = np.ones((len(train), 1))
    bordered = np.block([[A, one], [one.T, np.zeros((1, 1))]])
    zeros = np.zeros((1, targets.shape[1]))
    solution = np.linalg.solve(bordered, np.vstack([targets[train], zeros]))
    return K[np.ix_(test, train)] @ solution[:-1] + solution[-1]


def problem(task, n=41):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(n, 3))
    if task == "regression":
        return x, np.sin(2 * x[:, 0]) + 0.1 * rng.normal(size=n)
    signal = x[:, 0] + 0.5 * x[:, 1] ** 2 + 0.3 * rng.normal(size=n)
    return x, np.digitize(signal, [0.3] if task == "binary" else [0.0, 0.9])


def columns(y, task):
    if task == "regression":
        return y[:, None]
    if task == "binary":
        return np.where(y == 1, 1.0, -1.0)[:, None]
    return np.where(y[:, None] == np.arange(3), 1.0, -1.0)


def held_out(x, y, task, kernel, tests, *, rho, bias):
    K, targets = kernel(x), columns(y, task)
    outputs = np.full(targets.shape, np.nan)
    for test in tests:
        outputs[test] = retrained(K, targets, test, rho, bias)
    return outputs, targets


def folds_of(y, task, k=5):
    splitter = (KFold if task == "regression" else StratifiedKFold)(k, shuffle=True, random_state=0)
    return [test for _, test in splitter.split(np.zeros((len(y), 1)), y)]


KERNELS = [ke.Gaussian(0.01), ke.Gaussian(1.0), ke.Gaussian(2.0**12), ke.Polynomial(2)]


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_loo_and_cv_are_honest_retraining(task, bias, convention):
    x, y = problem(task)
    lam = 0.3 if convention == "sum" else 0.01

    def rho(m):
        return lam if convention == "sum" else m * lam

    table = ke.evaluate(x, y, KERNELS, ["loo", "cv"], lam=lam, lam_convention=convention, bias=bias)
    for k, kernel in enumerate(KERNELS):
        singles = [np.array([i]) for i in range(len(y))]
        for key, tests in (("loo", singles), ("cv", folds_of(y, task))):
            outputs, targets = held_out(x, y, task, kernel, tests, rho=rho, bias=bias)
            wanted = ((targets - outputs) ** 2).mean()
            np.testing.assert_allclose(table.scores[key][k], wanted, rtol=1e-9, err_msg=key)


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_zero_one_loss_and_its_ties(task):
    x, y = problem(task)
    zero_one, squared = ke.criteria.LOO(loss="zero_one"), ke.criteria.LOO()
    table = ke.evaluate(x, y, KERNELS, [zero_one, squared])
    singles = [np.array([i]) for i in range(len(y))]
    for k, kernel in enumerate(KERNELS):
        outputs, _ = held_out(x, y, task, kernel, singles, rho=lambda m: 1.0, bias=True)
        guess = (outputs[:, 0] > 0).astype(int) if task == "binary" else outputs.argmax(axis=1)
        assert table.scores[zero_one.key][k] == pytest.approx((guess != y).mean(), abs=1e-12)
    values = table.scores[zero_one.key]
    tied = np.flatnonzero(values == values.min())
    best = tied[np.argmin(table.scores["loo"][tied])]
    assert table.best(zero_one.key).index == best


def test_golden_values():
    folds = [(np.setdiff1d(np.arange(7), test), np.array(test)) for test in FOLDS]
    expected = {
        (True, 1.0): (0.374689761744, 0.3106870594, 0.376071829714),
        (True, 0.1): (0.251246008072, 0.152042920056, 0.26083108941),
        (False, 1.0): (0.336753181825, 0.304743087901, 0.334574371148),
        (False, 0.1): (0.239528830742, 0.1520522394, 0.244583128717),
    }
    for (bias, lam), values in expected.items():
        table = ke.evaluate(
            X, Y, [ke.Gaussian(2.0)], ["loo", "cv", "gcv"], lam=lam, bias=bias, folds=folds
        )
        np.testing.assert_allclose([table.scores[c][0] for c in table.scores], values, rtol=1e-10)
    for bias, values in {
        True: (0.150069568127, 0.132109455836),
        False: (0.150305797686, 0.13329861771),
    }.items():
        table = ke.evaluate(
            X,
            Y,
            [ke.Gaussian(2.0)],
            ["cv", "bif"],
            lam=0.05,
            lam_convention="mean",
            bias=bias,
            folds=folds,
        )
        np.testing.assert_allclose([table.scores[c][0] for c in table.scores], values, rtol=1e-10)
    table = ke.evaluate(X, Y, [ke.Gaussian(2.0)], ["br", "ks", "cv", "stability"], folds=folds)
    assert table.scores["br"][0] == pytest.approx(-0.783996702677, rel=1e-10)
    penalised = table.scores["cv"][0] + table.scores["stability"][0] / 7
    assert table.scores["ks"][0] == pytest.approx(penalised, rel=1e-12)
    regression = ke.evaluate(X, T, [ke.Gaussian(2.0)], "loo")
    assert regression.scores["loo"][0] == pytest.approx(1.33028138308, rel=1e-10)


def test_kernel_ridge_agrees_with_scikit_learn():
    x, y = problem("regression")
    kernel = ke.Gaussian(0.8)
    splitter = KFold(6, shuffle=True, random_state=1)
    model = KernelRidge(alpha=0.2, kernel="rbf", gamma=kernel.gamma)
    guess = cross_val_predict(model, x, y, cv=splitter)
    table = ke.evaluate(x, y, [kernel], "cv", lam=0.2, bias=False, folds=splitter)
    assert table.scores["cv"][0] == pytest.approx(((y - guess) ** 2).mean(), rel=1e-9)


def test_splitters_of_every_kind():
    x, y = problem("binary")
    kernel, n = ke.Gaussian(1.0), len(y)
    groups = np.arange(n) % 6
    for splitter in (GroupKFold(3), LeaveOneGroupOut()):
        tests = [test for _, test in splitter.split(x, y, groups)]
        outputs, targets = held_out(x, y, "binary", kernel, tests, rho=lambda m: 1.0, bias=True)
        table = ke.evaluate(x, y, [kernel], "cv", folds=splitter, groups=groups)
        wanted = ((targets - outputs) ** 2).mean()
        assert table.scores["cv"][0] == pytest.approx(wanted, rel=1e-9)
    repeated = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    losses = []
    for _, test in repeated.split(x, y):
        outputs, targets = held_out(x, y, "binary", kernel, [test], rho=lambda m: 1.0, bias=True)
        losses.append(((targets[test] - outputs[test]) ** 2).ravel())
    table = ke.evaluate(x, y, [kernel], "cv", folds=repeated)
    assert table.scores["cv"][0] == pytest.approx(np.concatenate(losses).mean(), rel=1e-9)
    one = ShuffleSplit(1, test_size=0.3, random_state=0)
    ((_, test),) = one.split(x)
    outputs, targets = held_out(x, y, "binary", kernel, [test], rho=lambda m: 1.0, bias=True)
    table = ke.evaluate(x, y, [kernel], "cv", folds=one)
    wanted = ((targets[test] - outputs[test]) ** 2).mean()
    assert table.scores["cv"][0] == pytest.approx(wanted, rel=1e-9)


def test_splits_have_short_keys_of_their_own():
    x, y = problem("binary")
    one, two = (
        list(StratifiedKFold(5, shuffle=True, random_state=seed).split(x, y)) for seed in (0, 1)
    )
    criteria = [ke.criteria.CV(folds=one), ke.criteria.CV(folds=two), ke.criteria.KS(folds=one)]
    table = ke.evaluate(x, y, KERNELS, criteria)
    assert len(table.scores) == 3
    for key, name in zip(table.scores, ("cv", "cv", "ks"), strict=True):
        assert key.startswith(f"{name}(folds=<5 splits ")
        assert len(key) < 35
    for criterion, folds in zip(criteria[:2], (one, two), strict=True):
        wanted = ke.evaluate(x, y, KERNELS, "cv", folds=folds).scores["cv"]
        np.testing.assert_array_equal(table.scores[criterion.key], wanted)
    with pytest.raises(ValueError, match="is given twice"):
        ke.evaluate(x, y, KERNELS, [ke.criteria.CV(folds=one), ke.criteria.CV(folds=iter(one))])
    chosen = ke.select(x, y, KERNELS, criteria[0])
    assert len(repr(chosen)) < 150
    numbers = ke.criteria.CV(folds=PredefinedSplit(np.arange(len(y)) % 5))  # as the refusal advises
    assert np.isfinite(ke.evaluate(x, y, KERNELS, numbers).scores[numbers.key]).all()


def test_scoring_on_exact_held_out_outputs():
    x, y = problem("binary")
    singles = [np.array([i]) for i in range(len(y))]
    outputs, _ = held_out(x, y, "binary", KERNELS[1], singles, rho=lambda m: 1.0, bias=True)
    for name, wanted in (
        ("roc_auc", roc_auc_score(y, outputs[:, 0])),
        ("balanced_accuracy", balanced_accuracy_score(y, outputs[:, 0] > 0)),
    ):
        table = ke.evaluate(x, y, KERNELS, "loo", scoring=name)
        assert table.scores[f"loo(scoring={name!r})"][1] == pytest.approx(wanted, abs=1e-12)
        assert table.direction[f"loo(scoring={name!r})"] == 1
    x, y = problem("regression")
    tests = folds_of(y, "regression")
    outputs, _ = held_out(x, y, "regression", KERNELS[1], tests, rho=lambda m: 1.0, bias=True)
    table = ke.evaluate(x, y, KERNELS, "cv", scoring="r2")
    assert table.scores["cv(scoring='r2')"][1] == pytest.approx(
        r2_score(y, outputs[:, 0]), abs=1e-10
    )
    assert ke.evaluate(*problem("binary"), KERNELS, "loo", scoring="neg_log_loss").scores


def test_several_lambdas():
    x, y = problem("binary")
    lams = [0.01, 0.5, 3.0]
    table = ke.evaluate(x, y, KERNELS, ["sm", "loo", "gcv"], lam=lams)
    assert table.scores["sm"].shape == (4,)
    assert table.scores["loo"].shape == (4, 3)
    np.testing.assert_array_equal(table.lams, np.tile(lams, (4, 1)))
    for j, lam in enumerate(lams):
        single = ke.evaluate(x, y, KERNELS, ["loo", "gcv"], lam=lam)
        for key in ("loo", "gcv"):
            np.testing.assert_allclose(table.scores[key][:, j], single.scores[key], rtol=1e-8)
    best = table.best("loo")
    k, j = np.unravel_index(np.argmin(table.scores["loo"]), (4, 3))
    assert (best.index, best.lam, best.score) == (k, lams[j], table.scores["loo"][k, j])
    chosen = ke.select(x, y, KERNELS, "loo", lam=lams)
    assert (chosen.index, chosen.lam) == (k, lams[j])
    assert table.to_frame().shape == (12, 3)


def test_automatic_lambdas_are_relative_to_the_centred_trace():
    x, y = problem("binary")
    kernel = ke.Gaussian(4.0)
    table = ke.evaluate(x, y, [kernel], "loo", lam="auto")
    K = kernel(x)
    unit = np.trace(K - K.mean(axis=0)) / len(y)
    np.testing.assert_allclose(table.lams[0], unit * 2.0 ** np.arange(-10, 11), rtol=1e-10)
    for j in (0, 10, 20):
        single = ke.evaluate(x, y, [kernel], "loo", lam=float(table.lams[0, j]))
        np.testing.assert_allclose(table.scores["loo"][0, j], single.scores["loo"][0], rtol=1e-7)


def test_auto_verifies_a_bracket():
    x, y = problem("binary", n=80)
    chosen = ke.select(x, y)
    screen = ke.evaluate(x, y, None, ["kta", ke.criteria.SM(r=1)])
    ends = sorted(screen.best(key).index for key in screen.scores)
    assert chosen.verified == list(range(ends[0] - 1, ends[1] + 2))
    exact = ke.evaluate(x, y, None, "loo")
    best = min(chosen.verified, key=lambda i: exact.scores["loo"][i])
    assert chosen.index == best
    assert chosen.score == pytest.approx(exact.scores["loo"][best], rel=1e-9)
    others = sorted(exact.scores["loo"][chosen.verified])
    assert chosen.lead == pytest.approx(others[1] / others[0] - 1, rel=1e-6)
    unverified = chosen.table.reasons["loo"][0]
    assert unverified == "not on the shortlist"
    assert "verified" in repr(chosen)


def test_auto_on_unordered_candidates_and_generators():
    x, y = problem("binary")
    chosen = ke.select(x, y, KERNELS)
    assert chosen.index in chosen.verified
    matrices = [kernel(x) for kernel in KERNELS]
    exact = ke.evaluate(None, y, matrices, "loo")
    passed = ke.select(None, y, (K for K in matrices))
    assert passed.verified == [0, 1, 2, 3]
    assert passed.index == exact.best("loo").index
    assert repr(passed.kernel) == f"Precomputed({passed.index})"


def test_auto_searches_lambda_too():
    x, y = problem("binary", n=90)
    chosen = ke.select(x, y, lam="auto")
    full = ke.evaluate(x, y, None, "loo", lam="auto")
    assert chosen.score <= 1.01 * full.scores["loo"].min()
    single = ke.evaluate(x, y, [chosen.kernel], "loo", lam=chosen.lam)
    assert chosen.score == pytest.approx(single.scores["loo"][0], rel=1e-7)


def test_one_standard_error_rule():
    x, y = problem("binary", n=80)
    grid = ke.gaussian_grid(-3, 6)
    table = ke.evaluate(x, y, grid, "loo")
    best = ke.select(x, y, grid, "loo")
    wide = ke.select(x, y, grid, "loo", rule="one_se")
    limit = best.score + table.errors["loo"][best.index]
    within = [i for i in range(len(grid)) if table.scores["loo"][i] <= limit]
    assert wide.index == max(within)
    K, targets = best.kernel(x), columns(y, "binary")
    losses = np.array(
        [
            ((targets[i] - retrained(K, targets, np.array([i]), lambda m: 1.0, True)) ** 2).item()
            for i in range(len(y))
        ]
    )
    error = losses.std(ddof=1) / np.sqrt(len(y))
    assert table.errors["loo"][best.index] == pytest.approx(error, rel=1e-8)


def test_nearly_singular_kernels_and_duplicates():
    x, y = problem("binary", n=30)
    doubled, both = np.vstack([x, x]), np.concatenate([y, y])
    for lam in (1e-9, 1e-6):
        table = ke.evaluate(doubled, both, [ke.Gaussian(2.0**20), ke.Gaussian(1.0)], "loo", lam=lam)
        assert np.isfinite(table.scores["loo"]).all()


@pytest.mark.parametrize("convention", ["sum", "mean"])
@pytest.mark.parametrize(
    "splitter",
    [
        TimeSeriesSplit(4),
        ShuffleSplit(3, train_size=0.5, test_size=0.2, random_state=0),
        PredefinedSplit([-1] * 20 + [0] * 10 + [1] * 11),
    ],
)
def test_splits_that_train_on_less_than_the_rest(splitter, convention):
    x, y = problem("regression")
    kernel, lam = ke.Gaussian(1.0), 0.1
    table = ke.evaluate(
        x, y, [kernel], ["cv", "ks"], lam=lam, lam_convention=convention, folds=splitter
    )
    losses, scores = [], []
    for train, shuffled in splitter.split(x):
        test = np.sort(shuffled)
        gaps = np.setdiff1d(np.arange(len(y)), train)
        rho = lam if convention == "sum" else lam * len(train)
        outputs = retrained(kernel(x), y[:, None], gaps, lambda m, rho=rho: rho, True)[:, 0]
        outputs = outputs[np.isin(gaps, test)]
        losses.extend((y[test] - outputs) ** 2)
        scores.append(r2_score(y[test], outputs))
    assert table.scores["cv"][0] == pytest.approx(np.mean(losses), rel=1e-8)
    assert table.errors["cv"][0] == pytest.approx(
        np.std(losses, ddof=1) / np.sqrt(len(losses)), rel=1e-6
    )
    if not isinstance(splitter, PredefinedSplit):  # whose two test parts make one set
        by_score = ke.evaluate(
            x, y, [kernel], "cv", lam=lam, lam_convention=convention, folds=splitter, scoring="r2"
        )
        assert by_score.scores["cv(scoring='r2')"][0] == pytest.approx(np.mean(scores), rel=1e-8)


def test_held_out_outputs_of_a_time_series():
    x, y = problem("regression")
    model = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=0.1).fit(x, y)
    outputs = model.held_out_outputs(TimeSeriesSplit(4))[:, 0]
    assert np.isnan(outputs[:9]).all()
    for train, test in TimeSeriesSplit(4).split(x):
        again = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=0.1).fit(x[train], y[train])
        np.testing.assert_allclose(outputs[test], again.predict(x[test]), rtol=1e-8)


def test_probabilities_where_some_rows_are_never_held_out():
    x, y = problem("binary")
    splitter = ShuffleSplit(1, test_size=0.4, random_state=0)
    table = ke.evaluate(x, y, [ke.Gaussian(1.0)], "cv", folds=splitter, scoring="neg_log_loss")
    assert -1.0 < table.scores["cv(scoring='neg_log_loss')"][0] < 0.0


def test_threads_do_not_change_results():
    x, y = problem("multiclass")
    one, two = (
        ke.evaluate(x, y, None, ["loo", "cv", "gcv"], n_threads=t, lam=[0.1, 1.0]) for t in (1, 2)
    )
    for key in one.scores:
        assert one.scores[key].tobytes() == two.scores[key].tobytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"lam": 0.0}, "lam must be positive"),
        ({"lam": [1.0, -2.0]}, "lam must be positive"),
        ({"lam": []}, "non-empty"),
        ({"lam": "best"}, "'auto'"),
        ({"lam_convention": "median"}, "'sum' or 'mean'"),
        ({"folds": 1}, "at least 2"),
        ({"folds": 1000}, "more than the 41 rows"),
        ({"lam": None}, "a number, a list of numbers or 'auto', not None"),
        ({"lam": True}, "a number, a list of numbers or 'auto', not True"),
        ({"folds": "five"}, "a number, a scikit-learn splitter"),
        ({"folds": KFold}, "a number, a scikit-learn splitter"),
        ({"folds": 3, "groups": np.arange(41)}, r"GroupKFold\(3\)"),
        ({"folds": [(np.arange(40), np.array([39, 40]))]}, "row 39 is in the training and"),
        ({"folds": [(np.arange(40), np.array([99]))]}, "outside 0..40"),
        ({"folds": [([], np.arange(41))]}, "row numbers|empty"),
        ({"scoring": "no_such"}, "unknown scoring"),
        ({"criteria": "sm", "scoring": "roc_auc"}, "loo and cv"),
        ({"bias": "yes"}, "True or False"),
    ],
)
def test_bad_input(arguments, words):
    x, y = problem("binary")
    given = {"criteria": "cv", **arguments}
    with pytest.raises((ValueError, TypeError), match=words) as error:
        ke.evaluate(x, y, KERNELS, **given)
    assert "\n" not in str(error.value)


def test_folds_that_lose_a_class():
    x, y = problem("binary")
    test = np.flatnonzero(y == 1)
    with pytest.raises(ValueError, match="leaves no row of class 1 to train on"):
        ke.evaluate(x, y, KERNELS, "cv", folds=[(np.flatnonzero(y == 0), test)])
    y = y.copy()
    y[:] = 0
    y[3] = 1
    with pytest.raises(ValueError, match="class 1 has a single member"):
        ke.evaluate(x, y, KERNELS, "cv")
    with pytest.warns(UserWarning, match="class 1 has a single member, which leave-one-out"):
        table = ke.evaluate(x, y, KERNELS, "loo")
    assert np.isfinite(table.scores["loo"]).all()


def test_few_members_are_no_reason_to_warn():
    x, y = problem("binary")
    y = np.zeros_like(y)
    y[:3] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(ke.evaluate(x, y, KERNELS, "cv").scores["cv"]).all()


def test_all_candidates_are_judged_on_the_same_folds():
    x, y = problem("binary")
    kernel = ke.Gaussian(1.0)
    splitter = KFold(5, shuffle=True)  # other folds whenever it is asked
    for kernels, options in (
        ([kernel(x)] * 3, {}),
        ([lambda a, b: 1.0 * kernel(a, b)] * 3, {}),
        ([kernel] * 3, {"time_limit": 60, "n_threads": 1}),
    ):
        scores = ke.evaluate(x, y, kernels, "cv", folds=splitter, **options).scores["cv"]
        assert scores[0] == pytest.approx(scores[1], rel=1e-12)
        assert scores[0] == pytest.approx(scores[2], rel=1e-12)


def test_splits_that_can_be_read_once():
    x, y = problem("binary")
    both = [ke.criteria.CV(), ke.criteria.CV(stratified=False)]
    once = ke.evaluate(None, y, [ke.Gaussian(1.0)(x)] * 2, both, folds=KFold(3).split(x))
    again = ke.evaluate(x, y, [ke.Gaussian(1.0)], "cv", folds=KFold(3))
    for scores in once.scores.values():
        np.testing.assert_allclose(scores, again.scores["cv"][0], rtol=1e-9)


def test_more_folds_than_any_class_has_members():
    x, y = np.random.default_rng(0).normal(size=(12, 2)), np.arange(12) % 3
    with pytest.raises(ValueError, match="folds = 5 is more than the 4 members of the largest"):
        ke.evaluate(x, y, KERNELS, "cv")


def test_bif_refuses_near_identity_kernels():
    x, y = problem("binary")
    table = ke.evaluate(x, y, [ke.Gaussian(1e-6), ke.Gaussian(1.0)], "bif")
    assert table.scores["bif"][0] == np.inf
    assert "identity" in table.reasons["bif"][0]
    assert np.isfinite(table.scores["bif"][1])


def test_rules_and_diagnostics_are_checked():
    x, y = problem("binary")
    with pytest.raises(ValueError, match="'best' or 'one_se'"):
        ke.select(x, y, rule="two_se")


def test_the_one_se_rule_is_refused_before_the_work():
    x, y = problem("binary")

    def progress(fraction):
        raise AssertionError("the election has begun")

    given = {"rule": "one_se", "progress": progress}
    with pytest.raises(ValueError, match="standard error, which 'sm' has not"):
        ke.select(x, y, criterion="sm", **given)
    for criterion in ("auto", "cv"):
        with pytest.raises(ValueError, match="without scoring"):
            ke.select(x, y, criterion=criterion, scoring="accuracy", **given)
    for kernels in (KERNELS, [ke.Gaussian(1.0)(x)] * 3):
        with pytest.raises(ValueError, match="ordered grid"):
            ke.select(x, y, kernels, "loo", **given)
    with pytest.raises(ValueError, match="ordered grid"):
        ke.select(x, y, iter(KERNELS), "loo", rule="one_se")


def test_jitter_is_added_where_it_must_be_and_told():
    x, y = problem("binary", n=30)
    doubled, both = np.vstack([x, x]), np.concatenate([y, y])
    kernels = [ke.Gaussian(2.0**20), ke.Gaussian(1.0)]
    table = ke.evaluate(doubled, both, kernels, ["loo", "gcv"], lam=1e-18)
    assert np.isfinite(table.scores["loo"]).all()
    assert (table.jitter["loo"] >= 1e-12).all()
    assert (table.jitter["loo"] <= 1e-6).all()
    assert "jitter needed by loo, gcv" in repr(table)
    assert table.to_dict()["criteria"]["loo"]["jitter"] == table.jitter["loo"].tolist()
    # The same as that much more lambda.
    more = [1e-18 + jitter for jitter in table.jitter["loo"]]
    for k, lam in enumerate(more):
        again = ke.evaluate(doubled, both, [kernels[k]], ["loo"], lam=lam)
        assert again.scores["loo"][0] == pytest.approx(table.scores["loo"][k], rel=1e-3)
    several = ke.evaluate(doubled, both, kernels, "loo", lam=[1e-18, 1.0])
    np.testing.assert_array_equal(several.jitter["loo"][:, 0] > 0, [True, True])
    np.testing.assert_array_equal(several.jitter["loo"][:, 1], [0.0, 0.0])
    assert ke.select(doubled, both, kernels, lam=1e-18).table.jitter["loo"].max() > 0
    assert ke.select(doubled, both, kernels, lam=[1e-18, 1e-17]).table.jitter["loo"].max() > 0
    assert ke.evaluate(doubled, both, kernels, "loo").jitter == {}
    assert ke.LSSVMClassifier(kernels[1], lam=1e-18).fit(doubled, both).jitter_ >= 1e-12
    assert ke.LSSVMClassifier(kernels[1], lam=1.0).fit(doubled, both).jitter_ == 0.0
