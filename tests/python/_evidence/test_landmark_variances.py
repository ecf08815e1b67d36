"""Log densities of left-out targets, and series by folds, of landmark models: beside slow twins."""

import numpy as np
import pytest
import twins
from problems import problem

import kernelect as ke
from kernelect._evidence.landmarks import counts, landmark_work
from kernelect._evidence.landmarks.choice import choose
from kernelect.criteria import BIF, LOO
from kernelect.results import serialization

KERNELS = [ke.Gaussian(1.0), ke.Laplacian(0.2), ke.Linear()]
DENSITY = LOO(loss="log_probability")
M = 12
TASKS = ["binary", "multiclass", "regression"]


def kind_of(task):
    return "regression" if task == "regression" else "classification"


def landmarks_of(kernel, x, count=M, seed=0):
    order = landmark_work.first_rows(len(x), len(x), seed)
    return choose(kernel, x[order], order, count, seed=seed).numbers


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_densities_of_left_out_targets(task, bias, convention):
    x, y = problem(task, n=45, d=4)
    lams = [0.05, 0.6]
    table = ke.evaluate(
        x, y, KERNELS, DENSITY, lam=lams, bias=bias, lam_convention=convention, landmarks=M
    )
    for place, kernel in enumerate(KERNELS):
        k, chosen = kernel(x), landmarks_of(kernel, x)
        targets = twins.columns(k, y, kind_of(task))
        for at, lam in enumerate(lams):
            how = {"lam": lam, "bias": bias, "mean": convention == "mean"}
            outputs = twins.landmark_outputs(k, targets, chosen, twins.singles(45), **how)
            variances = twins.landmark_variances(k, chosen, **how)
            expected = twins.mean_surprise(targets - outputs, variances)
            assert table.scores[DENSITY.key][place, at] == pytest.approx(expected, rel=1e-8)


def test_densities_of_weighted_rows():
    x, y = problem("regression", n=45, d=4)
    weights = np.random.default_rng(5).uniform(0.3, 3.0, 45)
    table = ke.evaluate(x, y, KERNELS, DENSITY, lam=0.3, landmarks=M, sample_weight=weights)
    for place, kernel in enumerate(KERNELS):
        k, chosen = kernel(x), landmarks_of(kernel, x)
        how = {"lam": 0.3, "weights": weights}
        outputs = twins.landmark_outputs(k, y[:, None], chosen, twins.singles(45), **how)
        variances = twins.landmark_variances(k, chosen, **how)
        squares = (y - outputs[:, 0]) ** 2 / variances
        scale = np.average(squares, weights=weights)
        densities = np.log(2 * np.pi * scale * variances) + squares / scale
        expected = np.average(densities / 2, weights=weights)
        assert table.scores[DENSITY.key][place] == pytest.approx(expected, rel=1e-8)


def test_all_rows_as_landmarks_give_the_densities_of_the_matrix():
    x, y = problem("regression", n=60, d=4)
    kernel = [ke.Gaussian(1.0)]
    how = {"lam": [0.1, 1.0], "sample_weight": np.linspace(0.5, 2.0, 60)}
    whole = ke.evaluate(x, y, kernel, DENSITY, landmarks=None, **how)
    seen = ke.evaluate(x, y, kernel, DENSITY, landmarks=60, **how)
    np.testing.assert_allclose(seen.scores[DENSITY.key], whole.scores[DENSITY.key], rtol=1e-8)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_series_are_those_of_the_smoother(task, bias, weighted):
    x, y = problem(task, n=60, d=4)
    kind = kind_of(task)
    weights = np.random.default_rng(5).uniform(0.3, 3.0, 60) if weighted else np.ones(60)
    folds = np.arange(60) % 4
    splits = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(4)]
    kernels, lams = KERNELS[:2], [0.05, 0.6]
    for order in (1, 3):
        table = ke.evaluate(
            x, y, kernels, BIF(order=order), lam=lams, folds=splits, bias=bias, landmarks=M,
            sample_weight=weights if weighted else None,
        )  # fmt: skip
        for place, kernel in enumerate(kernels):
            k, chosen = kernel(x), landmarks_of(kernel, x)
            targets = twins.columns(k, y, kind)
            others = np.setdiff1d(np.arange(60), chosen)
            for at, lam in enumerate(lams):
                outputs = twins.series_outputs(
                    k, targets, chosen, twins.parts(folds), order=order, ridges=lam / weights,
                    bias=bias,
                )  # fmt: skip
                squares = ((targets - outputs) ** 2).mean(axis=1)[others]
                expected = np.average(squares, weights=weights[others])
                found = table.scores[BIF(order=order).key][place, at]
                assert found == pytest.approx(expected, rel=1e-8)


def test_series_count_errors_and_take_many_folds():
    x, y = problem("binary", n=60, d=4)
    wrong = BIF(loss="zero_one", folds=12, order=6)
    near = BIF(folds=12, order=60)
    table = ke.evaluate(x, y, KERNELS[:2], [wrong, near, "cv"], lam=2.0, folds=12, landmarks=M)
    assert ((table.scores[wrong.key] > 0.0) & (table.scores[wrong.key] < 0.6)).all()
    np.testing.assert_allclose(table.scores[near.key], table.scores["cv"], rtol=0.02)


def test_kernels_near_the_identity_are_told_as_with_whole_matrices():
    x, y = problem("binary", n=60, d=4)
    kernels = [ke.Gaussian(1e-4), ke.Gaussian(2.0)]
    for landmarks in (None, M):
        table = ke.evaluate(x, y, kernels, "bif", landmarks=landmarks)
        assert "near the identity" in table.reasons["bif"][0]
        assert table.reasons["bif"][1] is None


def test_samples_matrices_functions_and_files(monkeypatch):
    x, y = problem("regression", n=3000, d=3)
    asked = [DENSITY, "bif"]
    function = ke.kernels.Function(KERNELS[0])
    one, same = (
        ke.evaluate(x[:200], y[:200], [kernel], asked, lam=0.2, landmarks=M)
        for kernel in (KERNELS[0], function)
    )
    whole = ke.evaluate(x, y, KERNELS[:1], asked, lam=0.2, landmarks=M)
    monkeypatch.setattr(counts, "SCORE_ALL", 1000)
    monkeypatch.setattr(counts, "SCORED", 600)
    some = ke.evaluate(x, y, KERNELS[:1], asked, lam=0.2, landmarks=M)
    for key in (DENSITY.key, "bif"):
        np.testing.assert_allclose(same.scores[key], one.scores[key], rtol=1e-7)
        assert abs(some.scores[key] - whole.scores[key]) < 4 * some.errors[key]
    assert serialization.from_dict(serialization.to_dict(some)) == some
    matrix = ke.evaluate(None, y[:200], [KERNELS[0](x[:200])], asked, lam=0.2, landmarks=M)
    assert all(np.isfinite(scores).all() for scores in matrix.scores.values())


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("criterion", [DENSITY, "bif", "loo", "evidence"])
def test_kernels_without_a_model_have_a_reason(place, criterion):
    x, y = problem("regression", n=60, d=3)
    kernels = [ke.Gaussian(1e240)]
    kernels.insert(place, ke.Polynomial(3))  # which leaves the range of doubles
    table = ke.evaluate(1e120 * x, y, kernels, criterion, landmarks=M)
    ((key, reasons),) = table.reasons.items()
    assert reasons[place] is not None
    assert reasons[1 - place] is None
    assert table.winner(key) == 1 - place
