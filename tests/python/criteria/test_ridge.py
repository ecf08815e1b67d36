"""The criteria of ridge systems against honest retraining, through the public functions."""

import golden
import numpy as np
import pytest
import twins
from problems import api_task, problem
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import balanced_accuracy_score, r2_score, roc_auc_score
from sklearn.model_selection import (
    KFold,
    StratifiedKFold,
    cross_val_predict,
)

import kernelect as ke


def folds_of(y, task, k=5):
    splitter = (KFold if task == "regression" else StratifiedKFold)(k, shuffle=True, random_state=0)
    return [test for _, test in splitter.split(np.zeros((len(y), 1)), y)]


KERNELS = [ke.Gaussian(0.01), ke.Gaussian(1.0), ke.Gaussian(2.0**12), ke.Polynomial(2)]


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_loo_and_cv_are_honest_retraining(task, bias, convention):
    x, y = problem(task, n=50, d=3)
    lam = 0.3 if convention == "sum" else 0.01

    how = {"lam": lam, "mean": convention == "mean", "bias": bias}
    table = ke.evaluate(x, y, KERNELS, ["loo", "cv"], lam=lam, lam_convention=convention, bias=bias)
    for k, kernel in enumerate(KERNELS):
        singles = twins.singles(len(y))
        for key, tests in (("loo", singles), ("cv", folds_of(y, task))):
            outputs, targets = twins.outputs_and_targets(kernel(x), y, tests, api_task(task), **how)
            wanted = ((targets - outputs) ** 2).mean()
            np.testing.assert_allclose(table.scores[key][k], wanted, rtol=1e-9, err_msg=key)


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_zero_one_loss_and_its_ties(task):
    x, y = problem(task, n=41, d=3)
    zero_one, squared = ke.criteria.LOO(loss="zero_one"), ke.criteria.LOO()
    table = ke.evaluate(x, y, KERNELS, [zero_one, squared])
    singles = twins.singles(len(y))
    for k, kernel in enumerate(KERNELS):
        outputs, _ = twins.outputs_and_targets(kernel(x), y, singles, api_task(task))
        guess = (outputs[:, 0] > 0).astype(int) if task == "binary" else outputs.argmax(axis=1)
        assert table.scores[zero_one.key][k] == pytest.approx((guess != y).mean(), abs=1e-12)
    values = table.scores[zero_one.key]
    tied = np.flatnonzero(values == values.min())
    best = tied[np.argmin(table.scores["loo"][tied])]
    assert table.best(zero_one.key).index == best


@pytest.mark.parametrize(("system", "wanted"), golden.RIDGE.items())
def test_golden_values(system, wanted):
    bias, lam, mean = system
    table = ke.evaluate(
        golden.X,
        golden.Y,
        [ke.Gaussian(golden.TAU)],
        list(wanted),
        lam=lam,
        lam_convention="mean" if mean else "sum",
        bias=bias,
        folds=golden.SPLITS,
    )
    assert list(table.scores) == list(wanted)
    for key, value in wanted.items():
        np.testing.assert_allclose(table.scores[key], [value], rtol=1e-10)


def test_stability_is_the_penalty_of_ks():
    criteria = ["ks", "cv", "stability"]
    table = ke.evaluate(
        golden.X, golden.Y, [ke.Gaussian(golden.TAU)], criteria, folds=golden.SPLITS
    )
    penalised = table.scores["cv"][0] + table.scores["stability"][0] / 7
    assert table.scores["ks"][0] == pytest.approx(penalised, rel=1e-12)


def test_kernel_ridge_agrees_with_scikit_learn():
    x, y = problem("regression", n=41, d=3)
    kernel = ke.Gaussian(0.8)
    splitter = KFold(6, shuffle=True, random_state=1)
    model = KernelRidge(alpha=0.2, kernel="rbf", gamma=kernel.gamma)
    guess = cross_val_predict(model, x, y, cv=splitter)
    table = ke.evaluate(x, y, [kernel], "cv", lam=0.2, bias=False, folds=splitter)
    assert table.scores["cv"][0] == pytest.approx(((y - guess) ** 2).mean(), rel=1e-9)


