"""Where a ridge was too small and a jitter had to be added, the training residual knows of it.

The system that was solved is (K + (rho + jitter) I) alpha = y, so y - f = (rho + jitter) alpha; a
criterion that took rho alpha alone saw a perfect fit and elected the kernel.
"""

import mpmath
import numpy as np
import pytest
import twins
from catalogue import fold_numbers
from problems import problem
from ridge_core import ridge
from sklearn.model_selection import PredefinedSplit

import kernelect as ke

N = 24


@pytest.fixture(autouse=True)
def digits():
    with mpmath.workdps(60):
        yield


def noise():
    rng = np.random.default_rng(7)
    return 1e4 * rng.normal(size=(N, 2)), np.repeat([0, 1], N // 2)


def scores(x, y, kernel, criteria, lam):
    folds = PredefinedSplit(fold_numbers(y))
    return ke.evaluate(x, y, [kernel], criteria, lam=lam, folds=folds)


@pytest.mark.parametrize(("name", "twin"), [("er", twins.er), ("bif", twins.bif)])
def test_large_features_and_noise_labels(name, twin):
    x, y = noise()
    kernel = ke.Polynomial(2)
    table = scores(x, y, kernel, [name, "cv"], 1.0)
    (jitter,) = table.jitter[name]
    assert jitter > 1e3  # of entries of 1e16
    known = {"folds": fold_numbers(y)} if name == "bif" else {}
    wanted = twin(twins.extended(kernel(x)), y, lam=1 + mpmath.mpf(jitter), **known)
    assert table.scores[name][0] == pytest.approx(float(wanted), rel=1e-3)
    assert table.scores[name][0] > 0.5  # of noise nothing can be learnt
    assert table.scores["cv"][0] > 0.5


def test_ep_on_doubled_rows():
    x, y = problem("binary", n=N // 2)
    x, y = np.vstack([x, x]), np.concatenate([y, 1 - y])  # labels that no model can fit
    kernel = ke.Gaussian(50.0)
    table = ke.evaluate(x, y, [kernel], ["ep"], lam=1e-18)
    (jitter,) = table.jitter["ep"]
    wanted = twins.ep(
        twins.extended(kernel(x)), y, x=twins.extended(x), kernel=kernel, lam=mpmath.mpf(jitter)
    )
    assert table.scores["ep"][0] == pytest.approx(float(wanted), rel=1e-3)
    assert table.scores["ep"][0] > 1.0


@pytest.mark.parametrize("eigen", [True, False])
def test_leverages(eigen):
    x, y = noise()
    gram = ke.Polynomial(2)(x)
    lambdas = [1.0] if not eigen else list(np.geomspace(0.5, 1.0, 40))
    found = ridge([gram], np.where(y, 1.0, -1.0), lambdas, shortcuts=False, eigen=eigen)
    assert found["path"][0][-1] == ("eigen" if eigen else "dense")
    jitter = mpmath.mpf(found["jitter"][0, -1])
    hat = twins.hat(twins.extended(gram), np.full(N, 1 + jitter))
    wanted = np.diag(hat).astype(float)
    # The condition number is 1e12 n: two digits are left, and all were 1 without the jitter.
    np.testing.assert_allclose(found["leverages"][0, -1], wanted, atol=1e-2)


def test_the_jitter_of_the_fit_is_not_that_of_a_fold():
    """In the mean convention every size of training set has a ridge, and a jitter, of its own."""
    x, y = problem("binary", n=N, d=2)
    x[12:] = x[:12]
    gram, targets = ke.Gaussian(8.0)(x), np.where(y, 1.0, -1.0)
    folds = [[np.arange(N // 2)]]
    for lam in np.geomspace(1e-17, 1e-14, 30):
        found = ridge([gram], targets, [lam], folds=folds, mean=True, loo=False, shortcuts=False)
        alone = ridge([gram], targets, [lam], mean=True, loo=False, shortcuts=False)
        assert found["fit_jitter"][0, 0] == alone["jitter"][0, 0]
        assert found["jitter"][0, 0] >= found["fit_jitter"][0, 0]
