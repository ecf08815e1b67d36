"""The worked values of the combinations of three Gaussians on the seven points."""

import golden
import numpy as np
import pytest
from mkl_problems import Settings, WeightProblem

import kernelect as ke
from kernelect._data.target import Target
from kernelect.mkl._bases import Bases
from kernelect.mkl._methods.alignment import _Alignments
from kernelect.mkl._support_vectors import SVMMachine

KERNELS = [ke.Gaussian(tau) for tau in golden.TAUS]


def learned(method, **parameters):
    return ke.MKLClassifier(method, KERNELS, **parameters).fit(golden.X, golden.Y)


@pytest.mark.parametrize(("method", "weights"), golden.ALIGNED.items())
def test_alignment(method, weights):
    assert learned(method).candidate_weights_ == pytest.approx(weights, abs=1e-8)


def test_linear_alignment():
    bases = Bases(KERNELS, golden.X, {}, 1)
    codes = (golden.Y > 0).astype(np.int64)
    target = Target("classification", np.array([-1, 1]), codes, np.zeros((0, 7)))
    machine = SVMMachine(golden.Y[None, :].astype(float), 1.0)
    problem = WeightProblem(bases, machine, target, Settings(), tol=1e-8, max_iter=10)
    weights = _Alignments(problem).linear()
    assert weights == pytest.approx(golden.LINEARLY_ALIGNED, abs=1e-8)


@pytest.mark.parametrize(("method", "parameters", "weights", "objective"), golden.LEARNED)
def test_trained(method, parameters, weights, objective):
    found = learned(method, tol=1e-10, **parameters)
    assert found.candidate_weights_ == pytest.approx(weights, abs=1e-5)
    assert found.objective_path_[-1] == pytest.approx(objective, abs=1e-8)
    assert found.converged_
    assert found.gap_ <= 1e-10 * max(1.0, abs(objective))


def test_the_spectral_measure_selects_one_kernel():
    found = learned("sm")
    assert found.candidate_weights_.tolist() == [0.0, 1.0, 0.0]
    # The middle kernel is the one of the worked example.
    assert found.objective_path_[-1] == pytest.approx(golden.CLASSIFICATION["sm"], rel=1e-10)
