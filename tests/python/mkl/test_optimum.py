"""Optima of the convex methods: against an independent solver, against each other, convexity."""

import numpy as np
import pytest
from mkl_problems import EPSILON, KERNELS, make_problem, matrices, rows_and_target
from twins.mkl import dual_optimum

import kernelect as ke
from kernelect.mkl._methods.fkl import learn_fkl, learn_simple
from kernelect.mkl._methods.gmkl import learn_sum
from kernelect.mkl._methods.lp import learn_lp
from kernelect.mkl._methods.principal_proportions import principal_proportions
from kernelect.mkl._solvers.convex import Oracle


@pytest.mark.parametrize("C", [0.1, 1.0, 20.0])
@pytest.mark.parametrize("task", ["binary", "regression"])
def test_simple_against_a_general_solver(task, C):
    given = make_problem(task, C=C)
    found = learn_simple(given)
    epsilon = EPSILON if task == "regression" else None
    wanted = dual_optimum(matrices(given), given.machine.targets[0], C=C, epsilon=epsilon)
    assert found.converged
    assert found.path[-1] == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("task", ["binary", "regression"])
def test_fkl_against_a_general_solver(task):
    given = make_problem(task, lam=3.0, t=2)
    found = learn_fkl(given)
    beta = principal_proportions(given.stack, [2])[:, 0]
    epsilon = EPSILON if task == "regression" else None
    wanted = dual_optimum(
        matrices(given), given.machine.targets[0], C=1.0, epsilon=epsilon, linear=3.0 * beta
    )
    assert found.path[-1] == pytest.approx(wanted, rel=1e-6)
    by_numpy = [np.linalg.eigvalsh(k)[-2:].sum() / np.trace(k) for k in matrices(given)]
    assert beta == pytest.approx(by_numpy, rel=1e-9)


@pytest.mark.parametrize("p", [1.1, 1.5, 2.0, 4.0])
def test_lp_against_a_general_solver(p):
    given = make_problem("binary", p=p)
    found = learn_lp(given)
    wanted = dual_optimum(matrices(given), given.machine.targets[0], C=1.0, p=p)
    assert found.converged
    assert found.path[-1] == pytest.approx(wanted, rel=1e-6)
    assert np.linalg.norm(found.weights, ord=p) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_fkl_without_penalty_and_lp_of_one_are_simple(task, learner):
    given = make_problem(task, lam=0.0, p=1.0, learner=learner)
    simple = learn_simple(given).path[-1]
    assert learn_fkl(given).path[-1] == pytest.approx(simple, rel=1e-8)
    assert learn_lp(given).path[-1] == pytest.approx(simple, rel=1e-8)


def test_lp_tends_to_simple_as_p_tends_to_one():
    simple = learn_simple(make_problem("binary")).path[-1]
    values = [learn_lp(make_problem("binary", p=p)).path[-1] for p in (1.2, 1.05, 1.01)]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(simple, rel=1e-2)


def test_gmkl_with_the_multiplier_of_simple_is_simple():
    given = make_problem("binary")
    simple = learn_simple(given)
    forms = Oracle(given.stack, given.machine).point(simple.weights).forms
    sigma = float(forms.max())
    found = learn_sum(make_problem("binary", penalty_weight=sigma))
    assert found.weights.sum() == pytest.approx(1.0, abs=1e-4)
    assert found.path[-1] - sigma == pytest.approx(simple.path[-1], rel=1e-7)


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_gmkl_sum_is_a_minimum(penalty):
    given = make_problem("binary", penalty=penalty)
    found = learn_sum(given)
    assert found.converged
    oracle = Oracle(given.stack, given.machine)
    oracle.tol = 1e-6

    def objective(d):
        value = oracle.point(d).value
        return value + (d.sum() if penalty == "l1" else ((d - 1.0) ** 2).sum() / 0.2)

    rng = np.random.default_rng(0)
    best = objective(found.weights)
    assert best == pytest.approx(found.path[-1], rel=1e-7)
    for _ in range(20):
        other = np.maximum(found.weights + 0.05 * rng.normal(size=len(KERNELS)), 0.0)
        assert objective(other) >= best - 1e-7


@pytest.mark.parametrize("task", ["binary", "regression"])
def test_value_is_convex_and_the_gap_bounds_the_distance(task):
    given = make_problem(task)
    oracle = Oracle(given.stack, given.machine)
    oracle.tol = 1e-6
    rng = np.random.default_rng(1)
    optimum = learn_simple(given).path[-1]
    for _ in range(10):
        a, b = rng.dirichlet(np.ones(len(KERNELS)), size=2)
        ends = [oracle.point(a), oracle.point(b)]
        middle = oracle.point(0.5 * (a + b))
        assert middle.value <= 0.5 * (ends[0].value + ends[1].value) + 1e-8
        for point in ends:
            gap = float(point.forms.max() - point.weights @ point.forms)
            assert point.value - gap <= optimum + 1e-8
            assert optimum <= point.value + 1e-8


def test_optimality_on_the_support():
    given = make_problem("binary", lam=2.0, t=3)
    found = learn_fkl(given)
    beta = principal_proportions(given.stack, [3])[:, 0]
    g = 2.0 * beta + Oracle(given.stack, given.machine).point(found.weights).forms
    used = found.weights > 1e-6
    assert g[used] == pytest.approx(np.full(used.sum(), g.max()), rel=1e-5)


def test_the_printed_projection_stops_above_the_optimum_and_says_so():
    x, y, _ = rows_and_target("binary", n=60)
    exact = ke.MKLClassifier("fkl", KERNELS).fit(x, y)
    with pytest.warns(ke.mkl.ConvergenceWarning, match="no step gains .* projection='euclidean'"):
        printed = ke.MKLClassifier("fkl", KERNELS, projection="paper").fit(x, y)
    assert not printed.converged_
    assert printed.objective_path_[-1] > exact.objective_path_[-1] + 1e-3
    assert printed.objective_path_[-1] - printed.gap_ <= exact.objective_path_[-1]
    assert (np.diff(printed.objective_path_) <= 0).all()


@pytest.mark.parametrize("scaling", ["diagonal", "none", "trace", "centered"])
def test_scaling_is_that_of_the_kernels_in_use(scaling):
    x, y, _ = rows_and_target("binary", n=50)
    plain = [ke.Gaussian(1.0), ke.Linear(), ke.Polynomial(2)]
    found = ke.MKLClassifier("average", plain, scaling=scaling).fit(x, y)
    n = len(x)
    for kernel, base in zip(found.kernels_, plain, strict=True):
        K, raw = kernel(x), base(x)
        if scaling == "none":
            wanted = raw
        elif scaling == "diagonal":
            wanted = raw / np.sqrt(np.outer(np.diag(raw), np.diag(raw)))
        elif scaling == "trace":
            wanted = raw * n / np.trace(raw)
        else:
            wanted = raw * n / (np.trace(raw) - raw.sum() / n)
        assert pytest.approx(wanted, rel=1e-10) == K
    # At prediction the learned kernel carries the scaling.
    rows = x + 0.1
    direct = found.kernel_(rows, found.X_fit_) @ found.dual_coef_[0] + found.intercept_[0]
    assert found.decision_function(rows) == pytest.approx(direct)
