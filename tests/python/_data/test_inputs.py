"""Every kind of rows, labels and candidates that is promised gives the same numbers."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from problems import problem
from sklearn.gaussian_process import kernels as processes
from sklearn.metrics import pairwise

import kernelect as ke

CRITERIA = ["sm", "kta", "ckta", "stability"]
GRID = ke.gaussian_grid(-2, 3)
X, Y = problem("binary", n=70, d=4)
MANY, CODES = problem("multiclass", n=70, d=4)
NUMBERS = problem("regression", n=70, d=4)[1]
WANTED = ke.evaluate(X, Y, GRID, CRITERIA)


def same(table, wanted=WANTED, rtol=0.0):
    assert table.task == wanted.task
    for key, values in wanted.scores.items():
        assert_allclose(table.scores[key], values, rtol=rtol, err_msg=key)


# labels


@pytest.mark.parametrize(
    "labels",
    [
        np.where(Y == 1, "yes", "no"),
        np.where(Y == 1, "yes", "no").tolist(),
        np.where(Y == 1, "yes", "no").astype(object),
        np.where(Y == 1, b"yes", b"no"),
        Y.astype(bool),
        Y.astype(bool).tolist(),
        Y.astype(bool).astype(object),
        Y.astype(np.int8),
        Y.astype(np.uint64),
        Y.astype(float),
        Y.astype(np.float32),
        Y.astype(object),
        2 * Y - 1,
        Y * 10**15,
        Y.reshape(-1, 1),
        Y.tolist(),
        tuple(Y),
        pd.Series(Y, index=np.arange(70)[::-1]),
        pd.Series(Y).astype("Int64"),
        pd.Series(Y).astype("boolean"),
        pd.Series(np.where(Y == 1, "yes", "no")),
        pd.Series(np.where(Y == 1, "yes", "no")).astype("category"),
        pd.Categorical.from_codes(Y, ["no", "yes"]),
        pd.DataFrame({"kind": Y}),
        pd.date_range("2020-01-01", periods=2).to_numpy()[Y],
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
def test_labels_of_any_type(labels):
    same(ke.evaluate(X, labels, GRID, CRITERIA))


def test_labels_of_several_classes():
    names = np.array(["d", "a", "c", "b"])[CODES]
    wanted = ke.evaluate(MANY, CODES, GRID, CRITERIA)
    same(ke.evaluate(MANY, names, GRID, CRITERIA), wanted, rtol=1e-13)
    same(ke.evaluate(MANY, pd.Categorical(names), GRID, CRITERIA), wanted, rtol=1e-13)
    same(ke.evaluate(MANY, CODES * 1.0, GRID, CRITERIA), wanted)


def test_many_names_are_many_classes():
    """However many there are, text is never a number to predict."""
    names = [f"name {i % 40}" for i in range(70)]
    table = ke.evaluate(X, names, GRID, ["sm", "ckta"])
    assert table.task == "classification"
    assert np.isfinite(table.scores["ckta"]).all()


@pytest.mark.parametrize(
    ("target", "task"),
    [
        (np.arange(70) % 20, "classification"),
        (np.arange(70) % 21, "regression"),
        (np.arange(70) % 20 * 1.0, "classification"),
        (np.arange(70) % 20 * 1.5, "regression"),
        (np.arange(70) % 2 + 0.5, "regression"),
        (np.arange(70) % 2 == 0, "classification"),
        ((np.arange(70) % 30).astype(str), "classification"),
        (NUMBERS, "regression"),
        (NUMBERS.astype(object), "regression"),
        (pd.array(NUMBERS, dtype="Float64"), "regression"),
        (np.c_[np.arange(70) % 2, np.arange(70) % 3], "regression"),
    ],
)
def test_what_auto_takes_a_target_for(target, task):
    assert ke.evaluate(X, target, GRID, "sm").task == task
    if np.asarray(target).ndim == 1 and np.asarray(target).dtype.kind in "biuf":
        assert ke.evaluate(X, target, GRID, "sm", task="regression").task == "regression"


def test_whole_numbers_can_be_classes_when_told():
    target = np.arange(70) % 30
    assert ke.evaluate(X, target, GRID, "sm", task="classification").task == "classification"


def test_several_targets():
    """Alignments take the sum of the targets' matrices, the spectral measure the mean."""
    two = np.c_[NUMBERS, np.cos(X[:, 1])]
    table = ke.evaluate(X, two, GRID, ["sm", "kta", "ckta"])
    each = [ke.evaluate(X, column, GRID, "sm").scores["sm"] for column in two.T]
    assert_allclose(table.scores["sm"], np.mean(each, axis=0), rtol=1e-12)
    centred = two - two.mean(axis=0)
    for place, kernel in enumerate(GRID):
        k = kernel(X)
        for key, t in (("kta", two), ("ckta", centred)):
            k = k if key == "kta" else k - k.mean(0) - k.mean(0)[:, None] + k.mean()
            wanted = np.sum(k * (t @ t.T)) / np.linalg.norm(k) / np.linalg.norm(t @ t.T)
            assert table.scores[key][place] == pytest.approx(wanted, rel=1e-10)
    same(ke.evaluate(X, pd.DataFrame(two), GRID, ["sm", "kta", "ckta"]), table)


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_targets_of_any_size(scale):
    """No criterion of a regression changes with its unit."""
    wanted = ke.evaluate(X, NUMBERS, GRID, CRITERIA)
    same(ke.evaluate(X, scale * NUMBERS, GRID, CRITERIA), wanted, rtol=1e-11)
    unlike = np.c_[NUMBERS, np.clip(scale, 1e-150, 1e150) * NUMBERS]
    assert_allclose(
        ke.evaluate(X, unlike, GRID, "sm").scores["sm"], wanted.scores["sm"], rtol=1e-11
    )


