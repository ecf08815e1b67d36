"""Candidates of every kind that is promised give the same scores."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from same_numbers import CRITERIA, GRID, WANTED, X, Y, same
from sklearn.gaussian_process import kernels as processes
from sklearn.metrics import pairwise

import kernelect as ke


def matrices():
    return [kernel(X) for kernel in GRID]


def stored(tmp_path, dtype=np.float64):
    path = tmp_path / "kernels.npy"
    np.save(path, np.stack(matrices()).astype(dtype))
    return np.load(path, mmap_mode="r")


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        np.stack,
        lambda ks: [np.asfortranarray(k) for k in ks],
        lambda ks: [np.repeat(np.repeat(k, 2, 0), 2, 1)[::2, ::2] for k in ks],
        lambda ks: [k.tolist() for k in ks],
        lambda ks: [pd.DataFrame(k) for k in ks],
        lambda ks: [sp.csr_matrix(k) for k in ks],
        lambda ks: [k.astype(object) for k in ks],
        lambda ks: np.array([*ks, None], dtype=object)[:-1],
        iter,
        lambda ks: (k for k in ks),
        lambda ks: map(np.array, ks),
    ],
)
def test_forms_of_kernel_matrices(form):
    table = ke.evaluate(None, Y, form(matrices()), CRITERIA)
    same(table, rtol=1e-9)
    assert [repr(kernel) for kernel in table.kernels] == [f"Precomputed({i})" for i in range(6)]


def test_one_bare_matrix_is_one_candidate():
    for form in (GRID[0](X), pd.DataFrame(GRID[0](X)), sp.csr_matrix(GRID[0](X))):
        table = ke.evaluate(None, Y, form, CRITERIA)
        assert len(table.kernels) == 1
        assert table.scores["sm"][0] == pytest.approx(WANTED.scores["sm"][0], rel=1e-12)


def test_memory_mapped_files(tmp_path):
    same(ke.evaluate(None, Y, stored(tmp_path), CRITERIA), rtol=1e-9)
    same(ke.evaluate(None, Y, list(stored(tmp_path)), CRITERIA), rtol=1e-9)
    same(ke.evaluate(None, Y, stored(tmp_path, np.float32), CRITERIA), rtol=1e-5)


@pytest.mark.parametrize("criterion", ["sm", "auto"])
def test_a_generator_is_consumed_one_matrix_at_a_time(criterion):
    alive = []
    most = 0

    def one_by_one():
        for kernel in GRID:
            # While the next matrix is made, nobody holds the one before.
            gc.collect()
            assert [ref() for ref in alive if ref() is not None] == []
            matrix = kernel(X)
            alive.append(weakref.ref(matrix))
            nonlocal most
            most = max(most, sum(ref() is not None for ref in alive))
            yield matrix
            del matrix

    chosen = ke.select(None, Y, one_by_one(), criterion)
    assert len(alive) == len(GRID) == len(chosen.table.kernels)
    assert most == 1


def test_a_generator_is_not_read_ahead():
    seen = []

    def checked():
        for place, kernel in enumerate(GRID):
            seen.append(place)
            yield kernel(X) if place < 2 else kernel(X[:5])

    with pytest.raises(ValueError, match=r"kernel matrix 2 has shape \(5, 5\)"):
        ke.evaluate(None, Y, checked())
    assert seen == [0, 1, 2]


def test_a_generator_of_kernels_streams_like_a_list():
    """Wide kernels would lose their digits as matrices."""
    wide = ke.gaussian_grid(20, 26)
    wanted = ke.evaluate(X, Y, wide, CRITERIA)
    table = ke.evaluate(X, Y, iter(wide), CRITERIA)
    same(table, wanted, rtol=1e-12)
    assert table.kernels == wide


def test_callables_and_process_kernels():
    def laplacian(a, b):
        return pairwise.laplacian_kernel(a, b, gamma=0.2)

    given = [laplacian, processes.RBF(2.0), processes.RBF(1.0) + processes.WhiteKernel(0.5)]
    table = ke.evaluate(X, Y, given, CRITERIA)
    noisy = ke.Gaussian(1.0)(X) + 0.5 * np.eye(70)
    wanted = [ke.Laplacian(0.2)(X), ke.Gaussian(4.0)(X), noisy]
    same(table, ke.evaluate(None, Y, wanted, CRITERIA), rtol=1e-10)
    assert repr(table.kernels[0]) == "Function(laplacian)"
    assert repr(table.kernels[1]) == "Function(RBF(length_scale=2))"
    frame = pd.DataFrame(X, columns=list("abcd"))
    same(ke.evaluate(frame, Y, given, CRITERIA), table)


def test_candidates_of_all_kinds_in_one_list_keep_their_places():
    function = pairwise.cosine_similarity
    mixed = [
        function,
        ke.Gaussian(1.0),
        ke.Gaussian(2.0)(X),
        ke.kernels.Function(function) + ke.Gaussian(4.0),
        ke.Gaussian(0.5),
        processes.RBF(2.0),
    ]
    table = ke.evaluate(X, Y, mixed, CRITERIA)
    cosine = function(X)
    wanted = [
        cosine,
        ke.Gaussian(1.0)(X),
        ke.Gaussian(2.0)(X),
        cosine + ke.Gaussian(4.0)(X),
        ke.Gaussian(0.5)(X),
        ke.Gaussian(4.0)(X),
    ]
    same(table, ke.evaluate(None, Y, wanted, CRITERIA), rtol=1e-9)
    assert [repr(kernel) for kernel in table.kernels] == [
        "Function(cosine_similarity)",
        "Gaussian(tau=1.0)",
        "Precomputed(2)",
        "Function(cosine_similarity) + Gaussian(tau=4.0)",
        "Gaussian(tau=0.5)",
        "Function(RBF(length_scale=2))",
    ]


def test_a_single_kernel_or_callable():
    assert ke.evaluate(X, Y, ke.Gaussian(1.0)).kernels == [ke.Gaussian(1.0)]
    assert len(ke.evaluate(X, Y, pairwise.rbf_kernel).kernels) == 1


def test_names_of_candidates():
    assert ke.evaluate(X, Y, "gaussian").kernels == ke.gaussian_grid()
    assert ke.evaluate(X, Y).kernels == ke.gaussian_grid()


def test_families_by_name_in_a_list():
    named = ke.evaluate(X, Y, ["rbf", "linear", ke.Laplacian(0.5)], "sm")
    assert named.kernels == [*ke.gaussian_grid(), ke.Linear(), ke.Laplacian(0.5)]
    assert ke.select(X, Y, ["poly"]).table.kernels == ke.select(X, Y, "polynomial").table.kernels
    with pytest.raises(ValueError, match="unknown candidates 'lineal'; did you mean 'linear'"):
        ke.select(X, Y, ["rbf", "lineal"])
