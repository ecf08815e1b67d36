"""Kernels with parameters and small problems, for tests of derivatives."""

import numpy as np
import pytest

import kernelect as ke
from kernelect._data.target import Target
from kernelect.kernels import WeightedSum
from kernelect.kernels._parameters import Parameters

RNG = np.random.default_rng(11)
N = 9
X = RNG.normal(size=(N, 3))
LABELS = {
    "binary": np.repeat([0, 1], [4, 5])[RNG.permutation(N)],
    "multiclass": np.repeat([0, 1, 2], 3)[RNG.permutation(N)],
    "regression": RNG.normal(size=(N, 2)),
}
FOLDS = [np.array([0, 5, 7]), np.array([1, 2]), np.array([3, 8]), np.array([4, 6])]
LAM = 0.3

FAMILIES = [
    ke.Gaussian(1.7),
    ke.ARDGaussian([0.4, 1.1, 0.05]),
    ke.Laplacian(0.4),
    ke.Matern(0.5, 1.3),
    ke.Matern(1.5, 0.8),
    ke.Matern(2.5, 2.5),
    ke.Matern(0.5, [0.7, 2.0, 1.1]),
    ke.Matern(1.5, [0.7, 2.0, 1.1]),
    ke.Matern(2.5, [0.7, 2.0, 1.1]),
    ke.RationalQuadratic(0.7, 1.3),
    ke.RationalQuadratic(2.2, [0.7, 2.0, 1.1]),
    ke.on_columns(1, ke.Periodic(1.3, 2.5)),
    ke.Polynomial(3, 0.5, 2.0),
    ke.Polynomial(2, 0.5, 0.0),
]
EXPRESSIONS = [
    2.0 * ke.Gaussian(1.0) + 0.5 * ke.Linear(),
    ke.Gaussian(3.0) * ke.Polynomial(2, 0.5, 2.0) * ke.Laplacian(0.1),
    ke.normalized(ke.Polynomial(3, 0.5, 2.0)),
    2 * ke.normalized(ke.Linear() + 3 * ke.Gaussian(1.0)) * ke.Laplacian(0.1) + ke.Linear(),
    ke.on_columns([0, 2], ke.ARDGaussian([0.3, 0.9])) + 0.5 * ke.on_columns([1], ke.Linear()),
    WeightedSum([ke.Gaussian(0.5), ke.Matern(1.5, [1.0, 1.0, 1.0])], [0.3, 0.9]),
    ke.ARDGaussian([0.2, 0.2, 0.2]) + ke.Matern(1.5, [1.0, 1.0, 1.0]),
]

LARGE = np.random.default_rng(7).normal(size=(150, 4))
TALL = Target.of_numbers(np.sin(LARGE[:, 0]) + LARGE[:, 1])


def target_of(task):
    y = LABELS[task]
    return Target.of_numbers(y) if task == "regression" else Target.of_labels(y)


def assert_slopes_are_differences(objective, kernel):
    """Compare with differences of doubles, which have half of their digits."""
    parameters, h = Parameters(kernel), 1e-5
    point, found = parameters.logarithms, objective(kernel, LAM, None)
    size = max(abs(found.by_parameters).max(), 1e-6 * abs(found.value))
    for place, slope in enumerate(found.by_parameters):
        step = h * np.eye(len(point))[place]
        ends = [objective(parameters.kernel_at(point + s * step), LAM, None) for s in (1, -1)]
        wanted = (ends[0].value - ends[1].value) / (2 * h)
        assert slope == pytest.approx(wanted, rel=1e-5, abs=1e-6 * size)
