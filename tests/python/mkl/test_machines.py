"""The machines: feasible, and as good as LIBSVM at its tightest."""

import numpy as np
import pytest
from mkl_problems import EPSILON, machine_for, rows_and_target
from sklearn.svm import SVC, SVR

import kernelect as ke
from kernelect.mkl._machines import FreeSystem
from kernelect.mkl._support_vectors import _step

# From well conditioned to a rank of three, where the free equations are singular.
KERNELS = [
    ke.Gaussian(0.1),
    ke.Gaussian(5.0),
    ke.Gaussian(1e4),
    ke.normalized(ke.Linear()),
    ke.normalized(ke.Polynomial(20)),
]


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0, 10.0, 1000.0])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_dual_is_feasible_and_optimal(task, kernel, C):
    x, _, targets = rows_and_target(task, n=50)
    K = kernel(x)
    machine = machine_for(task, targets, C)
    solution = machine.solve_to(K, 1e-7)
    total = 0.0
    for target, column in zip(targets, solution.columns, strict=True):
        z = column.z
        assert abs(z.sum()) <= 1e-12 * C * len(z)
        if task == "regression":
            assert np.abs(z).max() <= C
            model = SVR(C=C, epsilon=EPSILON, kernel="precomputed", tol=1e-3).fit(K, target)
        else:
            assert (target * z).min() >= 0.0
            assert (target * z).max() <= C
            model = SVC(C=C, kernel="precomputed", tol=1e-3).fit(K, target)
        other = np.zeros(len(z))
        other[model.support_] = model.dual_coef_[0]
        shrink = EPSILON if task == "regression" else 0.0
        total += target @ other - shrink * np.abs(other).sum() - 0.5 * other @ K @ other
    value = solution.h - 0.5 * float(np.einsum("ci,ij,cj->", solution.z, K, solution.z))
    scale = max(1.0, abs(total))
    # Any feasible value is below the maximum, and the slack says how far ours can be.
    assert value >= total - 1e-9 * scale
    assert total <= value + solution.slack + 1e-9 * scale
    assert solution.slack <= 1e-7 * scale


@pytest.mark.parametrize("task", ["multiclass", "regression"])
def test_a_kernel_of_low_rank_is_solved_whatever_its_last_bits(task):
    x, _, targets = rows_and_target(task, n=50)
    plain = x @ x.T
    for seed in range(5):
        bits = np.triu(np.random.default_rng(seed).integers(-2, 3, size=plain.shape), 1)
        K = plain * (1.0 + 1.1e-16 * (bits + bits.T))
        solution = machine_for(task, targets, 1000.0).solve_to(K, 1e-7)
        assert solution.slack <= 1e-7 * abs(solution.h)


def test_a_step_without_curvature_ends_at_a_bound():
    # Two equal rows of different targets: nothing but the bounds keeps them from moving apart.
    system, C = FreeSystem(np.arange(2), np.ones((2, 2))), np.full(2, 3.0)
    step, stopped = _step(system, np.array([1.0, -1.0]), np.zeros(2), -C, C)
    assert step.tolist() == [3.0, -3.0]
    assert stopped.all()


def test_least_squares_is_the_bordered_system():
    x, _, targets = rows_and_target("multiclass", n=40)
    K = ke.Gaussian(2.0)(x)
    solution = machine_for("multiclass", targets, 2.0, "lssvm").solve(K, 1e-3)
    n = len(K)
    bordered = np.block(
        [[K + 0.25 * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]]
    )
    wanted = np.linalg.solve(bordered, np.vstack([targets.T, np.zeros((1, len(targets)))]))
    assert pytest.approx(wanted[:-1], rel=1e-8, abs=1e-10) == solution.z.T
    assert solution.bias == pytest.approx(wanted[-1], rel=1e-8)
    value = solution.h - 0.5 * float(np.einsum("ci,ij,cj->", solution.z, K, solution.z))
    assert value == pytest.approx(0.5 * float((targets * solution.z).sum()), rel=1e-10)