# rows


def test_data_frames():
    same(ke.evaluate(pd.DataFrame(X, columns=list("abcd")), Y, GRID, CRITERIA))
    same(ke.evaluate(pd.DataFrame(X, columns=["a", "a", "b", "b"]), Y, GRID, CRITERIA))
    same(ke.evaluate(pd.DataFrame(X).astype("Float64"), Y, GRID, CRITERIA))
    mixed = pd.DataFrame({"a": X[:, 0].astype(np.float32), "b": Y, "c": Y == 1})
    plain = np.c_[X[:, 0].astype(np.float32), Y, Y].astype(float)
    same(ke.evaluate(mixed, Y, GRID, CRITERIA), ke.evaluate(plain, Y, GRID, CRITERIA))


def test_sparse_data_frames():
    x = np.where(np.abs(X) > 0.8, X, 0.0)
    wanted = ke.evaluate(x, Y, GRID, CRITERIA)
    frame = pd.DataFrame(x)
    same(ke.evaluate(frame.astype(pd.SparseDtype(float, 0.0)), Y, GRID, CRITERIA), wanted, 1e-12)
    same(ke.evaluate(frame.astype(pd.SparseDtype(float, 1.0)), Y, GRID, CRITERIA), wanted)


def test_whole_numbers_and_truths_as_features():
    whole = np.random.default_rng(0).integers(0, 5, size=(70, 4))
    wanted = ke.evaluate(whole.astype(float), Y, GRID, CRITERIA)
    for form in (whole, whole.astype(np.uint8), whole.tolist(), whole.astype(object)):
        same(ke.evaluate(form, Y, GRID, CRITERIA), wanted)
    same(
        ke.evaluate(whole > 2, Y, GRID, CRITERIA),
        ke.evaluate((whole > 2).astype(float), Y, GRID, CRITERIA),
    )


class Frame:
    """A table from another library: it has names and gives an array, and nothing of pandas."""

    columns = ("a", "b", "c", "wide")

    def __array__(self, dtype=None, copy=None):
        return np.asarray(X * [1, 1, 1, 1e6], dtype=dtype)


def test_tables_of_other_libraries():
    with pytest.warns(UserWarning, match="'wide'"):
        found = ke.evaluate(Frame(), Y, GRID, CRITERIA)
    with pytest.warns(UserWarning, match="column 3"):
        same(found, ke.evaluate(np.asarray(Frame()), Y, GRID, CRITERIA))


