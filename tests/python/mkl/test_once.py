"""The matrices of base kernels are made once per fit, however they are scaled and left out."""

import numpy as np
import pytest
from problems import problem

import kernelect as ke
from kernelect._dispatch import core
from kernelect.mkl._bases import Bases

KERNELS = [ke.Gaussian(0.5), ke.Gaussian(4.0), ke.Linear(), ke.Polynomial(2)]
SCALINGS = ["diagonal", "none", "trace", "centered"]


@pytest.fixture
def made(monkeypatch):
    """Numbers of kernels whose matrices were made, one entry for each time."""
    counts = []
    real = core.KernelStack

    def counted(sample, programs, **options):
        counts.append(len(programs))
        return real(sample, programs, **options)

    monkeypatch.setattr(core, "KernelStack", counted)
    return counts


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("method", ["simple", "fkl", "alignf", "nlmkl", "ks", "average"])
def test_every_method_makes_them_once(made, method, scaling):
    x, y = problem("binary", n=40)
    ke.MKLClassifier(method, KERNELS, scaling=scaling, tol=1e-2).fit(x, y)
    assert made == [len(KERNELS)]


@pytest.mark.parametrize("scaling", SCALINGS)
def test_kernels_left_out_are_not_made_again(made, scaling):
    x, y = problem("binary", n=40)
    constant, twice = ke.Gaussian(1e40), ke.Gaussian(0.5)
    given = ke.MKLClassifier("simple", [constant, *KERNELS, twice], scaling=scaling, tol=1e-8)
    with pytest.warns(UserWarning, match="were left out"):
        given.fit(x, y)
    assert len(made) == 1
    alone = ke.MKLClassifier("simple", KERNELS, scaling=scaling, tol=1e-8).fit(x, y)
    assert given.candidate_weights_[[0, -1]].tolist() == [0.0, 0.0]
    assert given.candidate_weights_[1:-1] == pytest.approx(alone.candidate_weights_, abs=1e-5)
    assert given.decision_function(x) == pytest.approx(alone.decision_function(x), abs=1e-5)


def test_a_product_of_features_needs_none(made):
    x, y = problem("binary", n=40)
    ke.MKLClassifier("gmkl", form="product", tol=1e-2).fit(x, y)
    assert made == []


@pytest.mark.parametrize("memory", [None, 0.0])
def test_a_part_of_a_stack_times_factors(memory):
    x, _ = problem("binary", n=90)
    bases = Bases(KERNELS, x, {}, 1, memory)
    assert bases.stack().stored == (memory is None)
    factors, places = np.array([2.0, 1.0, 0.5, 3.0]), [0, 2, 3]
    part = bases.times(factors).of(places).stack()
    matrices = np.array([factors[k] * KERNELS[k](x) for k in places])
    weights = np.array([0.2, 0.5, 0.3])
    assert part.size == 3
    assert part.combine(weights) == pytest.approx(np.tensordot(weights, matrices, 1))
    assert part.traces() == pytest.approx(np.einsum("kii->k", matrices))
    assert part.products(x.T) == pytest.approx(np.einsum("kij,cj->kci", matrices, x.T))
    assert part.inner(x @ x.T) == pytest.approx(np.einsum("kij,ij->k", matrices, x @ x.T))
    centred = matrices - matrices.mean(axis=1, keepdims=True)
    centred = centred - centred.mean(axis=2, keepdims=True)
    wanted = np.einsum("kij,lij->kl", centred, centred)
    assert part.centred_products() == pytest.approx(wanted, rel=1e-9)
