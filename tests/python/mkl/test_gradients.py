"""Derivatives of all objectives by differences."""

import numpy as np
import pytest
from mkl_problems import KERNELS, machine_for, make_problem, rows_and_target
from twins.mkl import numeric_gradient

import kernelect as ke
from kernelect.mkl._infinite.families import ARDGaussianFamily, GaussianFamily
from kernelect.mkl._infinite.searches import Score
from kernelect.mkl._methods.gmkl import distance_sums
from kernelect.mkl._methods.spectral import _Measure
from kernelect.mkl._methods.stability import StabilityObjective
from kernelect.mkl._solvers.convex import Oracle

WEIGHTS = np.array([0.2, 0.4, 0.3, 0.1])


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_value_of_the_machine(task, learner):
    given = make_problem(task, learner=learner)
    oracle = Oracle(given.stack, given.machine)
    oracle.tol = 1e-6
    point = oracle.point(WEIGHTS)
    assert point.solution.slack <= 1e-8
    wanted = numeric_gradient(lambda d: oracle.point(d).value, WEIGHTS)
    assert -point.forms == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_curvature_of_the_machine(task, learner):
    given = make_problem(task, learner=learner)
    oracle = Oracle(given.stack, given.machine)
    oracle.tol = 1e-6
    point = oracle.point(WEIGHTS)
    wanted = [
        numeric_gradient(lambda d, k=k: -oracle.point(d).forms[k], WEIGHTS, step=1e-5)
        for k in range(len(KERNELS))
    ]
    scale = np.abs(point.curvature).max()
    assert point.curvature == pytest.approx(np.array(wanted), abs=1e-4 * scale)


@pytest.mark.parametrize("normalization", ["trace", "sum"])
@pytest.mark.parametrize("r", [1, 2, 3, 4])
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_spectral_measure(task, r, normalization):
    kernels = [ke.Gaussian(0.5), ke.Gaussian(4.0), ke.Laplacian(0.3)]
    given = make_problem(task, kernels=kernels, r=r, normalization=normalization)
    measure = _Measure(given)
    mu = np.array([0.2, 0.5, 0.3])
    value, gradient = measure.with_gradient(mu)
    unit = abs(value)
    wanted = numeric_gradient(lambda d: measure.value(d) / unit, mu)
    assert gradient / unit == pytest.approx(wanted, rel=1e-5, abs=1e-8)
    # Scaling the weights changes nothing.
    assert measure.value(7.0 * mu) == pytest.approx(value, rel=1e-12)
    assert abs(mu @ gradient) <= 1e-12 * unit


def test_spectral_measure_is_that_of_the_criterion():
    given = make_problem("multiclass", r=3)
    K = ke.kernels.WeightedSum(KERNELS, WEIGHTS)
    _, y, _ = rows_and_target("multiclass")
    wanted = ke.evaluate(given.bases.rows, y, [K], [ke.criteria.SM(r=3)])
    assert _Measure(given).value(WEIGHTS) == pytest.approx(wanted.scores["sm(r=3)"][0], rel=1e-10)


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_stability_objective(task):
    given = make_problem(task, folds=4, eta=2.0)
    objective = StabilityObjective(given)
    value, G = objective(given.stack.combine(WEIGHTS))
    wanted = numeric_gradient(lambda d: objective(given.stack.combine(d))[0], WEIGHTS)
    assert given.stack.inner(G) == pytest.approx(wanted, rel=1e-5, abs=1e-8)
    # The smoothed maximum is above the true one, by little.
    K = given.stack.combine(WEIGHTS)
    norms = objective._norms(K)[0]
    smooth = objective.stability(K)[0]
    limit = norms.max() + objective.temperature * np.log(len(K))
    assert norms.max() <= smooth * (1.0 + 1e-12) <= limit * (1.0 + 1e-11)
    removed = K.copy()
    removed[3], removed[:, 3] = 0.0, 0.0
    assert norms[3] == pytest.approx(np.linalg.norm(K - removed, ord=2), rel=1e-10)
    assert value == pytest.approx(objective.cross_validation(K)[0] + 2.0 / len(K) * smooth)


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_held_out_residuals_are_those_of_retraining(task):
    given = make_problem(task, folds=4, C=2.0)
    objective = StabilityObjective(given)
    K = given.stack.combine(WEIGHTS)
    squares = []
    for fold in objective.folds:
        train = np.setdiff1d(np.arange(len(K)), fold)
        machine = machine_for(task, given.machine.targets[:, train], 2.0, "lssvm")
        solution = machine.solve(np.ascontiguousarray(K[np.ix_(train, train)]), 1e-3)
        outputs = solution.z @ K[np.ix_(train, fold)] + solution.bias[:, None]
        squares.append(((given.machine.targets[:, fold] - outputs) ** 2).ravel())
    wanted = np.concatenate(squares).mean()
    assert objective.cross_validation(K)[0] == pytest.approx(wanted, rel=1e-8)


def test_square_of_a_sum():
    given = make_problem("binary")

    def value(mu):
        total = given.stack.combine(mu)
        solution = given.machine.solve_to(total**2, 1e-12)
        G = total * (solution.z.T @ solution.z)
        return solution.h - 0.5 * (G * total).sum(), -given.stack.inner(G)

    wanted = numeric_gradient(lambda mu: value(mu)[0], WEIGHTS)
    assert value(WEIGHTS)[1] == pytest.approx(wanted, rel=1e-5)


def test_product_of_gaussians():
    x, _, targets = rows_and_target("binary")
    machine = machine_for("binary", targets)

    def value(d):
        K = ke.ARDGaussian(d)(x)
        solution = machine.solve_to(K, 1e-12)
        G = K * (solution.z.T @ solution.z)
        return solution.h - 0.5 * G.sum(), 0.5 * distance_sums(G, x)

    rates = np.array([0.2, 0.5, 0.1])
    wanted = numeric_gradient(lambda d: value(d)[0], rates)
    assert value(rates)[1] == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("lam", [0.0, 5.0])
@pytest.mark.parametrize("family", [GaussianFamily(), ARDGaussianFamily()])
def test_score_of_a_family(family, lam):
    x, _, targets = rows_and_target("binary")
    z = machine_for("binary", targets).solve(ke.Gaussian(2.0)(x), 1e-6).z
    search = family.search(x, 1, np.random.default_rng(0))
    score = Score(lam, 3, z)
    single = isinstance(family, GaussianFamily)
    logs = np.array([-1.0]) if single else np.array([-1.0, -2.0, 0.3])
    value, slopes = search.value_and_slopes(score, logs)
    K = search.kernel(logs)(x)
    share = np.linalg.eigvalsh(K)[-3:].sum() / len(K)
    assert value == pytest.approx(lam * share + 0.5 * (z @ K @ z.T).item(), rel=1e-9)
    wanted = numeric_gradient(lambda v: search.value_and_slopes(score, v)[0], logs)
    got = slopes.sum(keepdims=True) if single else slopes
    assert got == pytest.approx(wanted, rel=1e-5)