@pytest.mark.parametrize(
    "make", [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.bsr_matrix, sp.csr_array, sp.coo_array]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_sparse_forms(make, dtype):
    x = np.where(np.abs(X) > 0.8, np.round(4 * X), 0.0)
    wanted = ke.evaluate(x, Y, [*GRID, ke.Linear(), ke.Laplacian(0.2)], CRITERIA)
    found = ke.evaluate(make(x.astype(dtype)), Y, [*GRID, ke.Linear(), ke.Laplacian(0.2)], CRITERIA)
    same(found, wanted, rtol=1e-11)


def test_sparse_rows_with_wide_indices_duplicates_and_no_order():
    x = np.where(np.abs(X) > 0.8, X, 0.0)
    wide = sp.csr_matrix(x)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    halves = sp.coo_matrix(x)
    twice = sp.csr_matrix(
        (
            np.r_[halves.data / 2, halves.data / 2][::-1],
            (np.r_[halves.row, halves.row][::-1], np.r_[halves.col, halves.col][::-1]),
        ),
        shape=x.shape,
    )
    reordered = sp.csr_matrix(x)
    for i in range(70):
        place = slice(*reordered.indptr[i : i + 2])
        reordered.data[place] = reordered.data[place][::-1]
        reordered.indices[place] = reordered.indices[place][::-1]
    reordered.has_sorted_indices = False
    before = reordered.indices.copy()
    zeros = sp.csr_matrix(np.where(x == 0, 1.0, x))
    zeros.data[zeros.data == 1.0] = 0.0  # stored zeros
    for form in (wide, twice, reordered, zeros):
        same(ke.evaluate(form, Y, GRID, CRITERIA), ke.evaluate(x, Y, GRID, CRITERIA), rtol=1e-12)
    assert_array_equal(reordered.indices, before)


def test_far_from_the_origin_in_many_dimensions():
    """There distances come from products of centred rows."""
    x = np.random.default_rng(1).normal(size=(150, 40))
    y = np.arange(150) % 3
    grid = ke.gaussian_grid(2, 8)
    wanted = ke.evaluate(x, y, grid, CRITERIA)
    for offset in (10.0, 1e3, 1e6):
        same(ke.evaluate(x + offset, y, grid, CRITERIA), wanted, rtol=1e-8)


# candidates


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


# grids that follow the data


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("scale", [1.0, 2.0**-20, 2.0**20, 2.0**-480, 2.0**480])
def test_auto_follows_the_scale(scale, convert):
    """From kernels near the identity to kernels near all ones, in any unit."""
    grid = ke.evaluate(convert(X), Y, "auto", "sm").kernels
    moved = ke.evaluate(convert(scale * X), Y, "auto", "sm").kernels
    assert [kernel.tau for kernel in moved] == [kernel.tau * scale**2 for kernel in grid]
    assert_allclose(np.log2([kernel.tau for kernel in grid]) % 1.0, 0.0)
    off = ~np.eye(70, dtype=bool)
    assert np.median(moved[0](scale * X)[off]) < 1e-3
    assert np.median(moved[-1](scale * X)[off]) > 0.97
    wanted, found = (ke.select(convert(s * X), Y, "auto", "sm") for s in (1.0, scale))
    assert found.index == wanted.index
    assert found.score == pytest.approx(wanted.score, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_auto_at_ordinary_scales_has_its_winner_inside(scale):
    chosen = ke.select(scale * X, Y, "auto", "sm")
    assert 0 < chosen.index < len(chosen.table.kernels) - 1


@pytest.mark.parametrize("scale", [1e-160, 1e-300, 1e200, 1e300])
def test_auto_at_scales_out_of_range(scale):
    """Squared distances that no number can hold give kernels of which none is informative."""
    table = ke.evaluate(scale * X, Y, "auto", "sm")
    assert not np.isnan(table.scores["sm"]).any()


def test_auto_with_many_features_and_few_rows():
    x = np.random.default_rng(0).normal(size=(4, 50_000))
    grid = ke.evaluate(x, [0, 0, 1, 1], "auto", "sm").kernels
    assert grid[0].tau < 1e5 < grid[-1].tau


def test_heuristics():
    from sklearn.svm import SVC

    machine = SVC().fit(X, Y)
    assert ke.heuristics.scale(X).gamma == pytest.approx(machine._gamma, rel=1e-12)
    assert ke.heuristics.scale(sp.csr_matrix(X)).gamma == pytest.approx(machine._gamma, rel=1e-12)
    distances = pairwise.euclidean_distances(X)[np.triu_indices(70, 1)]
    assert ke.heuristics.median(X).sigma == pytest.approx(np.median(distances), rel=0.05)
    assert ke.heuristics.median(2.0**400 * X).tau == ke.heuristics.median(X).tau * 2.0**800


# arguments stay as they are


def test_arguments_are_not_changed():
    x, k = X.copy(), GRID[2](X)
    rows, labels, kept = sp.csr_matrix(x), Y.copy(), k.copy()
    ke.evaluate(x, labels, GRID, CRITERIA)
    ke.evaluate(rows, labels, "auto", CRITERIA)
    ke.evaluate(None, labels, [k], CRITERIA)
    assert_array_equal(x, X)
    assert_array_equal(rows.toarray(), X)
    assert_array_equal(k, kept)
    x.flags.writeable = k.flags.writeable = labels.flags.writeable = False
    same(ke.evaluate(x, labels, GRID, CRITERIA))
    ke.evaluate(None, labels, [k], CRITERIA)
