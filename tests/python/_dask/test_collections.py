"""Dask collections without a cluster: the same answer as of the rows in memory, and refusals."""

import subprocess
import sys
import warnings

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from refusals import cases, refuses

import kernelect as ke
from kernelect._dask import rows as rows_of_dask
from kernelect._dask.rows import DaskRows
from kernelect._evidence.sampled import blocks, evidence

pytestmark = pytest.mark.filterwarnings("ignore:the landmark model has not:UserWarning")
RNG = np.random.default_rng(5)
N = 5000
X = RNG.normal(size=(N, 3))
Y = np.where(X[:, 0] * X[:, 1] + 0.3 * RNG.normal(size=N) > 0, "up", "down")
GRID = ke.gaussian_grid(0, 2)
ASKED = {"landmarks": 30, "lam": [0.1, 1.0], "n_threads": 1}
SYSTEMS = ["loo", "cv", "gcv", "evidence", "bif", ke.criteria.LOO(loss="log_probability")]


def bits(table):
    return {key: column.values.tobytes() for key, column in table.columns.items()}


@pytest.fixture(scope="module")
def local():
    return bits(ke.evaluate(X, Y, GRID, SYSTEMS, **ASKED))


def with_empty_block(blocks):
    return da.concatenate([blocks[:0], blocks[:2000], blocks[2000:2000], blocks[2000:]])


def of_unknown_lengths(rows):
    return da.from_array(rows, chunks=1700)[da.ones(N, chunks=1700) > 0]


FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
FORMS = {
    "one chunk": (da.from_array(X, chunks=N), da.from_array(Y, chunks=N)),
    "seven chunks": (da.from_array(X, chunks=(715, 3)), da.from_array(Y, chunks=715)),
    "a chunk of one row": (da.from_array(X, chunks=((1, N - 1), 3)), da.from_array(Y, chunks=600)),
    "chunks of columns": (da.from_array(X, chunks=(1500, 2)), da.from_array(Y, chunks=N)),
    "empty blocks": (with_empty_block(da.from_array(X, chunks=900)), da.from_array(Y, chunks=9)),
    "unknown lengths": (of_unknown_lengths(X), of_unknown_lengths(Y)),
    "a data frame": (dd.from_pandas(FRAME, npartitions=4), dd.from_pandas(pd.Series(Y), 3)),
    "a target in memory": (da.from_array(X, chunks=900), Y),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_answer_is_that_of_the_rows_in_memory(form, local):
    assert bits(ke.evaluate(*FORMS[form], GRID, SYSTEMS, **ASKED)) == local


def test_elections_agree():
    known = ke.select(X, Y, kernels="auto", **ASKED)
    found = ke.select(*FORMS["chunks of columns"], kernels="auto", **ASKED)
    assert found.kernel == known.kernel
    assert (found.lam, found.score, found.landmarks) == (known.lam, known.score, known.landmarks)
    assert bits(found.table) == bits(known.table)


def test_weights_and_groups_may_be_collections():
    weights = RNG.integers(0, 3, size=N).astype(float)
    groups = RNG.integers(0, 40, size=N)
    how = {**ASKED, "kernels": GRID, "criteria": "cv"}
    known = ke.evaluate(X, Y, sample_weight=weights, groups=groups, **how)
    dX, dy = FORMS["seven chunks"]
    lazy = [da.from_array(some, chunks=1000) for some in (weights, groups)]
    assert bits(ke.evaluate(dX, dy, sample_weight=lazy[0], groups=lazy[1], **how)) == bits(known)


def test_sums_over_pairs_and_functions_as_kernels():
    def kernel(A, B):
        return np.exp(-np.abs(A[:, None, 0] - B[None, :, 0]))

    some = slice(0, 600)
    dX, dy = (part[some] for part in FORMS["seven chunks"])
    for candidates, criteria in ((GRID, ["sm", "loo"]), ([kernel], "loo")):
        known = ke.evaluate(X[some], Y[some], candidates, criteria, **ASKED)
        assert bits(ke.evaluate(dX, dy, candidates, criteria, **ASKED)) == bits(known)


def test_sampled_sums_and_the_screening_of_many_rows(monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK", 512)

    def kernel(A, B):
        return np.exp(-np.abs(A[:, None, 0] - B[None, :, 0]))

    dX, dy = FORMS["chunks of columns"]
    numbers = X[:, 0] + X[:, 1] ** 2
    for target, lazy in ((Y, dy), (numbers, da.from_array(numbers, chunks=999))):
        for candidates in (ke.gaussian_grid(-2, 12, 2), [kernel]):
            how = {"kernels": candidates, "criteria": ["sm", "kta", "ckta"], "sample": 300}
            assert bits(ke.evaluate(dX, lazy, **how)) == bits(ke.evaluate(X, target, **how))
    monkeypatch.setattr(evidence, "SCREEN_ALL", 2000)
    known = ke.select(X, Y, **ASKED)
    found = ke.select(dX, dy, **ASKED)
    assert known.table.columns["kta"].errors is not None
    assert bits(found.table) == bits(known.table)


def test_columns_of_very_different_scales_are_told_by_name():
    frame = dd.from_pandas(FRAME * [1.0, 1.0, 1e5], npartitions=3)
    with pytest.warns(UserWarning, match="very different scales .* column 'c'"):
        ke.evaluate(frame, Y, GRID[:1], "gcv", landmarks=5)


def test_rows_are_fetched_once_by_their_numbers():
    rows = DaskRows.of(FORMS["empty blocks"][0])
    numbers = np.array([4999, 0, 2000, 0, 1999])
    assert (rows[numbers] == X[numbers]).all()
    fetched = rows._known[1]
    assert (rows[numbers[::-1]] == X[numbers[::-1]]).all()
    assert rows._known[1] is fetched
    assert (rows[::1000] == X[::1000]).all()
    with pytest.raises(TypeError, match="are never all in this process"):
        np.asarray(rows)


def test_many_rows_of_a_part_stay_where_they_are(monkeypatch):
    monkeypatch.setattr(rows_of_dask, "_FETCHED", 0.0)
    rows = DaskRows.of(FORMS["empty blocks"][0])
    places = np.flatnonzero(RNG.random(N) < 0.3)
    part = rows.part(places)
    assert isinstance(part, DaskRows)
    assert part.shape == (len(places), 3)
    assert (part[:] == X[places]).all()
    assert (part.max(axis=0) == X[places].max(axis=0)).all()


def test_learners_fit_and_predict_lazily():
    dX, dy = FORMS["chunks of columns"]
    how = {"solver": "landmarks", "landmarks": 30}
    known = ke.LSSVMClassifier(ke.Gaussian(2.0), **how).fit(X, Y)
    found = ke.LSSVMClassifier(ke.Gaussian(2.0), **how).fit(dX, dy)
    assert found.dual_coef_.tobytes() == known.dual_coef_.tobytes()
    assert found.loo_score_ == known.loo_score_
    for method in ("predict", "predict_proba", "decision_function"):
        lazy = getattr(found, method)(dX)
        assert isinstance(lazy, da.Array)
        assert lazy.shape == getattr(known, method)(X).shape
        assert (lazy.compute() == getattr(known, method)(X)).all()


@pytest.mark.parametrize("constant", ["rows", "target"])
def test_nothing_to_elect_by(constant):
    """All rows were asked for, to find a width where any is as good."""
    rows = np.ones((60, 2)) if constant == "rows" else X[:60]
    y = np.ones(60) if constant == "target" else np.arange(60.0)
    how = {"solver": "landmarks", "landmarks": 5}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        known = ke.LSSVMRegressor(**how).fit(rows, y)
        found = ke.LSSVMRegressor(**how).fit(da.from_array(rows, chunks=(20, 2)), y)
    assert found.kernel_ == known.kernel_
    assert found.dual_coef_.tobytes() == known.dual_coef_.tobytes()


def test_new_rows_that_are_no_table_are_refused():
    model = ke.LSSVMClassifier(ke.Gaussian(2.0), solver="landmarks", landmarks=5).fit(X, Y)
    column = da.from_array(X[:, 0], chunks=100)
    refuses(lambda: model.predict(column), ValueError, "X must be a table of rows and columns")


def test_regressors_of_data_frames_and_empty_partitions():
    frame = dd.from_pandas(FRAME, npartitions=3)
    y = X[:, 0] ** 2
    model = ke.LSSVMRegressor("auto", landmarks=30).fit(
        frame, dd.from_pandas(pd.Series(y), npartitions=2)
    )
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    few = frame[frame["a"] > 2.5]
    assert np.allclose(model.predict(few).compute(), model.predict(FRAME[FRAME["a"] > 2.5]))
    refuses(lambda: model.predict(few, return_std=True), ValueError, "return_std")


def test_a_selector_elects_and_fits_its_own_learner():
    dX, dy = FORMS["seven chunks"]
    how = {"kernels": GRID, "landmarks": 30}
    known = ke.KernelSelector(**how, lam="auto", refit=False).fit(X, Y)
    found = ke.KernelSelector(**how).fit(dX, dy)
    assert found.best_kernel_ == known.best_kernel_
    assert found.result_.lam == known.result_.lam
    assert found.n_features_in_ == 3
    assert set(found.predict(dX[:50]).compute()) <= {"up", "down"}


DX, DY = FORMS["seven chunks"]
SPARSE = da.from_array(X, chunks=900).map_blocks(sp.csr_matrix, dtype=float)
OBJECTS = da.from_array(X.astype(object), chunks=900).map_blocks(
    lambda block: np.full(block.shape, "text", dtype=object), dtype=object
)
UNKNOWN = DX.rechunk((715, 2))[:, da.ones(3, chunks=2) > 0]
HOLES = da.where(DX > 3.0, np.nan, DX)


@cases(
    ("a client for nothing", lambda: ke.select(X, Y, client=object()), ValueError, "plays no part"),
    ("no client", lambda: ke.select(DX, DY, client=object()), TypeError, "distributed.Client"),
    ("whole", lambda: ke.select(DX, DY, landmarks=None), ValueError, "landmarks=None asks for"),
    ("all", lambda: ke.evaluate(DX, DY, criteria="all"), ValueError, "name the criteria"),
    ("pep", lambda: ke.evaluate(DX, DY, criteria="pep"), ValueError, "pep is a function of whole"),
    (
        "pairs",
        lambda: ke.select(da.zeros((60_000, 2)), da.zeros(60_000), criterion="sm"),
        ValueError,
        "all pairs of 60000 rows",
    ),
    ("widths", lambda: ke.select(DX, DY, "laplacian"), ValueError, "variance of all rows"),
    ("matrices", lambda: ke.select(DX, DY, [np.eye(N)]), ValueError, "list of kernels"),
    ("generator", lambda: ke.select(DX, DY, iter(GRID)), ValueError, "list of kernels"),
    ("lengths", lambda: ke.select(DX[:-1], DY, GRID), ValueError, "X has 4999 rows"),
    ("too many", lambda: ke.select(DX, DY, GRID, landmarks=N + 1), ValueError, "more than the"),
    ("sparse", lambda: ke.select(SPARSE, DY, GRID), TypeError, "blocks of type csr_matrix"),
    ("text", lambda: ke.select(OBJECTS, DY, GRID), ValueError, "not numeric"),
    ("missing", lambda: ke.select(HOLES, DY, GRID), ValueError, "missing values"),
    ("a list", lambda: ke.select(DX[:, 0], DY, GRID), ValueError, "table of rows and columns"),
    (
        "columns",
        lambda: ke.select(UNKNOWN, DY, GRID),
        ValueError,
        "X.compute_chunk_sizes() first",
    ),
    ("nothing", lambda: ke.select(DX[:0], DY[:0], GRID), ValueError, "no rows"),
    (
        "exact",
        lambda: ke.LSSVMClassifier("auto", solver="exact").fit(DX, DY),
        ValueError,
        "'exact' needs",
    ),
    ("rbf", lambda: ke.LSSVMClassifier("rbf").fit(DX, DY), ValueError, "kernel='rbf' needs"),
)
def test_refusals(given, kind, said):
    refuses(given, kind, said)


def test_an_estimator_of_rows_in_memory_is_refused_before_the_election():
    from sklearn.svm import SVC

    refuses(lambda: ke.KernelSelector(SVC()).fit(DX, DY), ValueError, "SVC is fitted to rows in")
    assert ke.KernelSelector(SVC(), GRID, refit=False, landmarks=20).fit(DX, DY).best_kernel_


def test_dask_is_imported_for_its_own_collections_alone():
    script = (
        "import sys, numpy as np, kernelect as ke\n"
        "X = np.random.default_rng(0).normal(size=(60, 2)); y = X[:, 0] > 0\n"
        "ke.select(X, y, landmarks=20); ke.LSSVMClassifier().fit(X, y).predict(X)\n"
        "assert not {'dask', 'distributed'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
