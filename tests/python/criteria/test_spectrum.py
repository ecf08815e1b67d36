"""The criteria of eigenvalues against full decompositions, through the public functions."""

import warnings

import numpy as np
import pytest
import twins
from golden import X, Y
from problems import api_task, problem
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

import kernelect as ke

KERNELS = [ke.Gaussian(0.05), ke.Gaussian(1.0), ke.Gaussian(64.0), ke.Polynomial(2), ke.Linear()]


def quiet(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return ke.evaluate(*arguments, **options)


@pytest.mark.parametrize("t", [1, 4, 16, 59])
def test_pep_and_ratio_against_all_eigenvalues(t):
    x, y = problem("binary", d=3)
    pep, ratio = ke.criteria.PEP(t=t), ke.criteria.ERRatio(t=t)
    table = quiet(x, y, KERNELS, [pep, ratio])
    for k, kernel in enumerate(KERNELS):
        K = kernel(x)
        assert table.scores[pep.key][k] == pytest.approx(twins.pep(K, t), rel=1e-9)
        if twins.eigenvalues(K)[t:].sum() > 1e-9 * np.trace(K):
            assert table.scores[ratio.key][k] == pytest.approx(twins.er_ratio(K, t), rel=1e-5)


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize("normalization", ["trace", "sum"])
def test_hinge_and_phi_against_all_eigenpairs(task, normalization):
    x, y = problem(task, d=3)
    hinge = ke.criteria.SMHinge(h=0.02, normalization=normalization)
    root = ke.criteria.SMPhi(phi=np.sqrt, steps=60, normalization=normalization)
    square = ke.criteria.SMPhi(phi=lambda t: t**2, steps=5, normalization=normalization)
    kernels = KERNELS[:3]
    table = quiet(x, y, kernels, [hinge, root, square, ke.criteria.SM(normalization=normalization)])
    how = {"normalization": normalization, "task": api_task(task)}
    for k, kernel in enumerate(kernels):
        K = kernel(x)
        wanted = twins.sm_hinge(K, y, h=0.02, **how)
        assert table.scores[hinge.key][k] == pytest.approx(wanted, rel=1e-8)
        wanted = twins.sm_phi(K, y, phi=np.sqrt, **how)
        assert table.scores[root.key][k] == pytest.approx(wanted, rel=1e-6)
        sm = table.scores[ke.criteria.SM(normalization=normalization).key][k]
        assert table.scores[square.key][k] == pytest.approx(sm, rel=1e-9)


@pytest.mark.parametrize("classes", [2, 4])
def test_hinge_where_all_eigenvalues_are_near_the_threshold(classes):
    rng = np.random.default_rng(5)
    n = 520  # more than the steps of the iteration, which gives up here and decomposes the matrix
    x, y = rng.normal(size=(n, 6)), np.arange(n) % classes
    kernel = ke.Gaussian(0.5)
    score = ke.evaluate(x, y, [kernel], "sm_hinge").scores["sm_hinge"][0]
    assert score == pytest.approx(twins.sm_hinge(kernel(x), y), rel=1e-8)


@pytest.mark.parametrize("exponent", range(-14, -3))
def test_hinge_near_the_identity_does_not_hang_on_rounding(exponent):
    """Eigenvalues crowd around 1/n: rows in another order gave values up to 7 % apart."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(150, 3)), rng.integers(0, 2, 150)
    kernel = [ke.Gaussian(tau=2.0**exponent)]
    order = rng.permutation(150)
    one, two = (
        quiet(a, b, kernel, "sm_hinge").scores["sm_hinge"][0]
        for a, b in ((x, y), (x[order], y[order]))
    )
    assert one == pytest.approx(two, rel=1e-6, abs=1e-14)


def test_hinge_without_a_stored_matrix(monkeypatch):
    from kernelect._support import memory

    kernels = [ke.Gaussian(2.0**k) for k in (-4, -1, 1, 4, 8)]
    stored = ke.evaluate(X, Y, kernels, [ke.criteria.SMHinge()]).scores
    monkeypatch.setattr(memory, "STORE", 0.0)
    free = ke.evaluate(X, Y, kernels, [ke.criteria.SMHinge()]).scores
    for name, values in stored.items():
        assert free[name] == pytest.approx(values, rel=1e-9)


def test_er_and_ep_have_a_training_loss():
    x, y = problem("binary", d=3)
    er, ep = ke.criteria.ER(t=4, eta=0.5), ke.criteria.EP(eta=0.0)
    kernels = KERNELS[:3]
    table = quiet(x, y, kernels, [er, ep, ke.criteria.PEP(t=4)], lam=0.3)
    for k, kernel in enumerate(kernels):
        model = ke.LSSVMClassifier(kernel, lam=0.3).fit(x, y)
        loss = np.mean((np.where(y == 1, 1.0, -1.0) - model.decision_function(x)) ** 2)
        tail = 1.0 - table.scores["pep"][k]
        assert table.scores[er.key][k] == pytest.approx(loss + 0.5 * tail, rel=1e-8)
        assert table.scores[ep.key][k] == pytest.approx(loss, rel=1e-8)


def test_ep_measures():
    x, y = problem("binary", d=3)
    gaussian, torus = ke.criteria.EP(eta=1.0), ke.criteria.EP(eta=1.0, measure="torus", p=1)
    table = quiet(x, y, [*KERNELS, ke.Laplacian(0.5), ke.Matern(1.5, 1.0)], [gaussian, torus])
    assert np.isfinite(table.scores["ep"][:3]).all()
    assert table.scores["ep"][3] == np.inf
    assert "operator spectrum" in table.reasons["ep"][3]
    assert np.isfinite(table.scores[torus.key][[0, 1, 2, 5, 6]]).all()


def test_degenerate_kernels():
    n, y = 20, np.repeat([0, 1], 10)
    identity, constant = np.eye(n), np.ones((n, n))
    blocks = np.where(y[:, None] == y, 1.0, 0.0)
    pep = ke.criteria.PEP(t=2)
    table = quiet(None, y, [identity, constant, blocks], [pep, ke.criteria.ERRatio(t=2)])
    np.testing.assert_allclose(table.scores[pep.key], [0.1, 1.0, 1.0], rtol=1e-12)
    assert table.scores["er_ratio(t=2)"][1] == np.inf
    ke.evaluate(None, y, [identity], pep)  # equal eigenvalues: nobody asked for a derivative


def test_bad_input():
    x, y = problem("binary", d=3)
    with pytest.raises(ValueError, match="at most n - 1 = 59"):
        ke.evaluate(x, y, KERNELS, ke.criteria.PEP(t=60))
    with pytest.raises(ValueError, match="at least 1"):
        ke.criteria.PEP(t=0)
    with pytest.raises(ValueError, match="diagnostic"):
        ke.select(x, y, KERNELS, "pep")
    with pytest.raises(ValueError, match="needs a function"):
        ke.evaluate(x, y, KERNELS, ke.criteria.SMPhi())
    indefinite = twins.gaussian(x, 1.0) - 0.5 * np.eye(len(y))
    with pytest.raises(ValueError, match="not positive semidefinite"):
        ke.evaluate(None, y, [indefinite], "pep")


def test_a_kernel_that_overflows_does_not_spoil_the_others():
    x, y = problem("binary", d=3)
    kernels = [ke.Gaussian(1e18), ke.Polynomial(20)]
    names = ["pep", "er_ratio", "er", "sm_hinge", ke.criteria.SMPhi(phi=np.sqrt)]
    table = quiet(1e9 * x, y, kernels, names)
    for key, scores in table.scores.items():
        assert np.isfinite(scores[0])
        assert not np.isfinite(scores[1])
        assert "not finite" in table.reasons[key][1]


def test_functions_of_the_spectrum_are_checked():
    x, y = problem("binary", d=3)
    gone = ke.criteria.SMPhi(phi=lambda v: v * np.nan)
    with pytest.raises(ValueError, match="undefined for every candidate: phi is not finite"):
        ke.select(x, y, KERNELS[:2], gone)
    for phi in (np.max, lambda v: v + 1j):
        with pytest.raises(ValueError, match="phi must give a real number for each of"):
            ke.evaluate(x, y, KERNELS[:2], ke.criteria.SMPhi(phi=phi))


def test_warnings_point_to_the_caller():
    x, y = problem("binary", d=3)
    lonely = np.where(np.arange(len(y)) == 0, 2, y)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ke.evaluate(x * [1.0, 1.0, 1e6], y, [ke.Gaussian(1.0)], "er")
        ke.select(x, y, ke.gaussian_grid(10, 14), "kta")
        ke.evaluate(x, lonely, [ke.Gaussian(1.0)], "loo")
    assert {warning.filename for warning in told} == {__file__}
    assert len(told) >= 3


def test_threads_do_not_change_results():
    x, y = problem("binary", n=150, d=3)
    one, two = (quiet(x, y, KERNELS[:3], ["pep", "sm_hinge"], n_threads=t) for t in (1, 2))
    for key in one.scores:
        assert one.scores[key].tobytes() == two.scores[key].tobytes()


def test_er_ratio_says_when_no_digit_is_left():
    y = np.arange(20) % 2
    spectrum = np.concatenate([np.ones(4), np.full(16, 1.2e-15)])  # 1 - PEP = 5e-15
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(20, 20)))[0]
    vague = (basis * spectrum) @ basis.T
    vague = (vague + vague.T) / 2
    values, criterion = np.linalg.eigvalsh(vague), ke.criteria.ERRatio()
    assert 1e-15 < values[:-4].sum() / values.sum() < 1e-14
    with pytest.warns(UserWarning, match="hardly any correct digits"):
        ke.evaluate(None, y, [vague], [criterion])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ke.evaluate(None, y, [vague + 1e-6 * np.eye(20)], [criterion])


def test_ep_near_the_identity_knows_no_noise():
    """Why it elects narrow kernels for noisy numbers: its loss there is a quarter of any variance,
    and the distance of the spectra vanishes as n grows, unless their differences are added up."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.normal(size=400)
    narrow = [ke.Gaussian(1e-8)]
    table = ke.evaluate(X, y, narrow, [ke.criteria.EP(), ke.criteria.EP(p=1)])
    assert table.columns["ep"].values[0] == pytest.approx(0.25 + 1 / np.sqrt(400), rel=1e-2)
    assert table.columns["ep(p=1)"].values[0] == pytest.approx(1.25, rel=1e-2)


@pytest.mark.parametrize("unit", [1.0, 1e6])
def test_ep_of_much_noise_elects_what_its_docstring_says(unit):
    rows, y = load_diabetes(return_X_y=True)
    rows = StandardScaler().fit_transform(rows)

    def elected(**given):
        return ke.select(rows, unit * y, None, ke.criteria.EP(**given)).kernel

    assert [elected(eta=eta) for eta in (0.5, 1.0, 2.0)] == [ke.Gaussian(1.0)] * 3
    assert elected(p=1).tau > 100