def test_scoring_on_exact_held_out_outputs():
    x, y = problem("binary", n=41, d=3)
    singles = twins.singles(len(y))
    outputs, _ = twins.outputs_and_targets(KERNELS[1](x), y, singles)
    for name, wanted in (
        ("roc_auc", roc_auc_score(y, outputs[:, 0])),
        ("balanced_accuracy", balanced_accuracy_score(y, outputs[:, 0] > 0)),
    ):
        table = ke.evaluate(x, y, KERNELS, "loo", scoring=name)
        assert table.scores[f"loo(scoring={name!r})"][1] == pytest.approx(wanted, abs=1e-12)
        assert table.direction[f"loo(scoring={name!r})"] == 1
    x, y = problem("regression", n=41, d=3)
    tests = folds_of(y, "regression")
    outputs, _ = twins.outputs_and_targets(KERNELS[1](x), y, tests, "regression")
    table = ke.evaluate(x, y, KERNELS, "cv", scoring="r2")
    by_r2 = table.scores["cv(scoring='r2')"]
    assert by_r2[1] == pytest.approx(r2_score(y, outputs[:, 0]), abs=1e-10)
    assert ke.evaluate(*problem("binary", n=41, d=3), KERNELS, "loo", scoring="neg_log_loss").scores


def test_several_lambdas():
    x, y = problem("binary", n=41, d=3)
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
    x, y = problem("binary", n=41, d=3)
    kernel = ke.Gaussian(4.0)
    table = ke.evaluate(x, y, [kernel], "loo", lam="auto")
    K = kernel(x)
    unit = np.trace(K - K.mean(axis=0)) / len(y)
    np.testing.assert_allclose(table.lams[0], unit * 2.0 ** np.arange(-10, 11), rtol=1e-10)
    for j in (0, 10, 20):
        single = ke.evaluate(x, y, [kernel], "loo", lam=float(table.lams[0, j]))
        np.testing.assert_allclose(table.scores["loo"][0, j], single.scores["loo"][0], rtol=1e-7)


def test_nearly_singular_kernels_and_duplicates():
    x, y = problem("binary", n=30, d=3)
    doubled, both = np.vstack([x, x]), np.concatenate([y, y])
    for lam in (1e-9, 1e-6):
        table = ke.evaluate(doubled, both, [ke.Gaussian(2.0**20), ke.Gaussian(1.0)], "loo", lam=lam)
        assert np.isfinite(table.scores["loo"]).all()


def test_threads_do_not_change_results():
    x, y = problem("multiclass", n=41, d=3)
    one, two = (
        ke.evaluate(x, y, None, ["loo", "cv", "gcv"], n_threads=t, lam=[0.1, 1.0]) for t in (1, 2)
    )
    for key in one.scores:
        assert one.scores[key].tobytes() == two.scores[key].tobytes()


def test_bif_refuses_near_identity_kernels():
    x, y = problem("binary", n=41, d=3)
    table = ke.evaluate(x, y, [ke.Gaussian(1e-6), ke.Gaussian(1.0)], "bif")
    assert table.scores["bif"][0] == np.inf
    assert "identity" in table.reasons["bif"][0]
    assert np.isfinite(table.scores["bif"][1])


def test_jitter_is_added_where_it_must_be_and_told():
    x, y = problem("binary", n=30, d=3)
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


def test_bif_takes_centred_kernels():
    """Their entries sum to zero, which is no nearness to the identity."""
    x, y = problem("binary", n=40, d=3)
    x = x - x.mean(axis=0)
    wide = np.random.default_rng(3).normal(size=(40, 4000))
    kernels = [ke.Linear(), 1e-200 * ke.Linear(), 1e200 * ke.Linear()]
    table = ke.evaluate(x, y, kernels, ["bif", "cv"], lam=1.0)
    assert table.reasons["bif"] == [None] * 3
    assert table.scores["bif"][0] == pytest.approx(table.scores["cv"][0], rel=0.05)
    near = ke.evaluate(wide - wide.mean(axis=0), y, [ke.Linear()], "bif")
    assert "identity" in near.reasons["bif"][0]
