"""Likelihoods of Gaussian processes: beside scikit-learn's, with weights, in other units."""

import numpy as np
import pytest
import twins
from refusals import refuses
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

import kernelect as ke
from kernelect.criteria import LOO, MarginalLikelihood


def numbers(n=60):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 3))
    return X, np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=n)


def test_the_value_is_that_of_scikit_learn():
    X, y = numbers()
    kernels = [ke.Gaussian(tau) for tau in (0.5, 2.0, 8.0)]
    table = ke.evaluate(X, y, kernels, MarginalLikelihood(1.0), lam=0.1, bias=False)
    for kernel, value in zip(kernels, table.scores["evidence(variance=1.0)"], strict=True):
        process = GaussianProcessRegressor(RBF(kernel.sigma, "fixed"), alpha=0.1).fit(X, y)
        np.testing.assert_allclose(value, process.log_marginal_likelihood(), rtol=1e-10)


def test_a_flat_prior_is_the_limit_of_wide_ones():
    X, y = numbers(30)
    y = y + 5.0
    wide = 1e6
    prior = ke.evaluate(
        None, y, [ke.Gaussian(2.0)(X) + wide], MarginalLikelihood(1.0), lam=0.1, bias=False
    )
    flat = ke.evaluate(X, y, [ke.Gaussian(2.0)], MarginalLikelihood(1.0), lam=0.1)
    without_prior = prior.best().score + 0.5 * np.log(2 * np.pi * wide)
    np.testing.assert_allclose(flat.best().score, without_prior, atol=1e-4)


@pytest.mark.parametrize("mean", [False, True])
@pytest.mark.parametrize("bias", [False, True])
def test_conventions_and_many_lambdas(bias, mean):
    X, y = numbers(25)
    lams, kernel = [0.01, 0.3, 4.0], ke.Gaussian(1.5)
    criteria = [MarginalLikelihood(), LOO(loss="log_probability")]
    convention = "mean" if mean else "sum"
    table = ke.evaluate(X, y, [kernel], criteria, lam=lams, lam_convention=convention, bias=bias)
    how = {"task": "regression", "bias": bias, "mean": mean}
    for criterion, twin in zip(criteria, (twins.evidence, twins.log_probability), strict=True):
        wanted = [twin(kernel(X), y, lam=lam, **how) for lam in lams]
        np.testing.assert_allclose(table.scores[criterion.key][0], wanted, rtol=1e-9)


def test_relative_lambdas_are_undone():
    X, y = numbers(40)
    criteria = [MarginalLikelihood(1.0), LOO(loss="log_probability")]
    kernel = 3.0 * ke.Gaussian(2.0)
    auto = ke.evaluate(X, y, [kernel], criteria, lam="auto")
    plain = ke.evaluate(X, y, [kernel], criteria, lam=auto.lams[0])
    for key, values in auto.scores.items():
        np.testing.assert_allclose(values, plain.scores[key], rtol=1e-8)


def test_several_targets_add_up():
    X, y = numbers(40)
    both = np.column_stack([y, X[:, 1] ** 2])
    each = [ke.evaluate(X, t, [ke.Gaussian(1.0)], "evidence").best().score for t in both.T]
    assert ke.evaluate(X, both, [ke.Gaussian(1.0)], "evidence").best().score == pytest.approx(
        sum(each), rel=1e-12
    )


def test_bad_variances():
    refuses(lambda: MarginalLikelihood(0.0), ValueError, "variance")
    refuses(lambda: MarginalLikelihood("much"), TypeError, "variance")
    refuses(lambda: ke.criteria.CV(loss="log_probability"), ValueError, "loss")


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("convention", ["sum", "mean"])
@pytest.mark.parametrize("weighted", [False, True])
def test_landmarks_that_see_all_have_the_likelihood_of_the_matrix(bias, convention, weighted):
    X, y = numbers(60)
    weights = np.linspace(0.5, 2.0, 60) if weighted else None
    how = {"lam": [0.1, 1.0], "bias": bias, "lam_convention": convention, "sample_weight": weights}
    # One that no two rows share, and one of few dimensions.
    kernels = [ke.Gaussian(1e-3), ke.Polynomial(2)]
    asked = [MarginalLikelihood(), MarginalLikelihood(variance=1.0)]
    whole = ke.evaluate(X, y, kernels, asked, landmarks=None, **how)
    seen = ke.evaluate(X, y, kernels, asked, landmarks=60, **how)
    for key, values in whole.scores.items():
        np.testing.assert_allclose(seen.scores[key], values, rtol=1e-9)


def test_fewer_landmarks_are_a_gaussian_process_of_low_rank():
    X, y = numbers(50)
    found = ke.evaluate(X, y, [ke.Gaussian(1.0)], "evidence", lam=0.3, bias=False, landmarks=7)
    chosen = ke.LSSVMRegressor(ke.Gaussian(1.0), lam=0.3, bias=False, landmarks=7).fit(X, y)
    k = ke.Gaussian(1.0)
    between = k(X, chosen.X_fit_)
    low = between @ np.linalg.solve(k(chosen.X_fit_), between.T)
    matrix = ke.evaluate(None, y, [low], "evidence", lam=0.3, bias=False)
    assert found.scores["evidence"] == pytest.approx(matrix.scores["evidence"], rel=1e-8)
