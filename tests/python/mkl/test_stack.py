"""Stacks of kernel matrices in the core, against numpy."""

import numpy as np
import pytest
from problems import problem
from sklearn.metrics.pairwise import cosine_similarity

import kernelect as ke
from kernelect.mkl import _bases
from kernelect.mkl._bases import Bases

KERNELS = [
    ke.Gaussian(0.5),
    ke.Gaussian(1.0),
    ke.Gaussian(2.0),
    ke.Gaussian(2.0),  # equal kernels share their tiles
    ke.Gaussian(1e-4),  # the identity: tiles of zeros
    ke.Gaussian(1e6),  # nearly constant: computed as 1 - K
    ke.normalized(ke.Polynomial(3)),
    ke.Linear() + 2 * ke.Laplacian(0.3),
]


def stack_of(n, memory=1e9, threads=1, kernels=KERNELS, d=4):
    x, _ = problem("binary", n=n, d=d)
    return Bases(kernels, x, {}, threads, memory).stack(), np.array([k(x) for k in kernels])


@pytest.mark.parametrize("memory", [1e9, 0.0], ids=["stored", "streamed"])
@pytest.mark.parametrize("n", [2, 9, 64, 65, 200])
def test_against_numpy(n, memory):
    stack, K = stack_of(n, memory)
    assert stack.stored == (memory > 0.0)
    rng = np.random.default_rng(n)
    weights = rng.normal(size=len(K))
    scale = np.abs(K).max()
    assert stack.combine(weights) == pytest.approx(np.tensordot(weights, K, 1), abs=1e-12 * scale)
    assert stack.combine(0.0 * weights) == pytest.approx(np.zeros((n, n)), abs=0.0)
    vectors = rng.normal(size=(3, n))
    wanted = np.einsum("kij,cj->kci", K, vectors)
    assert stack.products(vectors) == pytest.approx(wanted, abs=1e-12 * n * scale)
    G = rng.normal(size=(n, n))
    G = G + G.T
    assert stack.inner(G) == pytest.approx(np.tensordot(K, G, 2), abs=1e-11 * n * scale)
    H = np.eye(n) - 1.0 / n
    C = H @ K @ H
    wanted = np.tensordot(C, C, ((1, 2), (1, 2)))
    norms = np.sqrt(np.diagonal(wanted))
    got = stack.centred_products()
    # The nearly constant kernel keeps the digits that its entries have.
    assert got / np.outer(norms, norms) == pytest.approx(wanted / np.outer(norms, norms), abs=1e-8)
    assert stack.traces() == pytest.approx(np.trace(K, axis1=1, axis2=2))
    assert stack.centred_traces() == pytest.approx(np.trace(C, axis1=1, axis2=2), abs=1e-9 * n)


@pytest.mark.parametrize("memory", [1e9, 0.0], ids=["stored", "streamed"])
def test_threads_do_not_change_a_bit(memory):
    one, _ = stack_of(300, memory)
    many, _ = stack_of(300, memory, threads=3)
    rng = np.random.default_rng(0)
    weights, vectors, G = rng.normal(size=8), rng.normal(size=(2, 300)), rng.normal(size=(300, 300))
    G = G + G.T
    assert (one.combine(weights) == many.combine(weights)).all()
    assert (one.products(vectors) == many.products(vectors)).all()
    assert (one.inner(G) == many.inner(G)).all()
    assert (one.centred_products() == many.centred_products()).all()


def test_matrices_and_subsets():
    x, _ = problem("binary", n=90)
    index = np.arange(5, 80, 3)
    kernels = [ke.Gaussian(1.0), ke.kernels.Function(cosine_similarity), ke.Linear()]
    matrix = cosine_similarity(x)
    bases = Bases(kernels, x, {1: matrix}, 1)
    wanted = np.array([ke.Gaussian(1.0)(x), matrix, ke.Linear()(x)])
    weights = np.array([0.2, 0.5, 0.3])
    assert bases.stack().combine(weights) == pytest.approx(np.tensordot(weights, wanted, 1))
    part = wanted[:, index][:, :, index]
    assert bases.stack(index).combine(weights) == pytest.approx(np.tensordot(weights, part, 1))
    others = np.setdiff1d(np.arange(90), index)
    cross = np.tensordot(weights, wanted[:, others][:, :, index], 1)
    assert bases.cross(weights, others, index) == pytest.approx(cross)


def test_fits_are_the_same_without_stored_matrices(monkeypatch):
    x, y = problem("binary", n=70)
    stored = ke.MKLClassifier("fkl", tol=1e-6).fit(x, y)
    monkeypatch.setattr(_bases, "MEMORY", 0.0)
    streamed = ke.MKLClassifier("fkl", tol=1e-6).fit(x, y)
    assert stored.objective_path_[-1] == pytest.approx(streamed.objective_path_[-1], rel=1e-8)
    assert stored.predict(x).tolist() == streamed.predict(x).tolist()
