"""What is wrong with one kernel is its own affair: a reason for it, and nothing for the others."""

import numpy as np
import pytest
from problems import problem

import kernelect as ke
from kernelect._dispatch import core

NAMES = ["loo", "cv", "gcv", "br", "bif", "ks", "er", "ep", "pep", "er_ratio", "sm_hinge"]
PHI = ke.criteria.SMPhi(np.square)


@pytest.mark.parametrize("tens", [-200, -100, 0, 9, 100, 200])
@pytest.mark.parametrize("lam", [1.0, "auto"])
@pytest.mark.parametrize("n", [12, 24, 40])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_kernels_and_features_out_of_range(n, lam, tens):
    x, y = problem("binary", n=n, d=2)
    good = ke.Gaussian(10.0 ** (2 * tens) if abs(tens) <= 100 else 1.0)
    bad = [ke.Polynomial(20), 1e300 * ke.Linear(), ke.Gaussian(1e-300), ke.Gaussian(1e300)]
    alone = ke.evaluate(10.0**tens * x, y, [good], [*NAMES, PHI], lam=lam)
    table = ke.evaluate(10.0**tens * x, y, [*bad, good], [*NAMES, PHI], lam=lam)
    for key, values in table.scores.items():
        assert not np.isnan(values).any(), key
        np.testing.assert_allclose(values[-1], alone.scores[key][0], rtol=1e-9, err_msg=key)
        for row, reason in zip(values, table.reasons[key], strict=True):
            assert reason or np.isfinite(row).any() or key == "er_ratio", key


def test_rates_whose_squares_overflow():
    x, y = problem("binary", n=20)
    eta = np.array([1e200, 3e200])
    large = core.bayesian_regularisation(np.ones(1), 20, eta)
    small = core.bayesian_regularisation(np.ones(1), 20, eta / 1e200)
    assert large - small == pytest.approx(2 * 200 * np.log(10.0))
    table = ke.evaluate(x, y, [ke.Gaussian(1e-200), ke.Gaussian(1.0)], "br")
    assert table.reasons["br"] == [None, None]


def test_sm_phi_makes_the_matrix_once(monkeypatch):
    x, y = problem("binary", n=30)
    asked, quadrature = [], core.kernel_quadrature

    def seen(*args, **options):
        asked.append(options["store"])
        found = quadrature(*args, **options)
        streamed = quadrature(*args, **(options | {"store": False}))
        for one, other in zip(found, streamed, strict=True):
            np.testing.assert_allclose(np.sum(one[1] * one[0] ** 2), other[1] @ other[0] ** 2)
        return found

    monkeypatch.setattr(core, "kernel_quadrature", seen)
    ke.evaluate(x, y, [ke.Gaussian(1.0)], [PHI])
    assert asked == [True]
